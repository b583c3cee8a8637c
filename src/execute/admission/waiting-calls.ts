// Whose turn is it? Callers take turns, and the calls of one caller keep their order where it matters.
import type { RunningCalls } from './running-calls.ts';
import type { Ticket } from './ticket.ts';

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
