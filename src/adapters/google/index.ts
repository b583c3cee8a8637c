export {
  ContentCollector,
  type GoogleOptions,
  type GoogleTools,
  type GoogleTurn,
  googleContents,
} from './contents.ts';
