// Is a call valid as it was sent? Nearly all are, so this looks no further than it must.
import type { ContractFacts } from './contract-facts.ts';
import type { Accepted, MetaValues } from './interpretation.ts';
import type { OwnArguments } from './shown/own-form.ts';

/** `refused`: the judge has said no to the very value. `open`: it wasn't asked. */
export type Verdict = 'refused' | 'open';

/** Arguments as they were decoded, and what the judge has said of them. */
export interface JudgedArguments extends OwnArguments {
  readonly verdict: Verdict;
}

/** What it is if it is right; else every step has to be gone. */
export function acceptAsSent(
  { judge, takesAsSent }: ContractFacts,
  decoded: OwnArguments,
): Accepted | Verdict {
  const { value, numbers, steps, repeatedKeys, fromShown } = decoded;
  const isAsSent = steps.length === 0 && repeatedKeys.length === 0 && !numbers.lossy;
  const isMended = fromShown !== undefined && fromShown.records.length > 0;
  if (!isAsSent || isMended || !takesAsSent) return 'open';
  if (!judge.accepts(value)) return 'refused';
  return { outcome: 'unchanged', value, meta: noMeta, repairs: none, notes: none, issues: none };
}

const none: readonly [] = Object.freeze([]);
const noMeta: MetaValues = Object.freeze({});
