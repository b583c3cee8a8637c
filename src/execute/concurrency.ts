import { ToolmendError } from '../errors/errors.ts';

// How it may run, for whom, inside which other call, and how it is stopped.
/** How a call wants to run. */
export interface EntryRequest {
  /** Whose call it is; callers take turns. */
  readonly tenant: string;
  readonly manner: 'parallel' | 'alone';
  /** Keys that no other running call may hold. */
  readonly locks: readonly string[];
  /** The call whose code makes this one. */
  readonly parent: Ticket | undefined;
}

/** How an entry ends. */
export type Entrance =
  | { readonly kind: 'entered'; readonly ticket: Ticket }
  | { readonly kind: 'refused'; readonly reason: 'busy' | 'closed' | 'deadlock' }
  | { readonly kind: 'cancelled'; readonly reason: unknown };

/** One call, from its request to its end. */
export class Ticket {
  readonly caller: string;
  readonly manner: 'parallel' | 'alone';
  readonly locks: readonly string[];
  /** The running call whose code makes this one. */
  readonly parent: Ticket | undefined;
  /** Says how the waiting ended; set while the call waits. */
  answer: ((entrance: Entrance) => void) | undefined;
  /** Kept by whoever lists the running calls. */
  position = -1;
  #stopped: { readonly reason: unknown } | undefined;
  #stop: ((reason: unknown) => void) | undefined;

  constructor({ tenant, manner, locks }: EntryRequest, parent: Ticket | undefined) {
    this.caller = tenant;
    this.manner = manner;
    this.locks = locks;
    this.parent = parent;
  }

  /** Whether this call is the other one, or is made inside it. */
  isInside(other: Ticket): boolean {
    return this === other || this.parent?.isInside(other) === true;
  }

  /** Calls `stop` once the call has to end; at once if that is already so. */
  onStop(stop: (reason: unknown) => void): void {
    this.#stop = stop;
    if (this.#stopped !== undefined) stop(this.#stopped.reason);
  }

  stop(reason: unknown): void {
    this.#stopped ??= { reason };
    this.#stop?.(reason);
  }
}

/** The calls of one registry that have started and not ended. */
export class RunningCalls {
  /** In no order; each ticket knows its place, so that none is looked for. */
  readonly #tickets: Ticket[] = [];
  /** By lock: the innermost of the calls that need it. */
  readonly #holders = new Map<string, Ticket>();
  #places = 0;
  #alone: Ticket | undefined;

  get size(): number {
    return this.#tickets.length;
  }

  /** Places taken: a call that is made inside another one has that one's place. */
  get places(): number {
    return this.#places;
  }

  /** A call runs that nothing may run beside. */
  get isShut(): boolean {
    return this.#alone !== undefined;
  }

  /** Makes each of them end. */
  stopAll(reason: unknown): void {
    for (const ticket of this.#tickets.slice()) ticket.stop(reason);
  }

  isRunning(ticket: Ticket): boolean {
    return this.#tickets[ticket.position] === ticket;
  }

  /** Of the callers that have any: how many places they have. */
  countByCaller(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { caller, parent } of this.#tickets) {
      if (parent === undefined) counts.set(caller, (counts.get(caller) ?? 0) + 1);
    }
    return counts;
  }

  /** Whether nobody holds its locks but the calls that it is made inside. */
  areLocksFree(ticket: Ticket): boolean {
    return ticket.locks.every((lock) => {
      const holder = this.#holders.get(lock);
      return holder === undefined || ticket.isInside(holder);
    });
  }

  /** Those with a lock that a call needs, but for the calls that it is made inside. */
  blockersOf(ticket: Ticket): readonly Ticket[] {
    return this.#tickets.filter(
      (running) => running.locks.some((lock) => ticket.locks.includes(lock)) && !ticket.isInside(running),
    );
  }

  /** With its locks, those of the calls that it is made inside too. */
  add(ticket: Ticket): void {
    ticket.position = this.#tickets.push(ticket) - 1;
    for (const lock of ticket.locks) this.#holders.set(lock, ticket);
    if (ticket.parent !== undefined) return;
    this.#places += 1;
    if (ticket.manner === 'alone') this.#alone = ticket;
  }

  remove(ticket: Ticket): void {
    if (!this.isRunning(ticket)) return;
    this.#fillPlaceOf(ticket);
    for (const lock of ticket.locks)
      if (this.#holders.get(lock) === ticket) this.#giveBack(lock, ticket.parent);
    if (ticket.parent !== undefined) return;
    this.#places -= 1;
    if (this.#alone === ticket) this.#alone = undefined;
  }

  /** To the nearest call around that still runs and needs it. */
  #giveBack(lock: string, outer: Ticket | undefined): void {
    if (outer === undefined) this.#holders.delete(lock);
    else if (this.isRunning(outer) && outer.locks.includes(lock)) this.#holders.set(lock, outer);
    else this.#giveBack(lock, outer.parent);
  }

  #fillPlaceOf(ticket: Ticket): void {
    const last = this.#tickets.pop();
    if (last === undefined || last === ticket) return;
    this.#tickets[ticket.position] = last;
    last.position = ticket.position;
  }
}

// Where it waits for a call that waits for it in turn.
/**
 * True if a call that `ticket` would wait for can't end before it does. A running call is taken to wait for every call that
 * is made inside it. `waiting`: the calls inside running ones that wait for locks.
 */
function isDeadlock(ticket: Ticket, running: RunningCalls, waiting: readonly Ticket[]): boolean {
  const reached = new Set([ticket]);
  for (const waiter of reached) {
    for (const blocker of running.blockersOf(waiter)) {
      if (ticket.isInside(blocker)) return true;
      for (const inner of waiting) if (inner.isInside(blocker)) reached.add(inner);
    }
  }
  return false;
}

// Callers take turns, and the calls of one caller keep their order where it matters.
/** The calls of one caller that wait, in the order in which they came. */
interface Lane {
  readonly calls: Ticket[];
  /** When a call of it last started, or when it began to wait. */
  served: number;
}

/** A bounded queue. Nobody fills it up for others: who has most in it gives way. */
export class WaitingCalls {
  readonly #longest: number;
  readonly #lanes = new Map<string, Lane>();
  /** They wait for locks only, and for nobody's turn. */
  readonly #inner: Ticket[] = [];
  #size = 0;
  #turn = 0;

  constructor(longest: number) {
    this.#longest = longest;
  }

  get size(): number {
    return this.#size;
  }

  /** Calls made inside running ones. */
  get inner(): readonly Ticket[] {
    return this.#inner;
  }

  add(ticket: Ticket): void {
    this.#callsFor(ticket).push(ticket);
    this.#size += 1;
  }

  /** Takes out the call that has to go for the last that came, if any: the newest of the caller that has most waiting. */
  takeSurplus(last: Ticket): Ticket | undefined {
    if (this.#size <= this.#longest) return undefined;
    const lists = [...this.#lanes.values()].map((lane) => lane.calls);
    const own = this.#callsFor(last);
    const most = lists.reduce((found, list) => (list.length > found.length ? list : found), own);
    const surplus = most.at(-1) ?? last;
    this.remove(surplus);
    return surplus;
  }

  remove(ticket: Ticket): void {
    const calls = ticket.parent === undefined ? this.#lanes.get(ticket.caller)?.calls : this.#inner;
    const at = calls?.indexOf(ticket) ?? -1;
    if (calls === undefined || at === -1) return;
    calls.splice(at, 1);
    this.#size -= 1;
    if (calls.length === 0 && calls !== this.#inner) this.#lanes.delete(ticket.caller);
  }

  /** All that are made inside no other call; none of them waits any more. */
  removeOuter(): readonly Ticket[] {
    const outer = [...this.#lanes.values()].flatMap(({ calls }) => calls);
    this.#lanes.clear();
    this.#size -= outer.length;
    return outer;
  }

  /** The others. */
  removeInner(): readonly Ticket[] {
    this.#size -= this.#inner.length;
    return this.#inner.splice(0);
  }

  /** Takes out the call that may start now beside those that run; undefined if none may. */
  takeNext(running: RunningCalls, mostPlaces: number): Ticket | undefined {
    const inner = this.#inner.find((ticket) => running.areLocksFree(ticket));
    const next = inner ?? (running.places < mostPlaces ? this.#nextInTurn(running) : undefined);
    if (next === undefined) return undefined;
    const lane = this.#lanes.get(next.caller);
    this.#turn += 1;
    if (lane !== undefined && inner === undefined) lane.served = this.#turn;
    this.remove(next);
    return next;
  }

  #nextInTurn(running: RunningCalls): Ticket | undefined {
    if (running.isShut) return undefined;
    // What somebody waits for whose turn is earlier is kept for him, or who needs several locks would wait for ever.
    const kept = new Set<string>();
    for (const { calls } of this.#inTurn(running)) {
      for (const [position, ticket] of calls.entries()) {
        if (ticket.manner === 'alone') {
          // It waits for the earlier calls of its caller; in its turn, everybody waits for it.
          if (position > 0) break;
          return running.size === 0 ? ticket : undefined;
        }
        if (running.areLocksFree(ticket) && ticket.locks.every((lock) => !kept.has(lock))) return ticket;
        for (const lock of ticket.locks) kept.add(lock);
      }
    }
    return undefined;
  }

  /** Those with the fewest running calls first, and of these those that were served longest ago. */
  #inTurn(running: RunningCalls): readonly Lane[] {
    const counts = running.countByCaller();
    const lanes = Array.from(this.#lanes, ([caller, lane]) => ({ lane, running: counts.get(caller) ?? 0 }));
    return lanes
      .toSorted((left, right) => left.running - right.running || left.lane.served - right.lane.served)
      .map(({ lane }) => lane);
  }

  #callsFor({ caller, parent }: Ticket): Ticket[] {
    if (parent !== undefined) return this.#inner;
    const present = this.#lanes.get(caller);
    if (present !== undefined) return present.calls;
    this.#turn += 1;
    const lane = { calls: [], served: this.#turn };
    this.#lanes.set(caller, lane);
    return lane.calls;
  }
}

// As many at once as the limit says, none beside one that runs alone, one for each lock, and callers in turn; and
// after `close` none at all.
export interface AdmissionLimits {
  /** Calls that run at once. */
  readonly concurrencyLimit: number;
  /** Calls that wait. */
  readonly queueLimit: number;
}

/** How many calls there are now. */
export interface CallLoad {
  readonly running: number;
  readonly waiting: number;
}

/** Lets the calls of one registry in. */
export class Admission {
  readonly #concurrencyLimit: number;
  readonly #running = new RunningCalls();
  readonly #waiting: WaitingCalls;
  #isClosed = false;
  /** What stops each of the calls that are within the application's own code around their tools. */
  readonly #around = new Set<(reason: unknown) => void>();
  readonly #idle: (() => void)[] = [];

  constructor({ concurrencyLimit, queueLimit }: AdmissionLimits) {
    this.#concurrencyLimit = concurrencyLimit;
    this.#waiting = new WaitingCalls(queueLimit);
  }

  get load(): CallLoad {
    return { running: this.#running.size, waiting: this.#waiting.size };
  }

  /** At once where nothing stands against it; else when it is the call's turn, or the signal has fired. */
  enter(request: EntryRequest, signal: AbortSignal | undefined): Entrance | Promise<Entrance> {
    if (signal?.aborted === true) return { kind: 'cancelled', reason: signal.reason };
    const parent = this.#parentOf(request);
    if (this.#isClosed && parent === undefined) return { kind: 'refused', reason: 'closed' };
    const ticket = new Ticket(request, parent);
    if (!this.#mayStart(ticket)) {
      const isEndless = parent !== undefined && isDeadlock(ticket, this.#running, this.#waiting.inner);
      return isEndless ? { kind: 'refused', reason: 'deadlock' } : this.#wait(ticket, signal);
    }
    this.#running.add(ticket);
    return { kind: 'entered', ticket };
  }

  /** Whether no call is let in any more, made inside that one or inside none. */
  isClosedTo(outer: Ticket | undefined): boolean {
    return this.#isClosed && this.#parentOf({ parent: outer }) === undefined;
  }

  /** After the end of a call that has entered. */
  leave(ticket: Ticket): void {
    this.#running.remove(ticket);
    if (this.#waiting.size > 0) this.#startWaiting();
    this.#tellIdle();
  }

  /**
   * For a call that goes through the application's own code before and after its tool: closing waits for it too. Takes what
   * stops it; returns what tells its end.
   */
  surround(stop: (reason: unknown) => void): () => void {
    const own = (reason: unknown): void => stop(reason);
    this.#around.add(own);
    return () => {
      this.#around.delete(own);
      this.#tellIdle();
    };
  }

  /** Lets no call in any more; resolves when those that are there have ended, which they must after so many milliseconds. */
  async close(milliseconds: number): Promise<void> {
    this.#isClosed = true;
    refuseAll(this.#waiting.removeOuter());
    if (this.#isIdle) return;
    const reason = new ToolmendError('registry-closed', 'the registry of the tool was closed');
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle.push(resolve);
    const timer = setTimeout(() => {
      refuseAll(this.#waiting.removeInner());
      this.#running.stopAll(reason);
      for (const stop of this.#around) stop(reason);
    }, milliseconds);
    await promise;
    clearTimeout(timer);
  }

  #parentOf({ parent: outer }: Pick<EntryRequest, 'parent'>): Ticket | undefined {
    return outer !== undefined && this.#running.isRunning(outer) ? outer : undefined;
  }

  get #isIdle(): boolean {
    return this.#running.size === 0 && this.#around.size === 0;
  }

  #tellIdle(): void {
    if (this.#isIdle) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #mayStart(ticket: Ticket): boolean {
    const running = this.#running;
    if (ticket.parent !== undefined) return running.areLocksFree(ticket);
    if (this.#waiting.size > 0 || running.isShut || running.places >= this.#concurrencyLimit) return false;
    return ticket.manner === 'alone' ? running.size === 0 : running.areLocksFree(ticket);
  }

  #wait(ticket: Ticket, signal: AbortSignal | undefined): Promise<Entrance> {
    const { promise, resolve } = Promise.withResolvers<Entrance>();
    const cancel = (): void => {
      this.#waiting.remove(ticket);
      ticket.answer?.({ kind: 'cancelled', reason: signal?.reason });
      this.#startWaiting();
    };
    ticket.answer = (entrance): void => {
      signal?.removeEventListener('abort', cancel);
      resolve(entrance);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    this.#waiting.add(ticket);
    this.#startWaiting();
    this.#waiting.takeSurplus(ticket)?.answer?.({ kind: 'refused', reason: 'busy' });
    this.#startWaiting();
    return promise;
  }

  #startWaiting(): void {
    for (;;) {
      const ticket = this.#waiting.takeNext(this.#running, this.#concurrencyLimit);
      if (ticket === undefined) return;
      this.#running.add(ticket);
      ticket.answer?.({ kind: 'entered', ticket });
    }
  }
}

function refuseAll(waiting: readonly Ticket[]): void {
  for (const ticket of waiting) ticket.answer?.({ kind: 'refused', reason: 'closed' });
}
