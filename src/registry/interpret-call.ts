// What does a call mean to a set of tools? Which tool, and which arguments; nothing is executed.
import type { ToolContract } from '../contract/tool-contract.ts';
import type { RejectedCall, UnknownTool } from '../execute/tool-outcome.ts';
import { findTool } from '../interpret/find-tool.ts';
import { interpret } from '../interpret/interpret.ts';
import type { Accepted } from '../interpret/interpretation.ts';
import type { ToolCall } from '../interpret/tool-call.ts';

export type InterpretedCall = AcceptedCall | RejectedCall | UnknownTool;

/** A call that would be executed. */
export interface AcceptedCall {
  readonly outcome: 'accepted';
  readonly call: ToolCall;
  /** The tool's own name, whatever the model wrote. */
  readonly tool: string;
  readonly contract: ToolContract;
  readonly interpretation: Accepted;
}

export function interpretCall(tools: ReadonlyMap<string, ToolContract>, sent: ToolCall): InterpretedCall {
  // What an adapter could not read may be no text.
  const name = typeof sent.name === 'string' ? sent.name : '';
  const call = Object.freeze({ ...sent, name });
  const found = findTool(tools, name);
  if (found.kind === 'unknown') {
    const { suggestions, message } = found;
    return Object.freeze({ outcome: 'unknown-tool', call, suggestions, message });
  }
  const { tool: contract } = found;
  const tool = contract.name;
  const interpretation = interpret(contract, call);
  if (interpretation.outcome === 'rejected') {
    const { message } = interpretation;
    return Object.freeze({ outcome: 'rejected', call, tool, interpretation, message });
  }
  return Object.freeze({ outcome: 'accepted', call, tool, contract, interpretation });
}
