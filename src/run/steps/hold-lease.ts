import { failedBefore } from '../outcome-of-ending.ts';
import type { Step } from '../running-call.ts';

/** Another process may have taken over a call that had to wait: then it doesn't run here. */
export const holdLease: Step = {
  isNeeded: (_contract, { journal }) => journal !== undefined,
  run: async (call, next) => {
    const { accepted, entry, settings } = call;
    try {
      if (entry !== undefined) await settings.journal?.requireLease(entry.id);
    } catch (error) {
      return failedBefore(accepted, error);
    }
    return next(call);
  },
};
