// Runs one tool call, or answers it without running it: limits, journal, interceptors, approval,
// execution, background.
import { executeTool, type Execution } from './execute-tool.ts';
import type { ConcurrencyLimiter, Slot } from './concurrency.ts';
import type { JobQueue } from '../store/job-queue.ts';
import type { CallEntry, Journal } from '../store/journal.ts';
import { runUntilEnded, timeLimitOf } from './run-until-ended.ts';
import { type StoredOutcome, storeOutcome } from '../execute/stored-outcome.ts';
import { RunContext } from './tool-context.ts';
import {
  type AcceptedOutcome,
  type InBackground,
  type LimitExceeded,
  type ToolOutcome,
  refuse,
  rejectedCall,
  withNotes,
} from '../execute/tool-outcome.ts';
import { rejectChecks } from '../interpret/interpretation.ts';
import {
  longestEarlierResult,
  repetitionAdvice,
  repetitionSentence,
} from '../messages/call-messages.ts';
import { type ToolListener, emitEvent } from '../telemetry/tool-event.ts';
import type { TimeLimits } from '../tool/time-limits.ts';
import type { ApplicationContext, ToolContract } from '../tool/tool-contract.ts';
import { validatorOf } from '../validate/validator.ts';
import { type ApprovalSettings, type ResolvedCall, requireApproval } from './approve.ts';
import type { BackgroundCalls, BackgroundSteps } from './background-calls.ts';
import { queueCall } from './queue-call.ts';
import { lateEvent, notifyEnded, notifyInterpreted } from './call-events.ts';
import { type CallOptions, mergeContext } from './call-options.ts';
import { type Interceptor, intercept, interceptorFailed, InterceptedRun } from './intercept.ts';
import type { AcceptedCall, InterpretedCall } from './interpreted-call.ts';
import { type JournalSettings, journalCall, journalRefusal, runEntry } from './journal-call.ts';
import { recordOf } from './journal-entry.ts';
import type { Overrun } from './overrun.ts';
import type { OpenCalls } from './open-calls.ts';
import type { LocalLimits } from './start-limits.ts';
import type { CallInstances } from './call-instances.ts';
import { outcomeOf } from './outcome-of-ending.ts';

export interface CallSettings {
  readonly instances: CallInstances;
  readonly limiter: ConcurrencyLimiter;
  readonly interceptors: readonly Interceptor[];
  readonly approval: ApprovalSettings | undefined;
  readonly background: BackgroundCalls;
  readonly queue: JobQueue | undefined;
  readonly localLimits: LocalLimits;
  readonly openCalls: OpenCalls;
  readonly listeners: readonly ToolListener[];
  readonly eventArguments: boolean;
  readonly context: ApplicationContext;
  readonly timeLimits: TimeLimits;
  readonly journal: Journal | undefined;
}

export interface AcceptedRun extends Pick<Execution, 'values' | 'signal' | 'limit' | 'entry'> {
  readonly options: RunOptions;
  readonly approved: string | undefined;
  /** The id of the approval that was used. */
  readonly approval: string | undefined;
  readonly overrun: Overrun | undefined;
}

/** The options of a call, and what to report while it runs in the background. */
export interface RunOptions extends CallOptions {
  readonly steps?: BackgroundSteps;
}

/**
 * What was decided about a call before: the digest of what was approved, and its entry in the
 * journal.
 */
export interface BegunCall extends Pick<JournalSettings, 'isRetried' | 'isLeft'> {
  readonly approved?: string | undefined;
  readonly entry?: CallEntry | undefined;
  /** The id of the approval that was used. */
  readonly approval?: string | undefined;
}

/**
 * Never rejects because of what a model or a tool did. `contract`: undefined if the tool is not
 * registered (any more).
 */
export async function callTool(
  interpreted: InterpretedCall,
  contract: ToolContract | undefined,
  options: CallOptions,
  settings: CallSettings,
): Promise<ToolOutcome> {
  const isCounted = options.run !== undefined || options.memory !== undefined;
  if (interpreted.status === 'unknown_tool' || contract === undefined || !isCounted) {
    return answerCall(interpreted, contract, options, settings);
  }
  const counted = { contract, interpreted, options };
  const reason = limitReached(counted);
  if (reason === undefined)
    return countCall(counted, () => answerCall(interpreted, contract, options, settings));
  const refused = refuse(interpreted, reason);
  await journalRefusal(settings, { interpreted, contract, outcome: refused, options });
  return notifyEnded(interpreted, refused, settings.listeners);
}

/** Runs a call if its arguments were accepted; else the interpretation is the outcome. */
async function answerCall(
  sent: InterpretedCall,
  contract: ToolContract | undefined,
  options: CallOptions,
  settings: CallSettings,
): Promise<ToolOutcome> {
  const isValidating = sent.status === 'accepted' && sent.contract.validation !== undefined;
  const interpreted = isValidating ? await awaitValidation(sent) : sent;
  notifyInterpreted(interpreted, settings.listeners);
  if (interpreted.status === 'accepted') {
    const run = isForBackground(interpreted, options) ? startInBackground : runAccepted;
    return run(interpreted, options, settings);
  }
  await journalRefusal(settings, { interpreted, contract, outcome: interpreted, options });
  return interpreted;
}

/**
 * Waits for a schema that validates asynchronously, before interceptors and approvers see the call.
 */
async function awaitValidation(accepted: AcceptedCall): Promise<InterpretedCall> {
  const { call, tool, contract, interpretation } = accepted;
  const result = contract.validation?.resultOf(interpretation.value);
  if (!(result instanceof Promise)) return accepted;
  const validated = await result;
  if (validated.kind === 'valid') return accepted;
  const rejected = rejectChecks(validatorOf(contract), interpretation.meta, validated.failures);
  return rejectedCall({ call, tool, interpretation: rejected, failures: 1 });
}

function isForBackground(
  { contract, interpretation }: AcceptedCall,
  { background }: CallOptions,
): boolean {
  const { background: mode = 'never' } = contract.execution ?? {};
  const isWanted = background === true || interpretation.meta.background === true;
  return mode === 'always' || (mode === 'allowed' && isWanted);
}

/** Hands the call over to a worker, or starts it in this process. */
async function startInBackground(
  accepted: AcceptedCall,
  options: CallOptions,
  settings: CallSettings,
  begun?: BegunCall,
): Promise<AcceptedOutcome | InBackground> {
  // A closed registry refuses the call.
  if (settings.limiter.isClosedTo(undefined))
    return runAccepted(accepted, options, settings, begun);
  const queued = begun === undefined ? await queueCall(accepted, options, settings) : undefined;
  if (queued !== undefined) return queued;
  return settings.background.start(accepted, options, (own, steps) =>
    runAccepted(accepted, { ...own, steps }, settings, begun),
  );
}

/** Runs a call, or waits for the outcome of the same call. Never rejects. */
export async function runAccepted(
  accepted: AcceptedCall,
  options: RunOptions,
  settings: CallSettings,
  { approved, entry: begun, isRetried, isLeft, approval }: BegunCall = {},
): Promise<AcceptedOutcome> {
  const { journal, listeners, openCalls, limiter, interceptors } = settings;
  // The journal may be closed, too.
  if (openCalls.isClosed && limiter.isClosedTo(slotOf(options)))
    return notifyEnded(accepted, refuse(accepted, 'closed'), listeners);
  const values = mergeContext(settings.context, options.context);
  const signal = signalOf(options);
  const { contract, interpretation } = accepted;
  const limit = timeLimitOf(contract, settings.timeLimits, options.timeoutMs, interpretation.meta);
  const execution = executionOf(
    accepted,
    settings,
    (begun ?? approved) === undefined ? 'new' : 'begun',
  );
  const call = {
    values,
    signal,
    options,
    limit,
    approved,
    approval,
    entry: begun,
    overrun: undefined,
  };
  if (journal === undefined) {
    const outcome = await execution(accepted, call, settings);
    if (approval !== undefined)
      settings.approval?.store.end(approval, shortOutcome(outcome, contract));
    return notifyEnded(accepted, outcome, listeners);
  }
  const run = async (entry: CallEntry, overrun: Overrun): Promise<AcceptedOutcome> => {
    const written = { ...call, approved: approved ?? entry.approved, entry, overrun };
    return notifyEnded(accepted, await execution(accepted, written, settings), listeners);
  };
  const lateResult = interceptors.length === 0 ? 'kept' : 'dropped';
  const written = { journal, listeners, openCalls, lateResult } as const;
  return begun === undefined
    ? journalCall({ ...written, accepted, ...call, onKnown: options.steps?.onKnown }, run)
    : runEntry({ ...written, isRetried, isLeft }, accepted, begun, run);
}

/**
 * How a call runs: through interceptors and approval, and within its tool's `limits` if no database
 * counts them.
 */
function executionOf(
  { contract }: AcceptedCall,
  { interceptors, approval, journal, localLimits }: CallSettings,
  call: 'new' | 'begun',
): typeof runGuarded {
  const inner = interceptors.length > 0 || approval !== undefined ? runGuarded : execute;
  const isCountedHere =
    contract.execution?.limits !== undefined && call === 'new' && journal?.sql === undefined;
  if (!isCountedHere) return inner;
  return (accepted, run, settings) => {
    const { values, signal, options } = run;
    const limited = { values, tenant: options.tenant, signal };
    return localLimits.run(accepted, limited, () => inner(accepted, run, settings));
  };
}

/** Runs what was approved, or reports why nothing runs. */
export async function runResolved(
  resolved: ResolvedCall,
  options: CallOptions,
  settings: CallSettings,
): Promise<ToolOutcome> {
  if (resolved.kind === 'invalid')
    return answerCall(resolved.outcome, undefined, options, settings);
  const { accepted } = resolved;
  if (resolved.kind === 'withheld')
    return notifyEnded(accepted, resolved.outcome, settings.listeners);
  const counted = { contract: accepted.contract, interpreted: accepted, options };
  const { digest: approved, entry, approval } = resolved;
  const run = isForBackground(accepted, options) ? startInBackground : runAccepted;
  return rememberEnd(counted, () =>
    run(accepted, options, settings, { approved, entry, approval }),
  );
}

const slotOf = ({ parent }: CallOptions): Slot | undefined => parent && RunContext.slotOf(parent);

/** What a repeated decision says about the call. */
const shortOutcome = (outcome: AcceptedOutcome, contract: ToolContract): StoredOutcome =>
  storeOutcome(outcome, { contract, maxResultChars: longestEarlierResult + 1 });

/** A call ends when its own signal fires, and when its parent call ends. */
function signalOf({ signal, parent }: CallOptions): AbortSignal | undefined {
  if (signal === undefined) return parent?.signal;
  return parent === undefined ? signal : AbortSignal.any([signal, parent.signal]);
}

/**
 * Interceptors, then approval, then execution. Ends when cancelled, even if an interceptor ignores
 * that. Never rejects.
 */
async function runGuarded(
  accepted: AcceptedCall,
  call: AcceptedRun,
  settings: CallSettings,
): Promise<AcceptedOutcome> {
  const { limiter, interceptors } = settings;
  const { tenant = '' } = call.options;
  if (limiter.isClosedTo(slotOf(call.options))) return refuse(accepted, 'closed');
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
  const ending = await runUntilEnded(() => intercept(run, chain), { signal, limiter });
  if (ending.kind === 'returned') return ending.value;
  const isBefore = ending.kind === 'cancelled' && run.times === undefined;
  return outcomeOf(isBefore ? { ...ending, when: 'before' } : ending, run.accepted, run.times);
}

async function approveAndExecute(
  run: InterceptedRun,
  call: AcceptedRun,
  settings: CallSettings,
): Promise<AcceptedOutcome> {
  const { accepted } = run;
  const { values, entry } = call;
  const { tenant = '' } = call.options;
  try {
    const asked =
      settings.approval &&
      (await requireApproval(settings.approval, { accepted, values, tenant, entry }, call));
    if (asked !== undefined) return asked;
    if (entry !== undefined && run.isEdited)
      await settings.journal?.edit(entry.id, recordOf(accepted), recordOf(run.interpreted));
    return await execute(accepted, call, settings, () => run.start());
  } catch (error) {
    return interceptorFailed(error, run);
  }
}

/** Runs the tool within its concurrency and time limits. Never rejects. */
const execute = (
  accepted: AcceptedCall,
  call: AcceptedRun,
  { instances, limiter, listeners, journal }: CallSettings,
  onStart?: () => void,
): Promise<AcceptedOutcome> => {
  const { options, entry, overrun } = call;
  const { steps } = options;
  steps?.onApproved(entry?.id);
  const start = (): void => {
    onStart?.();
    steps?.onStart();
  };
  return executeTool(accepted, {
    ...call,
    instances,
    limiter,
    journal,
    pool: steps === undefined ? 'foreground' : 'background',
    onStart: () => (entry === undefined ? start() : journal?.requireLease(entry.id).then(start)),
    onOverrun: () => {
      // The work of a transactional tool is undone, whatever its code returns.
      if (accepted.contract.execution?.transactional !== true) overrun?.begin();
    },
    onLate: (late) => {
      overrun?.end(late);
      emitEvent(listeners, lateEvent(accepted, late));
    },
  });
};

// Limits of an agent run, and of calls that are repeated although they fail.

interface CountedCall {
  readonly contract: ToolContract;
  readonly interpreted: Exclude<InterpretedCall, { readonly status: 'unknown_tool' }>;
  readonly options: Pick<CallOptions, 'run' | 'memory'>;
}

function limitReached({
  contract,
  interpreted,
  options,
}: CountedCall): LimitExceeded['reason'] | undefined {
  const { run, memory } = options;
  const reason = run?.refusalOf(contract, interpreted.status);
  if (reason !== undefined || memory === undefined || interpreted.status === 'invalid_arguments')
    return reason;
  const before = memory.endedBefore(contract.name, interpreted.call.arguments);
  return before >= memory.failureLimit ? 'repeated' : undefined;
}

/**
 * Counts a call while it runs, remembers how it ended, and adds a note if it was the last one that
 * a limit allows.
 */
async function countCall(
  counted: CountedCall,
  answer: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const { contract, interpreted, options } = counted;
  const { run } = options;
  if (interpreted.status !== 'accepted') return rememberEnd(counted, answer);
  const notes = run?.count(contract) ?? [];
  const outcome = await rememberEnd(counted, answer);
  if (neverStarted(outcome)) run?.giveBack(contract);
  return withNotes(outcome, notes);
}

const neverStarted = (outcome: ToolOutcome): boolean =>
  outcome.status === 'limit_exceeded' ||
  (outcome.status === 'cancelled' && outcome.when === 'before');

/** Remembers how a call ended, and adds a note if the model repeats a failing call. */
async function rememberEnd(
  counted: CountedCall,
  answer: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const { contract, options } = counted;
  const failuresBefore = options.run?.failuresOf(contract) ?? 0;
  const outcome = await answer();
  const { status } = outcome;
  if (status === 'retry' || status === 'invalid_arguments') {
    options.run?.remember(contract, 'failure', failuresBefore);
  } else if (status === 'completed') options.run?.remember(contract, 'result', failuresBefore);
  return withNotes(outcome, repetitionNotes(counted, outcome));
}

function repetitionNotes(
  { contract, options }: CountedCall,
  outcome: ToolOutcome,
): readonly string[] {
  const { memory } = options;
  if (memory === undefined || outcome.status === 'unknown_tool') return [];
  const times = memory.rememberEnding(contract.name, outcome.call.arguments, failureOf(outcome));
  if (times < 2) return [];
  const repetition = { times, limit: memory.failureLimit };
  const issues = outcome.status === 'invalid_arguments' ? 'listed' : 'none';
  return [`${repetitionSentence(repetition)} ${repetitionAdvice(repetition, issues)}`];
}

/** Identifies a failure of the tool; undefined for other outcomes. */
function failureOf(outcome: ToolOutcome): string | undefined {
  if (outcome.status === 'retry') return `retry: ${outcome.message}`;
  if (outcome.status === 'failed')
    return `failed: ${'errorId' in outcome ? outcome.reason : outcome.message}`;
  return outcome.status === 'timed_out' ? 'timed_out' : undefined;
}
