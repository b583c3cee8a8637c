import { setTimeout as sleep } from 'node:timers/promises';
import { ToolmendError } from '../errors/errors.ts';
import { mayRecover } from './sql-database.ts';

/** Returns the ids of the calls that the owner still has. */
type RenewLeases = (ids: readonly string[], owner: string) => Promise<readonly string[]>;

/**
 * Renews the leases of the calls that run in this process. Times and owners are compared by the
 * database alone.
 */
export class Lease {
  /** Names this process. */
  readonly owner: string = crypto.randomUUID();
  readonly milliseconds: number;
  readonly #renew: RenewLeases;
  /**
   * When the lease of each call was known to be renewed last, in milliseconds of
   * `performance.now()`.
   */
  readonly #held = new Map<string, number>();
  readonly #unwritten = new Map<string, () => Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;
  #writing: Promise<void> | undefined;
  #emptied: PromiseWithResolvers<void> | undefined;

  constructor(milliseconds: number, renew: RenewLeases) {
    this.milliseconds = milliseconds;
    this.#renew = renew;
  }

  /**
   * `since`: a time before the lease was written, in milliseconds of `performance.now()`. The answer
   * of the database may come when the lease is over.
   */
  hold(id: string, since: number): void {
    this.#held.set(id, since);
    // The calls keep the process alive, not their leases.
    this.#timer ??= setInterval(() => this.#tick(), this.milliseconds / 3).unref();
  }

  holds(id: string): boolean {
    return this.#held.has(id);
  }

  /** The calls that run in this process. */
  get heldEntries(): readonly string[] {
    return [...this.#held.keys()];
  }

  /**
   * Renews the lease of a call that is about to start, unless it has been renewed lately. Rejects
   * if the call is lost.
   */
  async require(id: string): Promise<void> {
    const renewed = this.#held.get(id) ?? -Infinity;
    if (performance.now() < renewed + (this.milliseconds * 2) / 3) return;
    await this.retry(() => this.#renewNow([id]));
    if ((this.#held.get(id) ?? -Infinity) > renewed) return;
    throw leaseLost();
  }

  release(id: string): void {
    this.#held.delete(id);
    this.#unwritten.delete(id);
    if (this.#held.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#emptied?.resolve();
    this.#emptied = undefined;
  }

  /**
   * Keeps what could not be written for a call that is held. It is tried again after each renewal,
   * so that no other process takes the call over meanwhile.
   */
  writeLater(id: string, write: () => Promise<unknown>): void {
    this.#unwritten.set(id, write);
  }

  /**
   * Runs statements that may be repeated. If the server can't be reached, tries again at least
   * once, and for a third of a lease.
   */
  async retry<Result>(run: () => Promise<Result>): Promise<Result> {
    const end = performance.now() + this.milliseconds / 3;
    for (let pause = 50; ; pause = Math.min(pause * 2, 1000)) {
      try {
        return await run();
      } catch (error) {
        const isOver = pause > 50 && performance.now() + pause > end;
        if (!mayRecover(error) || isOver) throw error;
        await sleep(pause);
      }
    }
  }

  /**
   * Resolves when no lease is held. Waits for the time of one lease at most: then the database
   * can't be reached.
   */
  async flush(): Promise<void> {
    if (this.#held.size === 0) return;
    this.#emptied ??= Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    // It keeps the process alive, which the leases alone don't.
    const timer = setTimeout(over.resolve, this.milliseconds);
    await Promise.race([this.#emptied.promise, over.promise]);
    clearTimeout(timer);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#renewing;
    await this.#writing;
  }

  #tick(): void {
    // A server that is out of reach may not have answered the last renewal yet.
    this.#renewing ??= this.#renewNow(this.heldEntries).then(
      () => {
        this.#renewing = undefined;
        // Writes may wait for locks. They don't delay the next renewal.
        this.#writing ??= this.#writeKept().finally(() => (this.#writing = undefined));
      },
      () => {
        // The next renewal tries again; a lease that ends meanwhile is taken over.
        this.#renewing = undefined;
      },
    );
  }

  async #renewNow(ids: readonly string[]): Promise<void> {
    const now = performance.now();
    for (const id of await this.#renew(ids, this.owner))
      if (this.#held.has(id)) this.#held.set(id, now);
  }

  /** What the database refuses again does not keep the rest waiting. */
  async #writeKept(): Promise<void> {
    for (const write of this.#unwritten.values()) await write().catch(() => undefined);
  }
}

export function leaseLost(): ToolmendError {
  const why = 'another process has taken the call over, or a person has settled it';
  return new ToolmendError('lease-lost', `${why}: this process could not renew its lease`);
}
