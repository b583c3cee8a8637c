import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AbandonedCalls,
  type ApprovalUse,
  type BeginResult,
  type BeginOptions,
  type EntryEnd,
  type FoundApproval,
  type CallStore,
  type JournalEntry,
  type JournalQuery,
  type JournalState,
  type NewApproval,
  type NewEntry,
  type QueuedCall,
  type RunningLimits,
  type SqlDatabase,
  type StartInTurnResult,
  isUuid,
} from '../store/call-store.ts';
import { ToolmendError } from '../errors/errors.ts';
import { type StoredOutcome, isDone } from '../outcomes/stored-outcome.ts';
import type { CallRecord } from '../interpret/records.ts';
import type { JsonObject } from '../json/value.ts';
import { missesOf, statusOf } from '../store/call-facts.ts';
import type { ChangesQuery, EntryChanges, StatsQuery, StatsRow } from '../store/call-figures.ts';
import {
  entryColumns,
  entryOfRow,
  insertColumns,
  insertValues,
  objectIn,
  storable,
} from './entry-rows.ts';
import { setChanged, insertMisses, missesParameter, statusAfter } from './call-columns.ts';
import { Lease, leaseLost } from './lease.ts';
import { Places } from './places.ts';
import type { Retention } from './retention.ts';
import type { SecretDigest } from './secret-digest.ts';
import type { FactsOfOldCalls } from './facts-of-old-calls.ts';
import { SqlApprovals } from './sql-approvals.ts';
import { type OpenDatabase, fitsLater, mayRecover } from './sql-database.ts';
import { SqlFigures } from './sql-figures.ts';
import { SqlHintCounts } from './sql-hint-counts.ts';
import { type PlaceRefused, SqlLimits } from './sql-limits.ts';
import { TakenResults } from './taken-results.ts';

export interface SqlJournalSettings {
  readonly schema: string;
  readonly leaseMs: number;
  readonly maxResultChars: number;
  readonly secretDigest: SecretDigest;
  readonly sharesSecretsKey: boolean;
  readonly retention?: Retention | undefined;
  readonly oldCalls?: FactsOfOldCalls | undefined;
}

/** A journal in PostgreSQL or PGlite, whose clock decides about leases and expiry. */
export class SqlJournal implements CallStore {
  readonly sql: NonNullable<CallStore['sql']>;
  readonly maxResultChars: number;
  readonly secretDigest: SecretDigest;
  readonly keepsSecrets = false;
  readonly hintCounts: SqlHintCounts;
  readonly sharesSecretsKey: boolean;
  readonly #database: OpenDatabase;
  readonly #calls: string;
  readonly #approvals: SqlApprovals;
  readonly #limits: SqlLimits;
  readonly #taken: TakenResults;
  readonly #retention: Retention | undefined;
  readonly #oldCalls: FactsOfOldCalls | undefined;
  readonly #figures: SqlFigures;
  readonly #definitions: string;
  readonly #defined = new Set<string>();
  readonly #lease: Lease;
  readonly #places: Places;
  /** The outcomes that were committed with the work of their calls, as JSON, by the calls' ids. */
  readonly #committed = new Map<string, string>();

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
    this.#taken = new TakenResults(database, schema, leaseMs);
    this.#retention = retention;
    this.#oldCalls = settings.oldCalls;
    this.#figures = new SqlFigures(database, schema);
    this.hintCounts = new SqlHintCounts(database, schema);
    this.#places = new Places(Math.max(1, database.connections - 2));
  }

  async begin(entry: NewEntry, options: BeginOptions = {}): Promise<BeginResult> {
    const { inTransaction, limit, state = 'running' } = options;
    const isAlone = inTransaction === undefined && limit === undefined;
    const attempt = { mayBeWritten: false };
    const since = performance.now();
    const insertedPlace = isAlone
      ? this.#lease.retry(() => this.#insert(this.#database, entry, options))
      : this.#insertInTurn(entry, options, attempt);
    const insertion = await insertedPlace.catch((error: unknown) => ({ error }));
    if (typeof insertion === 'object' && 'error' in insertion) {
      const { error } = insertion;
      if (state === 'queued' && attempt.mayBeWritten) return { kind: 'unknown', error };
      if (state === 'running' && mayRecover(error)) this.#removeLater(entry.id);
      throw error;
    }
    if (insertion === true) {
      if (state === 'running') this.#lease.hold(entry.id, since);
      this.#retention?.afterWrite();
      return { kind: 'begun' };
    }
    const existingEntry = await this.#known(entry);
    if (existingEntry === undefined && insertion !== false)
      return { kind: 'limited', reason: insertion.reason };
    // The other call ended without running, and its id is free again.
    if (existingEntry === undefined) return this.begin(entry, options);
    // The connection broke after the row had been written.
    if (existingEntry.id !== entry.id) return { kind: 'known', entry: existingEntry };
    if (state === 'running') this.#lease.hold(entry.id, since);
    return { kind: 'begun' };
  }

  /**
   * Deletes the row of a call that is reported as not executed: it may have been written before the
   * connection broke.
   */
  #removeLater(id: string): void {
    this.#lease.hold(id, performance.now());
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
      const refusal = limit && (await this.#limits.take(transaction, entry, limit));
      if (refusal !== undefined) return refusal;
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
    const misses = missesOf(entry);
    const insert = `insert into ${this.#calls} (${insertColumns}, state, attempts, is_late, outcome, outcome_status, limit_key, owner, lease_until)
       values ($1, $2, $3, $4, $5, $6, $7::json, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21::json, $22::json,
         $23, $24, $25, $26::json, $27, $28, $29, clock_timestamp() + $30 * interval '1 millisecond')
       on conflict do nothing returning id`;
    const rows = await database.query(
      misses.length === 0
        ? insert
        : `with inserted as (${insert}, created_at),
           missed as (${insertMisses(this.sql.schema, 'inserted', '$31')})
           select id from inserted`,
      [
        ...insertValues({ ...entry, status: statusOf(entry, outcome) }),
        state,
        isRunning ? 1 : 0,
        isLate,
        outcome === undefined ? null : JSON.stringify(outcome),
        outcome?.status ?? null,
        limit === undefined ? null : storable(limit.key),
        isRunning ? this.#lease.owner : null,
        isRunning ? this.#lease.milliseconds : null,
        ...(misses.length === 0 ? [] : [missesParameter([entry])]),
      ],
    );
    return rows.length > 0;
  }

  async #known(entry: NewEntry): Promise<JournalEntry | undefined> {
    const {
      id,
      tenant,
      conversation = null,
      turn = '',
      callId,
      tool,
      idempotencyKey = null,
    } = entry;
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

  async start(
    id: string,
    from: readonly JournalState[],
    by?: string,
  ): Promise<JournalEntry | undefined> {
    const since = performance.now();
    const entry = await this.#one(
      `update ${this.#calls} calls set state = 'running', attempts = attempts + 1, owner = $3,
         lease_until = clock_timestamp() + $4 * interval '1 millisecond', ${setChanged},
         outcome = null, outcome_status = null, decided_by = coalesce($5, decided_by), ${statusAfter(undefined)}
       where id = $1 and state = any($2) returning ${entryColumns}`,
      [id, [...from], this.#lease.owner, this.#lease.milliseconds, decider(by)],
    ).catch((error: unknown) => {
      // A call that was taken over is left to the next look.
      if (from.includes('running')) this.#lease.release(id);
      throw error;
    });
    if (entry !== undefined) this.#lease.hold(id, since);
    return entry;
  }

  requireLease(id: string): Promise<void> {
    return this.#lease.require(id);
  }

  async startInTurn(call: QueuedCall, most: RunningLimits): Promise<StartInTurnResult> {
    const since = performance.now();
    const start = await this.#database.transaction((transaction) =>
      this.#limits.start(transaction, call, most, this.#lease),
    );
    if (start.kind === 'started') this.#lease.hold(call.id, since);
    return start;
  }

  async runInTransaction(
    id: string,
    work: (transaction: SqlDatabase) => Promise<StoredOutcome>,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#places.take(signal);
    try {
      const outcome = await this.#commit(id, work);
      this.#committed.set(id, outcome);
      this.#lease.release(id);
    } finally {
      this.#places.leave();
    }
  }

  /** Returns the outcome as JSON. */
  async #commit(
    id: string,
    work: (transaction: SqlDatabase) => Promise<StoredOutcome>,
  ): Promise<string> {
    const attempt = { mayBeCommitted: false, outcome: '' };
    const commit = async (transaction: SqlDatabase): Promise<void> => {
      attempt.mayBeCommitted = false;
      const outcome = await work(transaction);
      attempt.outcome = JSON.stringify(outcome);
      const rows = await transaction.query(
        // The row stays locked no longer than that if the commit never arrives.
        `update ${this.#calls} set state = 'ended', outcome = $2::json, outcome_status = $3, owner = null,
           lease_until = null, ${setChanged}, ${statusAfter(outcome)}
         where id = $1 and state = 'running' and owner = $4
         returning set_config('idle_in_transaction_session_timeout', '10000', true)`,
        [id, attempt.outcome, outcome.status, this.#lease.owner],
      );
      if (rows.length === 0) throw leaseLost();
      attempt.mayBeCommitted = true;
    };
    try {
      await this.#database.transaction(commit);
    } catch (error) {
      if (!attempt.mayBeCommitted) throw error;
      if (!(await this.#isCommitted(id, attempt.outcome))) throw error;
    }
    return attempt.outcome;
  }

  /** Waits for a transaction that still holds the row, after the answer to its commit was lost. */
  async #isCommitted(id: string, outcome: string): Promise<boolean> {
    const look = () =>
      this.#database.query(
        `select outcome::text = $2 as is_committed from ${this.#calls} where id = $1 for update`,
        [id, outcome],
      );
    const [row] = await this.#lease.retry(look).catch((cause: unknown) => {
      const why = 'the database is out of reach, and may have committed the work of the call';
      throw new ToolmendError('commit-unknown', why, { cause });
    });
    return row?.['is_committed'] === true;
  }

  async edit(id: string, call: CallRecord, interpretedCall: CallRecord): Promise<void> {
    await this.#lease.retry(() =>
      this.#database.query(
        `update ${this.#calls} set call = $2::json, ${setChanged} where id = $1`,
        [id, JSON.stringify({ ...call, interpreted: interpretedCall })],
      ),
    );
  }

  /**
   * Rejects if the database can't be reached for long, or refuses the outcome, and writes it later.
   * A call that never ran here may run in another process by now.
   */
  async end(
    id: string,
    { state, outcome, work, by }: EntryEnd,
    from: readonly JournalState[] = ['running', 'in_doubt'],
  ): Promise<boolean> {
    const committedText = this.#committed.get(id);
    this.#committed.delete(id);
    if (committedText !== undefined) return this.#amend(id, outcome, committedText);
    // The index of idempotency keys knows what is done by this status.
    const status = isDone(outcome) && work !== 'undone' ? 'completed' : outcome.status;
    const write = async (): Promise<boolean> => {
      const rows = await this.#database.query(
        `update ${this.#calls} set state = $2, outcome = $3::json, outcome_status = $4, owner = null,
           lease_until = null, decided_by = coalesce($7, decided_by), ${setChanged}, ${statusAfter(outcome)}
         where id = $1 and state = any($5)
           and ($2 <> 'not_run' or owner = $6 or state = 'in_doubt' and attempts = 1) returning id`,
        [id, state, JSON.stringify(outcome), status, [...from], this.#lease.owner, decider(by)],
      );
      this.#lease.release(id);
      return rows.length > 0;
    };
    try {
      return await this.#lease.retry(write);
    } catch (error) {
      if (fitsLater(error) && this.#lease.holds(id)) this.#lease.writeLater(id, write);
      else this.#lease.release(id);
      throw error;
    }
  }

  /**
   * Interceptors may have changed an outcome since it was committed. The work is done whatever they
   * did, so that the call keeps its idempotency key.
   */
  async #amend(id: string, outcome: StoredOutcome, committedText: string): Promise<boolean> {
    const text = JSON.stringify(outcome);
    if (text === committedText) return true;
    const rows = await this.#lease.retry(() =>
      this.#database.query(
        `update ${this.#calls} set outcome = $2::json, ${setChanged}, ${statusAfter(outcome)}
         where id = $1 and state = 'ended' returning id`,
        [id, text],
      ),
    );
    return rows.length > 0;
  }

  async cancelWithKey(id: string, outcome: StoredOutcome): Promise<boolean> {
    const rows = await this.#lease.retry(() =>
      this.#database.query(
        `update ${this.#calls} set outcome = $2::json, outcome_status = $3, ${setChanged}, ${statusAfter(outcome)}
         where id = $1 and state = 'running' and idempotency_key is not null returning id`,
        [id, JSON.stringify(outcome), outcome.status],
      ),
    );
    return rows.length > 0;
  }

  /**
   * Leaves out the calls that this process still runs, although it may not have renewed their
   * leases in time.
   */
  async takeAbandoned(limit: number, which: AbandonedCalls): Promise<readonly JournalEntry[]> {
    const { id = null, definitions = [], tools = [] } = which;
    const since = performance.now();
    const rows = await this.#database.query(
      `update ${this.#calls} calls set owner = $1, is_late = is_late or $4::uuid is null,
         lease_until = clock_timestamp() + $2 * interval '1 millisecond', ${setChanged}
       where id in (
         select id from ${this.#calls} where state = 'running' and lease_until < statement_timestamp()
           and id <> all($5::uuid[]) and (id = $4 or $4::uuid is null and (contract = any($6)
             or not rerun and tool = any($7) or lease_until < statement_timestamp() - $2 * interval '20 milliseconds'))
         order by created_at limit $3 for update skip locked)
       returning ${entryColumns}`,
      [
        this.#lease.owner,
        this.#lease.milliseconds,
        limit,
        id,
        this.#lease.heldEntries,
        definitions,
        tools,
      ],
    );
    const entries = rows.map(entryOfRow);
    for (const entry of entries) this.#lease.hold(entry.id, since);
    return entries;
  }

  async doubt(id: string): Promise<void> {
    await this.#giveUp(id, 'in_doubt');
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

  list(query: JournalQuery): Promise<readonly JournalEntry[]> {
    return this.#figures.list(query);
  }

  stats(query: StatsQuery): Promise<readonly StatsRow[]> {
    return this.#figures.stats(query);
  }

  changes(query?: ChangesQuery): Promise<EntryChanges<JournalEntry>> {
    return this.#figures.changes(query);
  }

  deliver(tenant: string, conversation: string | undefined): Promise<readonly JournalEntry[]> {
    return this.#taken.take(tenant, conversation);
  }

  async delivered(...ids: readonly string[]): Promise<void> {
    const entryIds = ids.filter(isUuid);
    if (entryIds.length > 0) await this.#taken.finish(entryIds);
  }

  async requeue(id: string): Promise<void> {
    await this.#giveUp(id, 'queued');
  }

  /**
   * If the database can't be reached, the lease ends, so that another process takes the call over,
   * or this one does. A call that was cancelled meanwhile has ended.
   */
  async #giveUp(id: string, state: 'queued' | 'in_doubt'): Promise<void> {
    const write = (): Promise<unknown> =>
      this.#database.query(
        `update ${this.#calls} set state = case when outcome is null then $3 else 'ended' end,
           is_late = is_late or $3 = 'in_doubt', owner = null, lease_until = null, ${setChanged}
         where id = $1 and state = 'running' and owner = $2`,
        [id, this.#lease.owner, state],
      );
    await this.#lease.retry(write).finally(() => this.#lease.release(id));
  }

  openApproval(entry: string, approval: NewApproval): Promise<boolean> {
    return this.#approvals.open(entry, approval);
  }

  findApproval(id: string, tenant: string): Promise<FoundApproval> {
    return this.#approvals.find(id, tenant);
  }

  useApproval(id: string, tenant: string, use: ApprovalUse): Promise<boolean> {
    return this.#approvals.use(id, tenant, use);
  }

  expiredQuestions(limit: number, tools: readonly string[]): Promise<readonly JournalEntry[]> {
    return this.#approvals.expiredQuestions(limit, tools);
  }

  letGo(id: string): void {
    this.#lease.release(id);
  }

  flush(): Promise<void> {
    return this.#lease.flush();
  }

  async close(): Promise<void> {
    await this.#lease.close();
    await this.#taken.close();
    await this.#retention?.close();
    await this.#oldCalls?.close();
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

/** Who decided, as a parameter of a statement. */
const decider = (by: string | undefined): string | null => (by === undefined ? null : storable(by));
