import { setTimeout as sleep } from 'node:timers/promises';
import type {
  BeginOptions,
  NewEntry,
  QueuedCall,
  RunningLimits,
  SqlDatabase,
  StartLimit,
  StartInTurnResult,
} from '../store/call-store.ts';
import { setChanged } from './call-columns.ts';
import { entryColumns, entryOfRow, storable, storedText } from './entry-rows.ts';
import type { Lease } from './lease.ts';

/** `ahead`: the calls whose turn is before that of this one. */
export interface PlaceRefused {
  readonly reason: 'busy' | 'rate_limit';
  readonly ahead: number;
}

/** A call that may have to wait. */
interface WaitingCall extends Pick<BeginOptions, 'limit' | 'signal'> {
  readonly id: string;
  readonly insert: () => Promise<boolean | PlaceRefused>;
  readonly isKnown: () => Promise<boolean>;
}

/** Calls that may wait for one limit. Beyond it, one call of each further tenant may. */
const mostWaiting = 100;
/**
 * Milliseconds after which a call that no longer asks counts as left by its process; a sixth of a
 * lease if that is longer.
 */
const patience = 5_000;

/** Whether another call has waited for a worker for longer. */
const isAhead = `other.state = 'queued' and other.attempts = 0 and other.updated_at < calls.updated_at`;

/**
 * Counts the calls of each limit in the database, and lets those that wait take turns.
 *
 * Times are compared with `statement_timestamp()`. PostgreSQL uses no index for a comparison with
 * `clock_timestamp()`, which it reads again for each row; `now()` is the time before the wait for a
 * lock.
 */
export class SqlLimits {
  readonly #calls: string;
  readonly #waiting: string;
  readonly #patience: number;

  constructor(schema: string, leaseMs: number) {
    this.#patience = Math.max(patience, leaseMs / 6);
    this.#calls = `${schema}.calls`;
    this.#waiting = `${schema}.waiting`;
  }

  /**
   * Counts a call that this transaction inserts, or returns why it can't start yet. A call that may
   * wait keeps its turn as long as it asks again. Of the tenants that wait, the one that was served
   * longest ago is next.
   */
  async take(
    transaction: SqlDatabase,
    { id, tenant }: NewEntry,
    { key, rate, running: mostRunning, waitMs = 0 }: StartLimit,
  ): Promise<PlaceRefused | undefined> {
    const storableKey = storable(key);
    // Calls with the same key wait for each other here, so that none is counted too late.
    await transaction.query('select pg_advisory_xact_lock(hashtext($1))', [storableKey]);
    const [row] = await transaction.query(
      `select (select count(*) from ${this.#calls} where limit_key = $1
           and created_at > statement_timestamp() - $2 * interval '1 millisecond' and state <> 'not_run')::int as started,
         (select count(*) from ${this.#calls} where limit_key = $1
           and state = 'running' and lease_until > statement_timestamp())::int as running`,
      [storableKey, rate?.perMs ?? 0],
    );
    const starts = (rate?.calls ?? Infinity) - Number(row?.['started']);
    const places = (mostRunning ?? Infinity) - Number(row?.['running']);
    const ahead =
      waitMs > 0 ? await this.#queue(transaction, id, storable(tenant), storableKey) : 0;
    if (ahead >= Math.min(starts, places))
      return { reason: starts <= 0 && places > 0 ? 'rate_limit' : 'busy', ahead };
    if (waitMs > 0) await this.#leave(transaction, id);
    return undefined;
  }

  /**
   * Starts a queued call. Workers that start calls of the same tool and tenant, or with the same
   * limit, wait for each other. Of the calls that wait for a place, the first one gets it; one that
   * is tried again later keeps no place for itself.
   */
  async start(
    transaction: SqlDatabase,
    { id, tool, tenant }: QueuedCall,
    most: RunningLimits,
    { owner, milliseconds }: Lease,
  ): Promise<StartInTurnResult> {
    // The queue has the tenant as the table has it.
    const names = [storable(tool), storable(storedText(tenant))];
    await transaction.query('select pg_advisory_xact_lock(hashtext($1), hashtext($2))', names);
    if (most.running !== undefined)
      await transaction.query(
        `select pg_advisory_xact_lock(hashtext(limit_key)) from ${this.#calls} where id = $1 and limit_key is not null`,
        [id],
      );
    const [row] = await transaction.query(
      `update ${this.#calls} calls set state = 'running', attempts = attempts + 1, owner = $6,
         lease_until = clock_timestamp() + $7 * interval '1 millisecond', ${setChanged}
       where id = $1 and state = 'queued'
         and ($4::int is null or $4 > (select count(*) from ${this.#calls} other
           where other.tool = $2 and other.tenant = $3 and other.is_late and other.state = 'running'
             and other.lease_until > statement_timestamp()) + (
           select count(*) from ${this.#calls} other where $5::int is null and ${isAhead}
             and other.tool = $2 and other.tenant = $3))
         and ($5::int is null or $5 > (select count(*) from ${this.#calls} other
           where other.limit_key = calls.limit_key and other.state = 'running'
             and other.lease_until > statement_timestamp()) + (
           select count(*) from ${this.#calls} other
           where ${isAhead} and other.limit_key = calls.limit_key))
       returning ${entryColumns}`,
      [id, ...names, most.tenant ?? null, most.running ?? null, owner, milliseconds],
    );
    if (row !== undefined) return { kind: 'started', entry: entryOfRow(row) };
    const [queuedRow] = await transaction.query(
      `select id from ${this.#calls} where id = $1 and state = 'queued'`,
      [id],
    );
    return { kind: queuedRow === undefined ? 'taken' : 'limited' };
  }

  /**
   * Inserts the call when it is its turn. Returns the refusal if its time is over, its signal
   * fires, or the same call is known.
   */
  async wait(
    database: SqlDatabase,
    { id, limit, signal, insert, isKnown }: WaitingCall,
  ): Promise<boolean | PlaceRefused> {
    const { waitMs = 0 } = limit ?? {};
    const end = performance.now() + waitMs;
    for (;;) {
      const insertion = await insert();
      if (typeof insertion === 'boolean' || waitMs === 0) return insertion;
      const remainingMs = end - performance.now();
      const isOver = remainingMs <= 0 || insertion.ahead === Infinity || signal?.aborted === true;
      if (isOver || (await isKnown())) {
        await this.#leave(database, id);
        return insertion;
      }
      // Calls far behind ask less often.
      const pause = (50 + 25 * insertion.ahead) * (0.5 + Math.random());
      await sleep(Math.min(remainingMs, 1000, pause), undefined, { signal }).catch(() => undefined);
    }
  }

  /** A call that waits no more must not keep others waiting. */
  async #leave(database: SqlDatabase, id: string): Promise<void> {
    await database.query(`delete from ${this.#waiting} where id = $1`, [id]);
  }

  /** Lets the call wait, and returns how many calls are ahead of it. */
  async #queue(transaction: SqlDatabase, id: string, tenant: string, key: string): Promise<number> {
    await transaction.query(
      `delete from ${this.#waiting}
       where limit_key = $1 and seen_at < statement_timestamp() - $2 * interval '1 millisecond'`,
      [key, this.#patience],
    );
    await transaction.query(
      `insert into ${this.#waiting} (id, limit_key, tenant)
         select $1, $2, $3 where (select count(*) from ${this.#waiting} where limit_key = $2) < ${mostWaiting}
           or not exists (select 1 from ${this.#waiting} where limit_key = $2 and tenant = $3)
       on conflict (id) do update set seen_at = clock_timestamp()`,
      [id, key, tenant],
    );
    // A tenant's second call is behind the first ones of all others.
    const rows = await transaction.query(
      `select id from (
         select id, tenant, since, row_number() over (partition by tenant order by since, id) as nth
         from ${this.#waiting} where limit_key = $1) waiting
       order by nth, (select max(created_at) from ${this.#calls} calls
         where limit_key = $1 and calls.tenant = waiting.tenant) nulls first, since, id`,
      [key],
    );
    const place = rows.findIndex((row) => row['id'] === id);
    return place === -1 ? Infinity : place;
  }
}
