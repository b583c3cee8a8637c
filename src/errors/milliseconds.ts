// Is a number of milliseconds one that can be waited for?
import { type Complaint, DefinitionError } from './definition-error.ts';

/** Over 24 days; above it a timer fires at once (https://nodejs.org/api/timers.html#settimeoutcallback-delay-args). */
export const longestTime = 2 ** 31 - 1;

type Zero = 'allowed' | 'refused';

/** One for each option that is given and no such number. `zero`: whether 0 is one. */
export const timeComplaints = (
  where: string,
  times: Readonly<Record<string, unknown>>,
  zero: Zero = 'refused',
): readonly Complaint[] =>
  Object.entries(times).flatMap(([option, time]) =>
    time === undefined || isTime(time, zero)
      ? []
      : [{ where, what: `has the ${option} ${shown(time)}`, instead: adviceFor[zero] }],
  );

/** Throws a DefinitionError with these complaints, if there are any. */
export function checkTimes(...times: Parameters<typeof timeComplaints>): void {
  const complaints = timeComplaints(...times);
  if (complaints.length > 0) throw new DefinitionError(complaints);
}

const isTime = (time: unknown, zero: Zero): boolean =>
  typeof time === 'number' && (time > 0 || (time === 0 && zero === 'allowed')) && time <= longestTime;

const shown = (time: unknown): string => (typeof time === 'string' ? JSON.stringify(time) : String(time));

const adviceFor: Readonly<Record<Zero, string>> = {
  allowed: `write milliseconds, at least 0 and at most ${longestTime}`,
  refused: `write milliseconds, more than 0 and at most ${longestTime}`,
};
