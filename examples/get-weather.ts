// The tool of first-tool.ts, for other programs.
import { ArrayOf, EnumOf, Tool } from 'toolmend';

@Tool({ name: 'get_weather', description: 'Get the weather of cities.', effects: 'read' })
export class GetWeather {
  @ArrayOf(String) cities!: string[];
  @EnumOf(['celsius', 'fahrenheit']) unit!: 'celsius' | 'fahrenheit';
  execute() {
    return this.cities.map((city) => `${city}: 21 ${this.unit}`);
  }
}
