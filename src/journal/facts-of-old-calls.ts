import type { SqlDatabase } from '../store/call-store.ts';
import { insertMisses, missesParameter } from './call-columns.ts';
import { entryColumns, entryOfRow, storable } from './entry-rows.ts';
import type { OpenDatabase } from './sql-database.ts';

/** Calls that one transaction writes: other statements don't wait long for it. */
const batch = 500;

/**
 * Gives the calls of older versions the columns that counts and lists look at, after the journal has
 * been opened: model, status and rules, from the record of the call. Replicas share the work. What a
 * process leaves undone when it closes is done by the next one that opens the journal.
 */
export class FactsOfOldCalls {
  readonly #database: OpenDatabase;
  readonly #calls: string;
  readonly #schema: string;
  #filling: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(database: OpenDatabase, schema: string) {
    this.#database = database;
    this.#calls = `${schema}.calls`;
    this.#schema = schema;
  }

  /** Resolves at once: the journal is usable meanwhile. */
  async start(): Promise<void> {
    const old = await this.#database.query(
      `select id from ${this.#calls} where status is null limit 1`,
      [],
    );
    if (old.length > 0) this.#filling = this.#fill().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#filling;
  }

  async #fill(): Promise<void> {
    for (let filled = batch; filled === batch && !this.#isClosed;)
      filled = await this.#database.transaction((transaction) => this.#fillBatch(transaction));
  }

  async #fillBatch(transaction: SqlDatabase): Promise<number> {
    const rows = await transaction.query(
      `select ${entryColumns} from ${this.#calls} calls where status is null
       order by created_at limit $1 for update skip locked`,
      [batch],
    );
    const entries = rows.map(entryOfRow);
    if (entries.length === 0) return 0;
    const nullable = (text: string | undefined): string | null =>
      text === undefined ? null : storable(text);
    await transaction.query(
      // Neither the age nor the change of a call is another one.
      `update ${this.#calls} calls set model = facts.model, status = facts.status, rules = facts.rules::json
       from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as facts (id, model, status, rules)
       where calls.id = facts.id`,
      [
        entries.map(({ id }) => id),
        entries.map(({ model }) => nullable(model)),
        entries.map(({ status }) => status),
        entries.map(({ rules }) => (rules.length === 0 ? null : JSON.stringify(rules))),
      ],
    );
    await transaction.query(insertMisses(this.#schema, this.#calls, '$1'), [
      missesParameter(entries),
    ]);
    return entries.length;
  }
}
