import { type ToolOutcome, rejectedCall } from '../../outcomes/tool-outcome.ts';
import { rejectChecks } from '../../interpret/interpretation.ts';
import { validatorOf } from '../../validate/validator.ts';
import { rejectCall } from '../reject-call.ts';
import type { Step } from '../running-call.ts';

/**
 * Waits for a schema that validates asynchronously, before interceptors and approvers see the call.
 */
export const awaitValidation: Step<ToolOutcome> = {
  isNeeded: ({ validation }) => validation !== undefined,
  run: async (runningCall, next) => {
    const { call, tool, contract, interpretation } = runningCall.acceptedCall;
    const result = contract.validation?.keptResult(interpretation.value);
    if (!(result instanceof Promise)) return next(runningCall);
    const settledValidation = await result;
    if (settledValidation.kind === 'valid') return next(runningCall);
    const rejection = rejectChecks(
      validatorOf(contract),
      interpretation.meta,
      settledValidation.failures,
    );
    const interpreted = rejectedCall({ call, tool, interpretation: rejection, failures: 1 });
    return rejectCall({ ...runningCall, interpretedCall: interpreted });
  },
};
