// What does a call mean to a set of tools? Which tool, and which arguments; nothing is executed.
import type { ToolContract } from '../contract/tool-contract.ts';
import { rejectedCall } from '../execute/rejected-call.ts';
import type { RejectedCall, UnknownTool } from '../execute/tool-outcome.ts';
import { interpret, type InterpretOptions } from '../interpret/interpret.ts';
import type { Accepted, Interpretation, Rejected } from '../interpret/interpretation.ts';
import type { CallMemory } from '../interpret/repetition/call-memory.ts';
import { requireFlatCall } from '../interpret/nested-call.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { findCall } from './shown/find-call.ts';
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

export interface InterpretingSet {
  readonly tools: ReadonlyMap<string, ToolContract>;
  readonly trusted: TrustedDefinitions;
}

/** What is known of a call beside what was sent. */
export interface CallFacts {
  /** What the conversation remembers of its calls; with it a model that repeats a wrong call is told so. */
  readonly memory?: CallMemory;
  /**
   * How the tools were shown to the model, as `schemas(dialect)` gave them: names and arguments are read in that form, and
   * a refusal speaks of it. Default: the call's own `dialect`, or as they are.
   */
  readonly dialect?: ToolCall['dialect'];
}

/** The outcome's call has the tool's own name where the model knew it by another one. */
export function interpretCall(
  { tools, trusted }: InterpretingSet,
  sent: ToolCall,
  { memory, dialect }: CallFacts,
): InterpretedCall {
  requireFlatCall(sent, 'ToolRegistry');
  const { found, call, options } = findCall(tools, sent, dialect);
  if (found.kind === 'unknown') {
    const { suggestions, message } = found;
    return Object.freeze({ outcome: 'unknown-tool', call, suggestions, message });
  }
  const { tool: contract } = found;
  const tool = contract.name;
  const { interpretation, failures } = trusted.isTrusted(contract)
    ? interpretWith(memory, contract, call, options)
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
  options: InterpretOptions | undefined,
): CountedInterpretation {
  if (memory === undefined) return { interpretation: interpret(contract, call, options), failures: 1 };
  const { failureLimit } = memory;
  const failedBefore = memory.failedBefore(contract.name, call.arguments);
  const interpretation = interpret(contract, call, { ...options, failedBefore, failureLimit });
  const failures = memory.remember(contract.name, call.arguments, interpretation);
  // The same arguments, but wrong in another way: an author's check may look at more than them.
  const isOther = interpretation.outcome === 'rejected' && failures !== failedBefore + 1;
  return { failures, interpretation: isOther ? interpret(contract, call, options) : interpretation };
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
