// Runs an accepted call: interceptors, approval, and execution within its limits.
import type { CallInstances } from '../execute/call-instances.ts';
import type { ConcurrencyLimiter } from '../execute/concurrency.ts';
import { executeTool, outcomeOf } from '../execute/execute-tool.ts';
import type { JobQueue } from '../execute/job-queue.ts';
import type { CallEntry, Journal } from '../execute/journal.ts';
import { runUntilEnded, timeLimitOf } from '../execute/run-until-ended.ts';
import { RunContext } from '../execute/tool-context.ts';
import { type AcceptedOutcome, refuse } from '../execute/tool-outcome.ts';
import { type ToolListener, emitEvent } from '../telemetry/tool-event.ts';
import type { TimeLimits } from '../tool/time-limits.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';
import { type ApprovalSettings, requireApproval } from './approve.ts';
import type { BackgroundCalls, BackgroundSteps } from './background/background-calls.ts';
import { lateEvent } from './call-events.ts';
import type { CallOptions } from './call-options.ts';
import { InterceptedRun, type Interceptor, intercept, interceptorFailed } from './intercept.ts';
import type { AcceptedCall } from './interpret-call.ts';
import { recordOf } from './journal/journal-entry.ts';
import type { LocalLimits } from './start-limits.ts';

/** What all calls of a registry share. */
export interface CallSettings {
  readonly instances: CallInstances;
  readonly limiter: ConcurrencyLimiter;
  readonly interceptors: readonly Interceptor[];
  readonly approval: ApprovalSettings | undefined;
  readonly background: BackgroundCalls;
  readonly queue: JobQueue | undefined;
  readonly localLimits: LocalLimits;
  readonly listeners: readonly ToolListener[];
  readonly eventArguments: boolean;
  readonly context: ApplicationContext;
  readonly timeLimits: TimeLimits;
  readonly journal: Journal | undefined;
}

/** How one accepted call runs. */
export interface AcceptedRun {
  readonly values: ApplicationContext;
  readonly signal: AbortSignal | undefined;
  readonly options: RunOptions;
  readonly approved: string | undefined;
  readonly entry: CallEntry | undefined;
}

/** `steps`: of a call that runs in the background. */
export interface RunOptions extends CallOptions {
  readonly steps?: BackgroundSteps;
}

/** Interceptors, then approval, then execution. Ends when cancelled, even if an interceptor ignores that. Never rejects. */
export async function runGuarded(
  accepted: AcceptedCall,
  call: AcceptedRun,
  settings: CallSettings,
): Promise<AcceptedOutcome> {
  const { limiter, interceptors } = settings;
  const { parent, tenant = '' } = call.options;
  if (limiter.isClosedTo(parent && RunContext.slotOf(parent))) return refuse(accepted, 'closed');
  const { values, signal, approved } = call;
  const run = new InterceptedRun(accepted);
  const chain = {
    interceptors,
    values,
    tenant,
    signal,
    approval: approved === undefined ? 'none' : 'given',
    execute: () => approveAndExecute(run, call, settings),
  } as const;
  let untrack: (() => void) | undefined;
  const onStop = (stop: (reason: unknown) => void): void => {
    untrack = limiter.track(stop);
  };
  const ending = await runUntilEnded(() => intercept(run, chain), { signal, onStop });
  untrack?.();
  if (ending.kind === 'returned') return ending.value;
  const isBefore = ending.kind === 'cancelled' && !run.hasStarted;
  return outcomeOf(isBefore ? { ...ending, when: 'before' } : ending, run.facts, accepted.contract);
}

async function approveAndExecute(
  run: InterceptedRun,
  call: AcceptedRun,
  settings: CallSettings,
): Promise<AcceptedOutcome> {
  const { accepted } = run;
  const { values, approved, entry } = call;
  try {
    const asked =
      settings.approval && (await requireApproval(settings.approval, { accepted, values, entry }, approved));
    if (asked !== undefined) return asked;
    if (entry !== undefined && run.isEdited) await settings.journal?.edit(entry.id, recordOf(accepted));
    return await execute(accepted, call, settings, () => run.start());
  } catch (error) {
    return interceptorFailed(error, run);
  }
}

/** Runs the tool within its concurrency and time limits. Never rejects. */
export const execute = (
  accepted: AcceptedCall,
  { values, signal, options, entry }: AcceptedRun,
  settings: CallSettings,
  onStart?: () => void,
): Promise<AcceptedOutcome> => {
  const { contract, call, interpretation } = accepted;
  const { progress, parent, tenant = '', timeoutMs, steps } = options;
  steps?.onApproved(entry?.id);
  const { meta } = interpretation;
  return executeTool({
    contract,
    call,
    interpretation,
    values,
    instances: settings.instances,
    limiter: settings.limiter,
    tenant,
    pool: steps === undefined ? 'foreground' : 'background',
    parent,
    progress,
    signal,
    idempotencyKey: entry?.idempotencyKey,
    limit: timeLimitOf({ tool: contract, registry: settings.timeLimits, call: timeoutMs, meta }),
    onStart:
      steps === undefined
        ? onStart
        : () => {
            onStart?.();
            steps.onStart();
          },
    onLate: (late) => emitEvent(settings.listeners, lateEvent(accepted, late)),
  });
};
