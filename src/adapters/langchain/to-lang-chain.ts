// How do the tools of a registry get into LangChain? As structured tools, and a step behind the model that reads its calls.
import type { AIMessage } from '@langchain/core/messages';
import type { DynamicStructuredTool } from '@langchain/core/tools';
import { SentCalls } from '../../registry/foreign-loop/sent-calls.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import type { LangChainOptions } from './lang-chain-options.ts';
import { langChainTool } from './lang-chain-tool.ts';
import { repairToolCalls } from './repair-tool-calls.ts';

export interface LangChainTools {
  /** For `bindTools`, tool nodes and agents. Each interprets its calls itself, so that they work without anything else. */
  readonly tools: DynamicStructuredTool[];
  /**
   * The message with its calls as they were meant: text that is no JSON is mended, names that are only spelled differently
   * are the tools', arguments are those that would run. Put it behind the model: `model.bindTools(tools).pipe(repairToolCalls)`.
   */
  readonly repairToolCalls: (message: AIMessage) => AIMessage;
}

/** The tools of a registry or a selection, as they are now. One is good for all requests. */
export function toLangChain(tools: ToolSet, options: LangChainOptions = {}): LangChainTools {
  const sent = new SentCalls();
  const source = { tools, sent, options };
  const direct = new Set(
    tools.contracts().flatMap(({ name, execution }) => (execution?.returns === 'directly' ? [name] : [])),
  );
  return {
    tools: tools.schemas().map((shown) => langChainTool(shown, direct.has(shown.name), source)),
    repairToolCalls: (message) => repairToolCalls(tools, sent, message),
  };
}
