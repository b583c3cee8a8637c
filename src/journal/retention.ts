import type { SqlDatabase } from '../store/call-store.ts';

const oneHour = 60 * 60_000;
/** Calls that one statement deletes: other statements don't wait long for it. */
const batch = 1000;

/**
 * Deletes calls that ended, or whose approval has expired, before a number of days, and the counts of
 * hints of definitions that no call named since: after the journal has been opened, and then once an
 * hour while calls are written, in one of the replicas. The clock is the database's.
 */
export class Retention {
  readonly #database: SqlDatabase;
  readonly #schema: string;
  readonly #days: number;
  #nextLook = 0;
  #pruning: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(database: SqlDatabase, schema: string, days: number) {
    this.#database = database;
    this.#schema = schema;
    this.#days = days;
  }

  /** Returns at once: a journal that is opened with millions of old calls is usable meanwhile. */
  start(): void {
    this.#nextLook = performance.now() + oneHour;
    this.#pruning = this.#claim('now')
      .then(() => this.#prune())
      .catch(() => undefined);
  }

  /** Returns at once. After an error, the next hour tries again. */
  afterWrite(): void {
    const now = performance.now();
    if (now < this.#nextLook) return;
    this.#nextLook = now + oneHour;
    this.#pruning = this.#pruning.then(() => this.#pruneInTurn()).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pruning;
  }

  async #pruneInTurn(): Promise<void> {
    if (await this.#claim('in_turn')) await this.#prune();
  }

  /** Whether no other replica has pruned within the hour. */
  async #claim(when: 'now' | 'in_turn'): Promise<boolean> {
    const rows = await this.#database.query(
      `update ${this.#schema}.journal set pruned_at = clock_timestamp()
       where $1 or pruned_at is null or pruned_at <= clock_timestamp() - interval '1 hour' returning version`,
      [when === 'now'],
    );
    return rows.length > 0;
  }

  async #prune(): Promise<void> {
    await this.#pruneHintCounts();
    await this.#pruneCalls();
  }

  /**
   * All counts of a definition go together. A definition that is in use has a row that changes with
   * each call; whether an application still has one that is never called, the journal doesn't know.
   */
  async #pruneHintCounts(): Promise<void> {
    const counts = `${this.#schema}.hint_counts`;
    await this.#database.query(
      `with old as (
         select model, definition, kind, field from ${counts}
         where updated_at < statement_timestamp() - $1 * interval '1 day' and definition in (
           select definition from ${counts} group by definition
           having max(updated_at) < statement_timestamp() - $1 * interval '1 day')
         for update skip locked)
       delete from ${counts} counts using old
       where counts.model = old.model and counts.definition = old.definition
         and counts.kind = old.kind and counts.field = old.field`,
      [this.#days],
    );
  }

  /** Each batch begins where the last one ended, so that old calls that stay are read once. */
  async #pruneCalls(): Promise<void> {
    const calls = `${this.#schema}.calls`;
    let from = '-infinity';
    let deleted: number;
    // A process that is closed has still claimed this hour: it deletes one batch at least.
    do {
      // The index on created_at finds the calls: none is younger than its last change. For "not
      // exists", PostgreSQL may read all approvals first.
      const [row] = await this.#database.query(
        `with old as (
           select id from ${calls} calls
           where (state in ('ended', 'not_run') or state = 'waiting' and (
             select count(*) from ${this.#schema}.approvals
             where call = calls.id and state = 'open' and expires_at > statement_timestamp()) = 0)
             and created_at between $3::timestamptz and statement_timestamp() - $1 * interval '1 day'
             and updated_at < statement_timestamp() - $1 * interval '1 day'
           order by created_at limit $2 for update skip locked),
         deleted as (delete from ${calls} where id = any(array(select id from old)) returning created_at)
         select count(*) as deleted, max(created_at)::text as last from deleted`,
        [this.#days, batch, from],
      );
      deleted = Number(row?.['deleted']);
      const last = row?.['last'];
      if (typeof last === 'string') from = last;
    } while (deleted === batch && !this.#isClosed);
  }
}
