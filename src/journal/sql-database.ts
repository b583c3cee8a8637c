import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
  const { default: pg } = await packageOf('openJournal', 'pg', () => import('pg'));
  const pool = new pg.Pool({
    connectionString,
    max: 10,
    application_name: 'toolmend',
    keepAlive: true,
    // A network that is cut drops packets, and tells nobody.
    connectionTimeoutMillis: longestAnswer,
    query_timeout: longestAnswer,
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
  const leave = await enterFolder(folder);
  const database = await pglite.PGlite.create({ dataDir: folder });
  return {
    query: (text, parameters) => queryPglite(database, text, parameters),
    transaction: (work) =>
      database.transaction((transaction) =>
        work({ query: (text, parameters) => queryPglite(transaction, text, parameters) }),
      ),
    close: async () => {
      await database.close();
      await leave();
    },
  };
}

/**
 * Notes in the folder that this process uses it: PGlite doesn't notice a second process, and both would destroy the data. Throws if a
 * living process uses it. Returns a function that removes the note.
 */
async function enterFolder(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, 'toolmend.pid');
  await mkdir(folder, { recursive: true });
  const names = (await readdir(folder)).filter((name) => name !== 'toolmend.pid');
  if (names.length > 0 && !names.includes('PG_VERSION')) {
    const what = `The folder ${folder} has other files than those of a journal`;
    throw new ToolmendError('journal-foreign', `${what}: name a folder of its own.`);
  }
  const other = Number(await readFile(file, 'utf8').catch(() => ''));
  if (other !== process.pid && isAlive(other)) {
    const what = `The journal in ${folder} is in use by the process ${other}`;
    const instead = `use PostgreSQL for several processes, or delete ${file} if that process is not one of toolmend`;
    throw new ToolmendError('journal-in-use', `${what}: ${instead}.`);
  }
  await writeFile(file, String(process.pid));
  return () => rm(file, { force: true });
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process belongs to another user.
    return Reflect.get(Object(error), 'code') === 'EPERM';
  }
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
