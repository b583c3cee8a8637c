// How does a program that talks to OpenAI, or to a server like it, use tools? The names of the entry `toolmend/openai`.
export { chatCompletions, type ChatTools, type ChatTurn } from './chat-completions.ts';
export { ChatCollector } from './chat-collector.ts';
export { responses, type ResponseTools, type ResponseTurn } from './responses.ts';
export { ResponseCollector } from './response-collector.ts';
export type { OpenAiOptions } from './openai-options.ts';
