import { ToolmendError } from '../errors/errors.ts';

export type SlotPool = 'foreground' | 'background';

/** What a call needs before it may run. */
export interface SlotRequest {
  /** Tenants take turns when calls have to wait. */
  readonly tenant: string;
  /** Background calls have slots of their own, so that long ones don't hold up the others. */
  readonly pool: SlotPool;
  /** `exclusive`: no other call runs at the same time, except those made from within this one. */
  readonly mode: 'parallel' | 'exclusive';
  /** Keys that no other running call may hold. */
  readonly locks: readonly string[];
  /** The slot of the call whose code makes this one. */
  readonly parent: Slot | undefined;
  /** The call's entry in the journal. */
  readonly entry?: string | undefined;
}

export type Acquisition =
  | { readonly kind: 'acquired'; readonly slot: Slot }
  | { readonly kind: 'rejected'; readonly reason: 'busy' | 'closed' }
  | { readonly kind: 'cancelled'; readonly reason: unknown };

/** One call in the limiter. A nested call uses its parent's slot and has only its own locks. */
export class Slot {
  readonly request: SlotRequest;
  readonly parent: Slot | undefined;

  /** `parent`: that of the request if it still runs. */
  constructor(request: SlotRequest, parent: Slot | undefined) {
    this.request = request;
    this.parent = parent;
  }

  isInside(other: Slot): boolean {
    return this === other || this.parent?.isInside(other) === true;
  }

  /** Whether the call with this entry is this one or around it. */
  isWithin(entry: string): boolean {
    return this.request.entry === entry || this.parent?.isWithin(entry) === true;
  }

  locksAround(): readonly string[] {
    return this.parent === undefined
      ? []
      : [...this.parent.request.locks, ...this.parent.locksAround()];
  }
}

interface WaitingCall {
  readonly slot: Slot;
  readonly settle: (acquisition: Acquisition) => void;
}

export interface ConcurrencyLimits {
  /** Calls that run at once, in each pool. */
  readonly slots: Readonly<Record<SlotPool, number>>;
  /** Calls that wait, in each pool. */
  readonly queueLimit: number;
}

/** How many calls run and wait now. */
export interface CallLoad {
  readonly running: number;
  readonly waiting: number;
}

/**
 * The slots of one registry: two pools with a limit each, exclusive calls, locks, turns between
 * tenants, and a bounded queue.
 */
export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits;
  readonly #running = new Set<Slot>();
  /** In the order in which they came. Calls from within running calls wait for locks only. */
  #waiting: readonly WaitingCall[] = [];
  /**
   * The turn in which a tenant with waiting calls was last served, or began to wait, in each pool.
   */
  readonly #served = new Map<string, number>();
  /**
   * End running calls, and those that have no slot yet, because they are in interceptors or
   * approval checks.
   */
  readonly #stops = new Set<(reason: unknown) => void>();
  readonly #onIdle: (() => void)[] = [];
  #turn = 0;
  #isClosed = false;
  /** The reason why calls are stopped, once they are. */
  #stopped: ToolmendError | undefined;

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  get load(): CallLoad {
    return { running: this.#running.size, waiting: this.#waiting.length };
  }

  /**
   * Returns a slot if one is free, else a promise that settles in the call's turn or when the
   * signal fires.
   */
  acquire(
    request: SlotRequest,
    signal: AbortSignal | undefined,
  ): Acquisition | Promise<Acquisition> {
    if (signal?.aborted === true) return { kind: 'cancelled', reason: signal.reason };
    const parent = this.#runningParent(request.parent);
    if (this.#isClosed && parent === undefined) return { kind: 'rejected', reason: 'closed' };
    const slot = new Slot(request, parent);
    if (this.#mayStart(slot)) return this.#start(slot);
    if (parent !== undefined && this.#isHopeless(slot)) return { kind: 'rejected', reason: 'busy' };
    return this.#wait(slot, signal);
  }

  release(slot: Slot): void {
    this.#running.delete(slot);
    this.#startWaiting();
    this.#notifyIdle();
  }

  /** Whether the registry is closed to a call. Calls nested in running calls are still accepted. */
  isClosedTo(parent: Slot | undefined): boolean {
    return this.#isClosed && this.#runningParent(parent) === undefined;
  }

  /** `close` waits for a call until `untrack`, and stops it if that takes too long. */
  track(stop: (reason: unknown) => void): void {
    this.#stops.add(stop);
    if (this.#stopped !== undefined) stop(this.#stopped);
  }

  untrack(stop: (reason: unknown) => void): void {
    this.#stops.delete(stop);
    this.#notifyIdle();
  }

  /**
   * Accepts no more calls; resolves when the present ones have ended. After `milliseconds` they are
   * stopped.
   */
  async close(milliseconds: number): Promise<void> {
    this.#isClosed = true;
    this.#reject(this.#waiting.filter(isOutermost), 'closed');
    if (this.#isIdle) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onIdle.push(resolve);
    const timer = setTimeout(() => {
      this.#reject(this.#waiting, 'closed');
      this.#stopped ??= new ToolmendError('registry-closed', 'the registry of the tool was closed');
      for (const stop of this.#stops) stop(this.#stopped);
    }, milliseconds);
    await promise;
    clearTimeout(timer);
  }

  /** A call whose parent has ended counts as an outermost call. */
  #runningParent(parent: Slot | undefined): Slot | undefined {
    return parent !== undefined && this.#running.has(parent) ? parent : undefined;
  }

  get #isIdle(): boolean {
    return this.#running.size === 0 && this.#stops.size === 0;
  }

  #notifyIdle(): void {
    if (this.#isIdle) for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  /** The calls that count against the limit. */
  get #outermost(): readonly Slot[] {
    return [...this.#running].filter(({ parent }) => parent === undefined);
  }

  #mayStart(slot: Slot): boolean {
    if (slot.parent !== undefined) return this.#takenLocks(slot).length === 0;
    const { mode, pool } = slot.request;
    if (this.#waiting.length > 0 || !this.#hasPlace(pool)) return false;
    return mode === 'exclusive' ? this.#running.size === 0 : this.#takenLocks(slot).length === 0;
  }

  #hasPlace(requestedPool: SlotPool): boolean {
    const requests = this.#outermost.map(({ request }) => request);
    if (requests.some(({ mode }) => mode === 'exclusive')) return false;
    return (
      requests.filter(({ pool }) => pool === requestedPool).length <
      this.#limits.slots[requestedPool]
    );
  }

  /** The locks of a call that other calls hold, without those that only its ancestors hold. */
  #takenLocks(slot: Slot): readonly string[] {
    if (slot.request.locks.length === 0) return [];
    const others = [...this.#running].filter((holder) => !slot.isInside(holder));
    return slot.request.locks.filter((lock) =>
      others.some(({ request }) => request.locks.includes(lock)),
    );
  }

  /**
   * Whether a nested call may not wait for its locks, so that it is refused. If call A holds the
   * lock `x`, call B holds `y`, and each makes a nested call that needs the other's lock, neither
   * of them would ever end. So a nested call waits only if the locks that it waits for include
   * every lock of its ancestors: two nested calls of A that both need `x` take turns.
   */
  #isHopeless(slot: Slot): boolean {
    const missingLocks = new Set(this.#takenLocks(slot));
    return missingLocks.size > 0 && !slot.locksAround().every((lock) => missingLocks.has(lock));
  }

  #start(slot: Slot): Acquisition {
    this.#running.add(slot);
    return { kind: 'acquired', slot };
  }

  #wait(slot: Slot, signal: AbortSignal | undefined): Promise<Acquisition> {
    const { promise, resolve } = Promise.withResolvers<Acquisition>();
    const cancel = (): void => {
      this.#settle(waitingCall, { kind: 'cancelled', reason: signal?.reason });
      this.#startWaiting();
    };
    const settle = (acquisition: Acquisition): void => {
      signal?.removeEventListener('abort', cancel);
      resolve(acquisition);
    };
    const waitingCall: WaitingCall = { slot, settle };
    signal?.addEventListener('abort', cancel, { once: true });
    this.#waiting = [...this.#waiting, waitingCall];
    if (isOutermost(waitingCall)) this.#takeTurns(waitingCall);
    return promise;
  }

  /**
   * Beyond the limit, the newest call of the tenant with the most waiting calls is rejected, so
   * that no tenant fills the queue.
   */
  #takeTurns({ slot }: WaitingCall): void {
    const { pool, tenant } = slot.request;
    const key = queueKey(slot);
    if (!this.#served.has(key)) this.#served.set(key, (this.#turn += 1));
    this.#startWaiting();
    const queuedCalls = this.#waiting.filter(
      (one) => isOutermost(one) && one.slot.request.pool === pool,
    );
    if (queuedCalls.length <= this.#limits.queueLimit) return;
    const byTenant = Map.groupBy(queuedCalls, (one) => one.slot.request.tenant);
    let longest = byTenant.get(tenant) ?? [];
    for (const calls of byTenant.values()) if (calls.length > longest.length) longest = calls;
    this.#reject(longest.slice(-1), 'busy');
    this.#startWaiting();
  }

  #reject(calls: readonly WaitingCall[], reason: 'busy' | 'closed'): void {
    for (const call of calls) this.#settle(call, { kind: 'rejected', reason });
  }

  #settle(waitingCall: WaitingCall, acquisition: Acquisition): void {
    this.#waiting = this.#waiting.filter((other) => other !== waitingCall);
    const key = queueKey(waitingCall.slot);
    const isLast = !this.#waiting.some(
      (other) => isOutermost(other) && queueKey(other.slot) === key,
    );
    if (isLast) this.#served.delete(key);
    waitingCall.settle(acquisition);
  }

  #startWaiting(): void {
    while (this.#waiting.length > 0) {
      // The locks that nested calls wait for change as other calls end.
      const nestedCalls = this.#waiting.filter((call) => !isOutermost(call));
      const hopeless = nestedCalls.filter(({ slot }) => this.#isHopeless(slot));
      this.#reject(hopeless, 'busy');
      const next =
        nestedCalls.find(({ slot }) => this.#takenLocks(slot).length === 0) ?? this.#nextInTurn();
      if (next === undefined) return;
      if (isOutermost(next)) this.#served.set(queueKey(next.slot), (this.#turn += 1));
      this.#settle(next, this.#start(next.slot));
    }
  }

  #nextInTurn(): WaitingCall | undefined {
    const hasPlace = {
      foreground: this.#hasPlace('foreground'),
      background: this.#hasPlace('background'),
    };
    if (!hasPlace.foreground && !hasPlace.background) return undefined;
    // Locks that a call with an earlier turn waits for stay reserved; otherwise a call with several
    // locks could starve.
    const reservedKeys = new Set<string>();
    for (const calls of this.#queuesInTurn()) {
      for (const [position, waitingCall] of calls.entries()) {
        const { pool, mode, locks } = waitingCall.slot.request;
        if (!hasPlace[pool]) break;
        if (mode === 'exclusive') {
          // It waits for earlier calls of its tenant. In its turn, all other calls wait for it.
          if (position > 0) break;
          return this.#running.size === 0 ? waitingCall : undefined;
        }
        const isFree = this.#takenLocks(waitingCall.slot).length === 0;
        if (isFree && locks.every((lock) => !reservedKeys.has(lock))) return waitingCall;
        for (const lock of locks) reservedKeys.add(lock);
      }
    }
    return undefined;
  }

  /** Tenants with the fewest running calls first; among these, the one served longest ago. */
  #queuesInTurn(): readonly (readonly WaitingCall[])[] {
    const callsByQueue = Map.groupBy(this.#outermost, queueKey);
    const countOf = (key: string): number => callsByQueue.get(key)?.length ?? 0;
    const servedAt = (key: string): number => this.#served.get(key) ?? 0;
    const queues = Map.groupBy(this.#waiting.filter(isOutermost), ({ slot }) => queueKey(slot));
    return [...queues]
      .toSorted(
        ([oneQueue], [otherQueue]) =>
          countOf(oneQueue) - countOf(otherQueue) || servedAt(oneQueue) - servedAt(otherQueue),
      )
      .map(([, calls]) => calls);
  }
}

const isOutermost = ({ slot }: WaitingCall): boolean => slot.parent === undefined;

const queueKey = ({ request }: Slot): string => `${request.pool} ${request.tenant}`;
