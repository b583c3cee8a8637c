/** Resolves after the time, or when the signal fires. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
  });
}

/** Resolves after the time. A process doesn't stay alive for it. */
export const idlePause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void release(setTimeout(resolve, milliseconds)));

/** Runs a function regularly; the result ends that. A process doesn't stay alive for it. */
export function repeatIdly(run: () => void, everyMs: number): () => void {
  const timer = setInterval(run, everyMs);
  release(timer);
  return () => clearInterval(timer);
}

/** Timers of browsers and Workers are numbers, or have no `unref`. */
const release = (timer: { readonly unref?: () => unknown }): unknown => timer.unref?.();

/** Resolves when other work, such as timers and calls, has had its turn. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => void (globalThis.setImmediate ?? setTimeout)(resolve));
