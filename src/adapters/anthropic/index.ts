export {
  anthropicMessages,
  type AnthropicOptions,
  type AnthropicTools,
  type AnthropicTurn,
  MessageCollector,
} from './messages.ts';
