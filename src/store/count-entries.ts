// The counts of entries in memory.
import type { CallStatus, StatsDimension, StatsQuery, StatsRow } from './call-figures.ts';
import { missesOf } from './call-facts.ts';
import { dimensionsOf } from './check-query.ts';
import type { JournalEntry } from './call-store.ts';

type Values = Omit<StatsRow, 'calls' | CallStatus>;

/** The rows of a query. Throws a DefinitionError for a wrong one. */
export function countEntries(
  entries: Iterable<JournalEntry>,
  query: StatsQuery,
): readonly StatsRow[] {
  const dimensions = dimensionsOf(query);
  const rows = new Map<string, StatsRow>();
  for (const entry of entries) {
    if (!isCounted(entry, query)) continue;
    for (const values of valuesOf(entry, dimensions, query.stepMs ?? 0)) {
      const key = JSON.stringify(values);
      const row = rows.get(key) ?? { ...values, ...noCalls };
      rows.set(key, { ...row, calls: row.calls + 1, [entry.status]: row[entry.status] + 1 });
    }
  }
  return sortedRows([...rows.values()]);
}

const noCalls = { calls: 0, valid: 0, repaired: 0, rejected: 0, failed: 0 };

/** By time if they have one, then most calls first. */
export const sortedRows = (rows: readonly StatsRow[]): readonly StatsRow[] =>
  rows.toSorted(
    (one, other) =>
      compareLabels(one.time ?? '', other.time ?? '') ||
      other.calls - one.calls ||
      compareLabels(JSON.stringify(one), JSON.stringify(other)),
  );

const compareLabels = (one: string, other: string): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

/** Whether an entry came in the time of a query. */
export const isWithin = (
  { createdAt }: JournalEntry,
  { since, until }: { readonly since?: Date | undefined; readonly until?: Date | undefined },
): boolean => {
  const time = Date.parse(createdAt);
  return time >= (since?.getTime() ?? -Infinity) && time < (until?.getTime() ?? Infinity);
};

const isCounted = (entry: JournalEntry, query: StatsQuery): boolean =>
  (['tenant', 'model', 'tool', 'release'] as const).every(
    (member) => query[member] === undefined || query[member] === entry[member],
  ) && isWithin(entry, query);

/** The rows that an entry counts for. */
function valuesOf(
  entry: JournalEntry,
  dimensions: readonly StatsDimension[],
  stepMs: number,
): readonly Values[] {
  const { model, tool, release, createdAt } = entry;
  const values: Values = {
    ...(dimensions.includes('model') && model !== undefined ? { model } : {}),
    ...(dimensions.includes('tool') ? { tool } : {}),
    ...(dimensions.includes('release') && release !== undefined ? { release } : {}),
    ...(dimensions.includes('time') ? { time: stepOf(Date.parse(createdAt), stepMs) } : {}),
  };
  if (dimensions.includes('rule')) return entry.rules.map((rule) => ({ ...values, rule }));
  if (!dimensions.includes('issue')) return [values];
  return missesOf(entry)
    .filter(({ kind }) => kind === 'issue')
    .flatMap(({ name, fields }) => fields.map((field) => ({ ...values, issue: name, field })));
}

/** When the step of a time begins. */
const stepOf = (time: number, stepMs: number): string =>
  new Date(Math.floor(time / stepMs) * stepMs).toISOString();
