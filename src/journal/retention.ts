import type { SqlDatabase } from '../execute/journal.ts';

const oneHour = 60 * 60_000;
const batch = 10_000;

/**
 * Deletes calls that ended, or whose approval has expired, before a number of days: when the journal is opened, and then once an hour
 * while calls are written, in one of the replicas. The clock is the database's.
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

  async start(): Promise<void> {
    this.#nextLook = performance.now() + oneHour;
    await this.#claim('now');
    await this.#prune();
  }

  /** Returns at once. After an error, the next hour tries again. */
  afterWrite(): void {
    const now = performance.now();
    if (now < this.#nextLook) return;
    this.#nextLook = now + oneHour;
    this.#pruning = this.#pruneInTurn().catch(() => undefined);
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
    const calls = `${this.#schema}.calls`;
    for (let deleted = batch; deleted === batch && !this.#isClosed;) {
      // The index on created_at finds the calls: none is younger than its last change.
      const rows = await this.#database.query(
        `delete from ${calls} where id in (
           select id from ${calls} calls
           where (state in ('ended', 'not_run') or state = 'waiting' and not exists (
             select 1 from ${this.#schema}.approvals
             where call = calls.id and state = 'open' and expires_at > clock_timestamp()))
             and created_at < clock_timestamp() - $1 * interval '1 day'
             and updated_at < clock_timestamp() - $1 * interval '1 day'
           limit $2 for update skip locked)
         returning 1`,
        [this.#days, batch],
      );
      deleted = rows.length;
    }
  }
}
