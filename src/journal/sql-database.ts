import type { PGlite } from '@electric-sql/pglite';
import type { Pool, PoolClient } from 'pg';
import { ToolmendError } from '../errors/errors.ts';
import type { SqlDatabase } from '../execute/journal.ts';
import { lockFolder } from './folder-lock.ts';

/** PostgreSQL or PGlite. */
export interface OpenDatabase extends SqlDatabase {
  /** Commits what the function did, or nothing of it if it rejects. */
  transaction<Result>(work: (database: SqlDatabase) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Connects at the first query. */
export async function openPostgres(connectionString: string): Promise<OpenDatabase> {
  const { default: pg } = await packageOf('openJournal', 'pg', () => import('pg'));
  const pool = new pg.Pool({
    connectionString,
    max: 10,
    application_name: 'toolmend',
    keepAlive: true,
    // A broken network drops packets without an error.
    connectionTimeoutMillis: longestAnswer,
    query_timeout: longestAnswer,
    // A queue looks after its tables now and then, which would keep an idle connection open for ever.
    allowExitOnIdle: true,
  });
  // An idle connection that breaks is replaced; without a listener it would end the process.
  pool.on('error', () => undefined);
  return {
    query: (text, parameters) => queryPostgres(pool, text, parameters),
    transaction: (work) => inTransaction(pool, work),
    close: () => pool.end(),
  };
}

/** Milliseconds until a server that doesn't answer counts as out of reach. */
const longestAnswer = 10_000;

async function queryPostgres(
  connection: Pool | PoolClient,
  text: string,
  parameters?: readonly unknown[],
): ReturnType<SqlDatabase['query']> {
  // Several statements have a list of results, which the types don't say.
  const result: PostgresResult | readonly PostgresResult[] = await connection.query<Record<string, unknown>>(
    text,
    parameters === undefined ? undefined : [...parameters],
  );
  return isResultList(result) ? result.flatMap(({ rows = [] }) => rows) : (result.rows ?? []);
}

interface PostgresResult {
  readonly rows?: readonly Record<string, unknown>[];
}

const isResultList = (
  result: PostgresResult | readonly PostgresResult[],
): result is readonly PostgresResult[] => Array.isArray(result);

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
  const pglite = await packageOf('openJournal', '@electric-sql/pglite', () => import('@electric-sql/pglite'));
  const unlock = await lockFolder(folder);
  const database = await pglite.PGlite.create({ dataDir: folder }).catch(async (error: unknown) => {
    await unlock();
    throw error;
  });
  return {
    query: (text, parameters) => queryPglite(database, text, parameters),
    transaction: (work) =>
      database.transaction((transaction) =>
        work({ query: (text, parameters) => queryPglite(transaction, text, parameters) }),
      ),
    close: async () => {
      await database.close();
      await unlock();
    },
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
    return results.flatMap(({ rows }) => rows);
  }
  const { rows } = await database.query<Record<string, unknown>>(text, [...parameters]);
  return rows;
}

/** Optional packages are loaded when they are needed. */
export async function packageOf<Module>(
  caller: string,
  name: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    const code: unknown = Reflect.get(Object(cause), 'code');
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    throw new ToolmendError('missing-package', `${caller} needs the package ${name}: npm install ${name}`, {
      cause,
    });
  }
}

/**
 * Whether a statement may succeed later: the server is out of reach, starting, full or read-only after a failover. Codes:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html; the others are Node's.
 */
export function mayRecover(error: unknown): boolean {
  const code = String(Reflect.get(Object(error), 'code'));
  const message = String(Reflect.get(Object(error), 'message'));
  return (
    /^(08...|53...|57P0.|25006|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/.test(code) ||
    /Connection terminated|connection timeout|timeout exceeded|Query read timeout/i.test(message)
  );
}
