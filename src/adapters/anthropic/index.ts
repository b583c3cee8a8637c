// How does a program that talks to Claude use tools? The names of the entry `toolmend/anthropic`, one by one.
export {
  anthropicMessages,
  type AnthropicOptions,
  type AnthropicTools,
  type AnthropicTurn,
} from './anthropic-messages.ts';
export { MessageCollector } from './message-collector.ts';
