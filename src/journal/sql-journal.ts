import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AbandonedCalls,
  type ApprovalUse,
  type Begun,
  type BeginOptions,
  type EntryEnd,
  type FoundApproval,
  type Journal,
  type JournalEntry,
  type JournalQuery,
  type JournalState,
  type NewApproval,
  type NewEntry,
  type QueuedCall,
  type RunningLimits,
  type SqlDatabase,
  type StartedInTurn,
  isUuid,
} from '../execute/journal.ts';
import type { CallRecord } from '../interpret/records.ts';
import type { JsonObject } from '../json/value.ts';
import { checkQuery } from './check-query.ts';
import { entryColumns, entryOfRow, insertColumns, insertValues, objectIn, storable } from './entry-rows.ts';
import { Lease } from './lease.ts';
import type { Retention } from './retention.ts';
import type { SecretDigest } from './secret-digest.ts';
import { SqlApprovals } from './sql-approvals.ts';
import { type OpenDatabase, mayRecover } from './sql-database.ts';
import { type PlaceRefused, SqlLimits } from './sql-limits.ts';

export interface SqlJournalSettings {
  readonly schema: string;
  readonly leaseMs: number;
  readonly maxResultChars: number;
  readonly secretDigest: SecretDigest;
  readonly sharesSecretsKey: boolean;
  readonly retention?: Retention | undefined;
}

/** A journal in PostgreSQL or PGlite, whose clock decides about leases and expiry. */
export class SqlJournal implements Journal {
  readonly sql: NonNullable<Journal['sql']>;
  readonly maxResultChars: number;
  readonly secretDigest: SecretDigest;
  readonly sharesSecretsKey: boolean;
  readonly #database: OpenDatabase;
  readonly #calls: string;
  readonly #approvals: SqlApprovals;
  readonly #limits: SqlLimits;
  readonly #retention: Retention | undefined;
  readonly #definitions: string;
  readonly #defined = new Set<string>();
  readonly #lease: Lease;

  constructor(database: OpenDatabase, settings: SqlJournalSettings) {
    const { schema, leaseMs, maxResultChars, secretDigest, retention } = settings;
    this.#database = database;
    this.#calls = `${schema}.calls`;
    this.#definitions = `${schema}.definitions`;
    this.maxResultChars = maxResultChars;
    this.secretDigest = secretDigest;
    this.sharesSecretsKey = settings.sharesSecretsKey;
    this.sql = {
      schema,
      query: (text, parameters) => database.query(text, parameters),
      transaction: (work) => database.transaction(work),
    };
    this.#lease = new Lease(leaseMs, (ids, owner) => this.#renew(ids, owner));
    this.#approvals = new SqlApprovals(database, schema, this.#lease);
    this.#limits = new SqlLimits(schema, leaseMs);
    this.#retention = retention;
  }

  async begin(entry: NewEntry, options: BeginOptions = {}): Promise<Begun> {
    const { inTransaction, limit, state = 'running' } = options;
    const isAlone = inTransaction === undefined && limit === undefined;
    const attempt = { mayBeWritten: false };
    const inserted = isAlone
      ? this.#lease.retry(() => this.#insert(this.#database, entry, options))
      : this.#insertInTurn(entry, options, attempt);
    const written = await inserted.catch((error: unknown) => ({ error }));
    if (typeof written === 'object' && 'error' in written) {
      const { error } = written;
      if (state === 'queued' && attempt.mayBeWritten) return { kind: 'unknown', error };
      if (state === 'running' && mayRecover(error)) this.#removeLater(entry.id);
      throw error;
    }
    if (written === true) {
      if (state === 'running') this.#lease.hold(entry.id);
      this.#retention?.afterWrite();
      return { kind: 'begun' };
    }
    const known = await this.#known(entry);
    if (known === undefined && written !== false) return { kind: 'limited', reason: written.reason };
    // The other call ended without running, and its id is free again.
    if (known === undefined) return this.begin(entry, options);
    // The connection broke after the row had been written.
    if (known.id !== entry.id) return { kind: 'known', entry: known };
    if (state === 'running') this.#lease.hold(entry.id);
    return { kind: 'begun' };
  }

  /** Deletes the row of a call that is reported as not executed: it may have been written before the connection broke. */
  #removeLater(id: string): void {
    this.#lease.hold(id);
    this.#lease.writeLater(id, async () => {
      await this.#database.query(`delete from ${this.#calls} where id = $1 and owner = $2`, [
        id,
        this.#lease.owner,
      ]);
      this.#lease.release(id);
    });
  }

  /** Inserts the row when the limit of the call allows it; false: the call is known. */
  #insertInTurn(
    entry: NewEntry,
    options: BeginOptions,
    attempt: { mayBeWritten: boolean },
  ): Promise<boolean | PlaceRefused> {
    const insert = () => this.#lease.retry(() => this.#insertTogether(entry, options, attempt));
    const isKnown = async () => (await this.#known(entry)) !== undefined;
    return this.#limits.wait(this.#database, { ...options, id: entry.id, insert, isKnown });
  }

  /** Inserts the row and what belongs to it in one transaction. */
  #insertTogether(
    entry: NewEntry,
    options: BeginOptions,
    attempt: { mayBeWritten: boolean },
  ): Promise<boolean | PlaceRefused> {
    const { inTransaction, limit } = options;
    return this.#database.transaction(async (transaction) => {
      const refused = limit && (await this.#limits.take(transaction, entry, limit));
      if (refused !== undefined) return refused;
      const inserted = await this.#insert(transaction, entry, options);
      if (!inserted) return false;
      await inTransaction?.(transaction);
      // The answer to the commit may be lost.
      attempt.mayBeWritten = true;
      return true;
    });
  }

  async #insert(database: SqlDatabase, entry: NewEntry, options: BeginOptions): Promise<boolean> {
    const { state = 'running', outcome, isLate = false, limit } = options;
    const isRunning = state === 'running';
    const rows = await database.query(
      `insert into ${this.#calls} (${insertColumns}, state, attempts, is_late, outcome, outcome_status, limit_key, owner, lease_until)
       values ($1, $2, $3, $4, $5, $6, $7::json, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19::json, $20, $21, $22,
         clock_timestamp() + $23 * interval '1 millisecond')
       on conflict do nothing returning id`,
      [
        ...insertValues(entry),
        state,
        isRunning ? 1 : 0,
        isLate,
        outcome === undefined ? null : JSON.stringify(outcome),
        outcome?.status ?? null,
        limit === undefined ? null : storable(limit.key),
        isRunning ? this.#lease.owner : null,
        isRunning ? this.#lease.milliseconds : null,
      ],
    );
    return rows.length > 0;
  }

  async #known(entry: NewEntry): Promise<JournalEntry | undefined> {
    const { id, tenant, conversation = null, turn = '', callId, tool, idempotencyKey = null } = entry;
    return this.#one(
      `select ${entryColumns} from ${this.#calls} calls
       where id = $1 or (state <> 'not_run' and tenant = $2 and (
         (conversation = $3 and turn = $7 and call_id = $4) or (tool = $5 and idempotency_key = $6
           and (state <> 'ended' or outcome_status = 'completed'))))
       order by id = $1 desc, coalesce(conversation = $3 and turn = $7 and call_id = $4, false) desc limit 1`,
      [
        id,
        storable(tenant),
        conversation === null ? null : storable(conversation),
        storable(callId),
        storable(tool),
        idempotencyKey === null ? null : storable(idempotencyKey),
        storable(turn),
      ],
    );
  }

  async start(id: string, from: readonly JournalState[]): Promise<JournalEntry | undefined> {
    const entry = await this.#one(
      `update ${this.#calls} calls set state = 'running', attempts = attempts + 1, owner = $3,
         lease_until = clock_timestamp() + $4 * interval '1 millisecond', updated_at = clock_timestamp()
       where id = $1 and state = any($2) returning ${entryColumns}`,
      [id, [...from], this.#lease.owner, this.#lease.milliseconds],
    ).catch((error: unknown) => {
      // A call that was taken over is left to the next look.
      if (from.includes('running')) this.#lease.release(id);
      throw error;
    });
    if (entry !== undefined) this.#lease.hold(id);
    return entry;
  }

  requireLease(id: string): Promise<void> {
    return this.#lease.require(id);
  }

  async startInTurn(call: QueuedCall, most: RunningLimits): Promise<StartedInTurn> {
    const started = await this.#database.transaction((transaction) =>
      this.#limits.start(transaction, call, most, this.#lease),
    );
    if (started.kind === 'started') this.#lease.hold(call.id);
    return started;
  }

  async edit(id: string, call: CallRecord): Promise<void> {
    await this.#lease.retry(() =>
      this.#database.query(
        `update ${this.#calls} set call = $2::json, updated_at = clock_timestamp() where id = $1`,
        [id, JSON.stringify(call)],
      ),
    );
  }

  /**
   * Rejects if the database can't be reached for long, and writes the outcome later. A call that never ran here may run in another
   * process by now.
   */
  async end(
    id: string,
    { state, outcome }: EntryEnd,
    from: readonly JournalState[] = ['running', 'in_doubt'],
  ): Promise<boolean> {
    const write = async (): Promise<boolean> => {
      const rows = await this.#database.query(
        `update ${this.#calls} set state = $2, outcome = $3::json, outcome_status = $4, owner = null,
           lease_until = null, updated_at = clock_timestamp()
         where id = $1 and state = any($5)
           and ($2 <> 'not_run' or owner = $6 or state = 'in_doubt' and attempts = 1) returning id`,
        [id, state, JSON.stringify(outcome), outcome.status, [...from], this.#lease.owner],
      );
      this.#lease.release(id);
      return rows.length > 0;
    };
    try {
      return await this.#lease.retry(write);
    } catch (error) {
      if (mayRecover(error)) this.#lease.writeLater(id, write);
      else this.#lease.release(id);
      throw error;
    }
  }

  /** Leaves out the calls that this process still runs, although it may not have renewed their leases in time. */
  async takeAbandoned(limit: number, which: AbandonedCalls): Promise<readonly JournalEntry[]> {
    const { id = null, definitions = [], tools = [] } = which;
    const rows = await this.#database.query(
      `update ${this.#calls} calls set owner = $1, is_late = is_late or $4::uuid is null,
         lease_until = clock_timestamp() + $2 * interval '1 millisecond', updated_at = clock_timestamp()
       where id in (
         select id from ${this.#calls} where state = 'running' and lease_until < clock_timestamp()
           and id <> all($5::uuid[]) and (id = $4 or $4::uuid is null and (contract = any($6)
             or not rerun and tool = any($7) or lease_until < clock_timestamp() - $2 * interval '20 milliseconds'))
         order by created_at limit $3 for update skip locked)
       returning ${entryColumns}`,
      [this.#lease.owner, this.#lease.milliseconds, limit, id, this.#lease.held, definitions, tools],
    );
    const entries = rows.map(entryOfRow);
    for (const entry of entries) this.#lease.hold(entry.id);
    return entries;
  }

  async doubt(id: string): Promise<void> {
    await this.#giveUp(id, "'in_doubt', is_late = true");
  }

  async settled(id: string, signal?: AbortSignal): Promise<JournalEntry | undefined> {
    for (let pause = 20; ; pause = Math.min(pause * 1.5, 500)) {
      const entry = await this.entry(id);
      const isRunning = entry?.state === 'running' || entry?.state === 'queued';
      if (!isRunning || (entry.isAbandoned && !this.#lease.holds(id)) || signal?.aborted === true)
        return entry;
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  async define(contract: string, definition: JsonObject): Promise<void> {
    if (this.#defined.has(contract)) return;
    await this.#lease.retry(() =>
      this.#database.query(
        `insert into ${this.#definitions} (digest, definition) values ($1, $2::json) on conflict do nothing`,
        [contract, JSON.stringify(definition)],
      ),
    );
    this.#defined.add(contract);
  }

  async definition(contract: string): Promise<JsonObject | undefined> {
    const [row] = await this.#database.query(
      `select definition::text as definition from ${this.#definitions} where digest = $1`,
      [contract],
    );
    return objectIn(row?.['definition']);
  }

  entry(id: string): Promise<JournalEntry | undefined> {
    if (!isUuid(id)) return Promise.resolve(undefined);
    return this.#one(`select ${entryColumns} from ${this.#calls} calls where id = $1`, [id]);
  }

  async list(query: JournalQuery): Promise<readonly JournalEntry[]> {
    checkQuery(query);
    const { limit = 100, before, ...wanted } = query;
    if (before !== undefined && !isUuid(before)) return [];
    const { tenant, conversation, tool, state, callId, isLate } = wanted;
    const conditions = Object.entries({ tenant, conversation, tool, state, call_id: callId }).filter(
      ([, value]) => value !== undefined,
    );
    const equal = conditions.map(([column], index) => ` and ${column} = $${index + 3}`).join('');
    const where = isLate === true ? `${equal} and is_late` : equal;
    const rows = await this.#database.query(
      `select ${entryColumns} from ${this.#calls} calls
       where ($2::uuid is null or (calls.created_at, id) < (select created_at, id from ${this.#calls} where id = $2))${where}
       order by calls.created_at desc, id desc limit $1`,
      [limit, before ?? null, ...conditions.map(([, value]) => storable(String(value)))],
    );
    return rows.map(entryOfRow);
  }

  async deliver(tenant: string, conversation: string | undefined): Promise<readonly JournalEntry[]> {
    const rows = await this.#database.query(
      `update ${this.#calls} calls set delivered_at = clock_timestamp()
       where id in (
         select id from ${this.#calls} where is_late and state in ('ended', 'not_run') and delivered_at is null
           and tenant = $1 and conversation is not distinct from $2 for update skip locked)
       returning ${entryColumns}`,
      [storable(tenant), conversation === undefined ? null : storable(conversation)],
    );
    return rows.map(entryOfRow).toSorted((one, other) => (one.updatedAt < other.updatedAt ? -1 : 1));
  }

  async delivered(id: string): Promise<void> {
    if (!isUuid(id)) return;
    await this.#database.query(
      `update ${this.#calls} set delivered_at = clock_timestamp() where id = $1 and delivered_at is null`,
      [id],
    );
  }

  async requeue(id: string): Promise<void> {
    await this.#giveUp(id, "'queued'");
  }

  /** If the database can't be reached, the lease ends, so that another process takes the call over, or this one does. */
  async #giveUp(id: string, state: string): Promise<void> {
    const write = (): Promise<unknown> =>
      this.#database.query(
        `update ${this.#calls} set state = ${state}, owner = null, lease_until = null, updated_at = clock_timestamp()
         where id = $1 and state = 'running' and owner = $2`,
        [id, this.#lease.owner],
      );
    await this.#lease.retry(write).finally(() => this.#lease.release(id));
  }

  openApproval(entry: string, approval: NewApproval): Promise<boolean> {
    return this.#approvals.open(entry, approval);
  }

  findApproval(id: string, tenant: string, seal: string | undefined): Promise<FoundApproval> {
    return this.#approvals.find(id, tenant, seal);
  }

  useApproval(id: string, tenant: string, use: ApprovalUse): Promise<boolean> {
    return this.#approvals.use(id, tenant, use);
  }

  flush(): Promise<void> {
    return this.#lease.flush();
  }

  async close(): Promise<void> {
    await this.#lease.close();
    await this.#retention?.close();
    await this.#database.close();
  }

  async #renew(ids: readonly string[], owner: string): Promise<readonly string[]> {
    const rows = await this.#database.query(
      `update ${this.#calls} set lease_until = clock_timestamp() + $3 * interval '1 millisecond'
       where id = any($1::uuid[]) and owner = $2 and state = 'running' returning id`,
      [[...ids], owner, this.#lease.milliseconds],
    );
    return rows.map(({ id }) => String(id));
  }

  async #one(text: string, parameters: readonly unknown[]): Promise<JournalEntry | undefined> {
    const [row] = await this.#lease.retry(() => this.#database.query(text, parameters));
    return row === undefined ? undefined : entryOfRow(row);
  }
}
