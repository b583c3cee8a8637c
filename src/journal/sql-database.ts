import type { PGlite } from '@electric-sql/pglite';
import type { Pool, PoolClient } from 'pg';
import { ToolmendError } from '../errors/errors.ts';
import type { SqlDatabase } from '../execute/journal.ts';

/** PostgreSQL or PGlite. */
export interface OpenDatabase extends SqlDatabase {
  /** Commits what the function did, or nothing of it if it rejects. */
  transaction<Result>(work: (database: SqlDatabase) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Connects at the first query. */
export async function openPostgres(connectionString: string): Promise<OpenDatabase> {
  const { default: pg } = await packageOf('pg', () => import('pg'));
  const pool = new pg.Pool({ connectionString, max: 10, application_name: 'toolmend' });
  // An idle connection that breaks is replaced; without a listener it would end the process.
  pool.on('error', () => undefined);
  return {
    query: (text, parameters) => queryPostgres(pool, text, parameters),
    transaction: (work) => inTransaction(pool, work),
    close: () => pool.end(),
  };
}

async function queryPostgres(
  connection: Pool | PoolClient,
  text: string,
  parameters?: readonly unknown[],
): ReturnType<SqlDatabase['query']> {
  const { rows } = await connection.query<Record<string, unknown>>(
    text,
    parameters === undefined ? undefined : [...parameters],
  );
  return rows;
}

async function inTransaction<Result>(
  pool: Pool,
  work: (database: SqlDatabase) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  // A connection that breaks rejects the query that is running on it.
  client.on('error', ignore);
  let broken = true;
  try {
    await client.query('begin');
    const result = await work({ query: (text, parameters) => queryPostgres(client, text, parameters) });
    await client.query('commit');
    broken = false;
    return result;
  } finally {
    client.off('error', ignore);
    // Closing the connection rolls back.
    client.release(broken);
  }
}

const ignore = (): void => undefined;

/** Takes seconds for a new folder. */
export async function openPglite(folder: string): Promise<OpenDatabase> {
  const pglite = await packageOf('@electric-sql/pglite', () => import('@electric-sql/pglite'));
  const database = await pglite.PGlite.create({ dataDir: folder });
  return {
    query: (text, parameters) => queryPglite(database, text, parameters),
    transaction: (work) =>
      database.transaction((transaction) =>
        work({ query: (text, parameters) => queryPglite(transaction, text, parameters) }),
      ),
    close: () => database.close(),
  };
}

/** A text without parameters may hold several statements. */
async function queryPglite(
  database: Pick<PGlite, 'query' | 'exec'>,
  text: string,
  parameters?: readonly unknown[],
): ReturnType<SqlDatabase['query']> {
  if (parameters === undefined) {
    const results = await database.exec(text);
    return results.at(-1)?.rows ?? [];
  }
  const { rows } = await database.query<Record<string, unknown>>(text, [...parameters]);
  return rows;
}

/** Optional packages are loaded when they are needed. */
async function packageOf<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    const code: unknown = Reflect.get(Object(cause), 'code');
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    throw new ToolmendError('missing-package', `openJournal needs the package ${name}: npm install ${name}`, {
      cause,
    });
  }
}
