// From an interpreted call to what its model got wrong.
import { setNewest } from '../collections/bounded-map.ts';
import { memoize } from '../collections/memoize.ts';
import {
  type FieldMiss,
  type HintedMiss,
  type MissKind,
  hintedMiss,
  missKind,
} from '../messages/miss-sentences.ts';
import { fieldOf, issueField } from '../store/call-facts.ts';
import type { RejectedPlace } from '../store/call-figures.ts';
import type { ToolContract } from '../tool/tool-contract.ts';

/** What was repaired or rejected in a call. */
export interface MissedPlaces {
  readonly repairs: readonly { readonly rule: string; readonly path: string }[];
  readonly issues: readonly RejectedPlace[];
}

/** The misses for which there is a sentence, each once. */
export function fieldMisses(
  contract: ToolContract,
  { repairs, issues }: MissedPlaces,
): readonly HintedMiss[] {
  if (repairs.length === 0 && issues.length === 0) return none;
  const misses: HintedMiss[] = [];
  const add = (kind: MissKind | undefined, field: string): void => {
    const miss = kind && cachedMiss(contract, { kind, field });
    if (miss !== undefined && !misses.some((one) => isSameMiss(one, miss))) misses.push(miss);
  };
  for (const { rule, path } of repairs) add(missKind('rule', rule), fieldOf(path));
  for (const issue of issues) add(missKind('issue', issue.keyword), issueField(issue));
  return misses;
}

const none: readonly HintedMiss[] = Object.freeze([]);

export const isSameMiss = (one: FieldMiss, other: FieldMiss): boolean =>
  one.kind === other.kind && one.field === other.field;

/** Places of a tool whose sentence is kept. Models make up any number of keys. */
const mostPlaces = 500;

const missesOf = memoize<ToolContract, Map<string, HintedMiss | undefined>>(() => new Map());

/** A sentence takes longer to write than a call to repair, and models repeat their mistakes. */
function cachedMiss(contract: ToolContract, miss: FieldMiss): HintedMiss | undefined {
  const misses = missesOf(contract);
  const key = `${miss.kind} ${miss.field}`;
  if (!misses.has(key)) setNewest(misses, [key, hintedMiss(contract, miss)], mostPlaces);
  return misses.get(key);
}
