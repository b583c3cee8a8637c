// Is each limit that a program writes one? Milliseconds, or a whole number.
import type { Complaint } from '../../errors/definition-error.ts';

/** By option. */
type Written = Readonly<Record<string, number | undefined>>;

/** Milliseconds, more than 0. */
export const timeComplaints = (where: string, times: Written): readonly Complaint[] =>
  Object.entries(times).flatMap(([option, time]) =>
    time === undefined || (time > 0 && Number.isFinite(time))
      ? []
      : [{ where, what: `has the ${option} ${String(time)}`, instead: 'write milliseconds, more than 0' }],
  );

/** Whole numbers, from `least` on. */
export const countComplaints = (where: string, least: number, counts: Written): readonly Complaint[] =>
  Object.entries(counts).flatMap(([option, count]) =>
    count === undefined || (Number.isSafeInteger(count) && count >= least)
      ? []
      : [{ where, what: `has the ${option} ${count}`, instead: `write a whole number, at least ${least}` }],
  );
