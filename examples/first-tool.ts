// The shortest useful tool: one class, from its schema to its execution.
// #region class
import { ArrayOf, EnumOf, Tool, toolMessage, ToolRegistry } from 'toolmend';

@Tool({ name: 'get_weather', description: 'Get the weather of cities.', effects: 'read' })
class GetWeather {
  @ArrayOf(String) cities!: string[];
  @EnumOf(['celsius', 'fahrenheit']) unit!: 'celsius' | 'fahrenheit';
  execute() {
    return this.cities.map((city) => `${city}: 21 ${this.unit}`);
  }
}
const tools = new ToolRegistry().register(GetWeather);
const request = { tools: tools.schemas('openai') };
const call = {
  id: 'call_1',
  name: 'get_weather',
  arguments: '{"cities":"[\\"Graz\\"]","unit":"Celsius"}',
};
const { text, isError } = toolMessage(await tools.call(call));
// #endregion
console.log(request.tools.length, isError, text);
