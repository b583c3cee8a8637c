// Answers the calls of a model in a Worker. Nothing in it is of Node.
import { deepEqual } from 'node:assert/strict';
// #region worker
import { ArrayOf, EnumOf, Tool, type ToolCall, toolMessage, ToolRegistry } from 'toolmend';

@Tool({ name: 'get_weather', description: 'Get the weather of cities.', effects: 'read' })
class GetWeather {
  @ArrayOf(String) cities!: string[];
  @EnumOf(['celsius', 'fahrenheit']) unit!: 'celsius' | 'fahrenheit';

  execute(): readonly string[] {
    return this.cities.map((city) => `${city}: 21 ${this.unit}`);
  }
}

const tools = new ToolRegistry().register(GetWeather);

const worker = {
  async fetch(request: Request): Promise<Response> {
    const call: ToolCall = JSON.parse(await request.text());
    return Response.json(toolMessage(await tools.call(call)));
  },
};
// #endregion

const call = { id: 'call_1', name: 'get_weather', arguments: '{"cities":"Graz","unit":"Celsius"}' };
const request = new Request('https://tools.test', { method: 'POST', body: JSON.stringify(call) });
const answer = await worker.fetch(request);
deepEqual(Object(await answer.json()).text, '["Graz: 21 celsius"]');
