// What becomes of a call whose interceptor throws? It is over; the model reads whether its tool was executed.
import { signalTextOf } from '../../errors/tool-signals.ts';
import { newErrorId } from '../../errors/error-id.ts';
import { outcomeOf } from '../../execute/outcome-of-ending.ts';
import type { AcceptedOutcome } from '../../execute/tool-outcome.ts';
import type { PassingCall } from './passing-call.ts';

export function interceptorFailed(
  cause: unknown,
  { accepted, facts, hasStarted }: PassingCall,
): AcceptedOutcome {
  const { tool, contract } = accepted;
  if (!hasStarted || signalTextOf(cause) !== undefined)
    return outcomeOf({ kind: 'threw', error: cause }, facts, contract);
  const errorId = newErrorId();
  const message = `${tool} was executed, but its result was lost in an internal error (error ${errorId}).`;
  const failed = { ...facts, outcome: 'failed', reason: 'exception', message, errorId, cause } as const;
  return Object.freeze(Object.defineProperty(failed, 'cause', { enumerable: false }));
}
