// How a call that is written in the journal ends there.
import type { CallEntry, JournalEntry, JournalState } from '../store/call-store.ts';
import type { NextStep, RunningCall } from './running-call.ts';
import type { AcceptedOutcome } from '../outcomes/tool-outcome.ts';
import { Overrun } from './overrun.ts';
import { abortOf } from './open-calls.ts';
import { endedLate, goesOnElsewhere } from '../messages/call-messages.ts';
import { outcomeOf } from './outcome-of-ending.ts';
import { emitError } from '../telemetry/tool-event.ts';
import { storeOutcome, type StoredOutcome } from '../outcomes/stored-outcome.ts';
import type { AcceptedCall } from './interpreted-call.ts';
import { outcomeInDoubt, outcomeOfFacts } from './entry-outcome.ts';
import { ToolmendError } from '../errors/errors.ts';

interface WrittenCall extends RunningCall {
  readonly entry: CallEntry;
}

/**
 * Runs a call that is written, and writes its outcome. Never rejects: what can't be written is
 * reported to the listeners.
 */
export async function runEntry(
  call: RunningCall,
  entry: CallEntry,
  next: NextStep,
): Promise<AcceptedOutcome> {
  const overrun = new Overrun();
  const approvedDigest = call.approvedDigest ?? entry.approved;
  return call.settings.openCalls.runEntry(entry.id, async () => {
    const writtenCall = { ...call, entry };
    const outcome = await next({ ...writtenCall, approvedDigest, overrun });
    return overrun.isRunning && entry.idempotencyKey !== entry.id
      ? keepKey(writtenCall, outcome, overrun)
      : writeEnd(writtenCall, outcome);
  });
}

/**
 * Lets an ended call keep its idempotency key until its code has ended, too. The caller has its
 * outcome at once. If the code still succeeds, this is the outcome of the key.
 */
async function keepKey(
  writtenCall: WrittenCall,
  outcome: AcceptedOutcome,
  overrun: Overrun,
): Promise<AcceptedOutcome> {
  const { entry, isRetried, settings } = writtenCall;
  const { openCalls, store } = settings;
  const ending = openCalls.overrun(entry.id, async () => {
    const late = await overrun.whenEnded;
    if (openCalls.isClosed) return;
    if (isRetried?.(outcome) === true || late.kind === 'threw')
      await writeEnd(writtenCall, outcome);
    else await writeLateEnd(writtenCall, late.value);
  });
  // Another attempt must not run beside this one. A registry that closes leaves the entry to
  // others.
  if (isRetried?.(outcome) === true)
    await openCalls.wait({ signal: undefined }, (over) => Promise.race([ending, abortOf(over)]));
  if (openCalls.isClosing && overrun.isRunning) store.letGo(entry.id);
  return outcome;
}

/** The work of the key is done: it must not be done again, even if its result can't be kept. */
async function writeLateEnd(writtenCall: WrittenCall, result: unknown): Promise<void> {
  const { acceptedCall, settings } = writtenCall;
  // Interceptors could have changed it, and they have ended.
  const value = settings.interceptors.length === 0 ? result : endedLate(acceptedCall.tool);
  const outcome = outcomeOf({ kind: 'returned', value }, acceptedCall, { duration: 0 });
  if (outcome.status === 'completed') await writeEnd(writtenCall, outcome);
  else await doubt(writtenCall);
}

async function doubt({
  acceptedCall,
  entry: { id },
  listeners,
  settings,
}: WrittenCall): Promise<void> {
  const { tool, call } = acceptedCall;
  await settings.store
    .doubt(id)
    .catch((error: unknown) => emitError(listeners, { tool, callId: call.id, errorId: id, error }));
}

async function writeEnd(
  { acceptedCall, entry, isLeftToOthers, isRetried, listeners, settings }: WrittenCall,
  outcome: AcceptedOutcome,
): Promise<AcceptedOutcome> {
  const { store } = settings;
  if (isLeftToOthers?.(outcome) === true) {
    store.letGo(entry.id);
    return outcome;
  }
  // The approval or the question was opened with its call.
  if (outcome.status === 'approval_required' || outcome.status === 'input_required') return outcome;
  try {
    if (isRetried?.(outcome) === true) {
      await store.requeue(entry.id);
      return outcome;
    }
    const state = neverRan(outcome) ? 'not_run' : 'ended';
    const { maxResultChars } = store;
    const storedOutcome = storeOutcome(outcome, {
      contract: acceptedCall.contract,
      maxResultChars,
    });
    const isTransactional = acceptedCall.contract.execution?.transactional === true;
    const work = isTransactional ? ({ work: 'undone' } as const) : {};
    // A transaction that was committed has ended the call already.
    if (!(await store.end(entry.id, { state, outcome: storedOutcome, ...work }))) {
      const now = await store.entry(entry.id);
      if (isElsewhere(now, state, storedOutcome)) return outcomeElsewhere(acceptedCall, now);
    }
  } catch (error) {
    const { tool, call } = acceptedCall;
    emitError(listeners, { tool, callId: call.id, errorId: entry.id, error });
  }
  return outcome;
}

const outcomeElsewhere = (acceptedCall: AcceptedCall, entry: JournalEntry): AcceptedOutcome =>
  entry.state === 'running' || entry.state === 'queued'
    ? outcomeInDoubt(acceptedCall, undefined, goesOnElsewhere(acceptedCall.tool))
    : outcomeOfFacts(acceptedCall, entry);

/**
 * Whether a call goes on elsewhere, or has another outcome than this one: another process took it
 * over, because this one could not renew its lease, or a person settled it. The answer to a write
 * can get lost, so that the outcome may also be this one.
 */
const isElsewhere = (
  entry: JournalEntry | undefined,
  state: JournalState,
  storedOutcome: StoredOutcome,
): entry is JournalEntry =>
  entry !== undefined &&
  (entry.state === 'ended'
    ? JSON.stringify(entry.outcome) !== JSON.stringify(storedOutcome)
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
