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
  readonly tenant: string;
  readonly pool: SlotPool;
  readonly mode: SlotRequest['mode'];
  readonly locks: readonly string[];
  readonly parent: Slot | undefined;
  readonly entry: string | undefined;
  #stopped: { readonly reason: unknown } | undefined;
  #stop: ((reason: unknown) => void) | undefined;

  constructor({ tenant, pool, mode, locks, entry }: SlotRequest, parent: Slot | undefined) {
    this.tenant = tenant;
    this.pool = pool;
    this.mode = mode;
    this.locks = locks;
    this.parent = parent;
    this.entry = entry;
  }

  isInside(other: Slot): boolean {
    return this === other || this.parent?.isInside(other) === true;
  }

  /** Whether the call with this entry is this one or around it. */
  isWithin(entry: string): boolean {
    return this.entry === entry || this.parent?.isWithin(entry) === true;
  }

  /** The locks of the calls around this one. */
  locksAround(): readonly string[] {
    return this.parent === undefined ? [] : [...this.parent.locks, ...this.parent.locksAround()];
  }

  /** Calls `stop` when the call has to end; at once if that is already so. */
  onStop(stop: (reason: unknown) => void): void {
    this.#stop = stop;
    if (this.#stopped !== undefined) stop(this.#stopped.reason);
  }

  stop(reason: unknown): void {
    this.#stopped ??= { reason };
    this.#stop?.(reason);
  }
}

interface WaitingCall {
  readonly slot: Slot;
  readonly settle: (acquisition: Acquisition) => void;
}

/** The waiting calls of one tenant in one pool. */
interface Queue {
  readonly tenant: string;
  readonly pool: SlotPool;
  readonly calls: WaitingCall[];
  /** The turn in which a call of this tenant last started, or in which it began to wait. */
  served: number;
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

/** The slots of one registry: two pools with a limit each, exclusive calls, locks, turns between tenants, and a bounded queue. */
export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits;
  readonly #running = new Set<Slot>();
  /** A lock is held several times only by calls that are inside one another. */
  readonly #holders = new Map<string, readonly Slot[]>();
  readonly #queues = new Map<string, Queue>();
  /** Calls from within running calls; they wait for locks only. */
  #nested: readonly WaitingCall[] = [];
  /** Ends calls that are in interceptors or wait for an approval check, and so have no slot yet. */
  readonly #unslotted = new Set<(reason: unknown) => void>();
  readonly #onIdle: (() => void)[] = [];
  #turn = 0;
  #isClosed = false;

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  get load(): CallLoad {
    const queued = this.#queuedIn('foreground') + this.#queuedIn('background');
    return { running: this.#running.size, waiting: queued + this.#nested.length };
  }

  /** Returns a slot if one is free, else a promise that settles in the call's turn or when the signal fires. */
  acquire(request: SlotRequest, signal: AbortSignal | undefined): Acquisition | Promise<Acquisition> {
    if (signal?.aborted === true) return { kind: 'cancelled', reason: signal.reason };
    const parent = this.#runningParent(request.parent);
    if (this.#isClosed && parent === undefined) return { kind: 'rejected', reason: 'closed' };
    const slot = new Slot(request, parent);
    if (this.#mayStart(slot)) return this.#start(slot);
    if (parent !== undefined && !this.#mayWait(slot)) return { kind: 'rejected', reason: 'busy' };
    return this.#wait(slot, signal);
  }

  release(slot: Slot): void {
    this.#running.delete(slot);
    for (const lock of slot.locks) {
      const others = (this.#holders.get(lock) ?? []).filter((holder) => holder !== slot);
      if (others.length === 0) this.#holders.delete(lock);
      else this.#holders.set(lock, others);
    }
    this.#startWaiting();
    this.#notifyIdle();
  }

  /** Whether the registry is closed to a call. Calls nested in running calls are still accepted. */
  isClosedTo(parent: Slot | undefined): boolean {
    return this.#isClosed && this.#runningParent(parent) === undefined;
  }

  /**
   * Registers a call that runs in an interceptor and has no slot yet, so that `close` waits for it and can stop it. Returns a
   * function that unregisters it.
   */
  track(stop: (reason: unknown) => void): () => void {
    const own = (reason: unknown): void => stop(reason);
    this.#unslotted.add(own);
    return () => {
      this.#unslotted.delete(own);
      this.#notifyIdle();
    };
  }

  /** Accepts no more calls; resolves when the present ones have ended. After `milliseconds` they are stopped. */
  async close(milliseconds: number): Promise<void> {
    this.#isClosed = true;
    const queued = [...this.#queues.values()].flatMap(({ calls }) => calls);
    this.#queues.clear();
    rejectAll(queued, 'closed');
    if (this.#isIdle) return;
    const reason = new ToolmendError('registry-closed', 'the registry of the tool was closed');
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onIdle.push(resolve);
    const timer = setTimeout(() => {
      rejectAll(this.#nested, 'closed');
      this.#nested = [];
      for (const slot of this.#running) slot.stop(reason);
      for (const stop of this.#unslotted) stop(reason);
    }, milliseconds);
    await promise;
    clearTimeout(timer);
  }

  /** A call whose parent has ended counts as an outermost call. */
  #runningParent(parent: Slot | undefined): Slot | undefined {
    return parent !== undefined && this.#running.has(parent) ? parent : undefined;
  }

  get #isIdle(): boolean {
    return this.#running.size === 0 && this.#unslotted.size === 0;
  }

  #notifyIdle(): void {
    if (this.#isIdle) for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  #queuedIn(wanted: SlotPool): number {
    let count = 0;
    for (const { pool, calls } of this.#queues.values()) if (pool === wanted) count += calls.length;
    return count;
  }

  /** The calls that count against the limit. */
  get #outermost(): readonly Slot[] {
    return [...this.#running].filter(({ parent }) => parent === undefined);
  }

  #mayStart(slot: Slot): boolean {
    if (slot.parent !== undefined) return this.#takenLocks(slot).length === 0;
    if (this.#queues.size > 0 || this.#nested.length > 0 || !this.#hasPlace(slot.pool)) return false;
    return slot.mode === 'exclusive' ? this.#running.size === 0 : this.#takenLocks(slot).length === 0;
  }

  #hasPlace(wanted: SlotPool): boolean {
    if (this.#running.size === 0) return true;
    let taken = 0;
    for (const { mode, pool } of this.#outermost) {
      if (mode === 'exclusive') return false;
      if (pool === wanted) taken += 1;
    }
    return taken < this.#limits.slots[wanted];
  }

  /** The locks of a call that other calls hold, without those that only its ancestors hold. */
  #takenLocks(slot: Slot): readonly string[] {
    if (this.#holders.size === 0) return [];
    return slot.locks.filter((lock) => this.#holders.get(lock)?.some((holder) => !slot.isInside(holder)));
  }

  /**
   * Whether a nested call may wait for its locks; else it is refused. If call A holds the lock `x`, call B holds `y`, and each makes
   * a nested call that needs the other's lock, neither of them would ever end. So a nested call waits only if the locks that it
   * waits for include every lock of its ancestors: two nested calls of A that both need `x` take turns.
   */
  #mayWait(slot: Slot): boolean {
    const taken = new Set(this.#takenLocks(slot));
    return slot.locksAround().every((lock) => taken.has(lock));
  }

  #start(slot: Slot): Acquisition {
    this.#running.add(slot);
    for (const lock of slot.locks) this.#holders.set(lock, [...(this.#holders.get(lock) ?? []), slot]);
    return { kind: 'acquired', slot };
  }

  #wait(slot: Slot, signal: AbortSignal | undefined): Promise<Acquisition> {
    const { promise, resolve } = Promise.withResolvers<Acquisition>();
    const cancel = (): void => {
      this.#remove(waiting);
      waiting.settle({ kind: 'cancelled', reason: signal?.reason });
      this.#startWaiting();
    };
    const settle = (acquisition: Acquisition): void => {
      signal?.removeEventListener('abort', cancel);
      resolve(acquisition);
    };
    const waiting: WaitingCall = { slot, settle };
    signal?.addEventListener('abort', cancel, { once: true });
    if (slot.parent === undefined) this.#enqueue(waiting);
    else this.#nested = [...this.#nested, waiting];
    return promise;
  }

  /** Beyond the limit, the newest call of the tenant with the most waiting calls is rejected, so that no tenant fills the queue. */
  #enqueue(waiting: WaitingCall): void {
    const { tenant, pool } = waiting.slot;
    const key = queueKey(waiting.slot);
    const own = this.#queues.get(key) ?? { tenant, pool, calls: [], served: (this.#turn += 1) };
    this.#queues.set(key, own);
    own.calls.push(waiting);
    this.#startWaiting();
    if (this.#queuedIn(pool) <= this.#limits.queueLimit) return;
    const longest = [...this.#queues.values()].reduce(
      (most, queue) => (queue.pool === pool && queue.calls.length > most.calls.length ? queue : most),
      own,
    );
    const surplus = longest.calls.at(-1) ?? waiting;
    this.#remove(surplus);
    surplus.settle({ kind: 'rejected', reason: 'busy' });
    this.#startWaiting();
  }

  #remove(waiting: WaitingCall): void {
    this.#nested = this.#nested.filter((other) => other !== waiting);
    const key = queueKey(waiting.slot);
    const queue = this.#queues.get(key);
    const at = queue?.calls.indexOf(waiting) ?? -1;
    if (queue === undefined || at === -1) return;
    queue.calls.splice(at, 1);
    if (queue.calls.length === 0) this.#queues.delete(key);
  }

  #startWaiting(): void {
    for (;;) {
      this.#rejectHopeless();
      const next = this.#nextNested() ?? this.#nextInTurn();
      if (next === undefined) return;
      const queue = this.#queues.get(queueKey(next.slot));
      if (next.slot.parent === undefined && queue !== undefined) queue.served = this.#turn += 1;
      this.#remove(next);
      next.settle(this.#start(next.slot));
    }
  }

  #nextNested(): WaitingCall | undefined {
    return this.#nested.find(({ slot }) => this.#takenLocks(slot).length === 0);
  }

  /** The locks that a nested call waits for change as other calls end. */
  #rejectHopeless(): void {
    for (const waiting of this.#nested) {
      if (this.#takenLocks(waiting.slot).length === 0 || this.#mayWait(waiting.slot)) continue;
      this.#remove(waiting);
      waiting.settle({ kind: 'rejected', reason: 'busy' });
    }
  }

  #nextInTurn(): WaitingCall | undefined {
    if (this.#queues.size === 0) return undefined;
    const hasPlace = { foreground: this.#hasPlace('foreground'), background: this.#hasPlace('background') };
    // Locks that a call with an earlier turn waits for stay reserved; otherwise a call with several locks could starve.
    const reserved = new Set<string>();
    for (const { calls, pool } of this.#queuesInTurn()) {
      if (!hasPlace[pool]) continue;
      for (const [position, waiting] of calls.entries()) {
        const { mode, locks } = waiting.slot;
        if (mode === 'exclusive') {
          // It waits for earlier calls of its tenant. In its turn, all other calls wait for it.
          if (position > 0) break;
          return this.#running.size === 0 ? waiting : undefined;
        }
        const isFree = this.#takenLocks(waiting.slot).length === 0;
        if (isFree && locks.every((lock) => !reserved.has(lock))) return waiting;
        for (const lock of locks) reserved.add(lock);
      }
    }
    return undefined;
  }

  /** Tenants with the fewest running calls first; among these, the one served longest ago. */
  #queuesInTurn(): readonly Queue[] {
    const running = Map.groupBy(this.#outermost, queueKey);
    const countOf = (queue: Queue): number => running.get(queueKey(queue))?.length ?? 0;
    return [...this.#queues.values()].toSorted(
      (left, right) => countOf(left) - countOf(right) || left.served - right.served,
    );
  }
}

const queueKey = ({ pool, tenant }: Pick<Slot, 'pool' | 'tenant'>): string => `${pool} ${tenant}`;

function rejectAll(waiting: readonly WaitingCall[], reason: 'closed'): void {
  for (const { settle } of waiting) settle({ kind: 'rejected', reason });
}
