// What does a call mean to a set of tools? Which tool, and which arguments; nothing is executed.
import type { ToolContract } from '../contract/tool-contract.ts';
import { rejectedCall } from '../execute/rejected-call.ts';
import type { RejectedCall, UnknownTool } from '../execute/tool-outcome.ts';
import { findTool } from '../interpret/find-tool.ts';
import { interpret } from '../interpret/interpret.ts';
import type { Accepted, Interpretation, Rejected } from '../interpret/interpretation.ts';
import type { CallMemory } from '../interpret/repetition/call-memory.ts';
import { requireFlatCall } from '../interpret/nested-call.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import type { TrustedDefinitions } from './trusted-definitions.ts';

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

/** `memory`: of the conversation that the call belongs to. */
export function interpretCall(
  tools: ReadonlyMap<string, ToolContract>,
  trusted: TrustedDefinitions,
  sent: ToolCall,
  memory?: CallMemory,
): InterpretedCall {
  requireFlatCall(sent, 'ToolRegistry');
  const call = Object.freeze({ ...sent });
  const found = findTool(tools, call.name);
  if (found.kind === 'unknown') {
    const { suggestions, message } = found;
    return Object.freeze({ outcome: 'unknown-tool', call, suggestions, message });
  }
  const { tool: contract } = found;
  const tool = contract.name;
  const { interpretation, failures } = trusted.isTrusted(contract)
    ? interpretWith(memory, contract, call)
    : { interpretation: untrusted(tool), failures: 1 };
  if (interpretation.outcome === 'rejected') {
    return rejectedCall({ call, tool, interpretation, failures });
  }
  return Object.freeze({ outcome: 'accepted', call, tool, contract, interpretation });
}

interface CountedInterpretation {
  readonly interpretation: Interpretation;
  /** How often in a row the call has failed in this way. */
  readonly failures: number;
}

function interpretWith(
  memory: CallMemory | undefined,
  contract: ToolContract,
  call: ToolCall,
): CountedInterpretation {
  if (memory === undefined) return { interpretation: interpret(contract, call), failures: 1 };
  const { failureLimit } = memory;
  const failedBefore = memory.failedBefore(contract.name, call.arguments);
  const interpretation = interpret(contract, call, { failedBefore, failureLimit });
  const failures = memory.remember(contract.name, call.arguments, interpretation);
  // The same arguments, but wrong in another way: an author's check may look at more than them.
  const isOther = interpretation.outcome === 'rejected' && failures !== failedBefore + 1;
  return { failures, interpretation: isOther ? interpret(contract, call) : interpretation };
}

/** Nothing of the arguments is looked at: the schema is one that nobody has accepted. */
const untrusted = (tool: string): Rejected =>
  Object.freeze({
    outcome: 'rejected',
    meta: Object.freeze({}),
    repairs: Object.freeze([] as const),
    notes: Object.freeze([] as const),
    issues: Object.freeze([Object.freeze({ keyword: 'not_accepted', path: '' })]),
    message: `${tool} was not executed. Its definition has changed and has to be accepted first. Go on without it.`,
  });
