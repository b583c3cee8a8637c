import {
  type OptionKind,
  type OptionKinds,
  callback,
  checkOptions,
  count,
  objectWith,
  kindWithHint,
  milliseconds,
  string,
} from '../options/check-options.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import type { Journal } from '../store/call-store.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { migrate, requireCurrentVersion } from './migrations.ts';
import {
  type OpenDatabase,
  type PostgresPool,
  openPglite,
  openPool,
  openPostgres,
} from './sql-database.ts';
import { FactsOfOldCalls } from './facts-of-old-calls.ts';
import { secretDigestWith } from './secret-digest.ts';
import { Retention } from './retention.ts';
import { SqlJournal } from './sql-journal.ts';

/**
 * The options of `openJournal`. Without `folder`, `connectionString` and `pool`, the journal is in memory.
 */
export interface JournalOptions {
  /** A folder for PGlite, the package `@electric-sql/pglite`. One process may use it at a time. */
  readonly folder?: string;
  /** Of PostgreSQL, with the package `pg`. */
  readonly connectionString?: string;
  /** Connections to PostgreSQL at the same time, at least 2. Default: 10. */
  readonly poolSize?: number;
  /**
   * Called for each connection, for passwords that change, such as the tokens of a cloud's
   * databases. Default: the password of the connection string.
   */
  readonly password?: () => string | Promise<string>;
  /**
   * A `Pool` of the package `pg` in place of a connection string, with at least 2 connections. The
   * application closes it, after the journal. Set its `query_timeout` and
   * `connectionTimeoutMillis`: without them, a broken network can keep a call waiting for ever.
   */
  readonly pool?: PostgresPool;
  /** The PostgreSQL schema of the tables; it is made if it is missing. Default: `toolmend`. */
  readonly schema?: string;
  /**
   * Characters of a result that are kept; a longer one is cut, and a note says so. Default: 1 Mi.
   */
  readonly maxResultChars?: number;
  /**
   * Milliseconds after which the calls of a process that has died are taken over. A living process
   * renews its leases three times in this time. Default: 30,000.
   */
  readonly leaseMs?: number;
  /**
   * Days for which calls that have ended are kept, and counts of hints of a definition after its
   * last call; older ones are deleted after the journal has been opened, and then once an hour while
   * calls are written. Default: for ever.
   */
  readonly retentionDays?: number;
  /**
   * The key of the digests by which calls with declared secrets are compared, because the database
   * has no secrets. At least 16 characters, the same in all replicas, kept like a password.
   * Default: a random key for each process. Such a process refuses a call with the id of another
   * process's call if the tool declares secrets, and a call whose idempotency key or limit depends
   * on a secret.
   */
  readonly secretsKey?: string;
}

const schemaKind: OptionKind = {
  accepts: (name) => typeof name === 'string' && /^[a-z_][a-z0-9_]{0,62}$/.test(name),
  instead: "write a name of small letters, digits and _, such as 'toolmend'",
};

const secretsKeyKind: OptionKind = {
  accepts: (key) => typeof key === 'string' && key.length >= 16,
  instead: 'write at least 16 random characters, from the environment',
};

const journalOptionKinds: OptionKinds<JournalOptions> = {
  folder: kindWithHint(string, 'write the path of a folder'),
  connectionString: kindWithHint(string, "write 'postgres://user@host/database'"),
  poolSize: count(2),
  password: callback('write a function that returns the password, async () => …'),
  pool: objectWith('connect', "write new Pool({ … }) of 'pg'"),
  schema: schemaKind,
  maxResultChars: count(0),
  leaseMs: milliseconds,
  retentionDays: count(0),
  secretsKey: secretsKeyKind,
};

/**
 * Opens a journal in memory, in a folder or in PostgreSQL, and makes its tables. Close it after the
 * registry. Rejects with a DefinitionError for invalid options, a ToolmendError for a database that
 * is no journal of this version, and with the driver's error if the database can't be reached.
 */
export async function openJournal(options: JournalOptions = {}): Promise<Journal> {
  checkOptions('openJournal', options, journalOptionKinds);
  requirePlace(options);
  const {
    schema = 'toolmend',
    maxResultChars = 1024 * 1024,
    leaseMs = 30_000,
    retentionDays,
  } = options;
  const database = await openDatabase(options);
  const secretDigest = secretDigestWith(options.secretsKey);
  if (database === undefined)
    return new MemoryStore({ maxResultChars, secretDigest, keeps: 'all_calls' });
  try {
    await migrate(database, schema);
    const retention =
      retentionDays === undefined ? undefined : new Retention(database, schema, retentionDays);
    retention?.start();
    const oldCalls = new FactsOfOldCalls(database, schema);
    await oldCalls.start();
    const sharesSecretsKey = options.secretsKey !== undefined;
    return new SqlJournal(database, {
      schema,
      leaseMs,
      maxResultChars,
      secretDigest,
      sharesSecretsKey,
      retention,
      oldCalls,
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens an existing journal, also in a database that is read-only, and makes no tables. */
export async function openToRead(
  options: Pick<JournalOptions, 'folder' | 'connectionString' | 'schema'>,
): Promise<Journal> {
  checkOptions('openJournal', options, journalOptionKinds);
  const { schema = 'toolmend' } = options;
  const database = await openDatabase(options);
  if (database === undefined) throw new TypeError('names no database');
  try {
    await requireCurrentVersion(database, schema);
    return new SqlJournal(database, {
      schema,
      leaseMs: 30_000,
      maxResultChars: 0,
      secretDigest: secretDigestWith(),
      sharesSecretsKey: false,
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** An environment variable that is missing must not become a journal in memory. */
function requirePlace(options: JournalOptions): void {
  const problems = (['folder', 'connectionString', 'pool'] as const)
    .filter((option) => Object.hasOwn(options, option) && (options[option] ?? '') === '')
    .map((option) => ({
      where: 'openJournal',
      what: `has ${option}: ${options[option] === undefined ? 'undefined' : "''"}`,
      instead: 'set it, or leave the key out for a journal in memory',
    }));
  if (problems.length > 0) throw new DefinitionError(problems);
}

async function openDatabase(options: JournalOptions): Promise<OpenDatabase | undefined> {
  const { folder, connectionString, pool, poolSize, password } = options;
  const places = (['folder', 'connectionString', 'pool'] as const).filter(
    (option) => options[option] !== undefined,
  );
  if (places.length > 1) {
    const what = `was given a ${places.join(' and a ')}`;
    throw new DefinitionError([{ where: 'openJournal', what, instead: 'write one of them' }]);
  }
  if (connectionString === undefined && (poolSize ?? password) !== undefined) {
    const what = `was given ${poolSize === undefined ? 'password' : 'poolSize'} without a connectionString`;
    const instead = 'write connectionString, or give the pool its size and password itself';
    throw new DefinitionError([{ where: 'openJournal', what, instead }]);
  }
  if (folder !== undefined) return openPglite(folder);
  if (pool !== undefined) return openPool(pool, () => Promise.resolve());
  return connectionString === undefined
    ? undefined
    : openPostgres({ connectionString, poolSize, password });
}
