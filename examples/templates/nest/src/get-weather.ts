import { Injectable } from '@nestjs/common';
import { ArrayOf, EnumOf, Tool } from 'toolmend';

@Injectable()
export class Thermometer {
  degrees(): number {
    return 21;
  }
}

@Tool({ name: 'get_weather', description: 'Get the weather of cities.', effects: 'read' })
export class GetWeather {
  @ArrayOf(String)
  cities!: string[];

  @EnumOf(['celsius', 'fahrenheit'])
  unit!: 'celsius' | 'fahrenheit';

  constructor(private readonly thermometer: Thermometer) {}

  execute(): string[] {
    return this.cities.map((city) => `${city}: ${this.thermometer.degrees()} ${this.unit}`);
  }
}
