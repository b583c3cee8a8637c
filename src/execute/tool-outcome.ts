// What becomes of one call, from the model's text to the end? Exactly one of these; none of them is thrown.
import type { Accepted, Interpretation, Rejected } from '../interpret/interpretation.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import type { RunRefusal } from './limits/tool-run.ts';
import type { TimeLimit } from './limits/time-limit.ts';
import type { ResultContent } from './results/result-content.ts';
import type { WithheldOutcome } from './withheld-outcome.ts';

export type ToolOutcome = AcceptedOutcome | RejectedCall | UnknownTool | Continued;

const executed: ReadonlySet<string> = new Set(['completed', 'retry', 'failed', 'timed-out', 'cancelled']);

/** Whether the tool's code was run, whatever became of it. */
export const wasExecuted = (outcome: ToolOutcome): boolean =>
  executed.has(outcome.outcome) && !('when' in outcome && outcome.when === 'before');

/** What can become of a call whose arguments were accepted. */
export type AcceptedOutcome = ExecutedOutcome | WithheldOutcome | RefusedCall;

/** What can become of a call that was let in. Unless it says `when: 'before'`, its tool was executed. */
export type ExecutedOutcome = Completed | RetryAsked | Failed | TimedOut | Cancelled;

/** The arguments don't fit; nothing was executed. */
export interface RejectedCall {
  readonly outcome: 'rejected';
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
  readonly outcome: 'unknown-tool';
  readonly call: ToolCall;
  /** Near names, nearest first; may be empty. */
  readonly suggestions: readonly string[];
  readonly message: string;
  readonly notes?: readonly string[];
}

/** The call was not let in; nothing was executed. */
export interface RefusedCall {
  readonly outcome: 'refused';
  /**
   * `busy`: too many calls wait. `closed`: the registry was closed. `call-limit`, `run-limit`, `retry-limit`: the run has had
   * its calls of this tool, its calls, or its failures in a row. `repeated`: the same call has failed too often.
   * `continuation`: the result that it wants to read on in is not kept.
   */
  readonly reason: RunRefusal | 'busy' | 'closed' | 'deadlock' | 'repeated' | 'continuation';
  readonly call: ToolCall;
  readonly tool: string;
  readonly interpretation: Interpretation;
  /** For the model. */
  readonly message: string;
  readonly notes?: readonly string[];
}

/** The model has read on in a result; nothing was executed, whatever else the call says. */
export interface Continued {
  readonly outcome: 'continued';
  readonly call: ToolCall;
  readonly tool: string;
  readonly interpretation: Interpretation;
  /** The next part. */
  readonly content: ResultContent;
  /** Which part it is, and how to read on. */
  readonly notes: readonly string[];
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
  readonly outcome: 'completed';
  readonly when?: 'before';
  /** As the tool returned it. */
  readonly result: unknown;
  /** The same, for the model; of a long result the first part. */
  readonly content: ResultContent;
  /** `directly`: the result is for the user as it is, and the model need not speak of it. */
  readonly returns: 'to-model' | 'directly';
  /** What the tool gave for the application alone. */
  readonly artifact?: unknown;
}

/** The tool threw `ToolRetry`: the model is to try again, as `message` says. `before`: an interceptor did; nothing was executed. */
export interface RetryAsked extends AcceptedCall {
  readonly outcome: 'retry';
  readonly when?: 'before';
  readonly message: string;
}

/**
 * It is over. `declared`: the tool threw `ToolFailure`, and `message` is its text. `exception`: anything else
 * was thrown. `result`: the tool returned, but what it returned can't be shown. In these two the model reads
 * a fixed sentence with `errorId`. `before`: what failed stands before the tool; nothing was executed.
 */
export type Failed = AcceptedCall & {
  readonly outcome: 'failed';
  readonly when?: 'before';
  readonly message: string;
  /** What was thrown. For the application alone, so not enumerable: no copy, log or JSON has it by accident. */
  readonly cause: unknown;
} & ({ readonly reason: 'declared' } | { readonly reason: 'exception' | 'result'; readonly errorId: string });

/** The time limit was over before the tool had ended; its late result is dropped. */
export interface TimedOut extends AcceptedCall {
  readonly outcome: 'timed-out';
  /** Milliseconds. */
  readonly timeLimit: number;
  /** Whose limit it was; `model`: the call's own `_timeout_seconds`. */
  readonly setBy: TimeLimit['setBy'];
  readonly message: string;
}

/** The application cancelled, or closed the registry. `before`: nothing was executed. `during`: a late result is dropped. */
export interface Cancelled extends AcceptedCall {
  readonly outcome: 'cancelled';
  readonly when: 'before' | 'during';
  readonly message: string;
  /** The signal's reason. For the application alone, so not enumerable. */
  readonly cause: unknown;
}
