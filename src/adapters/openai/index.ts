export {
  ChatCollector,
  type ChatOptions,
  chatCompletions,
  type ChatTools,
  type ChatTurn,
} from './chat-completions.ts';
export {
  ResponseCollector,
  responses,
  type ResponseOptions,
  type ResponseTools,
  type ResponseTurn,
} from './responses.ts';
export type { OpenAiOptions } from './shared.ts';
