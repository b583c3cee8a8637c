// What the lines of a log say of misses: hints that would be on.
import { ownValue } from '../collections/objects.ts';
import { arrayAt, textAt } from '../json/members.ts';
import type { JsonObject } from '../json/value.ts';
import { type LearnedHint, learnedHints } from '../learning/hint-report.ts';
import { missLine, surely } from '../learning/hint-trial.ts';
import { wilsonInterval } from '../learning/intervals.ts';
import { missKinds } from '../messages/miss-sentences.ts';
import {
  type AddedCounts,
  type HintCell,
  type HintCount,
  cellKey,
  newTrial,
  noCounts,
  sumOfCounts,
} from '../store/hint-counts.ts';

/** Lines have misses with `--log-contents` only. */
export class LoggedMisses {
  readonly #hints = new Map<string, HintCell & AddedCounts>();

  /** A line of a call. Calls whose model read a learned hint don't count. */
  add(line: JsonObject): void {
    const model = textAt(line, 'model') ?? '(unknown model)';
    const tool = textAt(line, 'tool') ?? '';
    const total = { model, tool, definition: tool, kind: '', field: '', sentence: '' } as const;
    const isHinted = ownValue(line, 'hinted') === true;
    this.#count(total, { ...noCounts, calls: isHinted ? 0 : 1 });
    for (const miss of isHinted ? [] : arrayAt(line, 'misses')) {
      const kind = missKinds.find((one) => one === textAt(miss, 'kind'));
      const [field, sentence] = [textAt(miss, 'field'), textAt(miss, 'sentence')];
      if (kind !== undefined && field !== undefined && sentence !== undefined)
        this.#count({ ...total, kind, field, sentence }, { ...noCounts, misses: 1 });
    }
  }

  #count(cell: HintCell, addedCounts: AddedCounts): void {
    const key = cellKey(cell);
    const former = this.#hints.get(key) ?? noCounts;
    this.#hints.set(key, { ...cell, ...sumOfCounts(former, addedCounts) });
  }

  hints(): readonly LearnedHint[] {
    const rows = [...this.#hints.values()].map((row): HintCount => {
      const { calls = 0 } = this.#hints.get(cellKey({ ...row, kind: '', field: '' })) ?? {};
      const isOften = wilsonInterval({ calls, misses: row.misses }, surely).least > missLine;
      const state = isOften && calls >= newTrial.look ? 'trial' : 'watched';
      return { ...row, trial: { ...newTrial, state } };
    });
    return learnedHints(rows);
  }
}
