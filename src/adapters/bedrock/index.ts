export {
  type BedrockOptions,
  type BedrockTools,
  type BedrockTurn,
  ConverseCollector,
  bedrockConverse,
} from './converse.ts';
