// Answers to the questions of tools.
import {
  type OptionKinds,
  any,
  checkOptions,
  kindWithHint,
  oneOfWords,
  required,
  string,
} from '../options/check-options.ts';
import { defined } from '../collections/objects.ts';
import { interpret } from '../interpret/interpret-arguments.ts';
import { fromRecord } from '../interpret/records.ts';
import { answeredBefore } from '../messages/call-messages.ts';
import {
  type PendingQuestion,
  type QuestionAnswer,
  type StoredAnswer,
  questionDigest,
  readQuestion,
} from '../outcomes/question.ts';
import { waitingForAnswer } from '../outcomes/tool-outcome.ts';
import type { CallEntry } from '../store/call-store.ts';
import { type CallOptions, mergeContext } from './call-options.ts';
import { answerProblem } from './answer-problem.ts';
import {
  closedBefore,
  otherKind,
  otherScope,
  otherTenant,
  unknownQuestion,
  withoutArguments,
} from './approval-errors.ts';
import { callOfApproval, decidedBefore } from './open-approval.ts';
import { answerContract } from './questions.ts';
import {
  type CallableTools,
  type ResolvedCall,
  asInterpreted,
  withheld,
} from './resolve-approval.ts';
import type { AcceptedCall } from './interpreted-call.ts';
import { type CallSettings, type RunningCall, receivedCall, runningCall } from './running-call.ts';

const answerKinds: OptionKinds<QuestionAnswer> = {
  action: required(
    kindWithHint(
      oneOfWords('accept', 'decline', 'cancel'),
      "write { action: 'accept', content }, { action: 'decline' } or { action: 'cancel' }",
    ),
  ),
  content: any,
  by: kindWithHint(string, 'write the name or id of the person'),
};

const ifUnknown = {
  every_call:
    'the journal has none, or no longer, because calls that are older than its retentionDays are deleted',
  open_calls:
    'questions end with their process unless the registry has a journal, and are forgotten some time after they were answered or have expired',
} as const;

/**
 * Takes the answer to a question: the call runs on with it. Whatever of the given data differs from
 * the stored question changes nothing. Rejects with a DefinitionError for an answer of another form,
 * and a RecordError for data that is not a question of this store, tenant and scope.
 */
export async function answerQuestion(
  data: unknown,
  answer: QuestionAnswer,
  { settings, interpret: interpretCall }: CallableTools,
  options: CallOptions,
): Promise<ResolvedCall> {
  if (settings.openCalls.isClosing) throw closedBefore('question');
  checkOptions('ToolRegistry.answerQuestion', answer, answerKinds);
  const { store, approval, context, recording } = settings;
  const { tenant = '' } = options;
  const pendingQuestion = readQuestion(data);
  const storedApproval = await store.findApproval(pendingQuestion.id, tenant);
  if (!('seal' in storedApproval))
    throw storedApproval.state === 'unknown'
      ? unknownQuestion(ifUnknown[recording])
      : otherTenant('question');
  if (storedApproval.approval !== undefined) throw otherKind('approval');
  const isIntact =
    pendingQuestion.seal === undefined || pendingQuestion.seal === storedApproval.seal;
  const question = storedApproval.question ?? (isIntact ? pendingQuestion.pendingCall : undefined);
  if (question === undefined)
    throw withoutArguments('question', pendingQuestion.seal === undefined ? 'id' : 'whole');
  if (question.scope !== approval?.scope?.(mergeContext(context, options.context)))
    throw otherScope('question');
  const questionCall = interpretCall(fromRecord(question.call));
  if (questionCall.status !== 'accepted') {
    const received = receivedCall(settings, questionCall, undefined, options);
    return { kind: 'rejected', call: { ...received, interpretedCall: questionCall } };
  }
  const call = askingCall(questionCall, {
    question,
    entry: storedApproval.entry,
    settings,
    options,
  });
  const { acceptedCall } = call;
  if (storedApproval.state === 'used') return answeredAlready(call);
  if (!isIntact)
    return withheld(call, waitingForAnswer(acceptedCall, question, { why: 'changed' }));
  return storedApproval.state === 'expired'
    ? goOn(call, question, { action: 'expire' })
    : takeAnswer(call, question, answer);
}

/** A question that has expired, of a call in the store. */
export interface ExpiredQuestion {
  readonly question: PendingQuestion;
  readonly entry: CallEntry;
}

/**
 * Lets the call of an expired question go on without an answer. `changed`: its tool doesn't accept
 * the arguments any more, and the question stays open.
 */
export async function expireQuestion(
  { question, entry }: ExpiredQuestion,
  { settings, interpret: interpretCall }: CallableTools,
  options: CallOptions,
): Promise<ResolvedCall | 'changed'> {
  const questionCall = interpretCall(fromRecord(question.call));
  if (questionCall.status !== 'accepted') return 'changed';
  const call = askingCall(questionCall, { question, entry, settings, options });
  return goOn(call, question, { action: 'expire' });
}

/** The call as it was when it asked. */
function askingCall(
  interpreted: AcceptedCall,
  {
    question,
    entry,
    settings,
    options,
  }: {
    readonly question: PendingQuestion;
    readonly entry: CallEntry | undefined;
    readonly settings: CallSettings;
    readonly options: CallOptions;
  },
): RunningCall {
  const acceptedCall = asInterpreted(interpreted, question);
  const received = receivedCall(settings, acceptedCall, acceptedCall.contract, options);
  return runningCall(received, acceptedCall, { entry });
}

/** The answer is repaired and validated as arguments are. */
async function takeAnswer(
  call: RunningCall,
  question: PendingQuestion,
  { action, content, by }: QuestionAnswer,
): Promise<ResolvedCall> {
  if (action !== 'accept') return goOn(call, question, { action }, by);
  const { acceptedCall } = call;
  const contract = answerContract(acceptedCall.contract, question.schema);
  const interpretation = interpret(contract, { arguments: content ?? {} });
  if (interpretation.status !== 'rejected')
    return goOn(call, question, { action, content: interpretation.value }, by);
  const { issues } = interpretation;
  const problem = answerProblem(acceptedCall.contract, question.schema, interpretation);
  return withheld(
    call,
    waitingForAnswer(acceptedCall, question, { why: 'refused', issues, problem }),
  );
}

/** Lets the call go on, unless another answer was first. */
async function goOn(
  call: RunningCall,
  question: PendingQuestion,
  answer: Omit<StoredAnswer, 'question'>,
  by?: string,
): Promise<ResolvedCall> {
  const { acceptedCall, entry, settings, tenant } = call;
  const answers = [...(entry?.answers ?? []), { question: questionDigest(question), ...answer }];
  const use = { kind: 'answer', answers, by } as const;
  if (!(await settings.store.useApproval(question.id, tenant, use))) return answeredAlready(call);
  settings.background.noteQuestion();
  const answeredEntry = entry && { ...entry, answers };
  return {
    kind: 'approved',
    call: runningCall(call, acceptedCall, { ...defined({ entry: answeredEntry }) }),
  };
}

async function answeredAlready(call: RunningCall): Promise<ResolvedCall> {
  const { acceptedCall, entry, settings } = call;
  const callNow = await callOfApproval(settings.store, entry);
  return withheld(call, decidedBefore(acceptedCall, callNow, answeredBefore));
}
