import type { Step } from '../running-call.ts';

/** A tool's `limits`, counted in this process unless a database counts them. */
export const limit: Step = {
  isNeeded: ({ execution }, { journal }) =>
    execution?.limits !== undefined && journal?.sql === undefined,
  run: (call, next) =>
    call.attempt === 'again'
      ? next(call)
      : call.settings.localLimits.run(call.accepted, call, () => next(call)),
};
