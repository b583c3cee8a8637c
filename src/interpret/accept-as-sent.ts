// Is a call valid as it was sent, and its tool one that takes the value as it is? Then nothing else is to be done.
import type { DecodedArguments } from '../decode/decode-arguments.ts';
import { hasPairs } from '../repair/fill-pairs.ts';
import type { Judge } from '../validate/judge.ts';
import type { Accepted } from './interpretation.ts';

/** The shortest way for nearly all calls; undefined: every step has to be gone. */
export function acceptAsSent(judge: Judge, decoded: DecodedArguments): Accepted | undefined {
  const { value, numbers, steps, repeatedKeys } = decoded;
  const isAsSent = steps.length === 0 && repeatedKeys.length === 0 && !numbers.lossy;
  if (!isAsSent || !takesValueAsSent(judge) || !judge.accepts(value)) return undefined;
  return { outcome: 'unchanged', value, meta: {}, repairs: [], notes: [], issues: [] };
}

/** No argument is taken out, and nothing is added or checked beyond the schema. */
const takesValueAsSent = ({ contract, views }: Judge): boolean =>
  contract.meta.length === 0 &&
  contract.contextFields.length === 0 &&
  contract.check === undefined &&
  !hasPairs(views);
