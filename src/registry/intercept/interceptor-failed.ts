// What becomes of a call whose interceptor throws? It is over; the model reads whether its tool was executed.
import { signalTextOf } from '../../errors/tool-signals.ts';
import { newErrorId } from '../../errors/error-id.ts';
import { outcomeOf } from '../../execute/outcome-of-ending.ts';
import type { AcceptedOutcome } from '../../execute/tool-outcome.ts';
import { internalErrorMessage } from '../../issues/internal-error.ts';
import type { AcceptedCall } from '../interpret-call.ts';

/** `inner`: what became of the call behind the interceptor; undefined if it didn't go on. */
export function interceptorFailed(
  cause: unknown,
  { call, tool, contract, interpretation }: AcceptedCall,
  inner: AcceptedOutcome | undefined,
): AcceptedOutcome {
  const duration = inner !== undefined && 'duration' in inner ? inner.duration : 0;
  const facts = { call, tool, interpretation, duration };
  if (signalTextOf(cause) !== undefined) return outcomeOf({ kind: 'threw', error: cause }, facts, contract);
  const errorId = newErrorId();
  const wasExecuted = inner !== undefined && 'duration' in inner;
  const message = wasExecuted
    ? `${tool} was executed, but its result was lost in an internal error (error ${errorId}).`
    : internalErrorMessage(tool, errorId);
  const failed = { ...facts, outcome: 'failed', reason: 'exception', message, errorId, cause } as const;
  return Object.freeze(Object.defineProperty(failed, 'cause', { enumerable: false }));
}
