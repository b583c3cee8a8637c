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
  hasSameArguments,
  callEntryOf,
  settleAbandoned,
  mayRerun,
  outcomeInDoubt,
  outcomeOfExisting,
  journalRefusal,
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
    // The store may be closed with its registry. Calls nested in a running call still go on.
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
    if (settings.recording === 'every_call') await keepDefinition(store, acceptedCall.contract);
    const write = (waitSignal?: AbortSignal) =>
      store.begin(entry, { isLate: background !== undefined, limit, signal: waitSignal });
    const mayWait = (limit?.waitMs ?? 0) > 0;
    const beginning = await (mayWait ? openCalls.wait({ signal }, write) : write());
    if (beginning.kind === 'limited') {
      if (signal?.aborted === true) return cancelledBefore(acceptedCall, signal.reason);
      return announceEnd(
        call,
        refuse(acceptedCall, openCalls.isClosing ? 'closed' : beginning.reason),
      );
    }
    if (beginning.kind === 'unknown') throw beginning.error;
    if (beginning.kind === 'known') {
      return await joinInTime(recording, entry, beginning.entry).catch((error: unknown) =>
        outcomeOfReadError(call, error),
      );
    }
    return await runEntry(call, callEntryOf(entry), next);
  } catch (error) {
    return announceEnd(call, failedBefore(acceptedCall, error));
  }
}

/** The outcome if the same call was begun before, but the journal can't be read. */
function outcomeOfReadError(
  { acceptedCall, listeners }: RunningCall,
  error: unknown,
): AcceptedOutcome {
  const { tool, call } = acceptedCall;
  emitError(listeners, { tool, callId: call.id, errorId: newErrorId(), error });
  return outcomeInDoubt(acceptedCall, error);
}

/** As `join`, but waits for the other call no longer than the time limit of this one. */
async function joinInTime(
  recording: CallToRecord,
  newEntry: NewEntry,
  existingEntry: JournalEntry,
): Promise<AcceptedOutcome> {
  const { acceptedCall, background, timeLimit } = recording.call;
  if (outerSlot(recording.call)?.isWithin(existingEntry.id) === true)
    return journalRefusal(acceptedCall, callsItself(quote(existingEntry.callId)));
  // In the background nobody waits for an answer, and the other call has a time limit of its own.
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

/**
 * The outcome of a call whose id or idempotency key is in the store: a refusal if the existing call
 * has other arguments, otherwise the outcome of that call, after a wait if it still runs. This call
 * runs itself if the existing one did nothing, is gone, or has freed its key. An abandoned call is
 * taken over if it may run again.
 */
async function join(
  recording: CallToRecord,
  newEntry: NewEntry,
  existingEntry: JournalEntry,
): Promise<AcceptedOutcome> {
  const { call, next, signal } = recording;
  const { acceptedCall, background, settings } = call;
  const { openCalls, store } = settings;
  // Nothing was executed, so the id is free again.
  if (existingEntry.state === 'not_run' && hasSameArguments(newEntry, existingEntry))
    return begin(recording);
  const outcome = outcomeOfExisting(acceptedCall, newEntry, existingEntry);
  if (outcome !== undefined) {
    // The model reads the result now, so it isn't delivered once more as a late one.
    const isRead =
      existingEntry.state === 'ended' &&
      existingEntry.conversation === newEntry.conversation &&
      hasSameArguments(newEntry, existingEntry);
    if (isRead) await store.delivered(existingEntry.id).catch(() => undefined);
    return outcome;
  }
  background?.onEntry(existingEntry.id);
  const [abandonedEntry] = existingEntry.isAbandoned
    ? await store.takeAbandoned(1, { id: existingEntry.id })
    : [];
  if (abandonedEntry !== undefined && mayRerun(abandonedEntry, acceptedCall.contract)) {
    await store.start(abandonedEntry.id, ['running']);
    return runEntry(call, callEntryOf(abandonedEntry), next);
  }
  if (abandonedEntry !== undefined) await settleAbandoned(store, abandonedEntry, acceptedCall);
  const settledEntry = await openCalls.wait({ signal, entry: existingEntry.id }, (waitSignal) =>
    store.settled(existingEntry.id, waitSignal),
  );
  if (signal?.aborted === true) return cancelledBefore(acceptedCall, signal.reason);
  const isUnfinished = settledEntry?.state === 'running' || settledEntry?.state === 'queued';
  if (isUnfinished && openCalls.isClosing) return outcomeOfClosing(acceptedCall);
  // The entry is gone if its call was not executed, or ended so long ago that it was pruned.
  const canBegin =
    settledEntry === undefined || (background === undefined && freesKeyFor(newEntry, settledEntry));
  return canBegin ? begin(recording) : join(recording, newEntry, settledEntry);
}

/**
 * Whether the existing call was stopped, so that its idempotency key is free for a call with another
 * identity: id, conversation and turn. Without a conversation, equal ids don't identify a call.
 */
const freesKeyFor = (newEntry: NewEntry, existingEntry: JournalEntry): boolean =>
  existingEntry.state === 'ended' &&
  (existingEntry.outcome?.status === 'timed_out' ||
    existingEntry.outcome?.status === 'cancelled') &&
  (existingEntry.callId !== newEntry.callId ||
    existingEntry.conversation !== newEntry.conversation ||
    existingEntry.turn !== newEntry.turn ||
    newEntry.conversation === undefined);

/** The outcome if the registry closes while this call waits for one that runs elsewhere. */
function outcomeOfClosing({ call, tool, interpretation }: AcceptedCall): AcceptedOutcome {
  const message = leftRunningElsewhere(tool);
  const facts = { call, tool, interpretation, message } as const;
  return Object.freeze({ status: 'limit_exceeded', reason: 'closed', ...facts });
}
