// Runs one tool call: limits, interceptors, approval, execution; reports each step to the listeners.
import type { CallInstances } from '../execute/call-instances.ts';
import type { ConcurrencyLimiter } from '../execute/concurrency.ts';
import { executeTool, outcomeOf } from '../execute/execute-tool.ts';
import { runUntilEnded, timeLimitOf } from '../execute/run-until-ended.ts';
import { RunContext } from '../execute/tool-context.ts';
import { type AcceptedOutcome, type ToolOutcome, refuse, rejectedCall } from '../execute/tool-outcome.ts';
import { rejectChecks } from '../interpret/reject.ts';
import { type ToolListener, emitEvent } from '../telemetry/tool-event.ts';
import type { TimeLimits } from '../tool/time-limits.ts';
import type { ApplicationContext, ToolContract } from '../tool/tool-contract.ts';
import { validatorOf } from '../validate/validator.ts';
import { type ApprovalSettings, type ResolvedCall, requireApproval } from './approve.ts';
import { lateEvent, notifyEnded, notifyInterpreted } from './call-events.ts';
import { type CallOptions, mergeContext } from './call-options.ts';
import { InterceptedRun, type Interceptor, intercept, interceptorFailed } from './intercept.ts';
import type { AcceptedCall, InterpretedCall } from './interpret-call.ts';
import { countCall, limitReached, rememberEnd } from './run-limits.ts';

/** What all calls of a registry share. */
export interface CallSettings {
  readonly instances: CallInstances;
  readonly limiter: ConcurrencyLimiter;
  readonly interceptors: readonly Interceptor[];
  readonly approval: ApprovalSettings | undefined;
  readonly listeners: readonly ToolListener[];
  readonly context: ApplicationContext;
  readonly timeLimits: TimeLimits;
}

/** Never rejects because of what a model or a tool did. `contract`: undefined if the tool is not registered (any more). */
export async function callTool(
  interpreted: InterpretedCall,
  contract: ToolContract | undefined,
  options: CallOptions,
  settings: CallSettings,
): Promise<ToolOutcome> {
  const isCounted = options.run !== undefined || options.memory !== undefined;
  if (interpreted.status === 'unknown_tool' || contract === undefined || !isCounted) {
    return answerCall(interpreted, options, settings);
  }
  const counted = { contract, interpreted, options };
  const reason = limitReached(counted);
  if (reason === undefined) return countCall(counted, () => answerCall(interpreted, options, settings));
  const { call, interpretation } = interpreted;
  return notifyEnded(interpreted, refuse({ contract, call, interpretation }, reason), settings.listeners);
}

/** Runs a call if its arguments were accepted; else the interpretation is the outcome. */
async function answerCall(
  sent: InterpretedCall,
  options: CallOptions,
  settings: CallSettings,
): Promise<ToolOutcome> {
  const isValidating = sent.status === 'accepted' && sent.contract.validation !== undefined;
  const interpreted = isValidating ? await awaitValidation(sent) : sent;
  notifyInterpreted(interpreted, settings.listeners);
  return interpreted.status === 'accepted' ? runAccepted(interpreted, options, settings) : interpreted;
}

/** Waits for a schema that validates asynchronously, before interceptors and approvers see the call. */
async function awaitValidation(accepted: AcceptedCall): Promise<InterpretedCall> {
  const { call, tool, contract, interpretation } = accepted;
  const result = contract.validation?.resultOf(interpretation.value);
  if (!(result instanceof Promise)) return accepted;
  const validated = await result;
  if (validated.kind === 'valid') return accepted;
  const rejected = rejectChecks(validatorOf(contract), interpretation.meta, validated.failures);
  return rejectedCall({ call, tool, interpretation: rejected, failures: 1 });
}

/** `approved`: the digest of what was approved, for a call that waited for approval. */
async function runAccepted(
  accepted: AcceptedCall,
  options: CallOptions,
  settings: CallSettings,
  approved?: string,
): Promise<AcceptedOutcome> {
  const run: AcceptedRun = {
    values: mergeContext(settings.context, options.context),
    signal: signalOf(options),
    options,
    approved,
  };
  const isGuarded = settings.interceptors.length > 0 || settings.approval !== undefined;
  const outcome = await (isGuarded ? runGuarded(accepted, run, settings) : execute(accepted, run, settings));
  return notifyEnded(accepted, outcome, settings.listeners);
}

/** Runs what was approved, or reports why nothing runs. */
export async function runResolved(
  resolved: ResolvedCall,
  options: CallOptions,
  settings: CallSettings,
): Promise<ToolOutcome> {
  if (resolved.kind === 'invalid') return answerCall(resolved.outcome, options, settings);
  const { accepted } = resolved;
  if (resolved.kind === 'withheld') return notifyEnded(accepted, resolved.outcome, settings.listeners);
  const counted = { contract: accepted.contract, interpreted: accepted, options };
  return rememberEnd(counted, () => runAccepted(accepted, options, settings, resolved.digest));
}

interface AcceptedRun {
  readonly values: ApplicationContext;
  readonly signal: AbortSignal | undefined;
  readonly options: CallOptions;
  readonly approved: string | undefined;
}

/** A call ends when its own signal fires, and when its parent call ends. */
function signalOf({ signal, parent }: CallOptions): AbortSignal | undefined {
  if (signal === undefined) return parent?.signal;
  return parent === undefined ? signal : AbortSignal.any([signal, parent.signal]);
}

/** Interceptors, then approval, then execution. Ends when cancelled, even if an interceptor ignores that. Never rejects. */
async function runGuarded(
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
  try {
    const asked =
      settings.approval && (await requireApproval(settings.approval, accepted, call.values, call.approved));
    return asked ?? (await execute(accepted, call, settings, () => run.start()));
  } catch (error) {
    return interceptorFailed(error, run);
  }
}

/** Runs the tool within its concurrency and time limits. Never rejects. */
const execute = (
  accepted: AcceptedCall,
  { values, signal, options }: AcceptedRun,
  settings: CallSettings,
  onStart?: () => void,
): Promise<AcceptedOutcome> => {
  const { contract, call, interpretation } = accepted;
  const { progress, parent, tenant = '', timeoutMs } = options;
  const { meta } = interpretation;
  return executeTool({
    contract,
    call,
    interpretation,
    values,
    instances: settings.instances,
    limiter: settings.limiter,
    tenant,
    parent,
    progress,
    signal,
    limit: timeLimitOf({ tool: contract, registry: settings.timeLimits, call: timeoutMs, meta }),
    onStart,
    onLate: (late) => emitEvent(settings.listeners, lateEvent(accepted, late)),
  });
};
