import { requireApproval } from '../open-approval.ts';
import type { Step } from '../running-call.ts';

/** Lets the call wait for its approval. Rejects with what the application's function throws. */
export const approve: Step = {
  isNeeded: (_contract, { approval }) => approval !== undefined,
  run: async (call, next) => {
    const { approval } = call.settings;
    const withheldOutcome = approval && (await requireApproval(approval, call));
    return withheldOutcome ?? next(call);
  },
};
