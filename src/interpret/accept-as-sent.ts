// Is a call valid as it was sent? Nearly all are, so this looks no further than it must.
import type { DecodedArguments } from '../decode/decode-arguments.ts';
import type { ContractFacts } from './contract-facts.ts';
import type { Accepted, MetaValues } from './interpretation.ts';

/** `refused`: the judge has said no to the very value. `open`: it wasn't asked. */
export type Verdict = 'refused' | 'open';

/** Arguments as they were decoded, and what the judge has said of them. */
export interface JudgedArguments extends DecodedArguments {
  readonly verdict: Verdict;
}

/** What it is if it is right; else every step has to be gone. */
export function acceptAsSent(
  { judge, takesAsSent }: ContractFacts,
  decoded: DecodedArguments,
): Accepted | Verdict {
  const { value, numbers, steps, repeatedKeys } = decoded;
  const isAsSent = steps.length === 0 && repeatedKeys.length === 0 && !numbers.lossy;
  if (!isAsSent || !takesAsSent) return 'open';
  if (!judge.accepts(value)) return 'refused';
  return { outcome: 'unchanged', value, meta: noMeta, repairs: none, notes: none, issues: none };
}

const none: readonly [] = Object.freeze([]);
const noMeta: MetaValues = Object.freeze({});
