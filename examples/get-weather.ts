// The tool of first-tool.ts, for other programs.
import { IsIn } from 'class-validator';
import { ArrayOf, Tool } from 'toolmend';

@Tool({ name: 'get_weather', description: 'Get the weather of cities.', effects: 'read' })
export class GetWeather {
  @ArrayOf(String) cities!: string[];
  @IsIn(['celsius', 'fahrenheit']) unit!: string;
  execute() {
    return this.cities.map((city) => `${city}: 21 ${this.unit}`);
  }
}
