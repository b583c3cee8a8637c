import { storeOutcome } from '../../execute/stored-outcome.ts';
import { longestEarlierResult } from '../../messages/call-messages.ts';
import type { Step } from '../running-call.ts';

/** What a repeated decision says about the call. A journal has the outcome itself. */
export const endApproval: Step = {
  isNeeded: (_contract, { approval, journal }) => approval !== undefined && journal === undefined,
  run: async (call, next) => {
    const { contract, approval, settings } = call;
    const outcome = await next(call);
    if (approval === undefined) return outcome;
    const stored = storeOutcome(outcome, { contract, maxResultChars: longestEarlierResult + 1 });
    settings.approval?.store.end(approval, stored);
    return outcome;
  },
};
