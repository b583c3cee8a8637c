// Which calls run now, and what do they keep others from?
import type { Ticket } from './ticket.ts';

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
