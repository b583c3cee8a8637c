// What can a program put around every call? Functions, each around the next, that see what the call means.
import type { ApplicationContext } from '../../contract/tool-contract.ts';
import type { AcceptedOutcome, ExecutedOutcome } from '../../execute/tool-outcome.ts';
import type { Denied } from '../../execute/withheld-outcome.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { AcceptedCall } from '../interpret-call.ts';

/**
 * Stands around calls whose arguments were accepted. It returns what `next` gives, `call.deny(…)` or `call.answer(…)`.
 * What it throws ends the call as a tool's exception does: the model reads a `ToolRetry` or a `ToolFailure`, and of
 * anything else an error id.
 */
export type Interceptor = (call: InterceptedCall, next: Next) => AcceptedOutcome | Promise<AcceptedOutcome>;

/**
 * Goes on with the call, once. With other arguments the call is judged again, by the same contract; if they are not
 * accepted, this rejects with a ToolmendError, and nothing was executed. Meta arguments stay as they were sent.
 */
export type Next = (editedArguments?: JsonObject) => Promise<AcceptedOutcome>;

/** A call as it would run; frozen, its arguments to the bottom. */
export interface InterceptedCall extends Omit<AcceptedCall, 'outcome'> {
  /** As interpreted, or as the interceptors before have edited them. */
  readonly arguments: JsonObject;
  /** The application's values for this call. */
  readonly values: ApplicationContext;
  readonly signal: AbortSignal | undefined;
  /** `given`: somebody has approved what would run; if it is edited now, they are asked again. */
  readonly approval: 'none' | 'given';
  /**
   * The outcome of a call that must not run; the model reads the message. Throws a DefinitionError without a text, and a
   * ToolmendError once the tool has started: then `answer`, or throw a `ToolFailure`.
   */
  deny(message: string): Denied;
  /** The outcome of a call that is answered with this result, as if the tool had returned it. */
  answer(result: unknown): ExecutedOutcome;
}
