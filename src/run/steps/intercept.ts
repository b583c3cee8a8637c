import { definitionError } from '../../errors/definition-error.ts';
import { ToolmendError, newErrorId, signalTextOf } from '../../errors/errors.ts';
import {
  type AcceptedOutcome,
  hidingCause,
  refuse,
  withMessage,
  withNotes,
} from '../../outcomes/tool-outcome.ts';
import type { JsonObject } from '../../json/value.ts';
import { checkOptions } from '../../options/check-options.ts';
import {
  type InterceptedCall,
  type Next,
  argumentsKind,
  frozenCall,
  interpretEdit,
} from '../interceptor.ts';
import type { AcceptedCall } from '../interpreted-call.ts';
import { outcomeOf } from '../outcome-of-ending.ts';
import { runUntilEnded } from '../run-until-ended.ts';
import { type NextStep, type RunningCall, type Step, outerSlot } from '../running-call.ts';

/**
 * Passes the call through the interceptors. Ends when it is cancelled, even if an interceptor or an
 * approval check ignores that, and makes an outcome of what they throw. Never rejects.
 */
export const intercept: Step = {
  isNeeded: (_contract, { interceptors, approval }) =>
    interceptors.length > 0 || approval !== undefined,
  run: async (call, next) => {
    const { signal, settings, acceptedCall } = call;
    const { limiter } = settings;
    if (limiter.isClosedTo(outerSlot(call))) return refuse(acceptedCall, 'closed');
    const run = new InterceptedRun(call, next);
    const ending = await runUntilEnded(() => enter(run), { signal, limiter });
    if (ending.kind === 'returned') return ending.value;
    const isBeforeStart = ending.kind === 'cancelled' && run.times === undefined;
    return outcomeOf(
      isBeforeStart ? { ...ending, when: 'before' } : ending,
      run.acceptedCall,
      run.times,
    );
  },
};

/**
 * One call in its interceptors: its arguments as last edited, whether the tool has started, and its
 * outcomes so far.
 */
class InterceptedRun {
  readonly call: RunningCall;
  readonly #next: NextStep;
  #acceptedCall: AcceptedCall;
  #isCompleted = false;
  #startedAt: number | undefined;
  #outcomes = new WeakSet();

  constructor(call: RunningCall, next: NextStep) {
    this.#acceptedCall = frozenCall(call.acceptedCall);
    this.call = { ...call, interpretedCall: this.#acceptedCall };
    this.#next = next;
  }

  /** The call as it would run, or runs. */
  get acceptedCall(): AcceptedCall {
    return this.#acceptedCall;
  }

  /** Whether the tool has done its work. */
  get isDone(): boolean {
    return this.#isCompleted;
  }

  /** undefined before the tool has started. */
  get times(): { readonly duration: number } | undefined {
    return this.#startedAt === undefined
      ? undefined
      : { duration: performance.now() - this.#startedAt };
  }

  /**
   * Throws a DefinitionError for anything but an object, and a ToolmendError for arguments that the
   * contract rejects.
   */
  edit(editedArguments: JsonObject): void {
    checkOptions('next', { arguments: editedArguments }, { arguments: argumentsKind });
    const { contract, interpretation } = interpretEdit(this.#acceptedCall, editedArguments);
    if (interpretation.status === 'rejected') {
      const { message } = interpretation;
      throw new ToolmendError(
        'edit-rejected',
        `an interceptor's arguments are not accepted: ${message}`,
      );
    }
    this.#acceptedCall = frozenCall({ ...this.#acceptedCall, contract, interpretation });
  }

  /** Takes the steps after the interceptors. Never rejects. */
  async passOn(): Promise<AcceptedOutcome> {
    const onStart = (): void => {
      this.#startedAt = performance.now();
      // Outcomes that interceptors made before no longer count.
      this.#outcomes = new WeakSet();
      this.call.onStart?.();
    };
    const outcome = await this.#next({
      ...this.call,
      acceptedCall: this.#acceptedCall,
      onStart,
    }).catch((error: unknown) => this.outcomeOfFailure(error));
    this.#isCompleted = outcome.status === 'completed';
    return this.vouchFor(outcome);
  }

  /** The outcome of a call in whose interceptor or approval check an exception was thrown. */
  outcomeOfFailure(cause: unknown): AcceptedOutcome {
    const { acceptedCall, times, isDone } = this;
    if (times === undefined || signalTextOf(cause) !== undefined)
      return outcomeOf({ kind: 'threw', error: cause }, acceptedCall, times);
    const { call, tool, interpretation } = acceptedCall;
    const facts = { call, tool, interpretation, ...times };
    const errorId = newErrorId();
    const message = `${tool} was executed, but its result was lost because of an internal error (error ${errorId}).`;
    const reason = isDone ? 'result' : 'exception';
    return hidingCause({ ...facts, status: 'failed', reason, message, errorId, cause });
  }

  vouchFor<Outcome extends AcceptedOutcome>(outcome: Outcome): Outcome {
    this.#outcomes.add(outcome);
    return outcome;
  }

  /** Whether a value is an outcome of this call, and not of another one or made by hand. */
  isOutcome(value: unknown): value is AcceptedOutcome {
    return typeof value === 'object' && value !== null && this.#outcomes.has(value);
  }
}

/**
 * Runs the interceptors from `index` on, each around the rest, which it can enter once. Never
 * rejects.
 */
async function enter(run: InterceptedRun, index = 0): Promise<AcceptedOutcome> {
  const interceptor = run.call.settings.interceptors[index];
  if (interceptor === undefined) return run.passOn();
  let rest: Promise<AcceptedOutcome> | undefined;
  let isOver = false;
  const enterRest = async (editedArguments: JsonObject | undefined): Promise<AcceptedOutcome> => {
    if (isOver || rest !== undefined)
      throw new ToolmendError('next-again', 'an interceptor calls next once, before it returns');
    if (editedArguments !== undefined) run.edit(editedArguments);
    rest = enter(run, index + 1);
    return rest;
  };
  const next: Next = (editedArguments) => {
    const outcome = enterRest(editedArguments);
    // An interceptor that doesn't wait for the outcome causes no unhandled rejection.
    outcome.catch(() => undefined);
    return outcome;
  };
  // Nothing runs after the outcome of an interceptor.
  const endOfRest = async (): Promise<void> => {
    isOver = true;
    await rest;
  };
  try {
    const outcome: unknown = await interceptor(interceptedCall(run), next);
    await endOfRest();
    if (run.isOutcome(outcome)) return outcome;
    const message =
      'an interceptor returned no outcome of its call: return what next() gave, or call.deny(…), call.answer(…) or call.amend(…)';
    throw new ToolmendError('no-outcome', message);
  } catch (error) {
    await endOfRest();
    return run.vouchFor(run.outcomeOfFailure(error));
  }
}

function interceptedCall(run: InterceptedRun): InterceptedCall {
  const { call, tool, contract, interpretation } = run.acceptedCall;
  const { values, tenant, signal, approvedDigest } = run.call;
  return Object.freeze({
    call,
    tool,
    interpretation,
    contract,
    arguments: interpretation.value,
    values,
    tenant,
    signal,
    approval: approvedDigest === undefined ? 'none' : 'given',
    deny: (message) => {
      requireDeniable(run, message);
      return run.vouchFor(
        Object.freeze({ call, tool, interpretation, status: 'denied', by: 'interceptor', message }),
      );
    },
    answer: (value) =>
      run.vouchFor(outcomeOf({ kind: 'returned', value }, run.acceptedCall, run.times)),
    amend: (outcome, { text, notes = [] }) =>
      run.vouchFor(withNotes(text === undefined ? outcome : withMessage(outcome, text), notes)),
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
