// How are the counts of files shown to a person? A row a file, a row a rule, then the lines worth looking at.
import { harmless } from '../../issues/excerpt.ts';
import type { FileTally, NotedLine, RuleCount } from './file-tally.ts';
import { table } from './text-table.ts';

/** Lines of one kind that are shown for a file. */
const mostShown = 10;

/** The whole report. No value of a call is in it. */
export function casesAsTables(tallies: readonly FileTally[]): string {
  const judged = tallies.filter((tally) => tally.judged > 0);
  const recorded = tallies.filter((tally) => tally.calls > tally.judged);
  const empty = tallies.filter((tally) => tally.calls === 0);
  const parts = [
    judged.length > 0
      ? table(['file', 'cases', 'right', 'refused', 'missed', 'wrong'], judged.map(judgedRow))
      : '',
    recorded.length > 0
      ? table(['file', 'calls', 'valid', 'repaired', 'rejected', 'unknown tool'], recorded.map(recordedRow))
      : '',
    empty.map(({ file, withoutCall }) => `${file}: ${withoutCall} lines without a call\n`).join(''),
    rulesTable(tallies),
    rejectionsTable(tallies),
    tallies.map(linesOf).join(''),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

const judgedRow = ({ file, judged, verdicts: { right, refused, missed, wrong } }: FileTally) =>
  [file, judged, right, refused, missed, wrong] as const;

const recordedRow = ({ file, calls, outcomes, unknownTools }: FileTally) =>
  [file, calls, outcomes.unchanged, outcomes.repaired, outcomes.rejected, unknownTools] as const;

function rulesTable(tallies: readonly FileTally[]): string {
  const rules = new Map<string, RuleCount>();
  for (const [rule, { calls, repairs, wrong }] of tallies.flatMap((tally) => [...tally.rules])) {
    const sum = rules.get(rule) ?? { calls: 0, repairs: 0, wrong: 0 };
    rules.set(rule, { calls: sum.calls + calls, repairs: sum.repairs + repairs, wrong: sum.wrong + wrong });
  }
  const rows = [...rules]
    .toSorted(([, left], [, right]) => right.calls - left.calls)
    .map(([rule, { calls, repairs, wrong }]) => [rule, calls, repairs, wrong] as const);
  return rows.length === 0 ? '' : table(['rule', 'calls', 'repairs', 'wrong'], rows);
}

function rejectionsTable(tallies: readonly FileTally[]): string {
  const sums = new Map<string, number>();
  for (const [keyword, count] of tallies.flatMap((tally) => [...tally.rejections]))
    sums.set(keyword, (sums.get(keyword) ?? 0) + count);
  const rows = [...sums].toSorted(([, left], [, right]) => right - left);
  return rows.length === 0 ? '' : table(['rejected for', 'calls'], rows);
}

function linesOf(tally: FileTally): string {
  const { file, wrongLines, missedLines, repairedLines, rejectedLines, badLines, unjudged } = tally;
  const kinds: readonly (readonly [string, readonly NotedLine[], number])[] = [
    ['wrong, first at', wrongLines, tally.verdicts.wrong],
    ['missed:', missedLines, tally.verdicts.missed],
    ['repaired:', repairedLines, unjudged.repaired],
    ['rejected:', rejectedLines, unjudged.rejected],
    ['schema:', tally.warningLines, tally.warnings],
    ['not read:', badLines, tally.bad],
  ];
  return kinds
    .flatMap(([kind, lines, count]) => {
      const shown = lines.slice(0, mostShown).map((line) => noted(file, kind, line));
      return count > shown.length && shown.length > 0
        ? [...shown, `${file}: ${count - shown.length} more\n`]
        : shown;
    })
    .join('');
}

const noted = (file: string, kind: string, { line, id, what }: NotedLine): string =>
  `${file}:${line}: ${id === undefined ? '' : `${harmless(id)} `}${kind} ${what === '' ? 'the whole' : harmless(what, 160)}\n`;
