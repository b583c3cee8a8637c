// From an interpreted call to what its model got wrong.
import { type HintedMiss, hintedMiss, missKind } from '../messages/miss-sentences.ts';
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
  const misses = new Map<string, HintedMiss>();
  const add = (source: 'rule' | 'issue', name: string, field: string): void => {
    const kind = missKind(source, name);
    const miss = kind && hintedMiss(contract, { kind, field });
    if (miss !== undefined) misses.set(`${miss.kind} ${miss.field}`, miss);
  };
  for (const { rule, path } of repairs) add('rule', rule, fieldOf(path));
  for (const issue of issues) add('issue', issue.keyword, issueField(issue));
  return [...misses.values()];
}

const none: readonly HintedMiss[] = Object.freeze([]);
