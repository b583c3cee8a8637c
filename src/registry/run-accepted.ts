// How does an accepted call run? Through the interceptors, then past the approval, then within its limits.
import type { AcceptedOutcome } from '../execute/tool-outcome.ts';
import { refuse } from '../execute/refuse.ts';
import { RunContext, type ToolContext } from '../execute/tool-context.ts';
import { type GuardedRun, type Guards, runGuarded } from './intercept/run-guarded.ts';
import type { AcceptedCall } from './interpret-call.ts';

export interface AcceptedRun extends GuardedRun {
  /** The context of the running call whose code makes this one. */
  readonly within: ToolContext | undefined;
}

/** Never rejects; ends when the application cancels or closes the registry, whether the guards obey or not. */
export function runAccepted(
  accepted: AcceptedCall,
  guards: Guards,
  run: AcceptedRun,
): Promise<AcceptedOutcome> {
  const isGuarded = guards.interceptors.length > 0 || guards.approval !== undefined;
  if (!isGuarded) return run.execute(accepted);
  const outer = run.within === undefined ? undefined : RunContext.ticketOf(run.within);
  return guards.admission.isClosedTo(outer)
    ? Promise.resolve(refuse(accepted, 'closed'))
    : runGuarded(accepted, guards, run);
}
