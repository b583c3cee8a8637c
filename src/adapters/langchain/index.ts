export { type LangChainOptions, type LangChainTools, repairToolCalls, toLangChain } from './langchain.ts';
export type { RepairToolCallsOptions } from '../repair-by-schema.ts';
export { type SdkCallOptions as LangChainCallOptions, ToolCallError } from '../sdk-driven-loop.ts';
