// What becomes of a call on its way through the interceptors? Each stands around the rest; the innermost is the tool.
import type { ApplicationContext } from '../../contract/tool-contract.ts';
import { ToolmendError } from '../../errors/toolmend-error.ts';
import { outcomeOf } from '../../execute/outcome-of-ending.ts';
import { runUntilEnded } from '../../execute/run-until-ended.ts';
import type { AcceptedOutcome } from '../../execute/tool-outcome.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { AcceptedCall } from '../interpret-call.ts';
import type { InterceptedCall, Interceptor, Next } from './interceptor.ts';
import { interceptorFailed } from './interceptor-failed.ts';
import { interpretEdit } from './interpret-edit.ts';

/** What is the same for one call all the way. */
export interface Passage {
  readonly interceptors: readonly Interceptor[];
  readonly values: ApplicationContext;
  readonly signal: AbortSignal | undefined;
  readonly approval: 'none' | 'given';
  /** What stands innermost. Never rejects. */
  readonly execute: (accepted: AcceptedCall) => Promise<AcceptedOutcome>;
}

/** Never rejects; ends when the application cancels, whether the interceptors obey or not. */
export function interceptCall(accepted: AcceptedCall, passage: Passage): Promise<AcceptedOutcome> {
  return passage.interceptors.length === 0 ? passage.execute(accepted) : passInterceptors(accepted, passage);
}

async function passInterceptors(accepted: AcceptedCall, passage: Passage): Promise<AcceptedOutcome> {
  const { signal, execute } = passage;
  const start = performance.now();
  let hasStarted = false;
  const within: Passage = {
    ...passage,
    execute: (call) => {
      hasStarted = true;
      return execute(call);
    },
  };
  let outcome: AcceptedOutcome | undefined;
  const ending = await runUntilEnded(
    async () => {
      outcome = await through(0, accepted, within);
    },
    { signal },
  );
  if (outcome !== undefined && ending.kind !== 'cancelled') return outcome;
  const { call, tool, contract, interpretation } = accepted;
  const facts = { call, tool, interpretation, duration: performance.now() - start };
  const isBefore = ending.kind === 'cancelled' && !hasStarted;
  return outcomeOf(isBefore ? { ...ending, when: 'before' } : ending, facts, contract);
}

async function through(index: number, accepted: AcceptedCall, passage: Passage): Promise<AcceptedOutcome> {
  const interceptor = passage.interceptors[index];
  if (interceptor === undefined) return passage.execute(accepted);
  const rest = new Rest((call) => through(index + 1, call, passage), accepted);
  try {
    const outcome: unknown = await interceptor(shownTo(accepted, passage), rest.next);
    await rest.ended();
    if (isOutcome(outcome)) return outcome;
    throw new ToolmendError(
      'no-outcome',
      'an interceptor returned no outcome: return next(), call.deny(…) or call.answer(…)',
    );
  } catch (error) {
    return interceptorFailed(error, accepted, await rest.ended());
  }
}

/** The way on from one interceptor, which can be gone once. */
class Rest {
  readonly #goOn: Passage['execute'];
  readonly #accepted: AcceptedCall;
  #outcome: Promise<AcceptedOutcome> | undefined;
  #isOver = false;

  constructor(goOn: Passage['execute'], accepted: AcceptedCall) {
    this.#goOn = goOn;
    this.#accepted = accepted;
  }

  readonly next: Next = (edited) => {
    const outcome = this.#goOnWith(edited);
    // Whoever goes on without waiting is not told twice.
    outcome.catch(() => undefined);
    return outcome;
  };

  /** What has been started is waited for: nothing runs behind the outcome. No way on after that. */
  async ended(): Promise<AcceptedOutcome | undefined> {
    this.#isOver = true;
    return this.#outcome;
  }

  async #goOnWith(edited: JsonObject | undefined): Promise<AcceptedOutcome> {
    if (this.#isOver || this.#outcome !== undefined) {
      throw new ToolmendError('next-again', 'an interceptor goes on once, before it returns: call next once');
    }
    const call = edited === undefined ? this.#accepted : withEdit(this.#accepted, edited);
    this.#outcome = this.#goOn(call);
    return this.#outcome;
  }
}

function withEdit(accepted: AcceptedCall, edited: JsonObject): AcceptedCall {
  const interpretation = interpretEdit(accepted, edited);
  if (interpretation.outcome !== 'rejected') return Object.freeze({ ...accepted, interpretation });
  const { message } = interpretation;
  throw new ToolmendError('edit-rejected', `an interceptor's arguments are not accepted: ${message}`);
}

function shownTo(accepted: AcceptedCall, { values, signal, approval }: Passage): InterceptedCall {
  const { call, tool, contract, interpretation } = accepted;
  const facts = { call, tool, interpretation };
  const start = performance.now();
  return Object.freeze({
    ...facts,
    contract,
    arguments: interpretation.value,
    values,
    signal,
    approval,
    deny: (message) => Object.freeze({ ...facts, outcome: 'denied', by: 'interceptor', message }),
    answer: (result) =>
      outcomeOf(
        { kind: 'returned', value: result },
        { ...facts, duration: performance.now() - start },
        contract,
      ),
  } satisfies InterceptedCall);
}

const words: ReadonlySet<unknown> = new Set<AcceptedOutcome['outcome']>([
  'completed',
  'retry',
  'failed',
  'timed-out',
  'cancelled',
  'denied',
  'waiting',
  'refused',
]);

// JavaScript callers, and whoever forgets to return, give what no type allows.
const isOutcome = (value: unknown): value is AcceptedOutcome =>
  typeof value === 'object' && value !== null && 'outcome' in value && words.has(value.outcome);
