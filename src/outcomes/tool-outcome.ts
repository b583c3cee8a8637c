import type { AcceptedToolCall } from '../interpret/records.ts';
import { type DefinitionError, definitionError } from '../errors/definition-error.ts';
import { newErrorId } from '../errors/errors.ts';
import type { Interpretation, Rejected } from '../interpret/interpretation.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import {
  internalErrorMessage,
  notExecuted,
  waitsForAnswer,
  whyNotExecuted,
} from '../messages/call-messages.ts';
import { type Issue, isInternalError } from '../messages/issue.ts';
import type { PendingApproval } from './approval.ts';
import type { PendingQuestion } from './question.ts';
import type { ToolCallRefused } from '../telemetry/tool-event.ts';
import type { TimeLimit } from '../tool/time-limits.ts';
import type { ResultContent } from './tool-result.ts';

/** Nothing was executed: the call was denied, or requires approval. */
export type WithheldOutcome = Denied | ApprovalRequired;

interface ExplainedCall {
  readonly call: ToolCall;
  /** For the model. */
  readonly message: string;
  /** Further sentences for the model. */
  readonly notes?: readonly string[];
}

/**
 * An interceptor or an approver denied the call. `used`: the approval was resolved before, or the
 * question answered, and the message says what became of the call.
 * `journal`: the id or idempotency key of the call belongs to a call with other arguments.
 */
export interface Denied extends AcceptedToolCall, ExplainedCall {
  readonly status: 'denied';
  readonly by: 'interceptor' | 'approver' | 'used' | 'journal';
}

/**
 * The call requires approval. `asked`: for the first time. The other reasons say why an approval
 * was not sufficient. `expired`: `approval` is a new one. `changed`: the call or its tool has
 * changed since, and `approval` is a new one; or the approval that was passed is not the one that
 * was made, and `approval` is the true one, still open. `refused`: the approver's arguments are
 * invalid, and the same approval is still open.
 */
export interface ApprovalRequired extends AcceptedToolCall, ExplainedCall {
  readonly status: 'approval_required';
  readonly why: 'asked' | 'expired' | 'changed' | 'refused';
  /** Pass it to `ToolRegistry.resolveApproval`; plain JSON. */
  readonly approval: PendingApproval;
  /** The issues of the approver's arguments; empty unless `why` is `refused`. */
  readonly issues: readonly Issue[];
}

/**
 * The tool has asked a person with `context.ask`, and goes on when the question is answered: by
 * `tools.answerQuestion`, which returns the outcome of the call. `asked`: for the first time.
 * `refused`: the answer is invalid (`issues`), and `question` is still open. `changed`: the question
 * that was passed is not the one that was asked, and `question` is the true one, still open.
 */
export interface InputRequired extends AcceptedToolCall, ExplainedCall {
  readonly status: 'input_required';
  readonly why: 'asked' | 'refused' | 'changed';
  /** Pass it, or its id, to `tools.answerQuestion`; plain JSON. */
  readonly question: PendingQuestion;
  /** The issues of the answer; empty unless `why` is `refused`. */
  readonly issues: readonly Issue[];
  /** For who has answered: what is wrong with the answer. Present if `why` is `refused`. */
  readonly problem?: string;
}

/**
 * The call goes on in the background, and its outcome follows: by `tools.background`, or the tool
 * `check_background`.
 */
export interface InBackground extends AcceptedToolCall, ExplainedCall {
  readonly status: 'in_background';
  /** For `tools.background` and for the model. */
  readonly handle: string;
}

/**
 * The result of every call. Outcomes are returned, never thrown. `Result`: what the tool returns.
 */
export type ToolOutcome<Result = unknown> =
  AcceptedOutcome<Result> | InBackground | InvalidArguments | UnknownTool;

const executedStatuses: ReadonlySet<string> = new Set([
  'completed',
  'retry',
  'failed',
  'timed_out',
  'cancelled',
  'input_required',
]);

/** Whether the tool's code was run, with or without success. */
export const wasExecuted = (outcome: { readonly status: ToolOutcome['status'] }): boolean =>
  executedStatuses.has(outcome.status) && !('when' in outcome && outcome.when === 'before');

/** The outcomes of a call whose arguments were accepted. */
export type AcceptedOutcome<Result = unknown> =
  ExecutedOutcome<Result> | WithheldOutcome | InputRequired | LimitExceeded;

/**
 * The outcomes of a call that no limit or approval kept from running. With `when: 'before'`, the
 * tool was not executed.
 */
export type ExecutedOutcome<Result = unknown> =
  Completed<Result> | RetryAsked | Failed | TimedOut | Cancelled;

/** The arguments are invalid. Nothing was executed. */
export interface InvalidArguments extends ExplainedCall {
  readonly status: 'invalid_arguments';
  /** The tool's own name, not the model's spelling. */
  readonly tool: string;
  readonly interpretation: Rejected;
  /** How often in a row the same call has failed in the same way; 1 without a memory. */
  readonly failures: number;
  /**
   * Present if a check of the tool's author threw: the model reads this id instead of the
   * exception.
   */
  readonly errorId?: string;
}

/** No tool has this name. Nothing was executed. */
export interface UnknownTool extends ExplainedCall {
  readonly status: 'unknown_tool';
  /** Similar names, nearest first; may be empty. */
  readonly suggestions: readonly string[];
}

/** The limit of a run that a call exceeds. */
export type RunRefusal = 'retry_limit' | 'call_limit' | 'run_limit';

/** A limit kept the call from running. Nothing was executed. */
export interface LimitExceeded extends ExplainedCall {
  readonly status: 'limit_exceeded';
  /**
   * `busy`: too many calls wait or run. `rate_limit`: too many calls of the tool have started in a
   * time. `closed`: the registry was closed. `call_limit`, `run_limit`, `retry_limit`: the run has
   * reached its limit of calls of this tool, of all calls, or of failures in a row. `repeated`: the
   * same call has failed too often.
   */
  readonly reason: ToolCallRefused['reason'];
  readonly tool: string;
  readonly interpretation: Interpretation;
}

interface AcceptedCall extends AcceptedToolCall {
  readonly notes?: readonly string[];
  /**
   * Milliseconds from the creation of the instance to the end; waiting for a slot is not included.
   */
  readonly duration: number;
}

/**
 * The tool returned a result. `before`: an interceptor gave the result, and nothing was executed.
 */
export interface Completed<Result = unknown> extends AcceptedCall {
  readonly status: 'completed';
  readonly when?: 'before';
  /** As the tool returned it. */
  readonly result: Result;
  /** The result for the model. */
  readonly content: ResultContent;
  /** The result is meant for the user as it is; the model doesn't comment on it. */
  readonly returnDirect: boolean;
  /** Data for the application that the model doesn't see. */
  readonly artifact?: unknown;
}

/**
 * The tool threw a `ToolRetry`: the model should try again as `message` says. `before`: an
 * interceptor threw it.
 */
export interface RetryAsked extends AcceptedCall {
  readonly status: 'retry';
  readonly when?: 'before';
  readonly message: string;
}

/**
 * The tool failed. `declared`: it threw a `ToolFailure`, whose text is `message`. `exception`: it
 * threw anything else. `result`: it returned a value that can't be shown. For these two, the model
 * reads a fixed sentence with `errorId`. `before`: an interceptor or approval check failed, and
 * nothing was executed. `in_doubt`: the journal has the call as started and not as ended, and a
 * person decides what becomes of it.
 */
export type Failed = AcceptedCall & {
  readonly status: 'failed';
  readonly when?: 'before';
  readonly message: string;
  /**
   * The exception, for the application. Not enumerable, so that copies, logs and JSON don't contain
   * it by accident.
   */
  readonly cause: unknown;
} & (
    | { readonly reason: 'declared' | 'in_doubt' }
    | { readonly reason: 'exception' | 'result'; readonly errorId: string }
  );

/** The time limit was over before the tool ended. A late result is dropped. */
export interface TimedOut extends AcceptedCall {
  readonly status: 'timed_out';
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** Who set the limit; `model`: the call's `_timeout_seconds`. */
  readonly setBy: TimeLimit['setBy'];
  readonly message: string;
}

/**
 * The application cancelled the call or closed the registry. `before`: nothing was executed.
 * `during`: a late result is dropped.
 */
export interface Cancelled extends AcceptedCall {
  readonly status: 'cancelled';
  readonly when: 'before' | 'during';
  readonly message: string;
  /** The signal's reason, for the application. Not enumerable. */
  readonly cause: unknown;
}

/** The outcome of a call that a limit keeps from running. */
export function refuse(
  { call, tool, interpretation }: Pick<LimitExceeded, 'call' | 'tool' | 'interpretation'>,
  reason: LimitExceeded['reason'],
): LimitExceeded {
  const message = notExecuted(tool, whyNotExecuted[reason]);
  return Object.freeze({ status: 'limit_exceeded', reason, call, tool, interpretation, message });
}

/** The outcome of a call with an approval that is open. */
export function waitingFor(
  { call, tool, interpretation }: AcceptedToolCall,
  approval: PendingApproval,
  why: ApprovalRequired['why'],
  issues: readonly Issue[],
): ApprovalRequired {
  const message = notExecuted(tool, whyNotExecuted.approval_required);
  const facts = { call, tool, interpretation, why, approval, issues, message };
  return Object.freeze({ status: 'approval_required', ...facts });
}

/** The outcome of a call with a question that is open. */
export function waitingForAnswer(
  { call, tool, interpretation }: AcceptedToolCall,
  question: PendingQuestion,
  answer: Pick<InputRequired, 'why'> & Partial<Pick<InputRequired, 'issues' | 'problem'>>,
): InputRequired {
  const message = waitsForAnswer(tool, question.question);
  const facts = { call, tool, interpretation, question, issues: [], message, ...answer };
  return Object.freeze({ status: 'input_required', ...facts });
}

/**
 * The frozen outcome of rejected arguments. If an author's check threw, the model reads an error
 * id.
 */
export function rejectedCall(
  rejection: Pick<InvalidArguments, 'call' | 'tool' | 'interpretation' | 'failures'>,
): InvalidArguments {
  const { tool, interpretation } = rejection;
  const { issues, message } = interpretation;
  if (!isInternalError(issues))
    return Object.freeze({ ...rejection, status: 'invalid_arguments', message });
  const errorId = newErrorId();
  const maskedMessage = internalErrorMessage(tool, errorId);
  return Object.freeze({
    ...rejection,
    status: 'invalid_arguments',
    message: maskedMessage,
    errorId,
  });
}

/** An outcome as the model reads it; adapters write it in their provider's format. */
export interface ToolMessage extends ResultContent {
  /**
   * Repairs of the arguments and other facts for the model. Adapters put them beside the text,
   * never into it.
   */
  readonly notes: readonly string[];
  readonly isError: boolean;
}

/**
 * An outcome as the model reads it: `text`, `structured` data, `images`, `files`, `notes`, `isError`.
 * Throws a DefinitionError for anything but an outcome, such as the promise of one.
 */
export function toolMessage(outcome: ToolOutcome): ToolMessage {
  if (typeof Reflect.get(Object(outcome), 'status') !== 'string') throw notAnOutcome(outcome);
  const notes = notesOf(outcome);
  return outcome.status === 'completed'
    ? { ...outcome.content, notes, isError: false }
    : { text: outcome.message.toWellFormed(), notes, isError: !goOn.has(outcome.status) };
}

/** Outcomes of calls that go on. */
const goOn: ReadonlySet<ToolOutcome['status']> = new Set(['in_background', 'input_required']);

function notAnOutcome(value: unknown): DefinitionError {
  const isPromise = typeof Reflect.get(Object(value), 'then') === 'function';
  const what = isPromise ? 'was given a promise' : 'was not given an outcome';
  const instead = isPromise
    ? 'write toolMessage(await tools.call(call))'
    : 'pass the outcome of tools.call';
  return definitionError('toolMessage', what, instead);
}

function notesOf(outcome: ToolOutcome): readonly string[] {
  const ownNotes = outcome.notes ?? [];
  if (outcome.status === 'unknown_tool') return ownNotes;
  return [...outcome.interpretation.notes.map(({ text }) => text.toWellFormed()), ...ownNotes];
}

/** The same outcome with more notes. */
export const withNotes = <Outcome extends ToolOutcome>(
  outcome: Outcome,
  notes: readonly string[],
): Outcome =>
  notes.length === 0
    ? outcome
    : frozenCopy(outcome, { notes: Object.freeze([...(outcome.notes ?? []), ...notes]) });

/**
 * The outcome with another text for the model, without a structured value: that would repeat the
 * old text.
 */
export function withMessage(outcome: AcceptedOutcome, text: string): AcceptedOutcome {
  if (outcome.status !== 'completed') return frozenCopy(outcome, { message: text });
  const { structured: _whole, ...visibleContent } = outcome.content;
  return frozenCopy(outcome, { content: Object.freeze({ ...visibleContent, text }) });
}

/** The frozen outcome, with a cause that is not enumerable. */
export const hidingCause = (outcome: Failed | Cancelled): Failed | Cancelled =>
  Object.freeze(Object.defineProperty(outcome, 'cause', { enumerable: false }));

/** Keeps the cause, which is not enumerable. */
function frozenCopy<Outcome extends object, Changes extends object>(
  outcome: Outcome,
  changes: Changes,
): Outcome & Changes {
  const copy = { ...outcome, ...changes };
  const cause = Object.getOwnPropertyDescriptor(outcome, 'cause');
  if (cause !== undefined) Object.defineProperty(copy, 'cause', cause);
  return Object.freeze(copy);
}
