// Shares of calls, with their denominators and intervals.
import { type Interval, wilsonInterval } from '../src/learning/intervals.ts';
import { sumOf } from '../src/page/call-numbers.ts';
import type { CallStatus, Counts } from '../src/page/page-data.ts';

/** 95 percent. */
const z = 1.96;

/** Of fewer calls, a share says nothing. */
export const fewestCalls = 30;

/** `4.8`: without the sign. */
export const percent = (part: number, whole: number): string =>
  whole === 0 ? '0.0' : ((part / whole) * 100).toFixed(1);

export const intervalOf = (counts: Counts, status: CallStatus): Interval =>
  wilsonInterval({ calls: sumOf(counts), misses: counts[status] }, z);

/** `4.3–4.9`, in percent. */
export function intervalText(counts: Counts, status: CallStatus): string {
  const { least, most } = intervalOf(counts, status);
  return `${(least * 100).toFixed(1)}–${(most * 100).toFixed(1)}`;
}

export const addedCounts = (all: readonly Counts[]): Counts =>
  all.reduce(
    (sum, one) => ({
      valid: sum.valid + one.valid,
      repaired: sum.repaired + one.repaired,
      rejected: sum.rejected + one.rejected,
      failed: sum.failed + one.failed,
    }),
    { valid: 0, repaired: 0, rejected: 0, failed: 0 },
  );
