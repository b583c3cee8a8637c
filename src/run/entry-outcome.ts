// What the journal says of a call, as an outcome.
import type { NewEntry, JournalEntry, CallEntry, CallStore } from '../store/call-store.ts';
import { defined } from '../collections/objects.ts';
import type { AcceptedCall } from './interpreted-call.ts';
import {
  type AcceptedOutcome,
  withNotes,
  hidingCause,
  waitingFor,
} from '../execute/tool-outcome.ts';
import {
  sentBefore,
  sameAsBefore,
  differsInSecrets,
  mayDifferInSecrets,
  sharesKey,
  notExecuted,
  whyNotExecuted,
  leftInDoubt,
} from '../messages/call-messages.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { definitionDigest, areComparable } from './call-digests.ts';
import { failedBefore } from './outcome-of-ending.ts';
import { ToolmendError } from '../errors/errors.ts';
import { storeOutcome, type StoredCallFacts, restoreOutcome } from '../execute/stored-outcome.ts';
import { quote, printable } from '../json/preview.ts';
import { type CallRecord, acceptedOf } from '../interpret/records.ts';
import type { Accepted } from '../interpret/interpretation.ts';

export function keyed(entry: NewEntry & Partial<JournalEntry>): CallEntry {
  const { id, idempotencyKey = id, approved } = entry;
  return { id, idempotencyKey, ...defined({ approved }) };
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

export const isSame = (own: NewEntry, known: NewEntry): boolean =>
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
  journal: CallStore,
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
    return refusedBecause(accepted, differs ? differsInSecrets(what) : mayDifferInSecrets(what));
  }
  const named = known.tool === tool ? '' : `${known.tool} with `;
  return refusedBecause(accepted, sharesKey(what, named + shown(known), shown(own)));
}

export function refusedBecause(
  { call, tool, interpretation }: AcceptedCall,
  why: string,
): AcceptedOutcome {
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
    ? refusedBecause(stored, whyNotExecuted.approval_required)
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
