import { longestTimeout } from '../options/check-options.ts';
import type { MetaValues } from '../interpret/interpretation.ts';
import { type TimeLimit, type TimeLimits, longestAskedFor } from '../tool/time-limits.ts';
import type { ConcurrencyLimiter } from './concurrency.ts';

/**
 * The model's wish up to its maximum, else the tool's limit, else the registry's; the call's own if
 * that is shorter.
 */
export function timeLimitOf(
  tool: TimeLimits,
  registry: TimeLimits,
  call: number | undefined,
  meta: MetaValues,
): TimeLimit | undefined {
  const toolLimit = tool.timeoutMs ?? registry.timeoutMs;
  const seconds = Object.hasOwn(meta, 'timeout_seconds') ? meta.timeout_seconds : undefined;
  const milliseconds =
    typeof seconds === 'number'
      ? Math.min(seconds * 1000, longestAskedFor(tool, registry) ?? Infinity)
      : toolLimit;
  if (call !== undefined && call < (milliseconds ?? Infinity))
    return { milliseconds: call, setBy: 'call' };
  if (milliseconds === undefined) return undefined;
  if (milliseconds !== toolLimit) return { milliseconds, setBy: 'model' };
  return { milliseconds, setBy: tool.timeoutMs === undefined ? 'registry' : 'tool' };
}

/** The reason of a call's signal when its time is over. */
export class TimeLimitError extends DOMException {
  readonly limit: TimeLimit;

  constructor(limit: TimeLimit) {
    super(`${limit.milliseconds} ms are over`, 'TimeoutError');
    this.limit = limit;
  }
}

/** How a run ended. What its code does after that is dropped. */
export type Ending<Value = unknown> = Settled<Value> | Stopped;

/** The code has ended by itself. */
export type Settled<Value = unknown> =
  | { readonly kind: 'returned'; readonly value: Value }
  | { readonly kind: 'threw'; readonly error: unknown };

export type Stopped =
  | { readonly kind: 'timed_out'; readonly limit: TimeLimit }
  | { readonly kind: 'cancelled'; readonly when: 'before' | 'during'; readonly reason: unknown };

export interface RunLimits {
  /** The application's signal; the listener is removed at the end. */
  readonly signal?: AbortSignal | undefined;
  readonly limit?: TimeLimit | undefined;
  /** Knows how to stop the run until it ends. */
  readonly limiter?: Pick<ConcurrencyLimiter, 'track' | 'untrack'> | undefined;
  /** Called if the run is stopped while its code runs: `onLate` follows when the code has ended. */
  readonly onOverrun?: (() => void) | undefined;
  /** Called if the code ends after the run. */
  readonly onLate?: ((late: Settled) => void) | undefined;
}

/** A run as its code sees it. */
export class Run {
  isOver = false;
  #controller: AbortController | undefined;
  #stopped: { readonly reason: unknown } | undefined;

  /** Fires when the run is stopped. Made on first access. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#stopped !== undefined) this.#controller.abort(this.#stopped.reason);
    }
    return this.#controller.signal;
  }

  /** Throws the signal's reason if the run was stopped. */
  throwIfStopped(): void {
    if (this.#stopped !== undefined) this.signal.throwIfAborted();
  }

  stop(reason: unknown): void {
    this.#stopped = { reason };
    this.#controller?.abort(reason);
  }
}

/**
 * Runs code until it ends, its time is over or it is stopped. A stopped run ends at once, even if
 * the code ignores its signal; code that never yields to the event loop can't be interrupted. Never
 * rejects.
 */
export function runUntilEnded<Value>(
  code: (run: Run) => Value,
  limits: RunLimits,
): Promise<Ending<Awaited<Value>>> {
  const { signal: outer, limit, limiter, onLate, onOverrun } = limits;
  if (outer?.aborted === true)
    return Promise.resolve({ kind: 'cancelled', when: 'before', reason: outer.reason });
  const { promise, resolve } = Promise.withResolvers<Ending<Awaited<Value>>>();
  const run = new Run();
  let isStarted = false;
  const end = (ending: Ending<Awaited<Value>>): void => {
    run.isOver = true;
    if (timer !== undefined) clearTimeout(timer);
    outer?.removeEventListener('abort', cancel);
    resolve(ending);
    limiter?.untrack(cancelFor);
  };
  // End first: listeners of the signal may settle the code.
  const stop = (ending: Stopped, reason: unknown): void => {
    if (run.isOver) return;
    if (isStarted) onOverrun?.();
    end(ending);
    run.stop(reason);
  };
  const cancelFor = (reason: unknown): void =>
    stop({ kind: 'cancelled', when: 'during', reason }, reason);
  const cancel = (): void => cancelFor(outer?.reason);
  // A model may ask for more than a timer takes.
  const delay = Math.min(limit?.milliseconds ?? 0, longestTimeout);
  const timer =
    limit && setTimeout(() => stop({ kind: 'timed_out', limit }, new TimeLimitError(limit)), delay);
  outer?.addEventListener('abort', cancel, { once: true });
  limiter?.track(cancelFor);
  if (run.isOver) return promise;
  isStarted = true;
  void settle(code, run).then((ending) => (run.isOver ? onLate?.(ending) : end(ending)));
  return promise;
}

async function settle<Value>(
  code: (run: Run) => Value,
  run: Run,
): Promise<Settled<Awaited<Value>>> {
  try {
    return { kind: 'returned', value: await code(run) };
  } catch (error) {
    return { kind: 'threw', error };
  }
}
