// Which forms of a tool can be asked for? A new one is one file and one row here, in both tables.
import { type OpenAiChatTool, openAiChatTool } from './openai-chat-tool.ts';
import type { ShownTool } from './shown-tool.ts';

/** By dialect: what one tool looks like in it. */
export interface Dialects {
  /** JSON Schema as it is. */
  readonly neutral: ShownTool;
  /** Chat Completions. */
  readonly openai: OpenAiChatTool;
}

export type DialectName = keyof Dialects;

/** Pure, and the same object for the same tool every time. */
export const toDialect: { readonly [Name in DialectName]: (tool: ShownTool) => Dialects[Name] } = {
  neutral: (tool) => tool,
  openai: openAiChatTool,
};
