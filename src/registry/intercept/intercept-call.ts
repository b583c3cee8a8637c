// What becomes of a call on its way through the interceptors? Each stands around the rest; the innermost is the tool.
import type { ApplicationContext } from '../../contract/tool-contract.ts';
import { DefinitionError } from '../../errors/definition-error.ts';
import { ToolmendError } from '../../errors/toolmend-error.ts';
import { outcomeOf } from '../../execute/outcome-of-ending.ts';
import type { AcceptedOutcome } from '../../execute/tool-outcome.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { InterceptedCall, Interceptor, Next } from './interceptor.ts';
import { interceptorFailed } from './interceptor-failed.ts';
import type { PassingCall } from './passing-call.ts';

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
        Object.freeze({ call, tool, interpretation, outcome: 'denied', by: 'interceptor', message }),
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
