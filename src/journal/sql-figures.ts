import {
  type JournalEntry,
  type JournalQuery,
  type SqlDatabase,
  type SqlRow,
  isUuid,
} from '../store/call-store.ts';
import type {
  CallStatus,
  ChangesQuery,
  EntryChanges,
  StatsDimension,
  StatsQuery,
  StatsRow,
} from '../store/call-figures.ts';
import { checkChanges, checkQuery, dimensionsOf, unknownCursor } from '../store/check-query.ts';
import { sortedRows } from '../store/count-entries.ts';
import { defined } from '../collections/objects.ts';
import { entryColumns, entryOfRow, storable, storedText } from './entry-rows.ts';

/** Conditions of a statement, and the parameters that they name. */
class Conditions {
  readonly parameters: unknown[] = [];
  readonly #texts: string[] = ['true'];

  /** `text`: makes the condition, of the name of a parameter with the value. */
  add(value: unknown, text: (parameter: string) => string): this {
    if (value === undefined) return this;
    this.#texts.push(text(this.parameter(value)));
    return this;
  }

  equal(column: string, value: string | undefined): this {
    return this.add(value && storable(value), (parameter) => `${column} = ${parameter}`);
  }

  since(column: string, { since, until }: Pick<StatsQuery, 'since' | 'until'>): this {
    return this.add(since?.toISOString(), (time) => `${column} >= ${time}::timestamptz`).add(
      until?.toISOString(),
      (time) => `${column} < ${time}::timestamptz`,
    );
  }

  parameter(value: unknown): string {
    return `$${this.parameters.push(value)}`;
  }

  get text(): string {
    return this.#texts.join(' and ');
  }
}

/** What is read of many calls in PostgreSQL or PGlite: lists, counts and changes. */
export class SqlFigures {
  readonly #database: SqlDatabase;
  readonly #calls: string;
  readonly #misses: string;

  constructor(database: SqlDatabase, schema: string) {
    this.#database = database;
    this.#calls = `${schema}.calls`;
    this.#misses = `${schema}.misses`;
  }

  async list(query: JournalQuery): Promise<readonly JournalEntry[]> {
    checkQuery(query);
    const {
      limit = 100,
      before,
      isLate,
      rule,
      issue,
      field,
      callId,
      since,
      until,
      ...equal
    } = query;
    const miss = rule ?? issue;
    if (before !== undefined && !isUuid(before)) return [];
    // A condition that a query doesn't have is not in its text: "$1 is null or …" uses no index.
    const conditions = new Conditions();
    for (const [column, value] of Object.entries({ ...equal, call_id: callId }))
      conditions.equal(`calls.${column}`, value);
    conditions.add(isLate, (parameter) => `calls.is_late = ${parameter}`);
    // The index of a rule or an issue has its calls in the order of the list.
    const [time, id] =
      miss === undefined ? ['calls.created_at', 'calls.id'] : ['misses.created_at', 'misses.call'];
    conditions
      .equal('misses.name', miss)
      .add(field && storable(field), (parameter) => `misses.fields @> array[${parameter}]`)
      .since(time, { ...defined({ since, until }) })
      .add(
        before,
        (parameter) =>
          `(${time}, ${id}) < (select created_at, id from ${this.#calls} where id = ${parameter})`,
      );
    const from =
      miss === undefined
        ? `${this.#calls} calls`
        : `${this.#misses} misses join ${this.#calls} calls on calls.id = misses.call
             and misses.kind = '${rule === undefined ? 'issue' : 'rule'}'`;
    const rows = await this.#database.query(
      `select ${entryColumns} from ${from} where ${conditions.text}
       order by ${time} desc, ${id} desc limit ${conditions.parameter(limit)}`,
      conditions.parameters,
    );
    return rows.map(entryOfRow);
  }

  async stats(query: StatsQuery): Promise<readonly StatsRow[]> {
    const dimensions = dimensionsOf(query);
    const { tenant, model, tool, release, stepMs = 0 } = query;
    const kind = dimensions.find((dimension) => dimension === 'rule' || dimension === 'issue');
    const conditions = new Conditions();
    conditions
      .equal('calls.tenant', tenant)
      .equal('calls.model', model)
      .equal('calls.tool', tool)
      .equal('calls.release', release)
      .since(kind === undefined ? 'calls.created_at' : 'misses.created_at', query)
      .add(kind, (parameter) => `misses.kind = ${parameter}`);
    const columns = dimensions.flatMap((dimension) => columnsOf(dimension, stepMs));
    const from =
      kind === undefined
        ? `${this.#calls} calls`
        : `${this.#misses} misses join ${this.#calls} calls on calls.id = misses.call`;
    const each = kind === 'issue' ? ', unnest(misses.fields) as field' : '';
    const rows = await this.#database.query(
      `select ${[...columns.map(({ selected }) => selected), ...counts].join(', ')} from ${from}${each}
       where calls.status is not null and ${conditions.text}
       ${columns.length === 0 ? 'having count(*) > 0' : `group by ${columns.map(({ group }) => group).join(', ')}`}`,
      conditions.parameters,
    );
    return sortedRows(rows.map((row) => statsRow(row, dimensions)));
  }

  /**
   * Rows have the number of the transaction that changed them last. Transactions don't commit in the
   * order of their numbers: as long as one is open, all that changed since it began is read again.
   * Rows of a backup that was restored may have numbers that are still to come.
   */
  async changes(query: ChangesQuery = {}): Promise<EntryChanges<JournalEntry>> {
    checkChanges(query);
    const { after, tenant, limit = 100 } = query;
    // Before the rows are read: what is open now is read again.
    const [now] = await this.#database.query(
      'select pg_snapshot_xmin(pg_current_snapshot())::text as oldest',
      [],
    );
    const oldest = String(now?.['oldest']);
    const { next, change, id } = after === undefined ? beginAt(oldest) : readCursor(after, oldest);
    const conditions = new Conditions()
      .equal('calls.tenant', tenant)
      .add(change, (from) =>
        id === undefined
          ? `calls.changed_in >= ${from}::text::xid8`
          : `(calls.changed_in, calls.id) > (${from}::text::xid8, '${id}'::uuid)`,
      );
    const rows = await this.#database.query(
      `select ${entryColumns}, calls.changed_in::text as changed_in from ${this.#calls} calls
       where calls.changed_in < pg_snapshot_xmax(pg_current_snapshot()) and ${conditions.text}
       order by calls.changed_in, calls.id limit ${conditions.parameter(limit + 1)}`,
      conditions.parameters,
    );
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const hasMore = rows.length > limit;
    return {
      entries: page.map(entryOfRow),
      cursor:
        hasMore && last !== undefined
          ? `${next}.${String(last['changed_in'])}.${String(last['id'])}`
          : next,
      hasMore,
    };
  }
}

/** `next`: where to begin again when all changes have been read. */
interface Cursor {
  readonly next: string;
  readonly change: string;
  /** The last one that was read of those that changed in it. */
  readonly id?: string;
}

const beginAt = (oldest: string): Cursor => ({ next: oldest, change: oldest });

function readCursor(cursor: string, oldest: string): Cursor {
  const [first, change, id] = cursor.split('.');
  const isNumber = (text: string | undefined): text is string =>
    text !== undefined && /^\d{1,19}$/.test(text);
  if (!isNumber(first)) throw unknownCursor();
  if (change === undefined) return { next: oldest, change: first };
  if (!isNumber(change) || id === undefined || !isUuid(id)) throw unknownCursor();
  return { next: first, change, id };
}

/** What rows are counted by, and what a count says of it. */
interface GroupColumn {
  readonly group: string;
  readonly selected: string;
}

const plainColumn = (name: string): GroupColumn => ({ group: name, selected: name });

function columnsOf(dimension: StatsDimension, stepMs: number): readonly GroupColumn[] {
  switch (dimension) {
    case 'time': {
      // Computed for each call: numbers of the epoch take half as long again.
      const group = `date_bin('${stepMs} ms', calls.created_at, 'epoch')`;
      return [{ group, selected: `date_part('epoch', ${group}) * 1000 as time` }];
    }
    case 'rule':
      return [{ group: 'misses.name', selected: 'misses.name as rule' }];
    case 'issue':
      return [{ group: 'misses.name', selected: 'misses.name as issue' }, plainColumn('field')];
    default:
      return [plainColumn(`calls.${dimension}`)];
  }
}

const statuses = ['valid', 'repaired', 'rejected', 'failed'] as const satisfies CallStatus[];

const counts: readonly string[] = [
  'count(*) as calls',
  ...statuses.map((status) => `count(*) filter (where calls.status = '${status}') as ${status}`),
];

function statsRow(row: SqlRow, dimensions: readonly StatsDimension[]): StatsRow {
  const text = (column: string): string | undefined => {
    const value = row[column];
    return typeof value === 'string' ? storedText(value) : undefined;
  };
  const number = (column: string): number => Number(row[column]);
  return {
    ...defined({
      model: text('model'),
      tool: text('tool'),
      release: text('release'),
      time: dimensions.includes('time') ? new Date(number('time')).toISOString() : undefined,
      rule: text('rule'),
      issue: text('issue'),
      field: text('field'),
    }),
    calls: number('calls'),
    valid: number('valid'),
    repaired: number('repaired'),
    rejected: number('rejected'),
    failed: number('failed'),
  };
}
