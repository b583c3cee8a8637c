import type { JournalEntry, SqlDatabase } from '../store/call-store.ts';
import { entryColumns, entryOfRow, storable } from './entry-rows.ts';
import { Lease } from './lease.ts';

/** Leases after which a process that lives has long passed on what it has taken. */
const longestTaking = 20;

/**
 * Late results that this process has taken, and whose conversations have not gone on. It has a
 * lease on them: if it dies, they are taken again.
 */
export class TakenResults {
  readonly #database: SqlDatabase;
  readonly #calls: string;
  readonly #lease: Lease;
  /** When each was taken, in milliseconds of `performance.now()`. */
  readonly #times = new Map<string, number>();

  constructor(database: SqlDatabase, schema: string, leaseMs: number) {
    this.#database = database;
    this.#calls = `${schema}.calls`;
    this.#lease = new Lease(leaseMs, (ids, owner) => this.#renew(ids, owner));
  }

  /**
   * The results of a conversation that no process has taken, oldest first. Leaves out those that
   * this process has, although it may not have renewed their leases in time.
   */
  async take(tenant: string, conversation: string | undefined): Promise<readonly JournalEntry[]> {
    const { owner, milliseconds } = this.#lease;
    const since = performance.now();
    // "is not distinct from" uses no index.
    const where = conversation === undefined ? 'conversation is null' : 'conversation = $5';
    const rows = await this.#database.query(
      `update ${this.#calls} calls set owner = $2,
         lease_until = clock_timestamp() + $3 * interval '1 millisecond'
       where id in (
         select id from ${this.#calls} where is_late and state in ('ended', 'not_run') and delivered_at is null
           and tenant = $1 and ${where}
           and (lease_until is null or lease_until < statement_timestamp()) and id <> all($4::uuid[])
         for update skip locked)
       returning ${entryColumns}`,
      [
        storable(tenant),
        owner,
        milliseconds,
        this.#lease.heldEntries,
        ...(conversation === undefined ? [] : [storable(conversation)]),
      ],
    );
    const entries = rows.map(entryOfRow);
    for (const { id } of entries) {
      this.#times.set(id, since);
      this.#lease.hold(id, since);
    }
    return entries.toSorted((one, other) => (one.updatedAt < other.updatedAt ? -1 : 1));
  }

  /** Nobody takes these results again. */
  async finish(ids: readonly string[]): Promise<void> {
    await this.#database.query(
      `update ${this.#calls} set delivered_at = clock_timestamp(), owner = null, lease_until = null
       where id = any($1::uuid[]) and delivered_at is null`,
      [[...ids]],
    );
    for (const id of ids) this.#release(id);
  }

  close(): Promise<void> {
    return this.#lease.close();
  }

  async #renew(ids: readonly string[], owner: string): Promise<readonly string[]> {
    const earliest = performance.now() - longestTaking * this.#lease.milliseconds;
    const old = ids.filter((id) => (this.#times.get(id) ?? 0) < earliest);
    if (old.length > 0) await this.finish(old);
    const rows = await this.#database.query(
      `update ${this.#calls} set lease_until = clock_timestamp() + $3 * interval '1 millisecond'
       where id = any($1::uuid[]) and owner = $2 and state in ('ended', 'not_run') returning id`,
      [[...ids], owner, this.#lease.milliseconds],
    );
    const renewedIds = rows.map(({ id }) => String(id));
    // Others were taken by another process, or finished.
    for (const id of ids) if (!renewedIds.includes(id)) this.#release(id);
    return renewedIds;
  }

  #release(id: string): void {
    if (!this.#times.delete(id)) return;
    this.#lease.release(id);
  }
}
