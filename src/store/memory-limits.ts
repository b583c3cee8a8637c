import { pause } from '../platform/timers.ts';
import type { JournalState, NewEntry, StartLimit } from './call-store.ts';

interface Waiting {
  readonly id: string;
  readonly tenant: string;
}

/** The calls with one key. */
interface Counted {
  /** Milliseconds of `performance.now()`, oldest first. */
  readonly times: readonly { readonly id: string; readonly at: number }[];
  readonly runningCalls: number;
  readonly waitingCalls: readonly Waiting[];
  /** When the last call of each tenant started. Empty if calls don't wait. */
  readonly served: ReadonlyMap<string, number>;
}

const nothing: Counted = { times: [], runningCalls: 0, waitingCalls: [], served: new Map() };

/** Counts the calls of each limit in this process, and lets those that wait take turns. */
export class MemoryLimits {
  readonly #countedCalls = new Map<string, Counted>();
  /** The limits of calls that have not ended, by entry. */
  readonly #limits = new Map<string, StartLimit>();

  /** Counts a call when it is its turn, or returns why it can't start. */
  async start(
    { id, tenant }: NewEntry,
    limit: StartLimit,
    signal: AbortSignal | undefined,
  ): Promise<'busy' | 'rate_limit' | undefined> {
    const call = { id, tenant };
    const { waitMs = 0 } = limit;
    const refusal =
      waitMs > 0 ? await this.#wait(limit, call, waitMs, signal) : this.#take(limit, call);
    if (refusal === undefined) this.#limits.set(id, limit);
    return refusal;
  }

  /** The call of an entry is in another state. One that never ran doesn't count as started. */
  change(id: string, stateBefore: JournalState, state: JournalState): void {
    const limit = this.#limits.get(id);
    if (limit === undefined) return;
    const { key } = limit;
    const more = Number(state === 'running') - Number(stateBefore === 'running');
    this.#change(key, ({ runningCalls, times }) => ({
      runningCalls: runningCalls + more,
      times: state === 'not_run' ? times.filter((time) => time.id !== id) : times,
    }));
    if (state !== 'ended' && state !== 'not_run') return;
    this.#limits.delete(id);
    this.#end(limit);
  }

  /** The call of an entry is gone. */
  forget(id: string): void {
    this.#limits.delete(id);
  }

  async #wait(
    limit: StartLimit,
    waitingCall: Waiting,
    waitMs: number,
    signal: AbortSignal | undefined,
  ): Promise<'busy' | 'rate_limit' | undefined> {
    const { key } = limit;
    const { tenant } = waitingCall;
    const end = performance.now() + waitMs;
    const { waitingCalls } = this.#of(key);
    const isFull =
      waitingCalls.length >= mostWaiting && waitingCalls.some((one) => one.tenant === tenant);
    if (!isFull) this.#change(key, () => ({ waitingCalls: [...waitingCalls, waitingCall] }));
    for (;;) {
      const refusal = this.#take(limit, waitingCall);
      const remainingMs = end - performance.now();
      if (refusal === undefined || isFull || remainingMs <= 0 || signal?.aborted === true) {
        this.#change(key, (now) => ({
          waitingCalls: now.waitingCalls.filter((one) => one !== waitingCall),
        }));
        return refusal;
      }
      await pause(Math.min(remainingMs, 20), signal);
    }
  }

  /** Counts the call, or returns why it can't start yet. */
  #take(
    { key, rate, running = Infinity }: StartLimit,
    waitingCall: Waiting,
  ): 'busy' | 'rate_limit' | undefined {
    const now = performance.now();
    const { times: all, runningCalls: runs, waitingCalls, served } = this.#of(key);
    const times = rate === undefined ? [] : all.filter(({ at }) => at > now - rate.perMs);
    const starts = (rate?.calls ?? Infinity) - times.length;
    const ahead = Math.max(0, inTurn(waitingCalls, served).indexOf(waitingCall));
    if (ahead >= Math.min(starts, running - runs))
      return starts <= 0 && runs < running ? 'rate_limit' : 'busy';
    this.#change(key, () => ({
      times: rate === undefined ? [] : [...times, { id: waitingCall.id, at: now }],
      runningCalls: runs + 1,
      served: waitingCalls.length === 0 ? served : new Map([...served, [waitingCall.tenant, now]]),
    }));
    return undefined;
  }

  #of(key: string): Counted {
    return this.#countedCalls.get(key) ?? nothing;
  }

  #change(key: string, change: (counts: Counted) => Partial<Counted>): void {
    const counts = this.#of(key);
    this.#countedCalls.set(key, { ...counts, ...change(counts) });
  }

  #end({ key, rate }: StartLimit): void {
    const { times, runningCalls, waitingCalls } = this.#of(key);
    const isOver =
      runningCalls === 0 &&
      waitingCalls.length === 0 &&
      (times.at(-1)?.at ?? 0) <= performance.now() - (rate?.perMs ?? 0);
    if (isOver) this.#countedCalls.delete(key);
    if (this.#countedCalls.size > mostKeys) this.#removeOld();
  }

  /**
   * Keys come from arguments, so there may be many. Those that count nothing now are removed,
   * oldest first.
   */
  #removeOld(): void {
    for (const [key, { runningCalls, waitingCalls }] of this.#countedCalls) {
      if (this.#countedCalls.size <= mostKeys) return;
      if (runningCalls === 0 && waitingCalls.length === 0) this.#countedCalls.delete(key);
    }
  }
}

/**
 * The order in which waiting calls start: no tenant's second call before another's first, and the
 * tenant served longest ago first.
 */
function inTurn<Call extends { readonly tenant: string }>(
  calls: readonly Call[],
  served: ReadonlyMap<string, number>,
): readonly Call[] {
  if (calls.length < 2) return calls;
  const callsByTenant = new Map<string, number>();
  const rankedCalls = calls.map((call) => {
    const nth = (callsByTenant.get(call.tenant) ?? 0) + 1;
    callsByTenant.set(call.tenant, nth);
    return { call, nth, last: served.get(call.tenant) ?? -Infinity };
  });
  return rankedCalls
    .toSorted((one, other) => one.nth - other.nth || compare(one.last, other.last))
    .map(({ call }) => call);
}

/** Two infinities have no difference to sort by. */
const compare = (one: number, other: number): number => (one < other ? -1 : one > other ? 1 : 0);

const mostKeys = 10_000;
/** Calls that may wait for one limit, as in a database, and one of each further tenant. */
const mostWaiting = 100;
