import { failedBefore } from '../outcome-of-ending.ts';
import type { Step } from '../running-call.ts';

/** Another process may have taken over a call that had to wait: then it doesn't run here. */
export const holdLease: Step = {
  isNeeded: (_contract, { recording }) => recording === 'every_call',
  run: async (call, next) => {
    const { acceptedCall, entry, settings } = call;
    try {
      if (entry !== undefined) await settings.store.requireLease(entry.id);
    } catch (error) {
      return failedBefore(acceptedCall, error);
    }
    return next(call);
  },
};
