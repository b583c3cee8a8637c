// Writes a call before it runs and when it has ended: once for each id and idempotency key.
import { longestTimeout } from '../../options/check-options.ts';
import { newErrorId } from '../../errors/errors.ts';
import { type AcceptedOutcome, refuse } from '../../execute/tool-outcome.ts';
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
  keyed,
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
import { announced } from './announce.ts';
import { entryOf } from '../call-entry.ts';
import { isRecorded, mayBeRecorded } from '../is-recorded.ts';

/**
 * Writes the call and lets it run, or returns the outcome of the call that has its id or
 * idempotency key. Never rejects.
 */
export const record: Step = {
  isNeeded: mayBeRecorded,
  run: async (call, next) => {
    const { accepted, entry, settings } = call;
    const { limiter, openCalls } = settings;
    // The store may be closed, too.
    if (openCalls.isClosed && limiter.isClosedTo(outerSlot(call)))
      return announced(call, refuse(accepted, 'closed'));
    if (entry !== undefined) return runEntry(call, entry, next);
    return isRecorded(accepted.contract, settings)
      ? begin({ call, next, signal: call.signal })
      : next(call);
  },
};

/** A call that is not in the store yet, and the steps behind. */
interface CallToRecord {
  readonly call: RunningCall;
  readonly next: NextStep;
  /** Ends waiting for another call. */
  readonly signal: AbortSignal | undefined;
}

async function begin(recording: CallToRecord): Promise<AcceptedOutcome> {
  const { call, next, signal } = recording;
  const { accepted, background, settings, tenant, values } = call;
  const { openCalls, store } = settings;
  try {
    const entry = entryOf(call);
    const limit = startLimitOf(accepted, values, tenant, store);
    await keepDefinition(store, accepted.contract);
    const write = (over?: AbortSignal) =>
      store.begin(entry, { isLate: background !== undefined, limit, signal: over });
    const mayWait = (limit?.waitMs ?? 0) > 0;
    const begun = await (mayWait ? openCalls.wait({ signal }, write) : write());
    if (begun.kind === 'limited') {
      if (signal?.aborted === true) return cancelledBefore(accepted, signal.reason);
      return announced(call, refuse(accepted, openCalls.isClosing ? 'closed' : begun.reason));
    }
    if (begun.kind === 'unknown') throw begun.error;
    if (begun.kind === 'known') {
      return await joinInTime(recording, entry, begun.entry).catch((error: unknown) =>
        unreadable(call, error),
      );
    }
    return await runEntry(call, keyed(entry), next);
  } catch (error) {
    return announced(call, failedBefore(accepted, error));
  }
}

/** The same call was begun before, and the journal can't say what became of it. */
function unreadable({ accepted, listeners }: RunningCall, error: unknown): AcceptedOutcome {
  const { tool, call } = accepted;
  emitError(listeners, { tool, callId: call.id, errorId: newErrorId(), error });
  return outcomeInDoubt(accepted, error);
}

/**
 * The outcome of a call whose id or idempotency key is in the journal, within the time limit of
 * this one.
 */
async function joinInTime(
  recording: CallToRecord,
  own: NewEntry,
  known: JournalEntry,
): Promise<AcceptedOutcome> {
  const { accepted, background, timeLimit } = recording.call;
  if (outerSlot(recording.call)?.isWithin(known.id) === true)
    return refusedBecause(accepted, callsItself(quote(known.callId)));
  // The call runs elsewhere, with its own limit.
  if (timeLimit === undefined || background !== undefined) return join(recording, own, known);
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), Math.min(timeLimit.milliseconds, longestTimeout));
  const { signal } = recording;
  const either = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
  const outcome = await join({ ...recording, signal: either }, own, known).finally(() =>
    clearTimeout(timer),
  );
  const { call, tool, interpretation } = accepted;
  if (!over.signal.aborted || outcome.status !== 'cancelled' || outcome.when !== 'before')
    return outcome;
  const { milliseconds: timeoutMs, setBy } = timeLimit;
  const message = stillRunsElsewhere(tool, timeoutMs);
  const facts = { call, tool, interpretation, duration: timeoutMs };
  return Object.freeze({ ...facts, status: 'timed_out', timeoutMs, setBy, message });
}

async function join(
  recording: CallToRecord,
  own: NewEntry,
  known: JournalEntry,
): Promise<AcceptedOutcome> {
  const { call, next, signal } = recording;
  const { accepted, background, settings } = call;
  const { openCalls, store } = settings;
  // Nothing was executed, so the id is free again.
  if (known.state === 'not_run' && isSame(own, known)) return begin(recording);
  const outcome = outcomeOfKnown(accepted, own, known);
  if (outcome !== undefined) {
    // The model reads the result now, and not once more as a late one.
    const isRead =
      known.state === 'ended' && known.conversation === own.conversation && isSame(own, known);
    if (isRead) await store.delivered(known.id).catch(() => undefined);
    return outcome;
  }
  background?.onKnown(known.id);
  const [abandoned] = known.isAbandoned ? await store.takeAbandoned(1, { id: known.id }) : [];
  if (abandoned !== undefined && mayRerun(abandoned, accepted.contract)) {
    await store.start(abandoned.id, ['running']);
    return runEntry(call, keyed(abandoned), next);
  }
  if (abandoned !== undefined) await leaveAbandoned(store, abandoned, accepted);
  const now = await openCalls.wait({ signal, entry: known.id }, (over) =>
    store.settled(known.id, over),
  );
  if (signal?.aborted === true) return cancelledBefore(accepted, signal.reason);
  const goesOn = now?.state === 'running' || now?.state === 'queued';
  if (goesOn && openCalls.isClosing) return notWaitedFor(accepted);
  // An entry that is gone was not executed, or ended long ago.
  const isFree = now === undefined || (background === undefined && leftItsKey(own, now));
  return isFree ? begin(recording) : join(recording, own, now);
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
