import { type OptionKind, checkOptions } from '../errors/check-options.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { ToolmendError, newErrorId, signalTextOf } from '../errors/errors.ts';
import { type CallFacts, outcomeOf } from '../execute/execute-tool.ts';
import type { AcceptedOutcome, Denied, ExecutedOutcome } from '../execute/tool-outcome.ts';
import { interpret } from '../interpret/interpret.ts';
import type { Interpretation, Note } from '../interpret/interpretation.ts';
import { readPlainValue } from '../json/serialize.ts';
import { type JsonObject, freezeDeep, isJsonObject, objectOf, sameValue } from '../json/value.ts';
import { displayPath } from '../json/preview.ts';
import { canonicalKey } from '../tool/meta-schema.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';
import type { AcceptedCall } from './interpret-call.ts';

// An object of plain data; whether they fit is for the contract to say.
/** For JavaScript callers: null would be read as no arguments, a Map as an object without any. */
export const argumentsKind: OptionKind = {
  accepts: (edited) => {
    const reading = readPlainValue(edited, deepest);
    // What is wrong further down is for the seam to say.
    return reading.kind === 'plain' ? isJsonObject(reading.value) : reading.path !== '';
  },
  instead: 'write an object of all arguments, or leave it out where they stay as they are',
};

const deepest = 256;

// Functions, each around the next, that see what the call means.
/**
 * Stands around calls whose arguments were accepted. It returns what `next` gives, `call.deny(…)` or `call.answer(…)`.
 * What it throws ends the call as a tool's exception does: the model reads a `ToolRetry` or a `ToolFailure`, and of
 * anything else an error id.
 */
export type Interceptor = (call: InterceptedCall, next: Next) => AcceptedOutcome | Promise<AcceptedOutcome>;

/**
 * Goes on with the call, once. With other arguments the call is validated again, by the same contract; if they are not
 * accepted, this rejects with a ToolmendError, and nothing was executed. Meta arguments stay as they were sent.
 */
export type Next = (editedArguments?: JsonObject) => Promise<AcceptedOutcome>;

/** A call as it would run; frozen, its arguments to the bottom. */
export interface InterceptedCall extends Omit<AcceptedCall, 'status'> {
  /** As interpreted, or as the interceptors before have edited them. */
  readonly arguments: JsonObject;
  /** The application's values for this call. */
  readonly values: ApplicationContext;
  readonly signal: AbortSignal | undefined;
  /** `given`: somebody has approved what would run; if it is edited now, they are asked again. */
  readonly approval: 'none' | 'given';
  /**
   * The outcome of a call that must not run; the model reads the message. Throws a DefinitionError without a text, and a
   * ToolmendError once the tool has started: then `answer`, or throw a `ToolFailure`.
   */
  deny(message: string): Denied;
  /** The outcome of a call that is answered with this result, as if the tool had returned it. */
  answer(result: unknown): ExecutedOutcome;
}

// Validated by the same contract, and the model is told.
/**
 * The interpretation of the edited arguments, with what was done to the call before. Throws a DefinitionError for meta
 * arguments among them, which are the model's.
 */
export function interpretEdit(
  { contract, interpretation: before }: AcceptedCall,
  edited: JsonObject,
): Interpretation {
  refuseMeta(
    contract.meta.filter(({ key }) => Object.hasOwn(edited, key)).map(({ name }) => name),
    contract,
  );
  const meta = Object.entries(before.meta).map(([name, value]) => [canonicalKey(name), value] as const);
  const after = interpret(contract, { arguments: objectOf([...Object.entries(edited), ...meta]) });
  if (after.status === 'rejected') return after;
  refuseMeta(
    Object.keys(after.meta).filter((name) => !Object.hasOwn(before.meta, name)),
    contract,
  );
  const repairs = [...before.repairs, ...after.repairs];
  const notes = [...before.notes, ...after.notes, ...editNotes(before.value, after.value)];
  return { ...after, status: repairs.length === 0 ? 'unchanged' : 'repaired', repairs, notes };
}

function refuseMeta(names: readonly string[], { name: where }: AcceptedCall['contract']): void {
  if (names.length === 0) return;
  const what = `was given ${names.map(canonicalKey).join(', ')} among edited arguments`;
  const instead = 'leave it out: meta arguments stay as the model sent them';
  throw new DefinitionError([{ where, what, instead }]);
}

/** Which arguments are others now; never their values. */
function editNotes(before: JsonObject, after: JsonObject): readonly Note[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...keys].filter((key) => !isSame(before, after, key));
  if (changed.length === 0) return [];
  const text = `The application changed ${changed.map((key) => displayPath([key])).join(', ')} before the call ran.`;
  return [{ rule: 'edited', path: '', text }];
}

function isSame(before: JsonObject, after: JsonObject, key: string): boolean {
  const [left, right] = [before, after].map((value) => (Object.hasOwn(value, key) ? value[key] : undefined));
  return left === undefined || right === undefined ? left === right : sameValue(left, right);
}

// As it was last edited, started or not, with the outcomes that there are of it.
/** One call between its interpretation and its end. */
export class PassingCall {
  #accepted: AcceptedCall;
  #started: number | undefined;
  #outcomes = new WeakSet();

  constructor(accepted: AcceptedCall) {
    this.#accepted = frozenCall(accepted);
  }

  /** What would run now, or runs. */
  get accepted(): AcceptedCall {
    return this.#accepted;
  }

  get hasStarted(): boolean {
    return this.#started !== undefined;
  }

  /** What the outcome of an executed call says of it. */
  get facts(): CallFacts {
    const { call, tool, interpretation } = this.#accepted;
    return this.#started === undefined
      ? { call, tool, interpretation, duration: 0, when: 'before' }
      : { call, tool, interpretation, duration: performance.now() - this.#started };
  }

  /** Throws a DefinitionError for what is no object, and a ToolmendError for arguments that the contract refuses. */
  edit(edited: JsonObject): void {
    checkOptions('next', { arguments: edited }, { arguments: argumentsKind });
    const interpretation = interpretEdit(this.#accepted, edited);
    if (interpretation.status === 'rejected') {
      const { message } = interpretation;
      throw new ToolmendError('edit-rejected', `an interceptor's arguments are not accepted: ${message}`);
    }
    this.#accepted = frozenCall({ ...this.#accepted, interpretation });
  }

  /** The tool runs now: what an interceptor has made of the call before is none of its outcomes any more. */
  start(): void {
    this.#started = performance.now();
    this.#outcomes = new WeakSet();
  }

  /** Remembers an outcome of this call. */
  keep<Outcome extends AcceptedOutcome>(outcome: Outcome): Outcome {
    this.#outcomes.add(outcome);
    return outcome;
  }

  /** Whether something is an outcome of this call: made here, and of no other call. */
  isOutcome(value: unknown): value is AcceptedOutcome {
    return typeof value === 'object' && value !== null && this.#outcomes.has(value);
  }
}

/** With arguments that nobody can write to: what is validated is what runs. A copy, for what was sent may be the program's own. */
export const frozenCall = (accepted: AcceptedCall): AcceptedCall =>
  Object.freeze({ ...accepted, interpretation: freezeDeep(structuredClone(accepted.interpretation)) });

// It is over; the model reads whether its tool was executed.
export function interceptorFailed(
  cause: unknown,
  { accepted, facts, hasStarted }: PassingCall,
): AcceptedOutcome {
  const { tool, contract } = accepted;
  if (!hasStarted || signalTextOf(cause) !== undefined)
    return outcomeOf({ kind: 'threw', error: cause }, facts, contract);
  const errorId = newErrorId();
  const message = `${tool} was executed, but its result was lost because of an internal error (error ${errorId}).`;
  const failed = { ...facts, status: 'failed', reason: 'exception', message, errorId, cause } as const;
  return Object.freeze(Object.defineProperty(failed, 'cause', { enumerable: false }));
}

// Each stands around the rest; the innermost is the tool.
/** What is the same for one call all the way. */
export interface Passage {
  readonly interceptors: readonly Interceptor[];
  readonly values: ApplicationContext;
  readonly signal: AbortSignal | undefined;
  readonly approval: 'none' | 'given';
  /** What stands innermost. Never rejects. */
  readonly execute: (passing: PassingCall) => Promise<AcceptedOutcome>;
}

/** Never rejects. */
export const interceptCall = (passing: PassingCall, passage: Passage): Promise<AcceptedOutcome> =>
  through(0, passing, passage);

async function through(index: number, passing: PassingCall, passage: Passage): Promise<AcceptedOutcome> {
  const interceptor = passage.interceptors[index];
  if (interceptor === undefined) return passing.keep(await passage.execute(passing));
  const rest = new Rest(() => through(index + 1, passing, passage), passing);
  try {
    const outcome: unknown = await interceptor(shownTo(passing, passage), rest.next);
    await rest.ended();
    if (passing.isOutcome(outcome)) return outcome;
    throw new ToolmendError(
      'no-outcome',
      'an interceptor returned no outcome of its call: return what next() gave, call.deny(…) or call.answer(…)',
    );
  } catch (error) {
    await rest.ended();
    return passing.keep(interceptorFailed(error, passing));
  }
}

/** The way on from one interceptor, which can be gone once. */
class Rest {
  readonly #goOn: () => Promise<AcceptedOutcome>;
  readonly #passing: PassingCall;
  #outcome: Promise<AcceptedOutcome> | undefined;
  #isOver = false;

  constructor(goOn: () => Promise<AcceptedOutcome>, passing: PassingCall) {
    this.#goOn = goOn;
    this.#passing = passing;
  }

  readonly next: Next = (edited) => {
    const outcome = this.#goOnWith(edited);
    // Whoever goes on without waiting is not told twice.
    outcome.catch(() => undefined);
    return outcome;
  };

  /** What has been started is waited for: nothing runs behind the outcome. No way on after that. */
  async ended(): Promise<void> {
    this.#isOver = true;
    await this.#outcome;
  }

  async #goOnWith(edited: JsonObject | undefined): Promise<AcceptedOutcome> {
    if (this.#isOver || this.#outcome !== undefined) {
      throw new ToolmendError('next-again', 'an interceptor goes on once, before it returns: call next once');
    }
    if (edited !== undefined) this.#passing.edit(edited);
    this.#outcome = this.#goOn();
    return this.#outcome;
  }
}

function shownTo(passing: PassingCall, { values, signal, approval }: Passage): InterceptedCall {
  const { call, tool, contract, interpretation } = passing.accepted;
  return Object.freeze({
    call,
    tool,
    interpretation,
    contract,
    arguments: interpretation.value,
    values,
    signal,
    approval,
    deny: (message) => {
      requireText(message);
      requireUnstarted(passing);
      return passing.keep(
        Object.freeze({ call, tool, interpretation, status: 'denied', by: 'interceptor', message }),
      );
    },
    answer: (value) => passing.keep(outcomeOf({ kind: 'returned', value }, passing.facts, contract)),
  } satisfies InterceptedCall);
}

/** A denied call is one of which nothing was executed. */
function requireUnstarted({ hasStarted }: PassingCall): void {
  if (!hasStarted) return;
  const instead = 'give another result with call.answer(…), or throw a ToolFailure';
  throw new ToolmendError(
    'deny-late',
    `an interceptor denied a call after it had gone on with it: ${instead}`,
  );
}

/** For JavaScript callers: the model reads it. */
function requireText(message: unknown): void {
  if (typeof message === 'string' && message.trim() !== '') return;
  const instead = "write why, for the model: call.deny('Guests may not delete files.')";
  throw new DefinitionError([{ where: 'call.deny', what: 'was given no text', instead }]);
}
