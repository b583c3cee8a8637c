// Writes a call before it runs and when it has ended: once for each id and idempotency key.
import { longestTimeout } from '../../options/check-options.ts';
import { newErrorId } from '../../errors/errors.ts';
import { type AcceptedOutcome, refuse } from '../../outcomes/tool-outcome.ts';
import { quote } from '../../json/preview.ts';
import {
  callsItself,
  leftRunningElsewhere,
  stillRunsElsewhere,
} from '../../messages/call-messages.ts';
import type { JournalEntry, NewEntry } from '../../store/call-store.ts';
import { emitError } from '../../telemetry/tool-event.ts';
import { runEntry } from '../entry-end.ts';
import {
  isSame,
  callEntryOf,
  leaveAbandoned,
  mayRerun,
  outcomeInDoubt,
  outcomeOfKnown,
  refusedBecause,
} from '../entry-outcome.ts';
import type { AcceptedCall } from '../interpreted-call.ts';
import { cancelledBefore, failedBefore } from '../outcome-of-ending.ts';
import { keepDefinition } from '../record-refusal.ts';
import { type NextStep, type RunningCall, type Step, outerSlot } from '../running-call.ts';
import { startLimitOf } from '../start-limits.ts';
import { announceEnd } from './announce.ts';
import { entryOf } from '../call-entry.ts';
import { isRecorded, mayBeRecorded } from '../is-recorded.ts';

/**
 * Writes the call and lets it run, or returns the outcome of the call that has its id or
 * idempotency key. Never rejects.
 */
export const record: Step = {
  isNeeded: mayBeRecorded,
  run: async (call, next) => {
    const { acceptedCall, entry, settings } = call;
    const { limiter, openCalls } = settings;
    // The store may be closed, too.
    if (openCalls.isClosed && limiter.isClosedTo(outerSlot(call)))
      return announceEnd(call, refuse(acceptedCall, 'closed'));
    if (entry !== undefined) return runEntry(call, entry, next);
    return isRecorded(acceptedCall.contract, settings)
      ? begin({ call, next, signal: call.signal })
      : next(call);
  },
};

/** A call that is not in the store yet, and the steps after this one. */
interface CallToRecord {
  readonly call: RunningCall;
  readonly next: NextStep;
  /** Ends waiting for another call. */
  readonly signal: AbortSignal | undefined;
}

async function begin(recording: CallToRecord): Promise<AcceptedOutcome> {
  const { call, next, signal } = recording;
  const { acceptedCall, background, settings, tenant, values } = call;
  const { openCalls, store } = settings;
  try {
    const entry = entryOf(call);
    const limit = startLimitOf(acceptedCall, values, tenant, store);
    await keepDefinition(store, acceptedCall.contract);
    const write = (over?: AbortSignal) =>
      store.begin(entry, { isLate: background !== undefined, limit, signal: over });
    const mayWait = (limit?.waitMs ?? 0) > 0;
    const begunEntry = await (mayWait ? openCalls.wait({ signal }, write) : write());
    if (begunEntry.kind === 'limited') {
      if (signal?.aborted === true) return cancelledBefore(acceptedCall, signal.reason);
      return announceEnd(
        call,
        refuse(acceptedCall, openCalls.isClosing ? 'closed' : begunEntry.reason),
      );
    }
    if (begunEntry.kind === 'unknown') throw begunEntry.error;
    if (begunEntry.kind === 'known') {
      return await joinInTime(recording, entry, begunEntry.entry).catch((error: unknown) =>
        unreadable(call, error),
      );
    }
    return await runEntry(call, callEntryOf(entry), next);
  } catch (error) {
    return announceEnd(call, failedBefore(acceptedCall, error));
  }
}

/** The same call was begun before, and the journal can't say what became of it. */
function unreadable({ acceptedCall, listeners }: RunningCall, error: unknown): AcceptedOutcome {
  const { tool, call } = acceptedCall;
  emitError(listeners, { tool, callId: call.id, errorId: newErrorId(), error });
  return outcomeInDoubt(acceptedCall, error);
}

/**
 * The outcome of a call whose id or idempotency key is in the journal, within the time limit of
 * this one.
 */
async function joinInTime(
  recording: CallToRecord,
  newEntry: NewEntry,
  existingEntry: JournalEntry,
): Promise<AcceptedOutcome> {
  const { acceptedCall, background, timeLimit } = recording.call;
  if (outerSlot(recording.call)?.isWithin(existingEntry.id) === true)
    return refusedBecause(acceptedCall, callsItself(quote(existingEntry.callId)));
  // The call runs elsewhere, with its own limit.
  if (timeLimit === undefined || background !== undefined)
    return join(recording, newEntry, existingEntry);
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(),
    Math.min(timeLimit.milliseconds, longestTimeout),
  );
  const { signal } = recording;
  const anySignal =
    signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]);
  const outcome = await join({ ...recording, signal: anySignal }, newEntry, existingEntry).finally(
    () => clearTimeout(timer),
  );
  const { call, tool, interpretation } = acceptedCall;
  if (!deadline.signal.aborted || outcome.status !== 'cancelled' || outcome.when !== 'before')
    return outcome;
  const { milliseconds: timeoutMs, setBy } = timeLimit;
  const message = stillRunsElsewhere(tool, timeoutMs);
  const facts = { call, tool, interpretation, duration: timeoutMs };
  return Object.freeze({ ...facts, status: 'timed_out', timeoutMs, setBy, message });
}

async function join(
  recording: CallToRecord,
  newEntry: NewEntry,
  existingEntry: JournalEntry,
): Promise<AcceptedOutcome> {
  const { call, next, signal } = recording;
  const { acceptedCall, background, settings } = call;
  const { openCalls, store } = settings;
  // Nothing was executed, so the id is free again.
  if (existingEntry.state === 'not_run' && isSame(newEntry, existingEntry)) return begin(recording);
  const outcome = outcomeOfKnown(acceptedCall, newEntry, existingEntry);
  if (outcome !== undefined) {
    // The model reads the result now, and not once more as a late one.
    const isRead =
      existingEntry.state === 'ended' &&
      existingEntry.conversation === newEntry.conversation &&
      isSame(newEntry, existingEntry);
    if (isRead) await store.delivered(existingEntry.id).catch(() => undefined);
    return outcome;
  }
  background?.onKnown(existingEntry.id);
  const [abandonedEntry] = existingEntry.isAbandoned
    ? await store.takeAbandoned(1, { id: existingEntry.id })
    : [];
  if (abandonedEntry !== undefined && mayRerun(abandonedEntry, acceptedCall.contract)) {
    await store.start(abandonedEntry.id, ['running']);
    return runEntry(call, callEntryOf(abandonedEntry), next);
  }
  if (abandonedEntry !== undefined) await leaveAbandoned(store, abandonedEntry, acceptedCall);
  const settledEntry = await openCalls.wait({ signal, entry: existingEntry.id }, (over) =>
    store.settled(existingEntry.id, over),
  );
  if (signal?.aborted === true) return cancelledBefore(acceptedCall, signal.reason);
  const goesOn = settledEntry?.state === 'running' || settledEntry?.state === 'queued';
  if (goesOn && openCalls.isClosing) return notWaitedFor(acceptedCall);
  // An entry that is gone was not executed, or ended long ago.
  const isFree =
    settledEntry === undefined || (background === undefined && freesKeyFor(newEntry, settledEntry));
  return isFree ? begin(recording) : join(recording, newEntry, settledEntry);
}

/** Whether a call that was stopped has left its key to this one, which has another id. */
const freesKeyFor = (newEntry: NewEntry, existingEntry: JournalEntry): boolean =>
  existingEntry.state === 'ended' &&
  (existingEntry.outcome?.status === 'timed_out' ||
    existingEntry.outcome?.status === 'cancelled') &&
  (existingEntry.callId !== newEntry.callId ||
    existingEntry.conversation !== newEntry.conversation ||
    existingEntry.turn !== newEntry.turn ||
    newEntry.conversation === undefined);

/** The registry closes before the call that this one waits for has ended elsewhere. */
function notWaitedFor({ call, tool, interpretation }: AcceptedCall): AcceptedOutcome {
  const message = leftRunningElsewhere(tool);
  const facts = { call, tool, interpretation, message } as const;
  return Object.freeze({ status: 'limit_exceeded', reason: 'closed', ...facts });
}
