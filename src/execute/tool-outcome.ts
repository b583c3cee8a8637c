import { newErrorId } from '../errors/errors.ts';
import type { Accepted, Interpretation, Rejected } from '../interpret/interpretation.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import type { JsonValue } from '../json/value.ts';
import { internalErrorMessage, notExecuted, whyNotExecuted } from '../messages/call-messages.ts';
import { type Issue, isInternalError } from '../messages/issue.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import type { PendingApproval } from './approval.ts';
import type { RunRefusal, TimeLimit } from './limits.ts';
import type { ResultContent, ResultImage } from './tool-result.ts';

/** Nothing was executed: somebody said no, or hasn't said yes. */
export type WithheldOutcome = Denied | ApprovalRequired;

interface WithheldCall {
  readonly call: ToolCall;
  /** The tool's own name, whatever the model wrote. */
  readonly tool: string;
  readonly interpretation: Accepted;
  /** For the model. */
  readonly message: string;
  readonly notes?: readonly string[];
}

/** An interceptor or an approver said no; `used`: somebody has decided on this approval before. */
export interface Denied extends WithheldCall {
  readonly status: 'denied';
  readonly by: 'interceptor' | 'approver' | 'used';
}

/**
 * Somebody has to be asked first. `asked`: for the first time. The others say why an approval was not enough, and ask
 * again: it had `expired`, is `unknown` to this registry, what would run has `changed` since; or the approver's own
 * arguments were `refused`, and the same approval is still open.
 */
export interface ApprovalRequired extends WithheldCall {
  readonly status: 'approval_required';
  readonly why: 'asked' | 'expired' | 'unknown' | 'changed' | 'refused';
  /** What to hand to `ToolRegistry.resolveApproval`; plain JSON. */
  readonly approval: PendingApproval;
  /** What is wrong with the approver's arguments, where they were refused. */
  readonly issues: readonly Issue[];
}

// Exactly one of these; none of them is thrown.
export type ToolOutcome = AcceptedOutcome | InvalidArguments | UnknownTool;

const executed: ReadonlySet<string> = new Set(['completed', 'retry', 'failed', 'timed_out', 'cancelled']);

/** Whether the tool's code was run, whatever became of it. */
export const wasExecuted = (outcome: ToolOutcome): boolean =>
  executed.has(outcome.status) && !('when' in outcome && outcome.when === 'before');

/** What can become of a call whose arguments were accepted. */
export type AcceptedOutcome = ExecutedOutcome | WithheldOutcome | LimitExceeded;

/** What can become of a call that was let in. Unless it says `when: 'before'`, its tool was executed. */
export type ExecutedOutcome = Completed | RetryAsked | Failed | TimedOut | Cancelled;

/** The arguments don't fit; nothing was executed. */
export interface InvalidArguments {
  readonly status: 'invalid_arguments';
  readonly call: ToolCall;
  /** The tool's own name, whatever the model wrote. */
  readonly tool: string;
  readonly interpretation: Rejected;
  /** How often in a row this very call has failed in this very way; 1 where no memory was given. */
  readonly failures: number;
  /** For the model. */
  readonly message: string;
  readonly notes?: readonly string[];
  /** A check of the tool's author threw, and the model reads nothing but this id. */
  readonly errorId?: string;
}

/** There is no such tool; nothing was executed. */
export interface UnknownTool {
  readonly status: 'unknown_tool';
  readonly call: ToolCall;
  /** Near names, nearest first; may be empty. */
  readonly suggestions: readonly string[];
  readonly message: string;
  readonly notes?: readonly string[];
}

/** The call was not let in; nothing was executed. */
export interface LimitExceeded {
  readonly status: 'limit_exceeded';
  /**
   * `busy`: too many calls wait. `closed`: the registry was closed. `call-limit`, `run-limit`, `retry-limit`: the run has had
   * its calls of this tool, its calls, or its failures in a row. `repeated`: the same call has failed too often.
   * `continuation`: the result that it wants to read on in is not kept.
   */
  readonly reason: RunRefusal | 'busy' | 'closed' | 'repeated';
  readonly call: ToolCall;
  readonly tool: string;
  readonly interpretation: Interpretation;
  /** For the model. */
  readonly message: string;
  readonly notes?: readonly string[];
}

interface AcceptedCall {
  readonly call: ToolCall;
  readonly tool: string;
  readonly interpretation: Accepted;
  /** Milliseconds from the creation of the instance to the end; waiting is not counted. */
  readonly duration: number;
  /** For the model, beside what it reads; absent: none. */
  readonly notes?: readonly string[];
}

/** The tool returned. `before`: nothing was executed, and an interceptor's answer stands for the result. */
export interface Completed extends AcceptedCall {
  readonly status: 'completed';
  readonly when?: 'before';
  /** As the tool returned it. */
  readonly result: unknown;
  /** The same, for the model; of a long result the first part. */
  readonly content: ResultContent;
  /** The result is meant for the user as it is; the model need not comment on it. */
  readonly returnDirect: boolean;
  /** What the tool gave for the application alone. */
  readonly artifact?: unknown;
}

/** The tool threw `ToolRetry`: the model is to try again, as `message` says. `before`: an interceptor did; nothing was executed. */
export interface RetryAsked extends AcceptedCall {
  readonly status: 'retry';
  readonly when?: 'before';
  readonly message: string;
}

/**
 * It is over. `declared`: the tool threw `ToolFailure`, and `message` is its text. `exception`: anything else
 * was thrown. `result`: the tool returned, but what it returned can't be shown. In these two the model reads
 * a fixed sentence with `errorId`. `before`: what failed stands before the tool; nothing was executed.
 */
export type Failed = AcceptedCall & {
  readonly status: 'failed';
  readonly when?: 'before';
  readonly message: string;
  /** What was thrown. For the application alone, so not enumerable: no copy, log or JSON has it by accident. */
  readonly cause: unknown;
} & ({ readonly reason: 'declared' } | { readonly reason: 'exception' | 'result'; readonly errorId: string });

/** The time limit was over before the tool had ended; its late result is dropped. */
export interface TimedOut extends AcceptedCall {
  readonly status: 'timed_out';
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** Whose limit it was; `model`: the call's own `_timeout_seconds`. */
  readonly setBy: TimeLimit['setBy'];
  readonly message: string;
}

/** The application cancelled, or closed the registry. `before`: nothing was executed. `during`: a late result is dropped. */
export interface Cancelled extends AcceptedCall {
  readonly status: 'cancelled';
  readonly when: 'before' | 'during';
  readonly message: string;
  /** The signal's reason. For the application alone, so not enumerable. */
  readonly cause: unknown;
}

// Why, and whether to send it again.
/** A call of a known tool. */
export interface RefusableCall {
  readonly contract: Pick<ToolContract, 'name'>;
  readonly call: ToolCall;
  readonly interpretation: Interpretation;
}

/** Nothing was executed; the sentence is the same every time. */
export function refuse(
  { contract, call, interpretation }: RefusableCall,
  reason: LimitExceeded['reason'],
): LimitExceeded {
  const { name: tool } = contract;
  const message = notExecuted(tool, whyNotExecuted[reason]);
  return Object.freeze({ status: 'limit_exceeded', reason, call, tool, interpretation, message });
}

// The model reads why; where a check of the author's broke, an error id.
/** The outcome; frozen. */
export function rejectedCall(
  rejected: Pick<InvalidArguments, 'call' | 'tool' | 'interpretation' | 'failures'>,
): InvalidArguments {
  const { tool, interpretation } = rejected;
  const { issues, message } = interpretation;
  if (!isInternalError(issues)) return Object.freeze({ ...rejected, status: 'invalid_arguments', message });
  const errorId = newErrorId();
  const masked = internalErrorMessage(tool, errorId);
  return Object.freeze({ ...rejected, status: 'invalid_arguments', message: masked, errorId });
}

// Every adapter makes its provider's form from this.
export interface ToolMessage {
  /** The result as text, or the sentence that says what went wrong. */
  readonly text: string;
  /** The result as data, where it was no text. */
  readonly structured?: JsonValue;
  /** Base64, for a model that sees. */
  readonly images?: readonly ResultImage[];
  /** What was done to the call's arguments, and what else the model should know. To be set beside the text, never into it. */
  readonly notes: readonly string[];
  readonly isError: boolean;
}

export function toolMessage(outcome: ToolOutcome): ToolMessage {
  const notes = notesOf(outcome);
  return outcome.status === 'completed'
    ? { ...outcome.content, notes, isError: false }
    : { text: outcome.message.toWellFormed(), notes, isError: true };
}

function notesOf(outcome: ToolOutcome): readonly string[] {
  const own = outcome.notes ?? [];
  if (outcome.status === 'unknown_tool') return own;
  return [...outcome.interpretation.notes.map(({ text }) => text.toWellFormed()), ...own];
}

/** The same outcome with more notes. */
export const withNotes = <Outcome extends ToolOutcome>(
  outcome: Outcome,
  notes: readonly string[],
): Outcome =>
  notes.length === 0
    ? outcome
    : frozenCopy(outcome, { notes: Object.freeze([...(outcome.notes ?? []), ...notes]) });

/** The same outcome with another text for the model. Of a result, the structured value goes: it says what the text said. */
export function withMessage(outcome: AcceptedOutcome, text: string): AcceptedOutcome {
  if (outcome.status !== 'completed') return frozenCopy(outcome, { message: text });
  const { structured: _whole, ...shown } = outcome.content;
  return frozenCopy(outcome, { content: Object.freeze({ ...shown, text }) });
}

/** A cause is not enumerable, so that no copy has it by accident; this copy keeps it on purpose. */
function frozenCopy<Outcome extends object, Changes extends object>(
  outcome: Outcome,
  changes: Changes,
): Outcome & Changes {
  const copy = { ...outcome, ...changes };
  const cause = Object.getOwnPropertyDescriptor(outcome, 'cause');
  if (cause !== undefined) Object.defineProperty(copy, 'cause', cause);
  return Object.freeze(copy);
}
