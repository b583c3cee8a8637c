// The public names of toolmend/ai-sdk, one by one.
export { type AiSdkSettings, type AskUser, toAiSdk } from './ai-sdk.ts';
export type { AiSdkOptions } from './ai-sdk.ts';
export type { AiSdkTool } from './ai-sdk.ts';
export type { RepairToolCall } from './ai-sdk.ts';
export { ToolCallError } from '../../registry/sdk-driven-loop.ts';
export type { AiSdkOutput } from './ai-sdk.ts';
