import { recordOf } from '../call-digests.ts';
import type { Step } from '../running-call.ts';
import { mayBeRecorded } from '../is-recorded.ts';

/** Writes the arguments of interceptors in the place of those that were interpreted. */
export const recordEdit: Step = {
  isNeeded: (contract, settings, attempt) =>
    mayBeRecorded(contract, settings, attempt) && settings.interceptors.length > 0,
  run: async (call, next) => {
    const { acceptedCall, interpretedCall, entry, settings } = call;
    if (entry !== undefined && acceptedCall !== interpretedCall)
      await settings.store.edit(entry.id, recordOf(acceptedCall), recordOf(interpretedCall));
    return next(call);
  },
};
