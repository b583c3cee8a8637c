// What hints that learn count, and the port of the places where the counts are kept.
import type { MissKind } from '../messages/miss-sentences.ts';

/** A model, a definition of a tool, and what the model may get wrong in it. */
export interface HintCell {
  /** '' for calls that don't name their model. */
  readonly model: string;
  readonly tool: string;
  /** The digest of what a model reads about the tool, as in `tools.digests()`. */
  readonly definition: string;
  /** '' in the row that counts all calls of the model to the definition. */
  readonly kind: MissKind | '';
  /** JSON Pointer, with `*` for the indexes of arrays; '' for the arguments as a whole. */
  readonly field: string;
  /** What a model reads if the hint is on. '' in the row of all calls. */
  readonly sentence: string;
}

/** Numbers that are added up. */
export interface AddedCounts {
  /** Calls of the model to the definition. 0 in rows of a kind of miss. */
  readonly calls: number;
  /** Misses in calls whose model did not read the hint. */
  readonly misses: number;
  /** Calls whose model read the hint. */
  readonly shownCalls: number;
  readonly shownMisses: number;
}

/**
 * `watched`: too few misses for a hint. `trial`: the hint is shown, and compared with conversations
 * that don't see it. `kept`: it was shown to help. `dropped`: it was not.
 */
export const trialStates = ['watched', 'trial', 'kept', 'dropped'] as const;

/** How far the trial of a hint is. */
export type TrialState = (typeof trialStates)[number];

/** What has been decided about a hint. */
export interface Trial {
  readonly state: TrialState;
  /** The number of calls after which it is looked at next: of all, or of those that saw the hint. */
  readonly look: number;
  /** Calls and misses without the hint when its trial began. */
  readonly callsBefore: number;
  readonly missesBefore: number;
}

/** A row of counts. */
export interface HintCount extends HintCell, AddedCounts {
  readonly trial: Trial;
}

/** What changes in a row, which is made if it is absent. */
export interface HintChange extends HintCell {
  readonly added: AddedCounts;
  /** Holds only if the row's `look` is still `from`: one of several processes decides. */
  readonly decided?: { readonly from: number; readonly trial: Trial };
}

/** Where the counts are: in memory, in a file, or in a journal. */
export interface HintCounts {
  /** Makes the changes, and returns all rows. */
  exchange(changes: readonly HintChange[]): Promise<readonly HintCount[]>;
}

export const noCounts: AddedCounts = { calls: 0, misses: 0, shownCalls: 0, shownMisses: 0 };

/**
 * Looked at after 100, 200, 400, … calls. A look after 50 would take one of 6,600 places with a miss
 * rate of 1 percent for one with more than 3; so it is one of 120,000.
 */
export const newTrial: Trial = { state: 'watched', look: 100, callsBefore: 0, missesBefore: 0 };

/** Names a row. */
export const cellKey = ({
  model,
  definition,
  kind,
  field,
}: Omit<HintCell, 'tool' | 'sentence'>): string => JSON.stringify([model, definition, kind, field]);

export const sumOfCounts = (one: AddedCounts, other: AddedCounts): AddedCounts => ({
  calls: one.calls + other.calls,
  misses: one.misses + other.misses,
  shownCalls: one.shownCalls + other.shownCalls,
  shownMisses: one.shownMisses + other.shownMisses,
});

/** The row after a change. */
export function changedCount(row: HintCount | undefined, change: HintChange): HintCount {
  const { added, decided, ...cell } = change;
  const trial = row?.trial ?? newTrial;
  return {
    ...cell,
    ...sumOfCounts(row ?? noCounts, added),
    trial: decided?.from === trial.look ? decided.trial : trial,
  };
}

/** Counts that end with the process. */
export class MemoryHintCounts implements HintCounts {
  readonly #rows = new Map<string, HintCount>();

  exchange(changes: readonly HintChange[]): Promise<readonly HintCount[]> {
    for (const change of changes) {
      const key = cellKey(change);
      this.#rows.set(key, changedCount(this.#rows.get(key), change));
    }
    return Promise.resolve([...this.#rows.values()]);
  }
}
