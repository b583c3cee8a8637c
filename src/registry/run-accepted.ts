import type { Admission } from '../execute/concurrency.ts';
import { outcomeOf } from '../execute/execute-tool.ts';
import { runUntilEnded } from '../execute/run-until-ended.ts';
import { RunContext, type ToolContext } from '../execute/tool-context.ts';
import { type AcceptedOutcome, refuse } from '../execute/tool-outcome.ts';
import { type ApprovalSetting, askFirst } from './approve.ts';
import { type Passage, PassingCall, interceptCall, interceptorFailed } from './intercept.ts';
import type { AcceptedCall } from './interpret-call.ts';

// The interceptors, and then the approval.
/** What stands between an accepted call and its tool. */
export interface Guards extends Pick<Passage, 'interceptors'> {
  readonly approval: ApprovalSetting | undefined;
  /** Waits for guarded calls before it closes, and ends them when its patience does; then there are no more. */
  readonly admission: Pick<Admission, 'surround' | 'isClosedTo'>;
}

export interface GuardedRun extends Pick<Passage, 'values' | 'signal'> {
  /** The digest of what somebody has approved. */
  readonly approved: string | undefined;
  /** Runs the tool itself; tells when it starts. Never rejects. */
  readonly execute: (accepted: AcceptedCall, onStart?: () => void) => Promise<AcceptedOutcome>;
}

/** Never rejects; ends when the application cancels or closes the registry, whether the guards obey or not. */
async function runGuarded(
  accepted: AcceptedCall,
  { interceptors, approval, admission }: Guards,
  run: GuardedRun,
): Promise<AcceptedOutcome> {
  const passing = new PassingCall(accepted);
  const { values, signal, approved } = run;
  const given = approved === undefined ? 'none' : 'given';
  const execute = (): Promise<AcceptedOutcome> => runApproved(passing, approval, run);
  let outcome: AcceptedOutcome | undefined;
  let left: (() => void) | undefined;
  const ending = await runUntilEnded(
    async () => {
      outcome = await interceptCall(passing, { interceptors, values, signal, approval: given, execute });
    },
    { signal, onStop: (stop) => void (left = admission.surround(stop)) },
  );
  left?.();
  if (outcome !== undefined && ending.kind !== 'cancelled') return outcome;
  const isBefore = ending.kind === 'cancelled' && !passing.hasStarted;
  return outcomeOf(isBefore ? { ...ending, when: 'before' } : ending, passing.facts, accepted.contract);
}

async function runApproved(
  passing: PassingCall,
  approval: ApprovalSetting | undefined,
  { values, approved, execute }: GuardedRun,
): Promise<AcceptedOutcome> {
  const { accepted } = passing;
  try {
    const waiting = approval && (await askFirst(approval, accepted, values, approved));
    return waiting ?? (await execute(accepted, () => passing.start()));
  } catch (error) {
    return interceptorFailed(error, passing);
  }
}

// Through the interceptors, then past the approval, then within its limits.
export interface AcceptedRun extends GuardedRun {
  /** The context of the running call whose code makes this one. */
  readonly parent: ToolContext | undefined;
}

/** Never rejects; ends when the application cancels or closes the registry, whether the guards obey or not. */
export function runAccepted(
  accepted: AcceptedCall,
  guards: Guards,
  run: AcceptedRun,
): Promise<AcceptedOutcome> {
  const isGuarded = guards.interceptors.length > 0 || guards.approval !== undefined;
  if (!isGuarded) return run.execute(accepted);
  const outer = run.parent === undefined ? undefined : RunContext.ticketOf(run.parent);
  return guards.admission.isClosedTo(outer)
    ? Promise.resolve(refuse(accepted, 'closed'))
    : runGuarded(accepted, guards, run);
}
