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

/** Of the line through the samples: its rise from the first to the last, as a part of their mean. */
export function slopeOf(samples: readonly number[]): number {
  const middle = (samples.length - 1) / 2;
  const mean = samples.reduce((sum, value) => sum + value, 0) / samples.length;
  const rise = samples.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0);
  const run = samples.reduce((sum, _value, at) => sum + (at - middle) ** 2, 0);
  return ((rise / run) * (samples.length - 1)) / mean;
}
