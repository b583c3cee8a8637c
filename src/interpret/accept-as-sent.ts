// Is a call valid as it was sent? Nearly all are, so this looks no further than it must.
import type { DecodedArguments } from '../decode/decode-arguments.ts';
import type { ContractFacts } from './contract-facts.ts';
import type { Accepted, MetaValues } from './interpretation.ts';

/** undefined: every step has to be gone. */
export function acceptAsSent(
  { judge, takesAsSent }: ContractFacts,
  decoded: DecodedArguments,
): Accepted | undefined {
  const { value, numbers, steps, repeatedKeys } = decoded;
  const isAsSent = steps.length === 0 && repeatedKeys.length === 0 && !numbers.lossy;
  if (!isAsSent || !takesAsSent || !judge.accepts(value)) return undefined;
  return { outcome: 'unchanged', value, meta: noMeta, repairs: none, notes: none, issues: none };
}

const none: readonly [] = Object.freeze([]);
const noMeta: MetaValues = Object.freeze({});
