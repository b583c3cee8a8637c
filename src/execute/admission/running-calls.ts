// Which calls run now, and what do they keep others from?
import type { Ticket } from './ticket.ts';

/** The calls of one registry that have started and not ended. */
export class RunningCalls {
  readonly #tickets = new Set<Ticket>();
  readonly #byCaller = new Map<string, number>();
  readonly #holders = new Map<string, Ticket>();
  #places = 0;
  #alone: Ticket | undefined;

  get size(): number {
    return this.#tickets.size;
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
    for (const ticket of this.#tickets) ticket.stop(reason);
  }

  isRunning(ticket: Ticket): boolean {
    return this.#tickets.has(ticket);
  }

  countOf(caller: string): number {
    return this.#byCaller.get(caller) ?? 0;
  }

  /** Whether nobody holds its locks but the calls that it is made inside. */
  areLocksFree(ticket: Ticket): boolean {
    return ticket.locks.every((lock) => {
      const holder = this.#holders.get(lock);
      return holder === undefined || ticket.isInside(holder);
    });
  }

  add(ticket: Ticket): void {
    this.#tickets.add(ticket);
    for (const lock of ticket.locks) if (!this.#holders.has(lock)) this.#holders.set(lock, ticket);
    if (ticket.parent !== undefined) return;
    this.#places += 1;
    this.#byCaller.set(ticket.caller, this.countOf(ticket.caller) + 1);
    if (ticket.manner === 'alone') this.#alone = ticket;
  }

  remove(ticket: Ticket): void {
    if (!this.#tickets.delete(ticket)) return;
    for (const lock of ticket.locks) if (this.#holders.get(lock) === ticket) this.#holders.delete(lock);
    if (ticket.parent !== undefined) return;
    this.#places -= 1;
    if (this.#alone === ticket) this.#alone = undefined;
    const left = this.countOf(ticket.caller) - 1;
    if (left > 0) this.#byCaller.set(ticket.caller, left);
    else this.#byCaller.delete(ticket.caller);
  }
}
