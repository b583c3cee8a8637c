// The public names of toolmend/langchain, one by one.
export { type LangChainTools, toLangChain } from './langchain.ts';
export type { LangChainCallOptions, LangChainOptions } from './langchain.ts';
export { ToolCallError } from '../../registry/sdk-driven-loop.ts';
