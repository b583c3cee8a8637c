// The names of the entry `toolmend/anthropic`, one by one.
export {
  anthropicMessages,
  type AnthropicOptions,
  type AnthropicTools,
  type AnthropicTurn,
} from './messages.ts';
export { MessageCollector } from './messages.ts';
