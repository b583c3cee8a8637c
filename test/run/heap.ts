import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

/** Megabytes in use after garbage collection and the finalizers that run after it. */
export async function heapNow(): Promise<number> {
  for (let round = 0; round < 4; round += 1) {
    if (typeof collectGarbage === 'function') collectGarbage();
    // Finalizers run in a task of their own.
    await delay(20);
  }
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/**
 * Steady growth: the median step between samples, times their number, divided by the mean. One
 * large step, such as compiled code that V8 discards, doesn't count.
 */
export function growthOf(samples: readonly number[]): number {
  const steps = samples.slice(1).map((sample, index) => sample - (samples[index] ?? sample));
  const median = steps.toSorted((left, right) => left - right)[Math.floor(steps.length / 2)] ?? 0;
  const mean = samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
  return (median * steps.length) / mean;
}
