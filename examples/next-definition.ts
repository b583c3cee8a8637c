// A route handler of Next.js with a tool of defineTool, called as Next.js calls it.
// #region route
// app/api/tools/route.ts
import { defineTool, toolMessage, ToolRegistry } from 'toolmend';

const getWeather = defineTool({
  name: 'get_weather',
  description: 'Get the weather of cities.',
  effects: 'read',
  inputSchema: {
    type: 'object',
    properties: {
      cities: { type: 'array', items: { type: 'string' } },
      unit: { enum: ['celsius', 'fahrenheit'] },
    },
    required: ['cities', 'unit'],
  },
  execute: ({ cities, unit }) => cities.map((city) => `${city}: 21 ${unit}`),
});
const tools = new ToolRegistry().register(getWeather);

export function GET(): Response {
  return Response.json(tools.schemas('openai'));
}

export async function POST(request: Request): Promise<Response> {
  const call = JSON.parse(await request.text()); // { id, name, arguments }
  return Response.json(toolMessage(await tools.call(call)));
}
// #endregion

const call = {
  id: 'call_1',
  name: 'get_weather',
  arguments: '{"cities":"[\\"Graz\\"]","unit":"Celsius"}',
};
const body = JSON.stringify(call);
const response = await POST(new Request('http://localhost/api/tools', { method: 'POST', body }));
console.log(GET().status, await response.text());
