import type { SqlDatabase } from './call-store.ts';

/** A background call for a worker. Everything else about it is in the journal. */
export interface BackgroundJob {
  /** The id of the call's entry in the journal. */
  readonly entry: string;
  /** The tool's own name: workers without the tool leave the job to others. */
  readonly tool: string;
  readonly tenant: string;
}

export interface WorkSettings {
  /** Jobs of other tools are left to other workers. */
  readonly tools: readonly string[];
  /** Jobs of one tool at the same time. */
  readonly concurrency: number;
  /** Jobs of one tool and one tenant at the same time, in all workers together. */
  readonly tenantConcurrency: number | undefined;
}

/**
 * `isLast`: the job is not tried again if it fails. `later`: the job has to wait, and this is not
 * an attempt.
 */
export type RunJob = (job: BackgroundJob, isLast: boolean) => Promise<'done' | 'later'>;

/**
 * The jobs of background calls, in the database of their journal: `await openQueue(journal)` of
 * `toolmend/journal`.
 */
export interface JobQueue {
  /** Makes the queue of a tool ready, outside any transaction. */
  prepare(tool: string): Promise<void>;
  /** Puts a job into its queue, in this transaction. */
  send(job: BackgroundJob, database: SqlDatabase): Promise<void>;
  /**
   * Runs jobs; one whose function rejects is tried again later. Returns a function that waits for
   * the running ones and stops.
   */
  work(settings: WorkSettings, run: RunJob): Promise<() => Promise<void>>;
  /** Whether an error of the queue says that its database is out of reach for a while. */
  isOutage(error: unknown): boolean;
  /** Sends the jobs of calls again that have waited for a minute and have none. */
  resend(tools: readonly string[]): Promise<void>;
  /** Close it before the journal. */
  close(): Promise<void>;
}
