export { type LangChainOptions, type LangChainTools, toLangChain } from './langchain.ts';
export { repairToolCalls } from './repair-tool-calls.ts';
export type { RepairToolCallsOptions } from '../repair-by-schema.ts';
export { type SdkCallOptions as LangChainCallOptions, ToolCallError } from '../sdk-driven-loop.ts';
