import { type OptionKind, checkOptions } from '../options/check-options.ts';
import { definitionError } from '../errors/definition-error.ts';
import { ToolmendError, newErrorId, signalTextOf } from '../errors/errors.ts';
import {
  type AcceptedOutcome,
  type Denied,
  type ExecutedOutcome,
  hidingCause,
  withMessage,
  withNotes,
} from '../execute/tool-outcome.ts';
import { interpret } from '../interpret/interpret-arguments.ts';
import type { Interpretation, Note } from '../interpret/interpretation.ts';
import { displayPath } from '../json/preview.ts';
import { readPlainValue } from '../json/serialize.ts';
import { freezeDeep, objectOf, ownValue } from '../collections/objects.ts';
import { type JsonObject, isJsonObject, isSameAs } from '../json/value.ts';
import { canonicalKey } from '../tool/meta-arguments.ts';
import type { ApplicationContext, MetaArgument, ToolContract } from '../tool/tool-contract.ts';
import type { AcceptedCall } from './interpreted-call.ts';
import { outcomeOf } from './outcome-of-ending.ts';

/**
 * A function around every call whose arguments were accepted. It returns the outcome of `next()`,
 * `call.deny(…)`, `call.answer(…)` or `call.amend(…)`. An exception ends the call as a tool's
 * exception does: the model reads the text of a `ToolRetry` or `ToolFailure`, and an error id for
 * any other exception.
 */
export type Interceptor = (
  call: InterceptedCall,
  next: Next,
) => AcceptedOutcome | Promise<AcceptedOutcome>;

/**
 * Continues the call; at most once. Other arguments are validated again by the same contract. If
 * they are not accepted, the promise rejects with a ToolmendError and nothing is executed. Meta
 * arguments stay as the model sent them.
 */
export type Next = (editedArguments?: JsonObject) => Promise<AcceptedOutcome>;

/** A call as it would run; deeply frozen. */
export interface InterceptedCall extends Omit<AcceptedCall, 'status'> {
  /** As interpreted, or as an outer interceptor edited them. */
  readonly arguments: JsonObject;
  /** The application's values for this call. */
  readonly values: ApplicationContext;
  /** The tenant that the call was made for; empty by default. */
  readonly tenant: string;
  readonly signal: AbortSignal | undefined;
  /** `given`: the call was approved; if it is edited now, approval is required again. */
  readonly approval: 'none' | 'given';
  /**
   * The outcome of a call that must not run; the model reads the message. Throws a DefinitionError
   * without a text, and a ToolmendError once the tool has started: then use `answer`, or throw a
   * `ToolFailure`.
   */
  deny(message: string): Denied;
  /** The outcome of a call that is answered with this result, as if the tool had returned it. */
  answer(result: unknown): ExecutedOutcome;
  /** The outcome with another text for the model, with further notes, or both. */
  amend(
    outcome: AcceptedOutcome,
    changes: { readonly text?: string; readonly notes?: readonly string[] },
  ): AcceptedOutcome;
}

/**
 * JavaScript callers may pass any value: null would be read as absent arguments, a Map as an empty
 * object.
 */
export const argumentsKind: OptionKind = {
  accepts: (edited) => {
    const reading = readPlainValue(edited);
    // What is wrong below the root is reported by the validation.
    return reading.kind === 'plain' ? isJsonObject(reading.value) : reading.path !== '';
  },
  instead: 'write an object with all arguments, or leave it out to keep the arguments',
};

/**
 * Interprets edited arguments, and keeps what was recorded. Throws a DefinitionError for meta
 * arguments, which are the model's.
 */
export function interpretEdit(
  { contract, interpretation: before }: AcceptedCall,
  edited: JsonObject,
): Interpretation {
  refuseMeta(contract, ({ key }) => Object.hasOwn(edited, key));
  const meta = Object.entries(before.meta).map(
    ([name, value]) => [canonicalKey(name), value] as const,
  );
  const after = interpret(contract, { arguments: objectOf([...Object.entries(edited), ...meta]) });
  if (after.status === 'rejected') return after;
  refuseMeta(
    contract,
    ({ name }) => Object.hasOwn(after.meta, name) && !Object.hasOwn(before.meta, name),
  );
  const repairs = [...before.repairs, ...after.repairs];
  const notes = [...before.notes, ...after.notes, ...editNotes(before.value, after.value)];
  return { ...after, status: repairs.length === 0 ? 'unchanged' : 'repaired', repairs, notes };
}

function refuseMeta(
  { name: where, meta }: ToolContract,
  isGiven: (argument: MetaArgument) => boolean,
): void {
  const keys = meta.filter(isGiven).map(({ key }) => key);
  if (keys.length === 0) return;
  const what = `was given ${keys.join(', ')} among edited arguments`;
  const instead = 'leave it out: meta arguments stay as the model sent them';
  throw definitionError(where, what, instead);
}

/** Names the arguments that changed, never their values. */
function editNotes(before: JsonObject, after: JsonObject): readonly Note[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...keys].filter((key) => !isSameAs(ownValue(before, key), ownValue(after, key)));
  if (changed.length === 0) return [];
  const text = `The application changed ${changed.map((key) => displayPath([key])).join(', ')}.`;
  return [{ rule: 'edited', path: '', text }];
}

/**
 * A copy that neither the application nor an interceptor can write to: what is validated is what
 * runs.
 */
export const frozenCall = (accepted: AcceptedCall): AcceptedCall =>
  Object.freeze({
    ...accepted,
    interpretation: freezeDeep(structuredClone(accepted.interpretation)),
  });

/**
 * One call in its interceptors: its arguments as last edited, whether the tool has started, and its
 * outcomes so far.
 */
export class InterceptedRun {
  /** The call before any interceptor edited it. */
  readonly interpreted: AcceptedCall;
  #accepted: AcceptedCall;
  #isEdited = false;
  #isDone = false;
  #started: number | undefined;
  #outcomes = new WeakSet();

  constructor(accepted: AcceptedCall) {
    this.interpreted = frozenCall(accepted);
    this.#accepted = this.interpreted;
  }

  /** The call as it would run, or runs. */
  get accepted(): AcceptedCall {
    return this.#accepted;
  }

  /** Whether an interceptor gave other arguments. */
  get isEdited(): boolean {
    return this.#isEdited;
  }

  /** Whether the tool has done its work. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** undefined before the tool has started. */
  get times(): { readonly duration: number } | undefined {
    return this.#started === undefined
      ? undefined
      : { duration: performance.now() - this.#started };
  }

  /**
   * Throws a DefinitionError for anything but an object, and a ToolmendError for arguments that the
   * contract rejects.
   */
  edit(edited: JsonObject): void {
    checkOptions('next', { arguments: edited }, { arguments: argumentsKind });
    const interpretation = interpretEdit(this.#accepted, edited);
    if (interpretation.status === 'rejected') {
      const { message } = interpretation;
      throw new ToolmendError(
        'edit-rejected',
        `an interceptor's arguments are not accepted: ${message}`,
      );
    }
    this.#accepted = frozenCall({ ...this.#accepted, interpretation });
    this.#isEdited = true;
  }

  /** The tool starts: outcomes that interceptors made before no longer count. */
  start(): void {
    this.#started = performance.now();
    this.#outcomes = new WeakSet();
  }

  /** What interceptors get. */
  end(outcome: AcceptedOutcome): AcceptedOutcome {
    this.#isDone = outcome.status === 'completed';
    return this.keep(outcome);
  }

  keep<Outcome extends AcceptedOutcome>(outcome: Outcome): Outcome {
    this.#outcomes.add(outcome);
    return outcome;
  }

  /** Whether a value is an outcome of this call, and not of another one or made by hand. */
  isOutcome(value: unknown): value is AcceptedOutcome {
    return typeof value === 'object' && value !== null && this.#outcomes.has(value);
  }
}

/** The outcome of a call in whose interceptor or approval check an exception was thrown. */
export function interceptorFailed(
  cause: unknown,
  { accepted, times, isDone }: InterceptedRun,
): AcceptedOutcome {
  if (times === undefined || signalTextOf(cause) !== undefined)
    return outcomeOf({ kind: 'threw', error: cause }, accepted, times);
  const { call, tool, interpretation } = accepted;
  const facts = { call, tool, interpretation, ...times };
  const errorId = newErrorId();
  const message = `${tool} was executed, but its result was lost because of an internal error (error ${errorId}).`;
  const reason = isDone ? 'result' : 'exception';
  return hidingCause({ ...facts, status: 'failed', reason, message, errorId, cause });
}

export interface InterceptorChain extends Pick<
  InterceptedCall,
  'values' | 'tenant' | 'signal' | 'approval'
> {
  readonly interceptors: readonly Interceptor[];
  /** The innermost step: approval and execution. Never rejects. */
  readonly execute: () => Promise<AcceptedOutcome>;
}

/**
 * Runs the interceptors from `index` on, each around the rest, which it can enter once. Never
 * rejects.
 */
export async function intercept(
  run: InterceptedRun,
  chain: InterceptorChain,
  index = 0,
): Promise<AcceptedOutcome> {
  const interceptor = chain.interceptors[index];
  if (interceptor === undefined) return run.end(await chain.execute());
  let rest: Promise<AcceptedOutcome> | undefined;
  let isOver = false;
  const enter = async (edited: JsonObject | undefined): Promise<AcceptedOutcome> => {
    if (isOver || rest !== undefined)
      throw new ToolmendError('next-again', 'an interceptor calls next once, before it returns');
    if (edited !== undefined) run.edit(edited);
    rest = intercept(run, chain, index + 1);
    return rest;
  };
  const next: Next = (edited) => {
    const outcome = enter(edited);
    // An interceptor that doesn't wait for the outcome causes no unhandled rejection.
    outcome.catch(() => undefined);
    return outcome;
  };
  // Nothing runs after the outcome of an interceptor.
  const ended = async (): Promise<void> => {
    isOver = true;
    await rest;
  };
  try {
    const outcome: unknown = await interceptor(interceptedCall(run, chain), next);
    await ended();
    if (run.isOutcome(outcome)) return outcome;
    const message =
      'an interceptor returned no outcome of its call: return what next() gave, or call.deny(…), call.answer(…) or call.amend(…)';
    throw new ToolmendError('no-outcome', message);
  } catch (error) {
    await ended();
    return run.keep(interceptorFailed(error, run));
  }
}

function interceptedCall(
  run: InterceptedRun,
  { values, tenant, signal, approval }: InterceptorChain,
): InterceptedCall {
  const { call, tool, contract, interpretation } = run.accepted;
  return Object.freeze({
    call,
    tool,
    interpretation,
    contract,
    arguments: interpretation.value,
    values,
    tenant,
    signal,
    approval,
    deny: (message) => {
      requireDeniable(run, message);
      return run.keep(
        Object.freeze({ call, tool, interpretation, status: 'denied', by: 'interceptor', message }),
      );
    },
    answer: (value) => run.keep(outcomeOf({ kind: 'returned', value }, run.accepted, run.times)),
    amend: (outcome, { text, notes = [] }) =>
      run.keep(withNotes(text === undefined ? outcome : withMessage(outcome, text), notes)),
  } satisfies InterceptedCall);
}

/** The outcome `denied` states that nothing was executed. */
function requireDeniable({ times }: InterceptedRun, message: unknown): void {
  const instead = "write why, for the model: call.deny('Guests may not delete files.')";
  if (typeof message !== 'string' || message.trim() === '')
    throw definitionError('call.deny', 'was given no reason', instead);
  if (times === undefined) return;
  const late =
    'an interceptor denied a call after it had continued it: give another result with call.answer(…), or throw a ToolFailure';
  throw new ToolmendError('deny-late', late);
}
