export {
  type AiSdkOptions,
  type AiSdkOutput,
  type AiSdkSettings,
  type AiSdkTool,
  type AskUser,
  type RepairToolCall,
  toAiSdk,
} from './ai-sdk.ts';
export { ToolCallError } from '../sdk-driven-loop.ts';
