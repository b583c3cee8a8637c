import { defined } from '../collections/objects.ts';
import {
  type ApprovalUse,
  type FoundApproval,
  type JournalEntry,
  type NewApproval,
  type SqlDatabase,
  type SqlRow,
  type StoredApproval,
  isUuid,
} from '../store/call-store.ts';
import { setChanged } from './call-columns.ts';
import {
  answersOfRow,
  entryColumns,
  entryOfRow,
  pendingIn,
  storable,
  storedText,
} from './entry-rows.ts';
import type { Lease } from './lease.ts';

/** The approvals and questions of a journal in PostgreSQL or PGlite, whose clock decides about expiry. */
export class SqlApprovals {
  readonly #database: SqlDatabase;
  readonly #calls: string;
  readonly #approvals: string;
  readonly #lease: Lease;

  constructor(database: SqlDatabase, schema: string, lease: Lease) {
    this.#database = database;
    this.#calls = `${schema}.calls`;
    this.#approvals = `${schema}.approvals`;
    this.#lease = lease;
  }

  async open(entry: string, approval: NewApproval): Promise<boolean> {
    const { id, seal, expiresAfter, from } = approval;
    const pending = approval.approval ?? approval.question;
    const data = pending === undefined ? null : JSON.stringify(pending);
    const answers = approval.answers === undefined ? null : JSON.stringify(approval.answers);
    const rows = await this.#lease.retry(() =>
      this.#database.query(
        // The approval is there already if the connection broke after it had been written.
        `with waiting as (
           update ${this.#calls} set state = 'waiting', is_late = true, approval = $5::json, owner = null,
             lease_until = null, answers = coalesce($8::json, answers), ${setChanged}
           where id = $2 and (state = $6 and outcome is null and (state <> 'running' or owner = $7)
             or state = 'waiting' and exists (select 1 from ${this.#approvals} where id = $1))
           returning id),
         opened as (
           insert into ${this.#approvals} (id, call, seal, state, expires_at, approval, is_question)
           select $1, waiting.id, $3, 'open', clock_timestamp() + $4 * interval '1 millisecond', $5::json, $9
           from waiting on conflict do nothing)
         select id from waiting`,
        [
          id,
          entry,
          seal,
          expiresAfter,
          data,
          from,
          this.#lease.owner,
          answers,
          approval.question !== undefined,
        ],
      ),
    );
    if (from === 'running') this.#lease.release(entry);
    return rows.length > 0;
  }

  async find(id: string, tenant: string): Promise<FoundApproval> {
    const [row] = isUuid(id)
      ? await this.#database.query(
          `select approvals.state, approvals.seal, calls.state as call_state, calls.tenant = $2 as is_own, approvals.expires_at <= clock_timestamp() as is_expired,
             approvals.approval::text as approval, calls.id, coalesce(calls.idempotency_key, calls.id::text) as key,
             calls.approved, calls.answers::text as answers
           from ${this.#approvals} approvals join ${this.#calls} calls on calls.id = approvals.call
           where approvals.id = $1`,
          [id, storable(tenant)],
        )
      : [];
    if (row === undefined) return { state: 'unknown' };
    if (row['is_own'] !== true) return { state: 'other_tenant' };
    const approved = typeof row['approved'] === 'string' ? row['approved'] : undefined;
    return {
      state: approvalState(row),
      seal: String(row['seal']),
      entry: {
        id: String(row['id']),
        idempotencyKey: storedText(String(row['key'])),
        ...defined({ approved, answers: answersOfRow(row) }),
      },
      ...pendingIn(row),
    };
  }

  async use(id: string, tenant: string, use: ApprovalUse): Promise<boolean> {
    if (!isUuid(id)) return false;
    // If the connection breaks after the commit, the next attempt finds this mark.
    const mark = crypto.randomUUID();
    const since = performance.now();
    const call = await this.#lease.retry(async () => {
      const [usedRow] = await this.#use(id, tenant, use, mark);
      const [row] =
        usedRow === undefined
          ? await this.#database.query(
              `select call as id from ${this.#approvals} where id = $1 and used_by = $2`,
              [id, mark],
            )
          : [usedRow];
      return row?.['id'];
    });
    if (typeof call !== 'string') return false;
    if (use.kind !== 'end') this.#lease.hold(call, since);
    return true;
  }

  async expiredQuestions(
    limit: number,
    tools: readonly string[],
  ): Promise<readonly JournalEntry[]> {
    const rows = await this.#database.query(
      `select ${entryColumns} from ${this.#approvals} approvals join ${this.#calls} calls on calls.id = approvals.call
       where approvals.is_question and approvals.state = 'open' and approvals.approval is not null
         and approvals.expires_at <= statement_timestamp() and calls.state = 'waiting' and calls.tool = any($2)
       order by approvals.expires_at limit $1`,
      [limit, tools.map(storable)],
    );
    return rows.map(entryOfRow);
  }

  #use(
    id: string,
    tenant: string,
    use: ApprovalUse,
    mark: string,
  ): ReturnType<SqlDatabase['query']> {
    const isEnd = use.kind === 'end';
    const isRun = use.kind === 'run';
    return this.#database.query(
      // A call may have several open approvals. Of two statements that use them at once, the second
      // waits for the row of the call, and then finds that the call no longer waits: its approval
      // stays as it is.
      `with waiting as (
         select calls.id from ${this.#approvals} approvals join ${this.#calls} calls on calls.id = approvals.call
         where approvals.id = $1 and approvals.state = 'open' and calls.tenant = $2 and calls.state = 'waiting'
           and (not $3 or approvals.expires_at > clock_timestamp())
         for update of calls),
       used as (
         update ${this.#approvals} approvals set state = 'used', used_by = $11 from waiting
         where approvals.id = $1 and approvals.state = 'open'
         returning approvals.call)
       update ${this.#calls} calls set state = $4, approval = null, ${setChanged},
         call = coalesce($5::json, calls.call), approved = coalesce($6, calls.approved),
         answers = coalesce($13::json, calls.answers), attempts = attempts + ($4 = 'running')::integer,
         outcome = $7::json, outcome_status = $8, owner = $9, decided_by = coalesce($12, calls.decided_by),
         lease_until = clock_timestamp() + $10 * interval '1 millisecond'
       from used where calls.id = used.call and calls.state = 'waiting' returning calls.id`,
      [
        id,
        storable(tenant),
        isRun,
        isEnd ? 'ended' : 'running',
        isRun ? JSON.stringify(use.call) : null,
        isRun ? use.approved : null,
        isEnd ? JSON.stringify(use.outcome) : null,
        isEnd ? use.outcome.status : null,
        isEnd ? null : this.#lease.owner,
        isEnd ? null : this.#lease.milliseconds,
        mark,
        use.by === undefined ? null : storable(use.by),
        use.kind === 'answer' ? JSON.stringify(use.answers) : null,
      ],
    );
  }
}

function approvalState(row: SqlRow): StoredApproval['state'] {
  if (row['state'] !== 'open' || row['call_state'] !== 'waiting') return 'used';
  return row['is_expired'] === true ? 'expired' : 'open';
}
