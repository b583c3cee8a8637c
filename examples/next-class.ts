// A route handler of Next.js with a decorated class, called as Next.js calls it.
import { startScriptedServer } from './scripted-server.ts';

// #region route
// app/api/weather/route.ts
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount } from 'ai';
import { IsIn } from 'class-validator';
import { ArrayOf, Tool, ToolRegistry } from 'toolmend';
import { toAiSdk } from 'toolmend/ai-sdk';

@Tool({ name: 'get_weather', description: 'Get the weather of cities.', effects: 'read' })
class GetWeather {
  @ArrayOf(String) cities!: string[];
  @IsIn(['celsius', 'fahrenheit']) unit!: string;
  execute() {
    return this.cities.map((city) => `${city}: 21 ${this.unit}`);
  }
}
const tools = new ToolRegistry().register(GetWeather);

export async function POST(request: Request): Promise<Response> {
  const prompt = await request.text();
  const baseURL = process.env['OPENAI_BASE_URL'] ?? 'http://127.0.0.1:11434/v1';
  const server = createOpenAICompatible({ name: 'server', baseURL });
  const { text } = await generateText({
    model: server('qwen3'),
    prompt,
    stopWhen: isStepCount(5),
    ...toAiSdk(tools, { onOutcome: ({ status, call }) => console.log(status, call.name) }),
  });
  return Response.json({ text });
}
// #endregion

const model = await startScriptedServer(
  { call: 'get_weather', arguments: '{"cities":"[\\"Graz\\"]","unit":"Celsius"}' },
  { text: 'It is 21 degrees in Graz.' },
);
process.env['OPENAI_BASE_URL'] = model.baseURL;
const body = 'How warm is it in Graz?';
const response = await POST(new Request('http://localhost/api/weather', { method: 'POST', body }));
console.log(await response.text());
model.close();
