// What has been learned, for people: which hints are on, and the intervals of the rates.
import { type HintCount, cellKey } from '../store/hint-counts.ts';
import { surely } from './hint-trial.ts';
import { type Arm, type Interval, wilsonInterval } from './intervals.ts';

/** Calls and misses, and between which rates the true one surely lies (99 percent). */
export interface MissRate extends Arm {
  readonly interval: Interval;
}

/** A hint that is on, would be on, or was. */
export interface LearnedHint extends Pick<
  HintCount,
  'model' | 'tool' | 'definition' | 'kind' | 'field' | 'sentence'
> {
  /** `watched`: the model doesn't surely miss more often than in 3 percent of its calls. */
  readonly state: HintCount['trial']['state'];
  /** Calls whose model did not read the hint. */
  readonly without: MissRate;
  /** Calls whose model read it. Absent if there are none. */
  readonly with?: MissRate;
}

/** Whether the hint is shown, or would be if hints that learn were on. */
export const isOn = ({ trial }: HintCount): boolean =>
  trial.state === 'trial' || trial.state === 'kept';

export const shownArm = ({ shownCalls, shownMisses }: HintCount): Arm => ({
  calls: shownCalls,
  misses: shownMisses,
});

/** The calls without the hint. `rows`: all rows, by their keys. */
export function hiddenArm(row: HintCount, rows: ReadonlyMap<string, HintCount>): Arm {
  const total = rows.get(cellKey({ ...row, kind: '', field: '' }));
  return {
    calls: Math.max((total?.calls ?? 0) - row.shownCalls, row.misses),
    misses: row.misses,
  };
}

/** The hints of all rows, those that are on first, then by their rates. */
export function learnedHints(rows: readonly HintCount[]): readonly LearnedHint[] {
  const byKey = new Map(rows.map((row) => [cellKey(row), row]));
  return rows
    .filter(({ kind, misses, shownMisses }) => kind !== '' && misses + shownMisses > 0)
    .map((row): LearnedHint => {
      const { model, tool, definition, kind, field, sentence, trial } = row;
      const armShown = shownArm(row);
      return {
        model,
        tool,
        definition,
        kind,
        field,
        sentence,
        state: trial.state,
        without: rateOf(hiddenArm(row, byKey)),
        ...(armShown.calls === 0 ? {} : { with: rateOf(armShown) }),
      };
    })
    .toSorted(
      (one, other) =>
        states.indexOf(one.state) - states.indexOf(other.state) ||
        other.without.interval.least - one.without.interval.least,
    );
}

const states: readonly LearnedHint['state'][] = ['kept', 'trial', 'watched', 'dropped'];

const rateOf = (arm: Arm): MissRate => ({ ...arm, interval: wilsonInterval(arm, surely) });
