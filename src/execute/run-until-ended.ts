// When its code has returned or thrown, its time is up, or it was stopped: whichever comes first.
import { longestTimeout } from '../errors/check-options.ts';
import { type TimeLimit, TimeLimitError } from './limits.ts';

/** How a run came to its end. What happens after the end is dropped. */
export type Ending = Settled | Stopped;

/** The code has ended by itself. */
export type Settled =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown };

export type Stopped =
  | { readonly kind: 'timed_out'; readonly limit: TimeLimit }
  | { readonly kind: 'cancelled'; readonly when: 'before' | 'during'; readonly reason: unknown };

export interface RunLimits {
  /** The application's signal; nothing stays attached to it after the end. */
  readonly signal?: AbortSignal | undefined;
  /** Absent: none. */
  readonly limit?: TimeLimit | undefined;
  /** Takes a function that ends the run from outside. */
  readonly onStop?: ((stop: (reason: unknown) => void) => void) | undefined;
  /** Told what the code came to after the run had ended. */
  readonly onLate?: ((late: Settled) => void) | undefined;
}

/** What code may know of its own run. */
export interface Run {
  /** Fires when the run ends before its code; made when it is first asked for. */
  readonly signal: AbortSignal;
  readonly isOver: boolean;
  /** Throws the signal's reason if the run was stopped. */
  throwIfStopped(): void;
}

/**
 * Ends at once when the run is stopped, whether the code obeys its signal or not; code that never yields to the event loop
 * can't be interrupted. Never rejects.
 */
export function runUntilEnded(code: (run: Run) => unknown, limits: RunLimits): Promise<Ending> {
  const { signal: outer, limit, onStop, onLate } = limits;
  if (outer?.aborted === true)
    return Promise.resolve({ kind: 'cancelled', when: 'before', reason: reasonOf(outer) });
  const { promise, resolve } = Promise.withResolvers<Ending>();
  const run = new StoppableRun();
  const end = (ending: Ending): void => {
    run.isOver = true;
    if (timer !== undefined) clearTimeout(timer);
    outer?.removeEventListener('abort', cancel);
    resolve(ending);
  };
  // The end first: while the signal fires, the code's own listeners may settle the code.
  const stop = (ending: Stopped, reason: unknown): void => {
    if (run.isOver) return;
    end(ending);
    run.stop(reason);
  };
  const cancelFor = (reason: unknown): void => stop({ kind: 'cancelled', when: 'during', reason }, reason);
  const cancel = (): void => cancelFor(reasonOf(outer));
  const timer = limit === undefined ? undefined : startTimer(limit, stop);
  outer?.addEventListener('abort', cancel, { once: true });
  onStop?.(cancelFor);
  if (!run.isOver) void settle(code, run).then((ending) => (run.isOver ? onLate?.(ending) : end(ending)));
  return promise;
}

/** A run whose signal costs nothing until somebody looks at it. */
class StoppableRun implements Run {
  isOver = false;
  #controller: AbortController | undefined;
  #stopped: { readonly reason: unknown } | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#stopped !== undefined) this.#controller.abort(this.#stopped.reason);
    }
    return this.#controller.signal;
  }

  throwIfStopped(): void {
    if (this.#stopped !== undefined) this.signal.throwIfAborted();
  }

  stop(reason: unknown): void {
    this.#stopped = { reason };
    this.#controller?.abort(reason);
  }
}

/** A model may ask for any time. */
const startTimer = (limit: TimeLimit, stop: (ending: Stopped, reason: unknown) => void): NodeJS.Timeout =>
  setTimeout(
    () => stop({ kind: 'timed_out', limit }, new TimeLimitError(limit)),
    Math.min(limit.milliseconds, longestTimeout),
  );

const reasonOf = (signal: AbortSignal | undefined): unknown => signal?.reason;

async function settle(code: (run: Run) => unknown, run: Run): Promise<Settled> {
  try {
    return { kind: 'returned', value: await code(run) };
  } catch (error) {
    return { kind: 'threw', error };
  }
}
