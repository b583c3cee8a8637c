// What the journal says of a call, as an outcome.
import type { NewEntry, JournalEntry, CallEntry, CallStore } from '../store/call-store.ts';
import { defined } from '../collections/objects.ts';
import type { AcceptedCall } from './interpreted-call.ts';
import {
  type AcceptedOutcome,
  withNotes,
  hidingCause,
  waitingFor,
  waitingForAnswer,
} from '../outcomes/tool-outcome.ts';
import {
  sentBeforeNote,
  sameAsBeforeNote,
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
import {
  type StoredCallFacts,
  type StoredOutcome,
  restoreOutcome,
  storeOutcome,
} from '../outcomes/stored-outcome.ts';
import { quote, printable } from '../json/preview.ts';
import { type CallRecord, acceptedOf } from '../interpret/records.ts';
import type { Accepted } from '../interpret/interpretation.ts';

export function callEntryOf(entry: NewEntry & Partial<JournalEntry>): CallEntry {
  const { id, idempotencyKey = id, approved, answers } = entry;
  return { id, idempotencyKey, ...defined({ approved, answers }) };
}

/**
 * The outcome of a call whose id or idempotency key is in the journal; undefined while that call
 * goes on.
 */
export function outcomeOfExisting(
  acceptedCall: AcceptedCall,
  newEntry: NewEntry,
  existingEntry: JournalEntry,
): AcceptedOutcome | undefined {
  if (!hasSameArguments(newEntry, existingEntry))
    return conflict(acceptedCall, newEntry, existingEntry);
  if (existingEntry.state === 'running' || existingEntry.state === 'queued') return undefined;
  const outcome = outcomeOfEntry(acceptedCall, existingEntry);
  const { status } = outcome;
  const isInDoubt = status === 'failed' && outcome.reason === 'in_doubt';
  // A model that numbers its calls may use an id again. The note says that the result is that of
  // the earlier call.
  const goesOn = status === 'approval_required' || status === 'input_required';
  if (goesOn || status === 'denied' || isInDoubt) return outcome;
  const note = existingEntry.callId === newEntry.callId ? sentBeforeNote : sameAsBeforeNote;
  return withNotes(outcome, [note(acceptedCall.tool, existingEntry.callId)]);
}

/** Whether two calls have the same tool and arguments, secrets included. */
export const hasSameArguments = (newEntry: NewEntry, existingEntry: NewEntry): boolean =>
  newEntry.digest === existingEntry.digest && newEntry.secrets === existingEntry.secrets;

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
  attempts < maxAttempts &&
  // It was not cancelled meanwhile.
  outcome === undefined;

/**
 * Settles an abandoned call that may not run again. It is in doubt, unless its tool is transactional:
 * then it has done nothing, and its id is free again.
 */
export async function settleAbandoned(
  journal: CallStore,
  entry: JournalEntry,
  acceptedCall: AcceptedCall | undefined,
): Promise<'in_doubt' | 'not_run'> {
  const isUndone =
    acceptedCall?.contract.execution?.transactional === true &&
    entry.contract === definitionDigest(acceptedCall.contract);
  if (!isUndone) {
    await journal.doubt(entry.id);
    return 'in_doubt';
  }
  const { contract } = acceptedCall;
  const why = 'the process ended before it had committed the work of the call';
  const outcome = failedBefore(acceptedCall, new ToolmendError('process-ended', why));
  const storedOutcome = storeOutcome(outcome, { contract, maxResultChars: journal.maxResultChars });
  await journal.end(entry.id, { state: 'not_run', outcome: storedOutcome }, ['running']);
  return 'not_run';
}

/** A call that was started this often and never ended may be what crashes its process. */
const maxAttempts = 5;

function conflict(
  acceptedCall: AcceptedCall,
  newEntry: NewEntry,
  existingEntry: JournalEntry,
): AcceptedOutcome {
  const { call, tool } = acceptedCall;
  const isKey =
    newEntry.idempotencyKey !== undefined &&
    newEntry.idempotencyKey === existingEntry.idempotencyKey;
  const what =
    isKey && existingEntry.callId !== call.id
      ? `The key ${quote(newEntry.idempotencyKey ?? '')}`
      : `The id ${quote(call.id)}`;
  if (newEntry.digest === existingEntry.digest) {
    const differs = areComparable(newEntry.secrets, existingEntry.secrets);
    return journalRefusal(
      acceptedCall,
      differs ? differsInSecrets(what) : mayDifferInSecrets(what),
    );
  }
  const otherTool = existingEntry.tool === tool ? '' : `${existingEntry.tool} with `;
  return journalRefusal(
    acceptedCall,
    sharesKey(what, otherTool + printableArguments(existingEntry), printableArguments(newEntry)),
  );
}

/** The outcome of a call that is not executed because of what the journal has. */
export function journalRefusal(
  { call, tool, interpretation }: AcceptedCall,
  why: string,
): AcceptedOutcome {
  const message = notExecuted(tool, why);
  return Object.freeze({ status: 'denied', by: 'journal', call, tool, interpretation, message });
}

/** The stored outcome of a call that was made for another definition of the tool than now. */
export const definitionHasChanged = (tool: string): StoredOutcome => ({
  status: 'denied',
  by: 'journal',
  message: notExecuted(tool, whyNotExecuted.definition_changed),
});

const printableArguments = ({ call }: NewEntry): string => printable(call?.arguments ?? '{}', 300);

/** The outcome of a call that is not running. */
export function outcomeOfEntry(acceptedCall: AcceptedCall, entry: JournalEntry): AcceptedOutcome {
  const storedCall =
    entry.call === undefined || entry.hasSecrets
      ? acceptedCall
      : {
          ...acceptedCall,
          interpretation: storedInterpretation(entry.call, acceptedCall.contract),
        };
  if (entry.state !== 'waiting') return outcomeOfFacts(storedCall, entry);
  if (entry.question !== undefined)
    return waitingForAnswer(storedCall, entry.question, { why: 'asked' });
  return entry.approval === undefined
    ? journalRefusal(storedCall, whyNotExecuted.approval_required)
    : waitingFor(storedCall, entry.approval, 'asked', []);
}

/** The outcome of a call that has ended, or is in doubt. */
export function outcomeOfFacts(facts: StoredCallFacts, entry: JournalEntry): AcceptedOutcome {
  const endOutcome = entry.state === 'in_doubt' ? undefined : entry.outcome;
  return (endOutcome && restoreOutcome(facts, endOutcome)) ?? outcomeInDoubt(facts, undefined);
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
