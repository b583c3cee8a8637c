// Questions whose answers calls wait for.
import { defined, freezeDeep } from '../collections/objects.ts';
import { toRecord } from '../interpret/records.ts';
import { goesOnElsewhere } from '../messages/call-messages.ts';
import { sealOf } from '../outcomes/pending-call.ts';
import { type PendingQuestion, questionFormat, questionVersion } from '../outcomes/question.ts';
import { type AcceptedOutcome, refuse, waitingForAnswer } from '../outcomes/tool-outcome.ts';
import { randomId } from '../platform/random-id.ts';
import type { CallEntry, CallStore } from '../store/call-store.ts';
import { declaresSecrets } from './call-digests.ts';
import { entryOf } from './call-entry.ts';
import { callEntryOf, outcomeInDoubt, outcomeOfFacts } from './entry-outcome.ts';
import type { AcceptedCall } from './interpreted-call.ts';
import { answerProblem } from './answer-problem.ts';
import { outcomeOf } from './outcome-of-ending.ts';
import type { OpenQuestion } from './questions.ts';
import type { RunningCall } from './running-call.ts';

/** How the code of a call has run until its question. */
interface AskingRun {
  /** The key that the code was given. */
  readonly idempotencyKey: string;
  /** Milliseconds. */
  readonly duration: number;
}

/** Lets the call wait for an answer. Never rejects. */
export async function openQuestion(
  call: RunningCall,
  askedQuestion: OpenQuestion,
  { idempotencyKey, duration }: AskingRun,
): Promise<AcceptedOutcome> {
  const { acceptedCall, settings } = call;
  const { store } = settings;
  const { expiresAfter, answers, issues } = askedQuestion;
  try {
    const entry = call.entry ?? (await waitingEntry(call, idempotencyKey));
    if (entry === 'full') return refuse(acceptedCall, 'busy');
    const question = pendingQuestion(call, askedQuestion);
    const isOpen = await store.openApproval(entry.id, {
      id: question.id,
      seal: sealOf(question),
      expiresAfter,
      from: call.entry === undefined ? 'waiting' : 'running',
      answers,
      ...(question.nonce === undefined ? { question } : {}),
    });
    settings.background.noteQuestion();
    if (!isOpen) return await outcomeElsewhere(acceptedCall, entry, store);
    if (issues.length === 0) return waitingForAnswer(acceptedCall, question, { why: 'asked' });
    const problem = answerProblem(acceptedCall.contract, question.schema, { issues });
    return waitingForAnswer(acceptedCall, question, { why: 'refused', issues, problem });
  } catch (error) {
    return outcomeOf({ kind: 'threw', error }, acceptedCall, { duration });
  }
}

/** With the call as it was before interceptors edited it, because it passes them again. */
function pendingQuestion(
  { acceptedCall, interpretedCall, settings: { approval, store }, values }: RunningCall,
  { question, schema, expiresAfter }: OpenQuestion,
): PendingQuestion {
  const needsNonce = !store.keepsSecrets && declaresSecrets(acceptedCall.contract);
  return freezeDeep({
    format: questionFormat,
    version: questionVersion,
    id: randomId(),
    call: toRecord(interpretedCall),
    question,
    schema,
    ...defined({ scope: approval?.scope?.(values) }),
    expiresAt: new Date(Date.now() + expiresAfter).toISOString(),
    ...(needsNonce ? { nonce: randomId() } : {}),
  });
}

/** Writes a call that was not written before, under the key that its code has used. */
async function waitingEntry(call: RunningCall, key: string): Promise<CallEntry | 'full'> {
  const { background, settings } = call;
  const entry = entryOf(call, background?.entry() ?? key);
  const begunEntry = await settings.store.begin(entry, { state: 'waiting' });
  return begunEntry.kind === 'limited' ? 'full' : callEntryOf(entry);
}

/** The call was cancelled meanwhile, or another process has it. */
async function outcomeElsewhere(
  acceptedCall: AcceptedCall,
  { id }: CallEntry,
  store: CallStore,
): Promise<AcceptedOutcome> {
  const entry = await store.entry(id);
  return entry?.outcome === undefined
    ? outcomeInDoubt(acceptedCall, undefined, goesOnElsewhere(acceptedCall.tool))
    : outcomeOfFacts(acceptedCall, entry);
}
