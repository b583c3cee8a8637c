// The tables of the journal, and how they are made. Their indexes are in journal-indexes.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolmendError } from '../errors/errors.ts';
import type { SqlDatabase } from '../store/call-store.ts';
import { indexChanges, newIndexes } from './journal-indexes.ts';
import type { OpenDatabase } from './sql-database.ts';

/**
 * The statements of each version, from the first. A released one never changes. `schema` is a checked
 * identifier. `JournalEntry` says what the columns of `calls` hold.
 */
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
    create table ${schema}.approvals (
      id uuid primary key,
      call uuid not null references ${schema}.calls (id) on delete cascade,
      seal text not null,
      state text not null,
      expires_at timestamptz not null,
      approval json
    );
    create table ${schema}.definitions (digest text primary key, definition json not null)`,
  (schema) => `alter table ${schema}.journal add column pruned_at timestamptz`,
  // Version 3 changed an index.
  () => '',
  (schema) => `
    alter table ${schema}.calls add column turn text not null default '', add column secrets text;
    create table ${schema}.waiting (
      id uuid primary key,
      limit_key text not null,
      tenant text not null,
      since timestamptz not null default clock_timestamp(),
      seen_at timestamptz not null default clock_timestamp()
    )`,
  (schema) => `alter table ${schema}.approvals add column used_by uuid`,
  // `FactsOfOldCalls` fills the new columns of older rows while the journal is in use. The default comes in a second
  // statement: PostgreSQL rewrites all rows if a column is added with a default that isn't constant.
  (schema) => `
    alter table ${schema}.calls add column model text, add column provider text, add column run text,
      add column release text, add column status text, add column rules json, add column issues json,
      add column changed_in xid8;
    alter table ${schema}.calls alter column changed_in set default pg_current_xact_id();
    create table ${schema}.misses (
      call uuid not null references ${schema}.calls (id) on delete cascade,
      kind text not null,
      name text not null,
      fields text[] not null,
      created_at timestamptz not null,
      primary key (call, kind, name)
    )`,
  (schema) => `alter table ${schema}.calls add column decided_by text`,
  (schema) => `alter table ${schema}.calls add column answers json`,
  // The counts of hints that learn. The row with the kind '' counts all calls of a model to a tool
  // with this definition.
  (schema) => `
    create table ${schema}.hint_counts (
      model text not null,
      definition text not null,
      kind text not null,
      field text not null,
      tool text not null,
      sentence text not null,
      calls bigint not null default 0,
      misses bigint not null default 0,
      shown_calls bigint not null default 0,
      shown_misses bigint not null default 0,
      state text not null default 'watched',
      look bigint not null,
      calls_before bigint not null default 0,
      misses_before bigint not null default 0,
      updated_at timestamptz not null default clock_timestamp(),
      primary key (model, definition, kind, field)
    )`,
  (schema) =>
    `alter table ${schema}.approvals add column is_question boolean not null default false`,
];

/** The version since which the journal has each table. */
const tableVersions = {
  calls: 1,
  approvals: 1,
  definitions: 1,
  waiting: 4,
  misses: 6,
  hint_counts: 9,
};

const journalError = (code: string, what: string, instead: string): ToolmendError =>
  new ToolmendError(code, `The journal ${what}: ${instead}.`);

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const lockNotAvailable = '55P03';
const undefinedColumn = '42703';

/** Milliseconds between two attempts to get the lock that another process holds while it migrates. */
const migrationPause = 200;
/** Milliseconds after a statement didn't get its lock. Other statements pass meanwhile. */
const lockPause = 1000;

/**
 * Makes the tables, or brings those of an older version up to date, while other processes go on
 * with them. Throws for a schema that can't be used.
 */
export async function migrate(database: OpenDatabase, schema: string): Promise<void> {
  const isCurrent = async (connection: SqlDatabase): Promise<boolean> =>
    (await versionOf(connection, schema)) === migrations.length &&
    (await indexChanges(connection, schema, database.indexing)).length === 0;
  const needsNothing = await isCurrent(database);
  await checkWritable(database);
  if (needsNothing) return;
  await database.session(async (connection) => {
    const lock = [`toolmend.journal.${schema}`];
    // Replicas that start at the same time wait for each other. A statement that waits for the lock
    // would keep "create index concurrently" waiting, which waits for all statements.
    const lockQuery = 'select pg_try_advisory_lock(hashtext($1)) as locked';
    while ((await connection.query(lockQuery, lock))[0]?.['locked'] !== true) {
      await sleep(migrationPause);
      if (await isCurrent(connection)) return;
    }
    await migrateTables(connection, schema);
    for (const change of await indexChanges(connection, schema, database.indexing))
      await connection.query(change);
    await connection.query('select pg_advisory_unlock(hashtext($1))', lock);
  });
}

/** All steps, or none if one of them fails. */
async function migrateTables(connection: SqlDatabase, schema: string): Promise<void> {
  const version = await versionOf(connection, schema);
  if (version === migrations.length) return;
  const versionTable = `
    create schema if not exists ${schema};
    create table ${schema}.journal (format text not null, version integer not null);
    insert into ${schema}.journal values ('toolmend.journal', 0)`;
  const statements = [
    // A change that waits for its lock, for example during a backup, keeps all later statements on
    // the table waiting. So it gives up soon, lets them pass, and tries again.
    "set local lock_timeout = '1s'",
    ...(version === undefined ? [versionTable] : []),
    ...migrations.slice(version ?? 0).map((step) => step(schema)),
    ...(version === undefined || version === 0 ? newIndexes(schema) : []),
    `update ${schema}.journal set version = ${migrations.length}`,
  ];
  for (;;) {
    try {
      await connection.query(`begin; ${statements.join(';\n')}; commit`);
      return;
    } catch (error) {
      await connection.query('rollback');
      if (Reflect.get(Object(error), 'code') !== lockNotAvailable) throw error;
      await sleep(lockPause);
    }
  }
}

/** Throws for a schema that is not a journal of this version. */
export async function requireCurrentVersion(database: SqlDatabase, schema: string): Promise<void> {
  const version = await versionOf(database, schema);
  if (version === undefined)
    throw journalError('journal-missing', `is not in the schema ${schema}`, 'name its schema');
  if (version === migrations.length) return;
  const what = `in the schema ${schema} has the old version ${version}`;
  throw journalError(
    'journal-version',
    what,
    'open it once with openJournal, which brings it up to date',
  );
}

/** The version of the tables; undefined if there are none. */
async function versionOf(database: SqlDatabase, schema: string): Promise<number | undefined> {
  const names = await tablesIn(database, schema);
  if (names.length === 0) return undefined;
  const foreignError = journalError(
    'journal-foreign',
    `can't use the schema ${schema}, which has tables of another application`,
    "name another one, openJournal({ …, schema: 'agent_journal' })",
  );
  if (!names.includes('journal')) throw foreignError;
  const [row] = await readVersion(database, schema, foreignError);
  const version = Number(row?.['version']);
  if (row?.['format'] !== 'toolmend.journal' || !Number.isInteger(version)) throw foreignError;
  if (version > migrations.length) {
    const schemaVersion = `in the schema ${schema} has version ${version}, and this toolmend knows versions up to ${migrations.length}`;
    throw journalError(
      'journal-version',
      schemaVersion,
      'install the toolmend that wrote it, or a newer one',
    );
  }
  // Another process may have migrated after the first list of tables was read.
  const currentNames = await tablesIn(database, schema);
  const missingTables = Object.entries(tableVersions)
    .filter(([name, since]) => version >= since && !currentNames.includes(name))
    .map(([name]) => name);
  if (missingTables.length > 0) {
    const what = `in the schema ${schema} lacks the table ${missingTables.join(', ')}`;
    throw journalError('journal-incomplete', what, 'restore the whole schema from a backup');
  }
  return version;
}

async function tablesIn(database: SqlDatabase, schema: string): Promise<readonly string[]> {
  const rows = await database.query(
    'select table_name from information_schema.tables where table_schema = $1',
    [schema],
  );
  return rows.map(({ table_name: name }) => String(name));
}

async function readVersion(
  database: SqlDatabase,
  schema: string,
  foreignError: ToolmendError,
): ReturnType<SqlDatabase['query']> {
  try {
    return await database.query(`select format, version from ${schema}.journal`, []);
  } catch (error) {
    // The table `journal` of another application has other columns.
    throw Reflect.get(Object(error), 'code') === undefinedColumn ? foreignError : error;
  }
}

async function checkWritable(database: SqlDatabase): Promise<void> {
  const [row] = await database.query(
    "select current_setting('transaction_read_only') as read_only",
    [],
  );
  if (row?.['read_only'] !== 'on') return;
  throw journalError(
    'journal-read-only',
    'is in a database that is read-only',
    'connect to the primary server',
  );
}
