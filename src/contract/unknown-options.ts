// Did a program give an option that there is not? It would do nothing, and nobody would say so.
import type { Complaint } from '../errors/definition-error.ts';
import { nearestName } from '../issues/nearest-name.ts';

/** One complaint for each option that is unknown, with the nearest known one. */
export function unknownOptions(
  where: string,
  options: object,
  known: Readonly<Record<string, true>>,
): readonly Complaint[] {
  const unknown = Object.keys(options).filter((option) => known[option] !== true);
  return unknown.map((option) => {
    const nearest = nearestName(option, Object.keys(known));
    return {
      where,
      what: `has no option ${JSON.stringify(option.slice(0, 64))}`,
      instead:
        nearest === undefined ? `the options are ${Object.keys(known).join(', ')}` : `write ${nearest}`,
    };
  });
}
