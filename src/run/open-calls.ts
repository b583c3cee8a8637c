import { nextTurn } from '../platform/timers.ts';

/** Ends a wait that the registry gives up when it closes. */
interface Wait {
  /** The entry of the call that is waited for. Absent: a turn, not a call. */
  readonly entry: string | undefined;
  readonly end: () => void;
}

/**
 * The callers of a registry that have no answer yet. A registry that closes ends their waits for
 * calls of other processes, and stays open until each of them has its answer.
 */
export class OpenCalls {
  #callers = 0;
  #state: 'open' | 'closing' | 'closed' = 'open';
  /** Entries of the calls that run in this registry, and how often each does. */
  readonly #runningCalls = new Map<string, number>();
  readonly #waits = new Set<Wait>();
  /** By entry. */
  readonly #overruns = new Map<string, Promise<void>>();
  readonly #onAnswered: (() => void)[] = [];

  /** The registry is closing, or closed. */
  get isClosing(): boolean {
    return this.#state !== 'open';
  }

  /** The registry is closed, and its journal may be. */
  get isClosed(): boolean {
    return this.#state === 'closed';
  }

  /** Runs what answers a caller. */
  async whileAnswering<Answer>(run: () => Promise<Answer>): Promise<Answer> {
    this.#callers += 1;
    try {
      return await run();
    } finally {
      this.#callers -= 1;
      if (this.#callers === 0) for (const resolve of this.#onAnswered.splice(0)) resolve();
    }
  }

  /** Runs the call of an entry: those that wait for it get its outcome, also from a closing registry. */
  async runEntry<Outcome>(entry: string, run: () => Promise<Outcome>): Promise<Outcome> {
    this.#runningCalls.set(entry, (this.#runningCalls.get(entry) ?? 0) + 1);
    try {
      return await run();
    } finally {
      const remainingRuns = (this.#runningCalls.get(entry) ?? 1) - 1;
      if (remainingRuns > 0) this.#runningCalls.set(entry, remainingRuns);
      else this.#runningCalls.delete(entry);
    }
  }

  /**
   * Waits for a turn, or for the call of an entry. The signal that the wait gets fires with the
   * outer one, and when the registry closes, unless the call runs here and so ends by itself.
   */
  async wait<Result>(
    { signal, entry }: { readonly signal: AbortSignal | undefined; readonly entry?: string },
    run: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const over = new AbortController();
    const stop = (): void => over.abort(signal?.reason);
    const wait: Wait = { entry, end: () => over.abort() };
    this.#waits.add(wait);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    if (this.isClosing) this.#end(wait);
    try {
      return await run(over.signal);
    } finally {
      this.#waits.delete(wait);
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Ends the waits that depend on others. */
  startClosing(): void {
    if (this.#state === 'open') this.#state = 'closing';
    for (const wait of this.#waits) this.#end(wait);
  }

  /**
   * Resolves when all callers have their answers, and have gone on with them; at the latest after
   * `milliseconds`, because the application's code may keep a call for ever.
   */
  async answered(milliseconds: number): Promise<void> {
    const over = Promise.withResolvers<void>();
    const timer = setTimeout(over.resolve, milliseconds);
    const end = performance.now() + milliseconds;
    do {
      if (this.#callers > 0) {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#onAnswered.push(resolve);
        await Promise.race([promise, over.promise]);
      }
      // A caller goes on in microtasks: it sends its answer, or makes another call.
      await nextTurn();
    } while (this.#callers > 0 && performance.now() < end);
    clearTimeout(timer);
  }

  close(): void {
    this.#state = 'closed';
  }

  /** Waits for code that runs on after its call has ended, and writes what it comes to. */
  async overrun(entry: string, write: () => Promise<void>): Promise<void> {
    const ending = write();
    this.#overruns.set(entry, ending);
    try {
      await ending;
    } finally {
      this.#overruns.delete(entry);
    }
  }

  /** Waits for such code, and returns the entries whose code still runs after `milliseconds`. */
  async overrunning(milliseconds: number): Promise<readonly string[]> {
    if (this.#overruns.size === 0) return [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    await Promise.race([promise, Promise.allSettled(this.#overruns.values())]);
    clearTimeout(timer);
    return [...this.#overruns.keys()];
  }

  #end({ entry, end }: Wait): void {
    if (entry === undefined || !this.#runningCalls.has(entry)) end();
  }
}

export const abortOf = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
