export { type LangChainOptions, type LangChainTools, toLangChain } from './langchain.ts';
export { type SdkCallOptions as LangChainCallOptions, ToolCallError } from '../sdk-driven-loop.ts';
