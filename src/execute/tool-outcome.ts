// What becomes of one call, from the model's text to the end? Exactly one of these; none of them is thrown.
import type { Accepted, Rejected } from '../interpret/interpretation.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import type { ResultContent } from './result-content.ts';
import type { WithheldOutcome } from './withheld-outcome.ts';

export type ToolOutcome = AcceptedOutcome | RejectedCall | UnknownTool;

/** What can become of a call whose arguments were accepted. */
export type AcceptedOutcome = ExecutedOutcome | WithheldOutcome;

/** What can become of a call that was executed. */
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
}

/** There is no such tool; nothing was executed. */
export interface UnknownTool {
  readonly outcome: 'unknown-tool';
  readonly call: ToolCall;
  /** Near names, nearest first; may be empty. */
  readonly suggestions: readonly string[];
  readonly message: string;
}

interface AcceptedCall {
  readonly call: ToolCall;
  readonly tool: string;
  readonly interpretation: Accepted;
  /** Milliseconds from the creation of the instance to the end. */
  readonly duration: number;
}

/** The tool returned. */
export interface Completed extends AcceptedCall {
  readonly outcome: 'completed';
  /** As the tool returned it. */
  readonly result: unknown;
  /** The same, for the model. */
  readonly content: ResultContent;
}

/** The tool threw `ToolRetry`: the model is to try again, as `message` says. */
export interface RetryAsked extends AcceptedCall {
  readonly outcome: 'retry';
  readonly message: string;
}

/**
 * It is over. `declared`: the tool threw `ToolFailure`, and `message` is its text. `exception`: anything else
 * was thrown. `result`: the tool returned, but what it returned can't be shown. In these two the model reads
 * a fixed sentence with `errorId`.
 */
export type Failed = AcceptedCall & {
  readonly outcome: 'failed';
  readonly message: string;
  /** What was thrown. For the application alone, so not enumerable: no copy, log or JSON has it by accident. */
  readonly cause: unknown;
} & ({ readonly reason: 'declared' } | { readonly reason: 'exception' | 'result'; readonly errorId: string });

/** The time limit was over before the tool had ended; its late result is dropped. */
export interface TimedOut extends AcceptedCall {
  readonly outcome: 'timed-out';
  /** Milliseconds. */
  readonly timeLimit: number;
  readonly message: string;
}

/** The application cancelled. `before`: nothing was executed. `during`: a late result is dropped. */
export interface Cancelled extends AcceptedCall {
  readonly outcome: 'cancelled';
  readonly when: 'before' | 'during';
  readonly message: string;
  /** The signal's reason. For the application alone, so not enumerable. */
  readonly cause: unknown;
}
