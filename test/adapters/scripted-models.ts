// Models of the AI SDK and of LangChain that say what a server on loopback scripts.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { AIMessageChunk } from '@langchain/core/messages';
import { ChatOpenAI, type ChatOpenAIFields } from '@langchain/openai';
import { startScriptedServer, type Turn } from './scripted-server.ts';

export const aiModel = (baseURL: string) =>
  createOpenAICompatible({ name: 'scripted', baseURL })('scripted');

export const chatModel = (baseURL: string, fields: ChatOpenAIFields = {}) =>
  new ChatOpenAI({
    model: 'scripted',
    apiKey: 'none',
    maxRetries: 0,
    configuration: { baseURL },
    ...fields,
  });

/** A model that says these turns, and then the text "done". */
export async function scriptedAiModel(...turns: readonly Turn[]) {
  const { baseURL } = await startScriptedServer(...turns, done);
  return aiModel(baseURL);
}

/** A turn with one call. */
export const callTurn = (name: string, args: string, id = 'call_1') => ({
  calls: [{ id, name, arguments: args }],
});

export const done: Turn = { text: 'done' };

/** The message that LangChain streams. */
export async function whole(stream: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk> {
  let all: AIMessageChunk | undefined;
  for await (const chunk of stream) all = all === undefined ? chunk : all.concat(chunk);
  if (all === undefined) throw new Error('the model said nothing');
  return all;
}

/** Without LangChain's warnings about calls that it can't read. */
export async function quietly<Value>(work: () => Promise<Value>): Promise<Value> {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return await work();
  } finally {
    console.warn = warn;
  }
}
