// The public names of toolmend/langchain, one by one.
export { type LangChainTools, toLangChain } from './to-lang-chain.ts';
export type { LangChainCallOptions, LangChainOptions } from './lang-chain-options.ts';
export { ToolCallError } from '../../registry/foreign-loop/tool-call-error.ts';
