// The names of the entry `toolmend/openai`.
export { chatCompletions, type ChatTools, type ChatTurn } from './chat-completions.ts';
export { ChatCollector } from './chat-completions.ts';
export { responses, type ResponseTools, type ResponseTurn } from './responses.ts';
export { ResponseCollector } from './responses.ts';
export type { OpenAiOptions } from './shared.ts';
