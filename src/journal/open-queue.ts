import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, PgBoss } from 'pg-boss';
import { type OptionKinds, callback, checkOptions, count, milliseconds } from '../errors/check-options.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import type { BackgroundJob, JobQueue, RunJob, WorkSettings } from '../execute/job-queue.ts';
import type { Journal, SqlDatabase } from '../execute/journal.ts';
import { storable } from './entry-rows.ts';
import { packageOf } from './sql-database.ts';

/** The options of `openQueue`. */
export interface QueueOptions {
  /** How often a call that may run again is tried again after a failure. Default: 3. */
  readonly retryLimit?: number;
  /** Milliseconds before the first retry, which double with each further one. Default: 5,000. */
  readonly retryDelayMs?: number;
  /** Milliseconds between looks for new calls, at least 500. Default: 2,000. */
  readonly pollMs?: number;
  /** Called with errors of the queue, such as a lost connection; it goes on by itself. Default: they are ignored. */
  readonly onError?: (error: unknown) => unknown;
}

const queueOptionKinds: OptionKinds<QueueOptions> = {
  retryLimit: count(0),
  retryDelayMs: milliseconds,
  pollMs: milliseconds,
  onError: callback('write a function that takes an error'),
};

/**
 * Opens a queue for background calls in the database of a journal, by pg-boss: the registry option `background: { queue }`. Its
 * tables are in the schema of the journal with `_jobs` after it. Rejects with a DefinitionError for a journal in memory, and with a
 * ToolmendError without the package `pg-boss`.
 */
export async function openQueue(journal: Journal, options: QueueOptions = {}): Promise<JobQueue> {
  checkOptions('openQueue', options, queueOptionKinds);
  const { sql } = journal;
  if (sql === undefined) {
    const instead = 'open the journal with a folder or a connectionString';
    throw new DefinitionError([{ where: 'openQueue', what: 'was given a journal in memory', instead }]);
  }
  const { PgBoss: Boss } = await packageOf('openQueue', 'pg-boss', () => import('pg-boss'));
  const { onError } = options;
  const boss = new Boss({
    db: databaseOf(sql),
    schema: `${sql.schema}_jobs`,
    schedule: false,
    clock: quietClock,
  });
  boss.on('error', (error) => void onError?.(error));
  // Of processes that start at the same time on a new database, one makes the tables, and the others find them half made.
  await boss.start().catch(async (error: unknown) => {
    if (!isMadeTwice(error)) throw error;
    await sleep(1000);
    await boss.start();
  });
  return new BossQueue(boss, options, sql);
}

/** PostgreSQL's codes for what exists already: a unique value, a schema, a table, a function, an object. */
const existing: ReadonlySet<unknown> = new Set(['23505', '42P06', '42P07', '42723', '42710']);

const isMadeTwice = (error: unknown): boolean =>
  error instanceof Error && existing.has(Reflect.get(error, 'code'));

/** pg-boss reads the rows of several statements as one list, and expects that an error leaves no transaction open. */
const databaseOf = (sql: SqlDatabase, isOwnTransaction = true) => ({
  executeSql: async (text: string, values?: unknown[]) => {
    try {
      const rows = await sql.query(text, values?.length === 0 ? undefined : values);
      return { rows: [...rows] };
    } catch (error) {
      if (isOwnTransaction) await sql.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  },
});

type Timer = ReturnType<typeof setTimeout>;

const isTimer = (handle: unknown): handle is Timer => typeof handle === 'object' && handle !== null;

/** The queue alone doesn't keep a process alive. */
const quietClock = {
  now: () => Date.now(),
  setTimeout: (run: () => void, time: number): Timer => setTimeout(run, time).unref(),
  clearTimeout: (handle: unknown): void => void (isTimer(handle) && clearTimeout(handle)),
  setInterval: (run: () => void, time: number): Timer => setInterval(run, time).unref(),
  clearInterval: (handle: unknown): void => void (isTimer(handle) && clearInterval(handle)),
};

/** Seconds: the most that pg-boss takes. A job whose worker has died is found by its heartbeat. */
const longestJob = 24 * 60 * 60;
const heartbeat = 60;
/** Attempts beside those of `retryLimit`, for jobs whose worker died before it started the call. They never repeat a started call. */
const spareAttempts = 5;
/** Seconds: a call may wait for a worker for a year. */
const longestWait = 365 * 24 * 60 * 60;

class BossQueue implements JobQueue {
  readonly #boss: PgBoss;
  readonly #options: QueueOptions;
  readonly #sql: NonNullable<Journal['sql']>;
  readonly #prepared = new Map<string, Promise<void>>();

  constructor(boss: PgBoss, options: QueueOptions, sql: NonNullable<Journal['sql']>) {
    this.#boss = boss;
    this.#sql = sql;
    this.#options = options;
  }

  prepare(tool: string): Promise<void> {
    const prepared = this.#prepared.get(tool) ?? this.#createQueue(queueOf(tool));
    this.#prepared.set(tool, prepared);
    prepared.catch(() => this.#prepared.delete(tool));
    return prepared;
  }

  async #createQueue(name: string): Promise<void> {
    const { retryLimit = 3, retryDelayMs = 5000 } = this.#options;
    await this.#boss.createQueue(name, {
      retryLimit: retryLimit + spareAttempts,
      retentionSeconds: longestWait,
      retryDelay: Math.ceil(retryDelayMs / 1000),
      retryBackoff: true,
      expireInSeconds: longestJob,
      heartbeatSeconds: heartbeat,
    });
    // pg-boss remembers a queue when it is first read. Read inside the transaction, it would wait for PGlite's only connection.
    await this.#boss.findJobs(name, { id: crypto.randomUUID() });
  }

  async send(job: BackgroundJob, database: SqlDatabase): Promise<void> {
    const stored = { ...job, tenant: storable(job.tenant) };
    await this.#boss.send(queueOf(job.tool), stored, {
      db: databaseOf(database, false),
      ...this.#optionsOf(stored),
    });
  }

  /** Sent with each job, because a queue that an older version created has other defaults. */
  #optionsOf({ tenant }: BackgroundJob) {
    const { retryLimit = 3 } = this.#options;
    const group = tenant === '' ? {} : { group: { id: tenant } };
    return { retryLimit: retryLimit + spareAttempts, retentionSeconds: longestWait, ...group };
  }

  async work(
    { tools, concurrency, tenantConcurrency }: WorkSettings,
    run: RunJob,
  ): Promise<() => Promise<void>> {
    const { pollMs = 2000, retryLimit = 3 } = this.#options;
    const names = tools.map(queueOf);
    const handle = async (jobs: readonly Job<SentJob>[], onDone: () => void): Promise<void> => {
      for (const { data, retryCount } of jobs) {
        const attempts = retryCount + (data.attempts ?? 0);
        // Of two jobs for the same call, as an end at this moment leaves them, one finds that it isn't queued any more.
        if ((await run(data, attempts >= retryLimit)) === 'later')
          await this.#boss.send(
            queueOf(data.tool),
            { ...data, attempts },
            { startAfter: 1, ...this.#optionsOf(data) },
          );
        else onDone();
      }
    };
    for (const tool of tools) {
      await this.prepare(tool);
      const options = {
        pollingIntervalSeconds: Math.max(0.5, pollMs / 1000),
        // Fetches at the same moment may exceed it. The journal counts exactly.
        ...(tenantConcurrency === undefined ? {} : { groupConcurrency: tenantConcurrency }),
      };
      for (let lane = 0; lane < concurrency; lane += 1) {
        // One after another: pg-boss waits for the next look even if more calls wait, unless this worker is woken.
        let worker = '';
        worker = await this.#boss.work<SentJob>(queueOf(tool), options, (jobs) =>
          handle(jobs, () => this.#boss.notifyWorker(worker)),
        );
      }
    }
    // Until it is stopped, a worker keeps its process alive.
    const alive = setInterval(() => undefined, 2 ** 30);
    return async () => {
      await Promise.all(names.map((name) => this.#boss.offWork(name, { wait: true })));
      clearInterval(alive);
    };
  }

  /** A call with two jobs runs once: the second one finds that it isn't queued any more. */
  async resend(tools: readonly string[]): Promise<void> {
    const { schema } = this.#sql;
    const rows = await this.#sql.query(
      `select id, tool, tenant from ${schema}.calls calls
       where state = 'queued' and tool = any($1) and updated_at < clock_timestamp() - interval '1 minute'
         and not exists (select 1 from ${schema}_jobs.job jobs
           where jobs.name = any($2) and jobs.state in ('created', 'retry', 'active') and jobs.data->>'entry' = calls.id::text)
       order by created_at limit 100`,
      [tools, tools.map(queueOf)],
    );
    for (const row of rows) {
      const job = { entry: String(row['id']), tool: String(row['tool']), tenant: String(row['tenant']) };
      await this.#boss.send(queueOf(job.tool), job, this.#optionsOf(job));
    }
  }

  close(): Promise<void> {
    return this.#boss.stop({ graceful: true, close: false });
  }
}

/** `attempts`: those of the jobs that were sent for the same call before. */
interface SentJob extends BackgroundJob {
  readonly attempts?: number;
}

const queueOf = (tool: string): string => `toolmend.${tool}`;
