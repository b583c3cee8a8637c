// Runs a call with a journal: written before and after, once for each id, and again only if it may
// be.
import { longestTimeout } from '../options/check-options.ts';
import { newErrorId, ToolmendError } from '../errors/errors.ts';
import type { TimeLimit } from '../tool/time-limits.ts';
import { RunContext } from './tool-context.ts';
import {
  type CallEntry,
  type Journal,
  type JournalEntry,
  type JournalState,
  type NewEntry,
} from '../store/journal.ts';
import {
  type StoredCallFacts,
  type StoredOutcome,
  restoreOutcome,
  storeOutcome,
} from '../execute/stored-outcome.ts';
import {
  type AcceptedOutcome,
  type ToolOutcome,
  hidingCause,
  refuse,
  withNotes,
} from '../execute/tool-outcome.ts';
import { type CallRecord, acceptedOf } from '../interpret/records.ts';
import type { Accepted } from '../interpret/interpretation.ts';
import { printable, quote } from '../json/preview.ts';
import { defined } from '../collections/objects.ts';
import {
  callsItself,
  differsInSecrets,
  endedLate,
  goesOnElsewhere,
  leftInDoubt,
  leftRunningElsewhere,
  mayDifferInSecrets,
  notExecuted,
  sameAsBefore,
  sentBefore,
  sharesKey,
  stillRunsElsewhere,
  whyNotExecuted,
} from '../messages/call-messages.ts';
import { type ToolListener, emitError } from '../telemetry/tool-event.ts';
import type { ApplicationContext, ToolContract } from '../tool/tool-contract.ts';
import { waitingFor } from './approve.ts';
import { notifyEnded } from './call-events.ts';
import type { CallOptions } from './call-options.ts';
import { type OpenCalls, abortOf } from './open-calls.ts';
import { startLimitOf } from './start-limits.ts';
import type { AcceptedCall, InterpretedCall } from './interpreted-call.ts';
import {
  areComparable,
  definitionDigest,
  definitionOf,
  entryOf,
  refusalEntry,
} from './journal-entry.ts';
import { Overrun } from './overrun.ts';
import { cancelledBefore, failedBefore, outcomeOf } from './outcome-of-ending.ts';

/** A journal, and the listeners that are notified of what it can't write. */
export interface JournalSettings {
  readonly journal: Journal;
  readonly listeners: readonly ToolListener[];
  readonly openCalls: OpenCalls;
  /** `dropped`: interceptors could have changed it, and they have ended. */
  readonly lateResult: 'kept' | 'dropped';
  /** Whether the call is put back for another attempt. Default: it isn't. */
  readonly isRetried?: ((outcome: AcceptedOutcome) => boolean) | undefined;
  /** Whether another process may take the call over. Default: it may not. */
  readonly isLeft?: ((outcome: AcceptedOutcome) => boolean) | undefined;
}

/** What the journal needs to know about a call. */
export interface JournaledCall extends JournalSettings {
  readonly accepted: AcceptedCall;
  readonly values: ApplicationContext;
  readonly signal: AbortSignal | undefined;
  readonly options: CallOptions;
  readonly limit: TimeLimit | undefined;
  /** Only for a background call: called with the entry's id if the same call runs already. */
  readonly onKnown?: ((entry: string) => void) | undefined;
}

type RunCall = (entry: CallEntry, overrun: Overrun) => Promise<AcceptedOutcome>;

/**
 * Writes the call and runs it, or returns the outcome of the call that has its id or idempotency
 * key. Never rejects.
 */
export async function journalCall(job: JournaledCall, run: RunCall): Promise<AcceptedOutcome> {
  const { journal, accepted, options, values, signal } = job;
  try {
    const entry = entryOf(accepted, options, { journal, values });
    const limit = startLimitOf(accepted, values, options.tenant, journal);
    await keepDefinition(journal, accepted.contract);
    const begin = (over?: AbortSignal) =>
      journal.begin(entry, { isLate: job.onKnown !== undefined, limit, signal: over });
    const mayWait = (limit?.waitMs ?? 0) > 0;
    const begun = await (mayWait ? job.openCalls.wait({ signal }, begin) : begin());
    if (begun.kind === 'limited' && signal?.aborted === true)
      return cancelledBefore(accepted, signal.reason);
    if (begun.kind === 'limited') {
      const reason = job.openCalls.isClosing ? 'closed' : begun.reason;
      return notifyEnded(accepted, refuse(accepted, reason), job.listeners);
    }
    if (begun.kind === 'unknown') throw begun.error;
    if (begun.kind === 'known') {
      return await joinInTime(job, entry, begun.entry, run).catch((error: unknown) =>
        unreadable(job, error),
      );
    }
    return await runEntry(job, accepted, keyed(entry), run);
  } catch (error) {
    return failedBefore(accepted, error);
  }
}

/** The same call was begun before, and the journal can't say what became of it. */
function unreadable({ accepted, listeners }: JournaledCall, error: unknown): AcceptedOutcome {
  emitError(listeners, {
    tool: accepted.tool,
    callId: accepted.call.id,
    errorId: newErrorId(),
    error,
  });
  return outcomeInDoubt(accepted, error);
}

export function keyed(entry: NewEntry & Partial<JournalEntry>): CallEntry {
  const { id, idempotencyKey = id, approved } = entry;
  return { id, idempotencyKey, ...defined({ approved }) };
}

/**
 * Runs a call that is written, and writes its outcome. Never rejects: what can't be written is
 * reported to the listeners.
 */
export async function runEntry(
  settings: JournalSettings,
  accepted: AcceptedCall,
  entry: CallEntry,
  run: RunCall,
): Promise<AcceptedOutcome> {
  const overrun = new Overrun();
  return settings.openCalls.runEntry(entry.id, async () => {
    const outcome = await run(entry, overrun);
    return overrun.isRunning && entry.idempotencyKey !== entry.id
      ? keepKey(settings, accepted, { entry, outcome, overrun })
      : writeEnd(settings, accepted, entry, outcome);
  });
}

/**
 * Lets an ended call keep its idempotency key until its code has ended, too. The caller has its
 * outcome at once. If the code still succeeds, this is the outcome of the key.
 */
async function keepKey(
  settings: JournalSettings,
  accepted: AcceptedCall,
  call: {
    readonly entry: CallEntry;
    readonly outcome: AcceptedOutcome;
    readonly overrun: Overrun;
  },
): Promise<AcceptedOutcome> {
  const { journal, openCalls, isRetried } = settings;
  const { entry, outcome, overrun } = call;
  const ending = openCalls.overrun(entry.id, async () => {
    const late = await overrun.ended;
    if (openCalls.isClosed) return;
    if (isRetried?.(outcome) === true || late.kind === 'threw')
      await writeEnd(settings, accepted, entry, outcome);
    else await writeLateEnd(settings, accepted, entry, late.value);
  });
  // Another attempt must not run beside this one. A registry that closes leaves the entry to others.
  if (isRetried?.(outcome) === true)
    await openCalls.wait({ signal: undefined }, (over) => Promise.race([ending, abortOf(over)]));
  if (openCalls.isClosing && overrun.isRunning) journal.letGo(entry.id);
  return outcome;
}

/** The work of the key is done: it must not be done again, even if its result can't be kept. */
async function writeLateEnd(
  settings: JournalSettings,
  accepted: AcceptedCall,
  entry: CallEntry,
  result: unknown,
): Promise<void> {
  const value = settings.lateResult === 'kept' ? result : endedLate(accepted.tool);
  const outcome = outcomeOf({ kind: 'returned', value }, accepted, { duration: 0 });
  if (outcome.status === 'completed') await writeEnd(settings, accepted, entry, outcome);
  else await doubt(settings, accepted, entry);
}

async function doubt(
  { journal, listeners }: JournalSettings,
  { tool, call }: AcceptedCall,
  { id }: CallEntry,
): Promise<void> {
  await journal
    .doubt(id)
    .catch((error: unknown) => emitError(listeners, { tool, callId: call.id, errorId: id, error }));
}

async function writeEnd(
  { journal, listeners, isRetried, isLeft }: JournalSettings,
  accepted: AcceptedCall,
  entry: CallEntry,
  outcome: AcceptedOutcome,
): Promise<AcceptedOutcome> {
  if (isLeft?.(outcome) === true) {
    journal.letGo(entry.id);
    return outcome;
  }
  // The approval was opened with its call.
  if (outcome.status === 'approval_required') return outcome;
  try {
    if (isRetried?.(outcome) === true) {
      await journal.requeue(entry.id);
      return outcome;
    }
    const state = neverRan(outcome) ? 'not_run' : 'ended';
    const { maxResultChars } = journal;
    const stored = storeOutcome(outcome, { contract: accepted.contract, maxResultChars });
    const isTransactional = accepted.contract.execution?.transactional === true;
    const work = isTransactional ? ({ work: 'undone' } as const) : {};
    // A transaction that was committed has ended the call already.
    if (!(await journal.end(entry.id, { state, outcome: stored, ...work }))) {
      const now = await journal.entry(entry.id);
      if (isElsewhere(now, state, stored)) return outcomeElsewhere(accepted, now);
    }
  } catch (error) {
    const { tool, call } = accepted;
    emitError(listeners, { tool, callId: call.id, errorId: entry.id, error });
  }
  return outcome;
}

const outcomeElsewhere = (accepted: AcceptedCall, entry: JournalEntry): AcceptedOutcome =>
  entry.state === 'running' || entry.state === 'queued'
    ? outcomeInDoubt(accepted, undefined, goesOnElsewhere(accepted.tool))
    : outcomeOfFacts(accepted, entry);

/**
 * Whether a call goes on elsewhere, or has another outcome than this one: another process took it
 * over, because this one could not renew its lease, or a person settled it. The answer to a write
 * can get lost, so that the outcome may also be this one.
 */
const isElsewhere = (
  entry: JournalEntry | undefined,
  state: JournalState,
  stored: StoredOutcome,
): entry is JournalEntry =>
  entry !== undefined &&
  (entry.state === 'ended'
    ? JSON.stringify(entry.outcome) !== JSON.stringify(stored)
    : entry.state !== state && state === 'not_run');

/** Whether the registry closed before the call could end by itself. */
export const wasClosed = (outcome: AcceptedOutcome): boolean =>
  (outcome.status === 'limit_exceeded' && outcome.reason === 'closed') ||
  (outcome.status === 'cancelled' &&
    outcome.cause instanceof ToolmendError &&
    outcome.cause.code === 'registry-closed');

/** Whether the tool never ran. The call may then be sent again with the same id. */
export const neverRan = (outcome: AcceptedOutcome): boolean =>
  outcome.status === 'limit_exceeded' ||
  ((outcome.status === 'cancelled' || outcome.status === 'failed') && outcome.when === 'before');

/** A call that does not run. */
export interface RefusedCall {
  readonly interpreted: InterpretedCall;
  /** undefined if no tool has the name. */
  readonly contract: ToolContract | undefined;
  readonly outcome: ToolOutcome;
  readonly options: CallOptions;
}

/** Writes a call that was not accepted, or that a limit refused. Never rejects. */
export async function journalRefusal(
  settings: { readonly journal: Journal | undefined; readonly listeners: readonly ToolListener[] },
  { interpreted, contract, outcome, options }: RefusedCall,
): Promise<void> {
  const { journal, listeners } = settings;
  if (journal === undefined) return;
  const entry = refusalEntry(interpreted, contract, options);
  try {
    await keepDefinition(journal, contract);
    const stored = storeOutcome(outcome, { contract, maxResultChars: journal.maxResultChars });
    await journal.begin(entry, { state: 'not_run', outcome: stored });
  } catch (error) {
    emitError(listeners, { tool: entry.tool, callId: entry.callId, errorId: entry.id, error });
  }
}

/** Stores the tool's definition for exports, once for each process. */
export async function keepDefinition(
  journal: Journal,
  contract: ToolContract | undefined,
): Promise<void> {
  if (contract !== undefined)
    await journal.define(definitionDigest(contract), definitionOf(contract));
}

/**
 * The outcome of a call whose id or idempotency key is in the journal, within the time limit of
 * this one.
 */
async function joinInTime(
  job: JournaledCall,
  own: NewEntry,
  known: JournalEntry,
  run: RunCall,
): Promise<AcceptedOutcome> {
  const { accepted, signal, options, limit } = job;
  const around = options.parent && RunContext.slotOf(options.parent);
  if (around?.isWithin(known.id) === true)
    return refused(accepted, callsItself(quote(known.callId)));
  // The call runs elsewhere, with its own limit.
  if (limit === undefined || job.onKnown !== undefined) return join(job, own, known, run);
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), Math.min(limit.milliseconds, longestTimeout));
  const either = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
  const outcome = await join({ ...job, signal: either }, own, known, run).finally(() =>
    clearTimeout(timer),
  );
  const { call, tool, interpretation } = accepted;
  if (!over.signal.aborted || outcome.status !== 'cancelled' || outcome.when !== 'before')
    return outcome;
  const { milliseconds: timeoutMs, setBy } = limit;
  const message = stillRunsElsewhere(tool, timeoutMs);
  const facts = { call, tool, interpretation, duration: timeoutMs };
  return Object.freeze({ ...facts, status: 'timed_out', timeoutMs, setBy, message });
}

async function join(
  job: JournaledCall,
  own: NewEntry,
  known: JournalEntry,
  run: RunCall,
): Promise<AcceptedOutcome> {
  const { journal, openCalls, accepted, signal } = job;
  // Nothing was executed, so the id is free again.
  if (known.state === 'not_run' && isSame(own, known)) return journalCall(job, run);
  const outcome = outcomeOfKnown(accepted, own, known);
  if (outcome !== undefined) {
    // The model reads the result now, and not once more as a late one.
    const isRead =
      known.state === 'ended' && known.conversation === own.conversation && isSame(own, known);
    if (isRead) await journal.delivered(known.id).catch(() => undefined);
    return outcome;
  }
  job.onKnown?.(known.id);
  const [abandoned] = known.isAbandoned ? await journal.takeAbandoned(1, { id: known.id }) : [];
  if (abandoned !== undefined && mayRerun(abandoned, accepted.contract)) {
    await journal.start(abandoned.id, ['running']);
    return runEntry(job, accepted, keyed(abandoned), run);
  }
  if (abandoned !== undefined) await leaveAbandoned(journal, abandoned, accepted);
  const now = await openCalls.wait({ signal, entry: known.id }, (over) =>
    journal.settled(known.id, over),
  );
  if (signal?.aborted === true) return cancelledBefore(accepted, signal.reason);
  const goesOn = now?.state === 'running' || now?.state === 'queued';
  if (goesOn && openCalls.isClosing) return notWaitedFor(accepted);
  if (now !== undefined && job.onKnown === undefined && leftItsKey(own, now))
    return journalCall(job, run);
  // An entry that is gone was not executed, or ended long ago.
  return now === undefined ? journalCall(job, run) : join(job, own, now, run);
}

/** Whether a call that was stopped has left its key to this one, which has another id. */
const leftItsKey = (own: NewEntry, known: JournalEntry): boolean =>
  known.state === 'ended' &&
  (known.outcome?.status === 'timed_out' || known.outcome?.status === 'cancelled') &&
  (known.callId !== own.callId ||
    known.conversation !== own.conversation ||
    known.turn !== own.turn ||
    own.conversation === undefined);

/** The registry closes before the call that this one waits for has ended elsewhere. */
function notWaitedFor({ call, tool, interpretation }: AcceptedCall): AcceptedOutcome {
  const message = leftRunningElsewhere(tool);
  const facts = { call, tool, interpretation, message } as const;
  return Object.freeze({ status: 'limit_exceeded', reason: 'closed', ...facts });
}

/**
 * The outcome of a call whose id or idempotency key is in the journal; undefined while that call
 * goes on.
 */
export function outcomeOfKnown(
  accepted: AcceptedCall,
  own: NewEntry,
  known: JournalEntry,
): AcceptedOutcome | undefined {
  if (!isSame(own, known)) return conflict(accepted, own, known);
  if (known.state === 'running' || known.state === 'queued') return undefined;
  const outcome = outcomeOfEntry(accepted, known);
  const { status } = outcome;
  const isInDoubt = status === 'failed' && outcome.reason === 'in_doubt';
  // A model that numbers its calls may use an id again. The note says that the result is that of
  // the earlier call.
  if (status === 'approval_required' || status === 'denied' || isInDoubt) return outcome;
  const note = known.callId === own.callId ? sentBefore : sameAsBefore;
  return withNotes(outcome, [note(accepted.tool, known.callId)]);
}

const isSame = (own: NewEntry, known: NewEntry): boolean =>
  own.digest === known.digest && own.secrets === known.secrets;

/**
 * Whether an abandoned call may run again by itself: with the same definition, and from what the
 * journal has.
 */
export const mayRerun = (
  { rerun, contract, attempts, outcome }: JournalEntry,
  now: ToolContract,
): boolean =>
  rerun === 'allowed' &&
  contract === definitionDigest(now) &&
  attempts < mostAttempts &&
  // It was not cancelled meanwhile.
  outcome === undefined;

/**
 * Leaves a call that may not run again. It is in doubt, unless its tool is transactional: then it
 * has done nothing, and its id is free again.
 */
export async function leaveAbandoned(
  journal: Journal,
  entry: JournalEntry,
  accepted: AcceptedCall | undefined,
): Promise<'in_doubt' | 'not_run'> {
  const isUndone =
    accepted?.contract.execution?.transactional === true &&
    entry.contract === definitionDigest(accepted.contract);
  if (!isUndone) {
    await journal.doubt(entry.id);
    return 'in_doubt';
  }
  const { contract } = accepted;
  const why = 'the process ended before it had committed the work of the call';
  const outcome = failedBefore(accepted, new ToolmendError('process-ended', why));
  const stored = storeOutcome(outcome, { contract, maxResultChars: journal.maxResultChars });
  await journal.end(entry.id, { state: 'not_run', outcome: stored }, ['running']);
  return 'not_run';
}

/** A call that was started this often and never ended may be what crashes its process. */
const mostAttempts = 5;

function conflict(accepted: AcceptedCall, own: NewEntry, known: JournalEntry): AcceptedOutcome {
  const { call, tool } = accepted;
  const isKey = own.idempotencyKey !== undefined && own.idempotencyKey === known.idempotencyKey;
  const what =
    isKey && known.callId !== call.id
      ? `The key ${quote(own.idempotencyKey ?? '')}`
      : `The id ${quote(call.id)}`;
  if (own.digest === known.digest) {
    const differs = areComparable(own.secrets, known.secrets);
    return refused(accepted, differs ? differsInSecrets(what) : mayDifferInSecrets(what));
  }
  const named = known.tool === tool ? '' : `${known.tool} with `;
  return refused(accepted, sharesKey(what, named + shown(known), shown(own)));
}

function refused({ call, tool, interpretation }: AcceptedCall, why: string): AcceptedOutcome {
  const message = notExecuted(tool, why);
  return Object.freeze({ status: 'denied', by: 'journal', call, tool, interpretation, message });
}

const shown = ({ call }: NewEntry): string => printable(call?.arguments ?? '{}', 300);

/** The outcome of a call that is not running. */
export function outcomeOfEntry(accepted: AcceptedCall, entry: JournalEntry): AcceptedOutcome {
  const stored =
    entry.call === undefined || entry.hasSecrets
      ? accepted
      : { ...accepted, interpretation: storedInterpretation(entry.call, accepted.contract) };
  if (entry.state !== 'waiting') return outcomeOfFacts(stored, entry);
  return entry.approval === undefined
    ? refused(stored, whyNotExecuted.approval_required)
    : waitingFor(stored, entry.approval, 'asked', []);
}

/** The outcome of a call that has ended, or is in doubt. */
export function outcomeOfFacts(facts: StoredCallFacts, entry: JournalEntry): AcceptedOutcome {
  const ended = entry.state === 'in_doubt' ? undefined : entry.outcome;
  return (ended && restoreOutcome(facts, ended)) ?? outcomeInDoubt(facts, undefined);
}

/** The outcome of a call that may or may not have done its work. */
export function outcomeInDoubt(
  { call, tool, interpretation }: StoredCallFacts,
  cause: unknown,
  message = leftInDoubt(tool),
): AcceptedOutcome {
  const facts = { call, tool, interpretation, duration: 0, message, cause };
  return hidingCause({ ...facts, status: 'failed', reason: 'in_doubt' });
}

export const storedInterpretation = (record: CallRecord, { binding }: ToolContract): Accepted =>
  acceptedOf(record, binding.kind === 'remote' ? 'json' : 'value');
