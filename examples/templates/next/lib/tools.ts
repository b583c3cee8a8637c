import { ArrayOf, EnumOf, Tool, ToolRegistry } from 'toolmend';

@Tool({ name: 'get_weather', description: 'Get the weather of cities.', effects: 'read' })
class GetWeather {
  @ArrayOf(String)
  cities!: string[];

  @EnumOf(['celsius', 'fahrenheit'])
  unit!: 'celsius' | 'fahrenheit';

  execute(): string[] {
    return this.cities.map((city) => `${city}: 21 ${this.unit}`);
  }
}

export const tools = new ToolRegistry().register(GetWeather);
