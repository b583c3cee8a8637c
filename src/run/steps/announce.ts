// The steps that tell listeners what becomes of a call.
import type { AcceptedOutcome, ToolOutcome } from '../../outcomes/tool-outcome.ts';
import { notifyEnded, notifyInterpreted } from '../call-events.ts';
import type { ReceivedCall, Step } from '../running-call.ts';

/** The call was accepted: an event if it was repaired. `rejectCall` reports the others. */
export const announceInput: Step<ToolOutcome> = {
  isNeeded: (_contract, { listeners }) => listeners.length > 0,
  run: (call, next) => {
    notifyInterpreted(call.interpretedCall, call.contract, call.listeners);
    return next(call);
  },
};

/** The call has ended. */
export const announce: Step = {
  isNeeded: (_contract, { listeners }) => listeners.length > 0,
  run: async (call, next) => announceEnd(call, await next(call)),
};

/** The outcome of a call that doesn't reach `announce`: it is refused before. */
export const announceEnd = <Outcome extends AcceptedOutcome>(
  { interpretedCall, listeners }: ReceivedCall,
  outcome: Outcome,
): Outcome => notifyEnded(interpretedCall, outcome, listeners);
