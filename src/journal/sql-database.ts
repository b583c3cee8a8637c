import { setTimeout as sleep } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import type { ClientConfig, Client as PgClient } from 'pg';
import { ToolmendError } from '../errors/errors.ts';
import type { SqlDatabase } from '../store/call-store.ts';
import { lockFolder } from './folder-lock.ts';
import type { Indexing } from './journal-indexes.ts';

/** PostgreSQL or PGlite. */
export interface OpenDatabase extends SqlDatabase {
  /** Those that may be open at the same time. */
  readonly connections: number;
  /**
   * Commits what the function did, or nothing of it if it rejects. Runs the function again if
   * PostgreSQL has rolled the transaction back because of another one.
   */
  transaction<Result>(work: (database: SqlDatabase) => Promise<Result>): Promise<Result>;
  /**
   * Runs the function with a connection of its own, outside of a transaction, whose statements may
   * take as long as they need.
   */
  session<Result>(work: (connection: SqlDatabase) => Promise<Result>): Promise<Result>;
  readonly indexing: Indexing;
  close(): Promise<void>;
}

export interface PostgresOptions {
  readonly connectionString: string;
  readonly poolSize?: number | undefined;
  readonly password?: (() => string | Promise<string>) | undefined;
}

/** Connects at the first query. */
export async function openPostgres(options: PostgresOptions): Promise<OpenDatabase> {
  const { connectionString, poolSize = 10, password } = options;
  const { default: pg } = await packageOf('openJournal', 'pg', () => import('pg'));
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    application_name: 'toolmend',
    keepAlive: true,
    // A broken network drops packets without an error.
    connectionTimeoutMillis: longestAnswer,
    query_timeout: longestAnswer,
    // A queue looks after its tables now and then, which would keep an idle connection open for
    // ever.
    allowExitOnIdle: true,
    ...(password === undefined ? {} : { Client: clientWith(pg.Client, password) }),
  });
  return openPool(pool, () => pool.end());
}

/** `pg` asks a function for each connection, but not beside a connection string. */
function clientWith(Client: typeof PgClient, password: () => string | Promise<string>) {
  return class extends Client {
    constructor(config?: string | ClientConfig) {
      super(config);
      Object.defineProperty(this, 'password', { value: password, writable: true });
    }
  };
}

/** `end`: what becomes of the pool when the journal is closed. */
export function openPool(pool: PostgresPool, end: () => Promise<void>): OpenDatabase {
  // An idle connection that breaks is replaced; without a listener it would end the process.
  pool.on('error', ignore);
  return {
    connections: pool.options?.max ?? 10,
    query: (text, parameters) => {
      const run = () => queryPostgres(pool, text, parameters);
      // Several statements may hold transactions of their own.
      return parameters === undefined ? run() : repeatIfRolledBack(run);
    },
    transaction: (work) => repeatIfRolledBack(() => inTransaction(pool, work)),
    session: (work) => inSession(pool, work),
    indexing: 'concurrently',
    close: async () => {
      await end();
      pool.off('error', ignore);
    },
  };
}

/** What a journal uses of a `Pool` of the package `pg`. */
export interface PostgresPool extends PostgresQueries {
  readonly options?: { readonly max?: number };
  connect(
    callback: (
      error: Error | undefined,
      client: PostgresClient | undefined,
      done: (release?: boolean | Error) => void,
    ) => void,
  ): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
}

interface PostgresQueries {
  query(text: string | TimedQuery, values?: unknown[]): Promise<PostgresResult>;
}

interface PostgresClient extends PostgresQueries {
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
  release(error?: boolean | Error): void;
}

/** Milliseconds until a server that doesn't answer counts as out of reach. */
const longestAnswer = 10_000;

async function queryPostgres(
  connection: PostgresQueries,
  text: string | TimedQuery,
  parameters?: readonly unknown[],
): ReturnType<SqlDatabase['query']> {
  // Several statements have a list of results, which the types don't say.
  const result: PostgresResult | readonly PostgresResult[] = await connection.query(
    text,
    parameters === undefined ? undefined : [...parameters],
  );
  return isResultList(result) ? result.flatMap(({ rows = [] }) => rows) : (result.rows ?? []);
}

/** `query_timeout`: in milliseconds, instead of that of the pool. */
interface TimedQuery {
  readonly text: string;
  readonly query_timeout: number;
}

interface PostgresResult {
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
}

const isResultList = (
  result: PostgresResult | readonly PostgresResult[],
): result is readonly PostgresResult[] => Array.isArray(result);

async function inTransaction<Result>(
  pool: PostgresPool,
  work: (database: SqlDatabase) => Promise<Result>,
): Promise<Result> {
  const client = await connect(pool);
  let broken = true;
  try {
    // With more isolation, which may be the database's default, a transaction that has waited for a
    // lock doesn't see what was written meanwhile.
    await client.query('begin isolation level read committed');
    const result = await work({
      query: (text, parameters) => queryPostgres(client, text, parameters),
    });
    await client.query('commit');
    broken = false;
    return result;
  } finally {
    // Closing the connection rolls back.
    client.release(broken);
    client.off('error', ignore);
  }
}

/** The longest time of a timer. */
const withoutLimit = 2 ** 31 - 1;

async function inSession<Result>(
  pool: PostgresPool,
  work: (connection: SqlDatabase) => Promise<Result>,
): Promise<Result> {
  const client = await connect(pool);
  try {
    // The database or the role may have other defaults.
    await client.query('set statement_timeout = 0; set lock_timeout = 0');
    return await work({
      query: (text, parameters) =>
        queryPostgres(client, { text, query_timeout: withoutLimit }, parameters),
    });
  } finally {
    // Its settings and locks end with the connection.
    client.release(true);
    client.off('error', ignore);
  }
}

/**
 * Serialization failures, which single statements have if the default isolation of the database is
 * higher than "read committed", and deadlocks.
 */
async function repeatIfRolledBack<Result>(run: () => Promise<Result>): Promise<Result> {
  const end = performance.now() + longestAnswer;
  for (let pause = 10; ; pause = Math.min(pause * 2, 500)) {
    try {
      return await run();
    } catch (error) {
      const code: unknown = Reflect.get(Object(error), 'code');
      const isRolledBack = code === '40001' || code === '40P01';
      if (!isRolledBack || performance.now() + pause > end) throw error;
      await sleep(pause * (0.5 + Math.random()));
    }
  }
}

/**
 * A connection that breaks rejects its queries. Without a listener it would also end the process:
 * the packet that opens it may already hold the error that ends it, so that a promise would be too
 * late.
 */
function connect(pool: PostgresPool): Promise<PostgresClient> {
  const { promise, resolve, reject } = Promise.withResolvers<PostgresClient>();
  pool.connect((error, client) => {
    client?.on('error', ignore);
    if (client === undefined) reject(error ?? new Error('the pool gave no connection'));
    else resolve(client);
  });
  return promise;
}

const ignore = (): void => undefined;

/** Takes seconds for a new folder. */
export async function openPglite(folder: string): Promise<OpenDatabase> {
  const pglite = await packageOf(
    'openJournal',
    '@electric-sql/pglite',
    () => import('@electric-sql/pglite'),
  );
  const unlock = await lockFolder(folder);
  const database = await pglite.PGlite.create({ dataDir: folder }).catch(async (error: unknown) => {
    await unlock();
    throw error;
  });
  return {
    connections: 1,
    query: (text, parameters) => queryPglite(database, text, parameters),
    transaction: (work) =>
      repeatIfRolledBack(() =>
        database.transaction((transaction) =>
          work({ query: (text, parameters) => queryPglite(transaction, text, parameters) }),
        ),
      ),
    session: (work) =>
      work({ query: (text, parameters) => queryPglite(database, text, parameters) }),
    // It has one connection.
    indexing: 'alone',
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
    throw new ToolmendError(
      'missing-package',
      `${caller} needs the package ${name}: npm install ${name}`,
      {
        cause,
      },
    );
  }
}

/**
 * Whether the same statement may succeed later: the server is out of reach, starting, full or
 * read-only after a failover, or it gave up this attempt, for example at a deadlock or a time limit.
 * Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html; the others are Node's.
 */
export function mayRecover(error: unknown): boolean {
  const code = String(Reflect.get(Object(error), 'code'));
  const message = String(Reflect.get(Object(error), 'message'));
  return refusals.test(code) || networkErrors.test(code) || lostConnection.test(message);
}

/**
 * Connection exceptions, rolled back transactions, too few resources, time limits and cancelled
 * statements, locks, errors of the system, errors inside PostgreSQL, a read-only server.
 */
const refusals = /^(08...|40...|53...|57...|58...|XX...|25006|25P0[34]|55P03)$/;
const networkErrors =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(HOST|NET)(UNREACH|DOWN)|ENETRESET|ERR_STREAM_\w+)$/;
/** What `pg` says about a connection, in errors without a code. */
const lostConnection =
  /Connection terminated|connection timeout|timeout (exceeded|expired)|Query read timeout|not queryable|from backend|invalid response/i;

/**
 * Whether the database may take the same values later: its refusal is not about them but, for
 * example, about a permission or a table.
 */
export function fitsLater(error: unknown): boolean {
  const isOfServer = Reflect.get(Object(error), 'severity') !== undefined;
  const code = String(Reflect.get(Object(error), 'code'));
  // Not supported, wrong data, constraints, more than the database takes.
  return mayRecover(error) || (isOfServer && !/^(0A|2[123]|54)/.test(code));
}
