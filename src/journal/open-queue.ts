import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, PgBoss } from 'pg-boss';
import {
  type OptionKinds,
  callback,
  checkOptions,
  count,
  milliseconds,
} from '../options/check-options.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import type { BackgroundJob, JobQueue, RunJob, WorkSettings } from '../store/job-queue.ts';
import type { Journal, SqlDatabase } from '../store/call-store.ts';
import { notify } from '../telemetry/tool-event.ts';
import { storable } from './entry-rows.ts';
import { mayRecover, packageOf } from './sql-database.ts';

/** The options of `openQueue`. */
export interface QueueOptions {
  /** How often a call that may run again is tried again after a failure. Default: 3. */
  readonly retryLimit?: number;
  /** Milliseconds before the first retry, which double with each further one. Default: 5,000. */
  readonly retryDelayMs?: number;
  /** Milliseconds between looks for new calls, at least 500. Default: 2,000. */
  readonly pollMs?: number;
  /**
   * Called with errors of the queue, such as a lost connection. The queue goes on by itself.
   * Default: errors are ignored.
   */
  readonly onError?: (error: unknown) => unknown;
}

const queueOptionKinds: OptionKinds<QueueOptions> = {
  retryLimit: count(0),
  retryDelayMs: milliseconds,
  pollMs: milliseconds,
  onError: callback('write a function that takes an error'),
};

/**
 * Opens a queue for background calls in the database of a journal, by pg-boss: the registry option
 * `background: { queue }`. Its tables are in the schema of the journal with `_jobs` after it.
 * Rejects with a DefinitionError for a journal in memory, and with a ToolmendError without the
 * package `pg-boss`.
 */
export async function openQueue(journal: Journal, options: QueueOptions = {}): Promise<JobQueue> {
  checkOptions('openQueue', options, queueOptionKinds);
  const { sql } = journal;
  if (sql === undefined) {
    const instead = 'open the journal with a folder or a connectionString';
    throw new DefinitionError([
      { where: 'openQueue', what: 'was given a journal in memory', instead },
    ]);
  }
  const { PgBoss: Boss } = await packageOf('openQueue', 'pg-boss', () => import('pg-boss'));
  const { onError } = options;
  const boss = new Boss({
    db: databaseOf(sql),
    schema: `${sql.schema}_jobs`,
    schedule: false,
    clock: quietClock,
  });
  boss.on('error', (error) => notify(() => onError?.(error)));
  try {
    await startBoss(boss);
  } catch (error) {
    await boss.stop({ graceful: false, close: false }).catch(() => undefined);
    throw error;
  }
  return new BossQueue(boss, options, sql);
}

/**
 * Of processes that start at the same time on a new database, one makes the tables, and the others
 * find them half made.
 */
async function startBoss(boss: PgBoss): Promise<void> {
  try {
    await boss.start();
  } catch (error) {
    if (!isMadeTwice(error)) throw error;
    await sleep(1000);
    await boss.start();
  }
}

/**
 * PostgreSQL's codes for what exists already: a unique value, a schema, a table, a function, an
 * object.
 */
const existing: ReadonlySet<unknown> = new Set(['23505', '42P06', '42P07', '42723', '42710']);

const isMadeTwice = (error: unknown): boolean =>
  error instanceof Error && existing.has(Reflect.get(error, 'code'));

/**
 * pg-boss reads the rows of several statements as one list, and expects that an error leaves no
 * transaction open.
 */
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
/** Seconds, the least that pg-boss takes. A worker renews it twice in this time. */
const heartbeat = 10;
/** Seconds until a call beyond its limit is looked at again. */
const pauseBeyondLimit = 1;
/**
 * Attempts beside those of `retryLimit`, for jobs whose worker died before it started the call.
 * They never repeat a started call.
 */
const spareAttempts = 5;
/** Seconds: a call may wait for a worker for a year. */
const longestWait = 365 * 24 * 60 * 60;

class BossQueue implements JobQueue {
  readonly #boss: PgBoss;
  readonly #options: QueueOptions;
  readonly #sql: NonNullable<Journal['sql']>;
  readonly #prepared = new Map<string, Promise<void>>();
  /** The table of pg-boss's jobs. */
  readonly #jobs: string;
  /** Queues in which calls wait for the end of others. */
  readonly #limited = new Set<string>();

  constructor(boss: PgBoss, options: QueueOptions, sql: NonNullable<Journal['sql']>) {
    this.#jobs = `${sql.schema}_jobs.job`;
    this.#boss = boss;
    this.#sql = sql;
    this.#options = options;
  }

  prepare(tool: string): Promise<void> {
    const preparedQueue = this.#prepared.get(tool) ?? this.#createQueue(queueOf(tool));
    this.#prepared.set(tool, preparedQueue);
    preparedQueue.catch(() => this.#prepared.delete(tool));
    return preparedQueue;
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
    // pg-boss remembers a queue when it is first read. Read inside the transaction, it would wait
    // for PGlite's only connection.
    await this.#boss.findJobs(name, { id: crypto.randomUUID() });
  }

  async send(job: BackgroundJob, database: SqlDatabase): Promise<void> {
    const storableJob = { ...job, tenant: storable(job.tenant) };
    await this.#boss.send(queueOf(job.tool), storableJob, {
      db: databaseOf(database, false),
      ...this.#optionsOf(storableJob),
    });
  }

  /** Sent with each job, because a queue that an older version created has other defaults. */
  #optionsOf({ tenant }: BackgroundJob) {
    const { retryLimit = 3 } = this.#options;
    const group = tenant === '' ? {} : { group: { id: tenant } };
    return {
      retryLimit: retryLimit + spareAttempts,
      retentionSeconds: longestWait,
      heartbeatSeconds: heartbeat,
      ...group,
    };
  }

  async work(
    { tools, concurrency, tenantConcurrency }: WorkSettings,
    run: RunJob,
  ): Promise<() => Promise<void>> {
    const { pollMs = 2000, retryLimit = 3 } = this.#options;
    const names = tools.map(queueOf);
    const handle = async (jobs: readonly Job<SentJob>[], onDone: () => void): Promise<void> => {
      for (const { id, name, data, retryCount } of jobs) {
        const attempts = retryCount + (data.attempts ?? 0);
        if ((await run(data, attempts >= retryLimit)) === 'later') {
          await this.#putBack(id);
          this.#limited.add(name);
        } else {
          if (this.#limited.has(name)) await this.#wakeNext(name);
          onDone();
        }
      }
    };
    // Nothing works on a part of the tools if the database goes out of reach in between.
    for (const tool of tools) await this.prepare(tool);
    for (const tool of tools) {
      const options = {
        pollingIntervalSeconds: Math.max(0.5, pollMs / 1000),
        // Fetches at the same moment may exceed it. The journal counts exactly.
        ...(tenantConcurrency === undefined ? {} : { groupConcurrency: tenantConcurrency }),
      };
      for (let lane = 0; lane < concurrency; lane += 1) {
        // One after another: pg-boss waits for the next look even if more calls wait, unless this
        // worker is woken.
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

  /**
   * The job waits on in its place. pg-boss then finds it no longer active, and doesn't complete it.
   */
  async #putBack(id: string): Promise<void> {
    await this.#sql.query(
      `update ${this.#jobs} set ${resetFetch}, start_after = now() + ${pauseBeyondLimit} * interval '1 second'
       where id = $1 and state = 'active'`,
      [id],
    );
  }

  /** A place is free: the first call beyond its limit needn't pause any longer. */
  async #wakeNext(name: string): Promise<void> {
    const woken = await this.#sql.query(
      `update ${this.#jobs} set start_after = now() where id in (
         select id from ${this.#jobs} where name = $1 and state = 'created' and start_after > now()
         order by created_on limit 1) returning id`,
      [name],
    );
    if (woken.length === 0) this.#limited.delete(name);
  }

  /**
   * Frees jobs that a worker has fetched and, because it died, not started. A living worker that
   * was only slow finds that its call isn't queued any more.
   */
  async #takeOver(tools: readonly string[]): Promise<void> {
    await this.#sql.query(
      `update ${this.#jobs} jobs set ${resetFetch}, start_after = now() from ${this.#sql.schema}.calls calls
       where jobs.name = any($1) and jobs.state = 'active'
         and jobs.heartbeat_on < now() - ${heartbeat} * interval '1 second'
         and calls.id = (jobs.data->>'entry')::uuid and calls.state = 'queued'`,
      [tools.map(queueOf)],
    );
  }

  isOutage(error: unknown): boolean {
    return mayRecover(error);
  }

  /** A call with two jobs runs once: the second one finds that it isn't queued any more. */
  async resend(tools: readonly string[]): Promise<void> {
    const { schema } = this.#sql;
    await this.#takeOver(tools);
    const rows = await this.#sql.query(
      `select id, tool, tenant from ${schema}.calls calls
       where state = 'queued' and tool = any($1) and updated_at < statement_timestamp() - interval '1 minute'
         and not exists (select 1 from ${this.#jobs} jobs
           where jobs.name = any($2) and jobs.state in ('created', 'retry', 'active') and jobs.data->>'entry' = calls.id::text)
       order by created_at limit 100`,
      [tools, tools.map(queueOf)],
    );
    for (const row of rows) {
      const job = {
        entry: String(row['id']),
        tool: String(row['tool']),
        tenant: String(row['tenant']),
      };
      await this.#boss.send(queueOf(job.tool), job, this.#optionsOf(job));
    }
  }

  close(): Promise<void> {
    return this.#boss.stop({ graceful: true, close: false });
  }
}

/** A job as it was before a worker fetched it: this was not an attempt. */
const resetFetch = "state = 'created', started_on = null, heartbeat_on = null";

/**
 * `attempts`: those of the jobs that an older version sent for the same call before.
 */
interface SentJob extends BackgroundJob {
  readonly attempts?: number;
}

const queueOf = (tool: string): string => `toolmend.${tool}`;
