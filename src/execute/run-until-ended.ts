// When is a call over? When its code has returned or thrown, its time is up, or it was cancelled: whichever comes first.

/** How a run came to its end. What happens after the end is dropped. */
export type Ending =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'timed-out'; readonly timeLimit: number }
  | { readonly kind: 'cancelled'; readonly when: 'before' | 'during'; readonly reason: unknown };

export interface RunLimits {
  /** The application's signal; nothing stays attached to it after the end. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds. Absent: none. */
  readonly timeLimit?: number | undefined;
}

/**
 * Runs code that gets a signal of its own. Ends at once when that signal fires, whether the code obeys or
 * not; code that never yields to the event loop can't be interrupted. Never rejects.
 */
export function runUntilEnded(
  run: (signal: AbortSignal) => unknown,
  { signal: outer, timeLimit }: RunLimits,
): Promise<Ending> {
  if (outer?.aborted === true)
    return Promise.resolve({ kind: 'cancelled', when: 'before', reason: reasonOf(outer) });
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<Ending>();
  // The end first: while the signal fires, the code's own listeners may settle the code.
  const stop = (ending: Ending, reason: unknown): void => {
    resolve(ending);
    controller.abort(reason);
  };
  const cancel = (): void =>
    stop({ kind: 'cancelled', when: 'during', reason: reasonOf(outer) }, reasonOf(outer));
  const timeOut = (limit: number): void =>
    stop({ kind: 'timed-out', timeLimit: limit }, new DOMException(`${limit} ms are over`, 'TimeoutError'));

  const timer =
    timeLimit === undefined ? undefined : setTimeout(timeOut, Math.min(timeLimit, longestTimer), timeLimit);
  outer?.addEventListener('abort', cancel, { once: true });
  void settle(run, controller.signal).then(resolve);
  return promise.finally(() => {
    clearTimeout(timer);
    outer?.removeEventListener('abort', cancel);
  });
}

/** Above it a timer fires at once (https://nodejs.org/api/timers.html#settimeoutcallback-delay-args). */
const longestTimer = 2 ** 31 - 1;

const reasonOf = (signal: AbortSignal | undefined): unknown => signal?.reason;

async function settle(run: (signal: AbortSignal) => unknown, signal: AbortSignal): Promise<Ending> {
  try {
    return { kind: 'returned', value: await run(signal) };
  } catch (error) {
    return { kind: 'threw', error };
  }
}
