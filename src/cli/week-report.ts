// A week of calls as Markdown or JSON, of logs of the gateway or of a journal.
import { type LearnedHint, learnedHints } from '../learning/hint-report.ts';
import { surely } from '../learning/hint-trial.ts';
import { wilsonInterval } from '../learning/intervals.ts';
import { ownValue } from '../collections/objects.ts';
import { arrayAt, textAt } from '../json/members.ts';
import { plainJson } from '../json/parse.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';
import type { CallFigures, StatsRow } from '../store/call-figures.ts';
import type { Journal } from '../store/call-store.ts';
import { LoggedMisses } from './logged-misses.ts';
import { readLines } from './read-records.ts';
import { Tally } from './report.ts';

/** How calls went in a week. `calls` is the sum of the other numbers of a row. */
export interface WeekReport {
  /** ISO 8601, in UTC. */
  readonly since: string;
  readonly until: string;
  readonly total: CallFigures;
  readonly models: readonly (CallFigures & { readonly model: string })[];
  readonly releases: readonly (CallFigures & { readonly release: string })[];
  /** Repaired calls by rule. A call counts for each of its rules. */
  readonly rules: readonly { readonly rule: string; readonly calls: number }[];
  /** Rejected calls by issue. A call counts for each of its issues. */
  readonly issues: readonly { readonly issue: string; readonly calls: number }[];
  readonly hints: readonly LearnedHint[];
}

const weekMs = 7 * 24 * 60 * 60_000;

interface Week {
  readonly since: Date;
  readonly until: Date;
}

export const weekUntil = (until: Date): Week => ({
  since: new Date(until.getTime() - weekMs),
  until,
});

export async function weekOfJournal(journal: Journal, { since, until }: Week): Promise<WeekReport> {
  const by = (dimension: 'model' | 'release' | 'rule' | 'issue'): Promise<readonly StatsRow[]> =>
    journal.stats({ by: dimension, since, until });
  const [total = noFigures] = await journal.stats({ by: [], since, until });
  const issues = new Tally();
  for (const { issue = '', field = '', calls } of await by('issue'))
    issues.add(`${issue} ${field}`.trim(), calls);
  return {
    since: since.toISOString(),
    until: until.toISOString(),
    total: figuresOf(total),
    models: (await by('model')).map(({ model = noModel, ...row }) => ({
      model,
      ...figuresOf(row),
    })),
    releases: (await by('release')).flatMap(({ release, ...row }) =>
      release === undefined ? [] : [{ release, ...figuresOf(row) }],
    ),
    rules: (await by('rule')).map(({ rule = '', calls }) => ({ rule, calls })),
    issues: [...issues].map(([issue, calls]) => ({ issue, calls })),
    hints: learnedHints(await journal.hintCounts.exchange([])),
  };
}

const noModel = '(unknown model)';
const noFigures: CallFigures = { calls: 0, valid: 0, repaired: 0, rejected: 0, failed: 0 };

const figuresOf = ({ calls, valid, repaired, rejected, failed }: CallFigures): CallFigures => ({
  calls,
  valid,
  repaired,
  rejected,
  failed,
});

/** What became of the calls in a line of the log, by its status. */
const statuses: ReadonlyMap<string, 'valid' | 'repaired' | 'rejected'> = new Map([
  ['unchanged', 'valid'],
  ['unchecked', 'valid'],
  ['repaired', 'repaired'],
  ['recovered', 'repaired'],
  ['rejected', 'rejected'],
  ['unknown_tool', 'rejected'],
  ['left_in_text', 'rejected'],
  ['server_error', 'rejected'],
]);

/** Sums up the lines of logs. Lines that are no calls, or of another time, are left out. */
export async function weekOfLogs(
  files: readonly string[],
  { since, until }: Week,
): Promise<WeekReport> {
  const counts = new LogCounts();
  for (const file of files)
    for await (const { text = '' } of readLines(file)) {
      const line = plainJson(text);
      if (!isJsonObject(line)) continue;
      const at = Date.parse(textAt(line, 'time') ?? '');
      if (at >= since.getTime() && at < until.getTime()) counts.add(line);
    }
  return { since: since.toISOString(), until: until.toISOString(), ...counts.report() };
}

type MutableFigures = { -readonly [Name in keyof CallFigures]: number };

class LogCounts {
  readonly #total: MutableFigures = { ...noFigures };
  readonly #models = new Map<string, MutableFigures>();
  readonly #rules = new Tally();
  readonly #issues = new Tally();
  readonly #misses = new LoggedMisses();

  add(line: JsonObject): void {
    const status = statuses.get(textAt(line, 'status') ?? '');
    if (status === undefined) return;
    const model = textAt(line, 'model') ?? noModel;
    const figures = this.#models.get(model) ?? { ...noFigures };
    this.#models.set(model, figures);
    for (const one of [this.#total, figures]) {
      one.calls += 1;
      one[status] += 1;
    }
    for (const rule of new Set([ownValue(line, 'rules')].flat()))
      if (status === 'repaired' && typeof rule === 'string') this.#rules.add(rule);
    const issues = arrayAt(line, 'issues').flatMap((issue) => {
      const path = textAt(issue, 'path') ?? '';
      return `${textAt(issue, 'keyword') ?? ''} ${path}`.trim();
    });
    const isOther = status === 'rejected' && issues.length === 0;
    for (const issue of isOther ? [textAt(line, 'status') ?? ''] : new Set(issues))
      this.#issues.add(issue);
    this.#misses.add(line);
  }

  report(): Omit<WeekReport, 'since' | 'until'> {
    const mostFirst = (one: CallFigures, other: CallFigures): number => other.calls - one.calls;
    return {
      total: this.#total,
      models: Array.from(this.#models, ([model, figures]) => ({ model, ...figures })).toSorted(
        mostFirst,
      ),
      releases: [],
      rules: Array.from(this.#rules, ([rule, calls]) => ({ rule, calls })),
      issues: Array.from(this.#issues, ([issue, calls]) => ({ issue, calls })),
      hints: this.#misses.hints(),
    };
  }
}

/** The report in Markdown. Every share has its number of calls and its interval (95 percent). */
export function weekAsMarkdown(week: WeekReport): string {
  const { since, until, total, models, releases, rules, issues, hints } = week;
  const shareOf = (calls: number, all: number): string =>
    share({ calls: all, misses: calls }, 1.96);
  const figures = ({
    calls,
    valid,
    repaired,
    rejected,
    failed,
  }: CallFigures): readonly string[] => [
    String(calls),
    ...[valid, repaired, rejected, failed].map((one) => shareOf(one, calls)),
  ];
  const headings = ['calls', 'valid', 'repaired', 'rejected', 'failed'];
  const onHints = hints.filter(({ state }) => state === 'trial' || state === 'kept');
  return [
    `# Tool calls from ${since.slice(0, 10)} to ${until.slice(0, 10)}`,
    markdownTable(headings, [figures(total)]),
    ...section('Models', ['model', ...headings], models, (row) => [row.model, ...figures(row)]),
    ...section('Releases', ['release', ...headings], releases, (row) => [
      row.release,
      ...figures(row),
    ]),
    ...section('Repaired, by rule', ['rule', 'of all calls'], rules, ({ rule, calls }) => [
      rule,
      shareOf(calls, total.calls),
    ]),
    ...section('Rejected, by issue', ['issue', 'of all calls'], issues, ({ issue, calls }) => [
      issue,
      shareOf(calls, total.calls),
    ]),
    ...section(
      'Hints that are on, or would be',
      ['model', 'tool', 'sentence', 'misses without it', 'misses with it'],
      onHints,
      (hint) => [
        hint.model,
        hint.tool,
        hint.sentence,
        share(hint.without, surely),
        hint.with === undefined ? 'not shown' : share(hint.with, surely),
      ],
    ),
  ].join('\n\n');
}

const percent = (rate: number): string => (rate * 100).toFixed(1);

/** `8 of 100 (8.0 %, 4.1 to 15.0)`. */
function share(arm: { readonly calls: number; readonly misses: number }, z: number): string {
  const { calls, misses } = arm;
  if (calls === 0) return '0 of 0';
  const { least, most } = wilsonInterval(arm, z);
  return `${misses} of ${calls} (${percent(misses / calls)} %, ${percent(least)} to ${percent(most)})`;
}

const section = <Row>(
  title: string,
  heading: readonly string[],
  rows: readonly Row[],
  cellsOf: (row: Row) => readonly string[],
): readonly string[] =>
  rows.length === 0 ? [] : [`## ${title}`, markdownTable(heading, rows.map(cellsOf))];

export function markdownTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll(/[|\n]/g, ' ')).join(' | ')} |`;
  return [line(heading), line(heading.map(() => '---')), ...rows.map(line)].join('\n');
}
