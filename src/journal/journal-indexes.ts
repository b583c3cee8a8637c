// The indexes of the journal's tables, and how they are made.
import type { SqlDatabase } from '../store/call-store.ts';

interface JournalIndex {
  readonly name: string;
  readonly table: 'calls' | 'approvals' | 'waiting' | 'misses';
  readonly unique?: true;
  /** Its columns, and which rows it has. */
  readonly on: string;
}

/**
 * An index with another definition needs another name, and its old name goes to `replaced`. Rows
 * change their state, which some indexes depend on, so each index costs time twice for a call.
 */
const indexes: readonly JournalIndex[] = [
  // Calls that run once.
  {
    name: 'calls_once_by_id',
    table: 'calls',
    unique: true,
    on: `(tenant, conversation, turn, call_id) where conversation is not null and state <> 'not_run'`,
  },
  {
    name: 'calls_by_key',
    table: 'calls',
    unique: true,
    on: `(tenant, tool, idempotency_key) where idempotency_key is not null and state <> 'not_run'
      and (state <> 'ended' or outcome_status = 'completed')`,
  },
  // Leases and limits.
  { name: 'calls_by_lease', table: 'calls', on: `(lease_until) where state = 'running'` },
  {
    name: 'calls_by_limit',
    table: 'calls',
    on: '(limit_key, created_at) where limit_key is not null',
  },
  {
    name: 'calls_by_turn',
    table: 'calls',
    on: '(limit_key, tenant, created_at) where limit_key is not null',
  },
  { name: 'calls_queued', table: 'calls', on: `(updated_at) where state = 'queued'` },
  { name: 'waiting_by_limit', table: 'waiting', on: '(limit_key)' },
  { name: 'approvals_by_call', table: 'approvals', on: '(call)' },
  {
    name: 'questions_by_expiry',
    table: 'approvals',
    on: `(expires_at) where is_question and state = 'open' and approval is not null`,
  },
  // Results that were not delivered.
  {
    name: 'calls_undelivered',
    table: 'calls',
    on: `(tenant, conversation) where is_late and state in ('ended', 'not_run') and delivered_at is null`,
  },
  // Lists, the newest first. The newest calls that have ended are among the newest of all.
  // Also for counts, which read nothing but this index.
  {
    name: 'calls_by_time',
    table: 'calls',
    on: '(created_at) include (id, model, tool, status, release)',
  },
  { name: 'calls_by_state', table: 'calls', on: `(state, created_at) where state <> 'ended'` },
  { name: 'calls_by_tenant', table: 'calls', on: '(tenant, created_at)' },
  {
    name: 'calls_by_tenant_and_state',
    table: 'calls',
    on: `(tenant, state, created_at) where state <> 'ended'`,
  },
  {
    name: 'calls_by_conversation',
    table: 'calls',
    on: '(conversation, created_at) where conversation is not null',
  },
  { name: 'calls_by_tool', table: 'calls', on: '(tool, created_at)' },
  { name: 'calls_by_call_id', table: 'calls', on: '(call_id, created_at)' },
  { name: 'calls_late', table: 'calls', on: '(tenant, created_at) where is_late' },
  { name: 'calls_by_model', table: 'calls', on: '(model, created_at) where model is not null' },
  { name: 'calls_by_run', table: 'calls', on: '(run, created_at) where run is not null' },
  { name: 'calls_by_status', table: 'calls', on: `(status, created_at) where status <> 'valid'` },
  { name: 'misses_by_name', table: 'misses', on: '(kind, name, created_at, call)' },
  // What has changed, and rows of older versions.
  { name: 'calls_by_change', table: 'calls', on: '(changed_in, id)' },
  { name: 'calls_without_facts', table: 'calls', on: '(created_at) where status is null' },
];

/** Names of indexes that older versions made. */
const replacedIndexes: readonly string[] = [
  'calls_by_id',
  'calls_to_deliver',
  'calls_in_doubt',
  'calls_by_age',
];

/** `concurrently`: other processes write meanwhile, which is impossible in a transaction. */
export type Indexing = 'concurrently' | 'alone';

/** The statements that make all indexes, for new tables. `schema` is a checked identifier. */
export const newIndexes = (schema: string): readonly string[] =>
  indexes.map((index) => creation(index, schema, 'alone'));

/** The statements, in their order, after which the tables have these indexes and no older ones. */
export async function indexChanges(
  database: SqlDatabase,
  schema: string,
  indexing: Indexing,
): Promise<readonly string[]> {
  const rows = await database.query(
    `select class.relname as name, index.indisvalid as is_valid from pg_index index
       join pg_class class on class.oid = index.indexrelid
       join pg_namespace namespace on namespace.oid = class.relnamespace
     where namespace.nspname = $1`,
    [schema],
  );
  const present = new Map(rows.map((row) => [row['name'], row['is_valid'] === true]));
  const missingIndexes = indexes.filter(({ name }) => present.get(name) !== true);
  // A process that dies while it makes an index concurrently leaves it invalid.
  const invalid = missingIndexes.filter(({ name }) => present.has(name)).map(({ name }) => name);
  const outdatedIndexes = replacedIndexes.filter((name) => present.has(name));
  return [
    ...invalid.map((name) => removal(name, schema, indexing)),
    ...missingIndexes.map((index) => creation(index, schema, indexing)),
    ...outdatedIndexes.map((name) => removal(name, schema, indexing)),
  ];
}

const keyword: Readonly<Record<Indexing, string>> = { concurrently: 'concurrently', alone: '' };

const creation = (
  { name, table, unique, on }: JournalIndex,
  schema: string,
  indexing: Indexing,
): string =>
  `create ${unique === true ? 'unique ' : ''}index ${keyword[indexing]} ${name} on ${schema}.${table} ${on}`;

const removal = (name: string, schema: string, indexing: Indexing): string =>
  `drop index ${keyword[indexing]} ${schema}.${name}`;
