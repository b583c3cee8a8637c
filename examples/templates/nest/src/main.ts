import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ToolmendModule } from 'toolmend/nestjs';
import { Agent } from './agent.js';
import { GetWeather, Thermometer } from './get-weather.js';

@Module({ imports: [ToolmendModule.forRoot()], providers: [Agent, GetWeather, Thermometer] })
class AppModule {}

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error'] });
console.log(await app.get(Agent).ask('How warm is it in Graz?'));
await app.close();
