// curl -d 'How warm is it in Graz?' localhost:3000/api/weather
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount } from 'ai';
import { toAiSdk } from 'toolmend/ai-sdk';
import { tools } from '../../../lib/tools';

const baseURL = process.env['OPENAI_BASE_URL'] ?? 'http://127.0.0.1:11434/v1';
const server = createOpenAICompatible({ name: 'server', baseURL });

export async function POST(request: Request): Promise<Response> {
  const { text } = await generateText({
    model: server('qwen3'),
    prompt: await request.text(),
    stopWhen: isStepCount(5),
    ...toAiSdk(tools),
  });
  return Response.json({ text });
}
