// Uses a registry's tools in the AI SDK.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { GetWeather } from './get-weather.ts';
import { startScriptedServer } from './scripted-server.ts';

// #region ai-sdk
import { generateText, isStepCount } from 'ai';
import { ToolRegistry } from 'toolmend';
import { toAiSdk } from 'toolmend/ai-sdk';

const registry = new ToolRegistry().register(GetWeather);

async function ask(model: Parameters<typeof generateText>[0]['model'], prompt: string) {
  return generateText({ model, prompt, stopWhen: isStepCount(5), ...toAiSdk(registry) });
}
// #endregion

const server = await startScriptedServer(
  { call: 'GetWeather', arguments: "{'cities': ['Graz'], unit: 'Celsius'" },
  { text: 'It is 21 degrees in Graz.' },
);
const provider = createOpenAICompatible({ name: 'scripted', baseURL: server.baseURL });
const { text } = await ask(provider('scripted'), 'How warm is it in Graz?');
console.log(text);
server.close();
