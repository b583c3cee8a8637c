// Is each limit that a program writes as a count one?
import type { Complaint } from '../../errors/definition-error.ts';

/** By option. */
type Written = Readonly<Record<string, number | undefined>>;

/** Whole numbers, from `least` on. */
export const countComplaints = (where: string, least: number, counts: Written): readonly Complaint[] =>
  Object.entries(counts).flatMap(([option, count]) =>
    count === undefined || (Number.isSafeInteger(count) && count >= least)
      ? []
      : [{ where, what: `has the ${option} ${count}`, instead: `write a whole number, at least ${least}` }],
  );
