// The public names of toolmend/ai-sdk, one by one.
export { type AiSdkSettings, type AskUser, toAiSdk } from './to-ai-sdk.ts';
export type { AiSdkOptions } from './ai-sdk-options.ts';
export type { AiSdkTool } from './ai-sdk-tool.ts';
export type { RepairToolCall } from './repair-tool-call.ts';
export { ToolCallError } from '../../registry/foreign-loop/tool-call-error.ts';
export type { AiSdkOutput } from './tool-output.ts';
