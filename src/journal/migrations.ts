// The tables of the journal, and how they are made.
import { ToolmendError } from '../errors/errors.ts';
import type { SqlDatabase } from '../execute/journal.ts';
import type { OpenDatabase } from './sql-database.ts';

/** One step a version. A step that was released never changes. `schema` is a checked identifier. */
const migrations: readonly ((schema: string) => string)[] = [
  (schema) => `
    create table ${schema}.calls (
      id uuid primary key,
      tenant text not null,
      conversation text,
      call_id text not null,
      tool text not null,
      sent text,
      call json,
      contract text,
      interpreter text not null,
      digest text not null,
      idempotency_key text,
      rerun boolean not null,
      has_secrets boolean not null,
      state text not null,
      attempts integer not null,
      approved text,
      approval json,
      outcome json,
      outcome_status text,
      is_late boolean not null,
      delivered_at timestamptz,
      limit_key text,
      owner uuid,
      lease_until timestamptz,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp()
    );
    create unique index calls_by_id on ${schema}.calls (tenant, conversation, call_id)
      where conversation is not null and state <> 'not_run';
    create unique index calls_by_key on ${schema}.calls (tenant, tool, idempotency_key)
      where idempotency_key is not null and state <> 'not_run'
        and (state <> 'ended' or outcome_status = 'completed');
    create index calls_by_lease on ${schema}.calls (lease_until) where state = 'running';
    create index calls_in_doubt on ${schema}.calls (created_at) where state = 'in_doubt';
    create index calls_to_deliver on ${schema}.calls (tenant, conversation)
      where is_late and state = 'ended' and delivered_at is null;
    create index calls_by_limit on ${schema}.calls (limit_key, created_at) where limit_key is not null;
    create index calls_by_age on ${schema}.calls (created_at);
    create table ${schema}.approvals (
      id uuid primary key,
      call uuid not null references ${schema}.calls (id) on delete cascade,
      seal text not null,
      state text not null,
      expires_at timestamptz not null,
      approval json
    );
    create index approvals_by_call on ${schema}.approvals (call);
    create table ${schema}.definitions (digest text primary key, definition json not null);`,
  (schema) => `alter table ${schema}.journal add column pruned_at timestamptz;`,
  // Calls that never ran are delivered too.
  (schema) => `
    drop index ${schema}.calls_to_deliver;
    create index calls_to_deliver on ${schema}.calls (tenant, conversation)
      where is_late and state in ('ended', 'not_run') and delivered_at is null;`,
  (schema) => `
    alter table ${schema}.calls add column turn text not null default '', add column secrets text;
    drop index ${schema}.calls_by_id;
    create unique index calls_by_id on ${schema}.calls (tenant, conversation, turn, call_id)
      where conversation is not null and state <> 'not_run';
    create index calls_by_turn on ${schema}.calls (limit_key, tenant, created_at) where limit_key is not null;
    create table ${schema}.waiting (
      id uuid primary key,
      limit_key text not null,
      tenant text not null,
      since timestamptz not null default clock_timestamp(),
      seen_at timestamptz not null default clock_timestamp()
    );
    create index waiting_by_limit on ${schema}.waiting (limit_key);`,
  (schema) => `
    alter table ${schema}.approvals add column used_by uuid;
    create index calls_queued on ${schema}.calls (updated_at) where state = 'queued';`,
];

/** The version that made each table. */
const tables = { calls: 1, approvals: 1, definitions: 1, waiting: 4 };

const wrong = (code: string, what: string, instead: string): ToolmendError =>
  new ToolmendError(code, `The journal ${what}: ${instead}.`);

/** Makes the tables, or brings those of an older version up to date. Throws for a schema that can't be used. */
export async function migrate(database: OpenDatabase, schema: string): Promise<void> {
  const version = await versionOf(database, schema);
  if (version === migrations.length) return checkWritable(database);
  await checkWritable(database);
  await database.transaction(async (transaction) => {
    // Replicas that start at the same time wait for each other.
    await transaction.query('select pg_advisory_xact_lock(hashtext($1))', [`toolmend.journal.${schema}`]);
    const from = await versionOf(transaction, schema);
    if (from === undefined) {
      await transaction.query(`create schema if not exists ${schema};
        create table ${schema}.journal (format text not null, version integer not null);
        insert into ${schema}.journal values ('toolmend.journal', 0);`);
    }
    for (const step of migrations.slice(from ?? 0)) await transaction.query(step(schema));
    await transaction.query(`update ${schema}.journal set version = $1`, [migrations.length]);
  });
}

/** Throws for a schema that is not a journal of this version. */
export async function requireCurrent(database: SqlDatabase, schema: string): Promise<void> {
  const version = await versionOf(database, schema);
  if (version === undefined)
    throw wrong('journal-missing', `is not in the schema ${schema}`, 'name its schema');
  if (version === migrations.length) return;
  const what = `in the schema ${schema} has the old version ${version}`;
  throw wrong('journal-version', what, 'open it once with openJournal, which brings it up to date');
}

/** The version of the tables; undefined if there are none. */
async function versionOf(database: SqlDatabase, schema: string): Promise<number | undefined> {
  const rows = await database.query(
    'select table_name from information_schema.tables where table_schema = $1',
    [schema],
  );
  const names = rows.map(({ table_name: name }) => String(name));
  if (names.length === 0) return undefined;
  const foreign = wrong(
    'journal-foreign',
    `can't use the schema ${schema}, which has tables of another application`,
    "name another one, openJournal({ …, schema: 'agent_journal' })",
  );
  if (!names.includes('journal')) throw foreign;
  const [row] = await readMarker(database, schema, foreign);
  const version = Number(row?.['version']);
  if (row?.['format'] !== 'toolmend.journal' || !Number.isInteger(version)) throw foreign;
  if (version > migrations.length) {
    const found = `in the schema ${schema} has version ${version}, and this toolmend knows versions up to ${migrations.length}`;
    throw wrong('journal-version', found, 'install the toolmend that wrote it, or a newer one');
  }
  const missing = Object.entries(tables)
    .filter(([name, since]) => version >= since && !names.includes(name))
    .map(([name]) => name);
  if (missing.length > 0) {
    const what = `in the schema ${schema} lacks the table ${missing.join(', ')}`;
    throw wrong('journal-incomplete', what, 'restore the whole schema from a backup');
  }
  return version;
}

async function readMarker(
  database: SqlDatabase,
  schema: string,
  foreign: ToolmendError,
): ReturnType<SqlDatabase['query']> {
  try {
    return await database.query(`select format, version from ${schema}.journal`, []);
  } catch (error) {
    // The table has other columns.
    throw Reflect.get(Object(error), 'code') === '42703' ? foreign : error;
  }
}

async function checkWritable(database: SqlDatabase): Promise<void> {
  const [row] = await database.query("select current_setting('transaction_read_only') as read_only", []);
  if (row?.['read_only'] !== 'on') return;
  throw wrong('journal-read-only', 'is in a database that is read-only', 'connect to the primary server');
}
