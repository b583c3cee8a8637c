// May a call start now? As many at once as the limit says, none beside one that runs alone, one for each lock, and
// callers in turn; and after `close` none at all.
import { ToolmendError } from '../../errors/toolmend-error.ts';
import { isDeadlock } from './deadlock.ts';
import { RunningCalls } from './running-calls.ts';
import { type Entrance, type EntryRequest, Ticket } from './ticket.ts';
import { WaitingCalls } from './waiting-calls.ts';

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
    return this.#isClosed && this.#parentOf({ within: outer }) === undefined;
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

  #parentOf({ within: outer }: Pick<EntryRequest, 'within'>): Ticket | undefined {
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
