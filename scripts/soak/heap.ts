// How much memory is in use once the garbage is gone, and does it grow?
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Megabytes in use after the garbage is gone, and what is cleaned up behind it. */
export async function heapNow(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    if (typeof collect === 'function') collect();
    // Whoever waits for the end of an object is told in a task of its own.
    await delay(20);
  }
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/**
 * Growth that goes on: the middle one of the steps from sample to sample, over all of them, as a part of their mean. What the
 * engine makes or throws away once, as compiled code, is one step among many.
 */
export function slopeOf(samples: readonly number[]): number {
  const steps = samples.slice(1).map((sample, index) => sample - (samples[index] ?? sample));
  const step = steps.toSorted((left, right) => left - right)[Math.floor(steps.length / 2)] ?? 0;
  const mean = samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
  return (step * steps.length) / mean;
}
