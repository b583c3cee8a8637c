// Uses a registry's tools in the AI SDK.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ReadFiles } from './read-files.ts';
import { startScriptedServer } from './scripted-server.ts';

// #region ai-sdk
import { generateText, isStepCount } from 'ai';
import { ToolRegistry } from 'toolmend';
import { toAiSdk } from 'toolmend/ai-sdk';

const registry = new ToolRegistry().register(ReadFiles);

async function ask(model: Parameters<typeof generateText>[0]['model'], prompt: string) {
  return generateText({ model, prompt, stopWhen: isStepCount(5), ...toAiSdk(registry) });
}
// #endregion

const server = await startScriptedServer(
  { call: 'ReadFiles', arguments: "{'file': 'package.json', limit: 2" },
  { text: 'It is called toolmend.' },
);
const provider = createOpenAICompatible({ name: 'scripted', baseURL: server.baseURL });
const { text } = await ask(provider('scripted'), 'What is this package called?');
console.log(text);
server.close();
