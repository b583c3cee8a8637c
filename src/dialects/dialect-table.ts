// Which forms of a tool can be asked for? A new one is one file and one row here, in both tables.
import type { ToolContract } from '../contract/tool-contract.ts';
import { type OpenAiChatTool, openAiChatTool } from './openai-chat-tool.ts';
import { type ShownTool, shownTool } from './shown-tool.ts';

/** By dialect: what one tool looks like in it. */
export interface Dialects {
  /** JSON Schema as it is. */
  readonly neutral: ShownTool;
  /** Chat Completions. */
  readonly openai: OpenAiChatTool;
}

export type DialectName = keyof Dialects;

const toDialect: { readonly [Name in DialectName]: (tool: ShownTool) => Dialects[Name] } = {
  neutral: (tool) => tool,
  openai: openAiChatTool,
};

/** The tools in one dialect, in their order: a new list of frozen schemas, the same ones every time. */
export const showTools = <Name extends DialectName>(
  contracts: Iterable<ToolContract>,
  dialect: Name,
): Dialects[Name][] => Array.from(contracts, (contract) => toDialect[dialect](shownTool(contract)));
