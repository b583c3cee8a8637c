// How does an accepted call run? Through the interceptors, then past the approval, then within its limits.
import type { ApplicationContext } from '../contract/tool-contract.ts';
import { outcomeOf } from '../execute/outcome-of-ending.ts';
import { runUntilEnded } from '../execute/run-until-ended.ts';
import type { AcceptedOutcome } from '../execute/tool-outcome.ts';
import { askFirst } from './approve/ask-first.ts';
import type { ApprovalSetting } from './approve/approval-setting.ts';
import { interceptCall, type Passage } from './intercept/intercept-call.ts';
import { interceptorFailed } from './intercept/interceptor-failed.ts';
import { PassingCall } from './intercept/passing-call.ts';
import type { AcceptedCall } from './interpret-call.ts';

/** What stands between an accepted call and its tool. */
export interface Guards extends Pick<Passage, 'interceptors'> {
  readonly approval: ApprovalSetting | undefined;
  /** Waits for guarded calls before it closes, and ends them when its patience does. */
  readonly admission: { surround(stop: (reason: unknown) => void): () => void };
}

export interface GuardedRun {
  readonly values: ApplicationContext;
  readonly signal: AbortSignal | undefined;
  /** The digest of what somebody has approved. */
  readonly approved: string | undefined;
  /** Runs the tool itself; tells when it starts. Never rejects. */
  readonly execute: (accepted: AcceptedCall, onStart?: () => void) => Promise<AcceptedOutcome>;
}

/** Never rejects; ends when the application cancels or closes the registry, whether the guards obey or not. */
export function runAccepted(
  accepted: AcceptedCall,
  guards: Guards,
  run: GuardedRun,
): Promise<AcceptedOutcome> {
  const isGuarded = guards.interceptors.length > 0 || guards.approval !== undefined;
  return isGuarded ? runGuarded(new PassingCall(accepted), guards, run) : run.execute(accepted);
}

async function runGuarded(
  passing: PassingCall,
  { interceptors, approval, admission }: Guards,
  run: GuardedRun,
): Promise<AcceptedOutcome> {
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
  const { facts, accepted } = passing;
  return outcomeOf(isBefore ? { ...ending, when: 'before' } : ending, facts, accepted.contract);
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
