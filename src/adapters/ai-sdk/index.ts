export {
  type AiSdkOptions,
  type AiSdkOutput,
  type AiSdkSettings,
  type AiSdkTool,
  type AskUser,
  type PrepareStep,
  type SdkStep,
  toAiSdk,
} from './ai-sdk.ts';
export { repairMiddleware } from './repair-middleware.ts';
export { type RepairToolCall, repairToolCalls } from './repair-tool-calls.ts';
export type { RepairToolCallsOptions } from '../repair-by-schema.ts';
export { ToolCallError } from '../sdk-driven-loop.ts';
