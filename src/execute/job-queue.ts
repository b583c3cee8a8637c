import type { SqlDatabase } from './journal.ts';

/** A background call for a worker. Everything else about it is in the journal. */
export interface BackgroundJob {
  /** The id of the call's entry in the journal. */
  readonly entry: string;
  /** The tool's own name: workers without the tool leave the job to others. */
  readonly tool: string;
  readonly tenant: string;
}

/** How often a job was tried before, and whether it is tried again if it fails. */
export interface JobAttempt {
  readonly retries: number;
  readonly isLast: boolean;
}

/** Stops a worker: no new jobs. Resolves when its running jobs have ended. */
export type StopWork = () => Promise<void>;

export interface WorkSettings {
  readonly tools: readonly string[];
  /** Jobs of one tool at the same time. */
  readonly concurrency: number;
}

/** The jobs of background calls, in the database of their journal. */
export interface JobQueue {
  /** Makes the queue of a tool ready, outside any transaction. */
  prepare(tool: string): Promise<void>;
  /** Puts a job into its queue, in this transaction. */
  send(job: BackgroundJob, database: SqlDatabase): Promise<void>;
  /** Runs jobs. A job whose function rejects is tried again later, except for the last attempt. */
  work(
    settings: WorkSettings,
    run: (job: BackgroundJob, attempt: JobAttempt) => Promise<void>,
  ): Promise<StopWork>;
  close(): Promise<void>;
}
