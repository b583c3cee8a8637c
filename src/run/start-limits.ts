// A tool's `limits`: how many of its calls start in a period, and run at the same time.
import type { Journal, StartLimit } from '../store/journal.ts';
import { type AcceptedOutcome, refuse } from '../execute/tool-outcome.ts';
import { canonicalJson, writeJson } from '../json/serialize.ts';
import { defined } from '../collections/objects.ts';
import { type JsonObject } from '../json/value.ts';
import { pause } from '../platform/timers.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';
import type { AcceptedCall } from './interpreted-call.ts';
import type { OpenCalls } from './open-calls.ts';
import { storedKey } from './journal-entry.ts';
import { cancelledBefore, failedBefore } from './outcome-of-ending.ts';

/**
 * The limit of a call; undefined if its tool has none. Throws what the author's key function
 * throws. `journal`: where it is written.
 */
export function startLimitOf(
  accepted: AcceptedCall,
  values: ApplicationContext,
  tenant = '',
  journal?: Journal,
): StartLimit | undefined {
  const { contract, interpretation } = accepted;
  const { limits } = contract.execution ?? {};
  if (limits === undefined) return undefined;
  const { rate, running, per = 'tenant', waitMs } = limits;
  const owner = per === 'all' ? [] : [tenant];
  const keyOf = (given: JsonObject): string => {
    const key = typeof per === 'object' ? per.key(given, values) : [];
    return canonicalJson(writeJson([contract.name, ...owner, key ?? null]).value);
  };
  return {
    key: journal ? storedKey(accepted, journal, 'the limit', keyOf) : keyOf(interpretation.value),
    ...defined({ rate, running, waitMs }),
  };
}

function limitOrError(
  accepted: AcceptedCall,
  values: ApplicationContext,
  tenant: string | undefined,
): StartLimit | { readonly error: unknown } | undefined {
  try {
    return startLimitOf(accepted, values, tenant);
  } catch (error) {
    return { error };
  }
}

interface LimitedCall {
  readonly values: ApplicationContext;
  readonly tenant: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The calls with one key. */
interface Counted {
  /** Milliseconds of `performance.now()`, oldest first. */
  readonly times: readonly number[];
  readonly running: number;
  readonly waiting: readonly { readonly tenant: string }[];
  /** When the last call of each tenant started. Empty if calls don't wait. */
  readonly served: ReadonlyMap<string, number>;
}

const nothing: Counted = { times: [], running: 0, waiting: [], served: new Map() };

/** The limits of this process, for registries without a journal in a database. */
export class LocalLimits {
  readonly #counted = new Map<string, Counted>();
  readonly #openCalls: OpenCalls;

  constructor(openCalls: OpenCalls) {
    this.#openCalls = openCalls;
  }

  /** Runs the call when it is its turn, or refuses it. */
  async run(
    accepted: AcceptedCall,
    { values, tenant = '', signal }: LimitedCall,
    run: () => Promise<AcceptedOutcome>,
  ): Promise<AcceptedOutcome> {
    const limit = limitOrError(accepted, values, tenant);
    if (limit === undefined) return run();
    if ('error' in limit) return failedBefore(accepted, limit.error);
    const refused = await this.#openCalls.wait({ signal }, (over) =>
      this.#wait(limit, tenant, over),
    );
    if (refused !== undefined)
      return signal?.aborted === true
        ? cancelledBefore(accepted, signal.reason)
        : refuse(accepted, this.#openCalls.isClosing ? 'closed' : refused);
    try {
      return await run();
    } finally {
      this.#end(limit);
    }
  }

  async #wait(
    limit: StartLimit,
    tenant: string,
    signal: AbortSignal,
  ): Promise<'busy' | 'rate_limit' | undefined> {
    const { key, waitMs = 0 } = limit;
    const end = performance.now() + waitMs;
    const own = { tenant };
    const { waiting } = this.#of(key);
    const isFull = waiting.length >= mostWaiting && waiting.some((one) => one.tenant === tenant);
    if (waitMs > 0 && !isFull) this.#change(key, () => ({ waiting: [...waiting, own] }));
    for (;;) {
      const refused = this.#take(limit, own);
      const left = end - performance.now();
      if (refused === undefined || isFull || left <= 0 || signal.aborted) {
        if (waitMs > 0)
          this.#change(key, (now) => ({ waiting: now.waiting.filter((one) => one !== own) }));
        return refused;
      }
      await pause(Math.min(left, 20), signal);
    }
  }

  /** Counts the call, or returns why it can't start yet. */
  #take(
    { key, rate, running = Infinity }: StartLimit,
    own: { readonly tenant: string },
  ): 'busy' | 'rate_limit' | undefined {
    const now = performance.now();
    const { times: all, running: runs, waiting, served } = this.#of(key);
    const times = rate === undefined ? [] : all.filter((time) => time > now - rate.perMs);
    const starts = (rate?.calls ?? Infinity) - times.length;
    const ahead = Math.max(0, inTurn(waiting, served).indexOf(own));
    if (ahead >= Math.min(starts, running - runs))
      return starts <= 0 && runs < running ? 'rate_limit' : 'busy';
    this.#change(key, () => ({
      times: rate === undefined ? [] : [...times, now],
      running: runs + 1,
      served: waiting.length === 0 ? served : new Map([...served, [own.tenant, now]]),
    }));
    return undefined;
  }

  #of(key: string): Counted {
    return this.#counted.get(key) ?? nothing;
  }

  #change(key: string, change: (counted: Counted) => Partial<Counted>): void {
    const counted = this.#of(key);
    this.#counted.set(key, { ...counted, ...change(counted) });
  }

  #end({ key, rate }: StartLimit): void {
    this.#change(key, ({ running }) => ({ running: running - 1 }));
    const { times, running, waiting } = this.#of(key);
    const isOver =
      running === 0 &&
      waiting.length === 0 &&
      (times.at(-1) ?? 0) <= performance.now() - (rate?.perMs ?? 0);
    if (isOver) this.#counted.delete(key);
    if (this.#counted.size > mostKeys) this.#removeOld();
  }

  /**
   * Keys come from arguments, so there may be many. Those that count nothing now are removed,
   * oldest first.
   */
  #removeOld(): void {
    for (const [key, { running, waiting }] of this.#counted) {
      if (this.#counted.size <= mostKeys) return;
      if (running === 0 && waiting.length === 0) this.#counted.delete(key);
    }
  }
}

/**
 * The order in which waiting calls start: no tenant's second call before another's first, and the
 * tenant served longest ago first.
 */
function inTurn<Call extends { readonly tenant: string }>(
  waiting: readonly Call[],
  served: ReadonlyMap<string, number>,
): readonly Call[] {
  if (waiting.length < 2) return waiting;
  const seen = new Map<string, number>();
  const ranked = waiting.map((call) => {
    const nth = (seen.get(call.tenant) ?? 0) + 1;
    seen.set(call.tenant, nth);
    return { call, nth, last: served.get(call.tenant) ?? -Infinity };
  });
  return ranked
    .toSorted((one, other) => one.nth - other.nth || compare(one.last, other.last))
    .map(({ call }) => call);
}

/** Two infinities have no difference to sort by. */
const compare = (one: number, other: number): number => (one < other ? -1 : one > other ? 1 : 0);

const mostKeys = 10_000;
/** Calls that may wait for one limit, as in a database, and one of each further tenant. */
const mostWaiting = 100;
