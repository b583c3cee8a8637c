// A process that runs background calls which others have queued.
import {
  type OptionKinds,
  callback,
  checkOptions,
  count,
  milliseconds,
} from '../options/check-options.ts';
import { ToolmendError } from '../errors/errors.ts';
import type { BackgroundJob, RunJob } from '../store/job-queue.ts';
import type {
  CallStore,
  JournalEntry,
  RunningLimits,
  StartInTurnResult,
} from '../store/call-store.ts';
import type { AcceptedOutcome } from '../outcomes/tool-outcome.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';
import { definitionDigest } from '../run/call-digests.ts';
import { definitionHasChanged } from '../run/entry-outcome.ts';
import type { CallableTools } from '../run/resolve-approval.ts';
import { wasClosed, neverRan } from '../run/entry-end.ts';
import { acceptedCallOf, contextOf, runningCallOf } from './entry-call.ts';
import { requireQueue } from './required-journal.ts';
import { resumeCalls } from './resume.ts';
import { runHere } from './run-here.ts';

/** The options of `ToolRegistry.startWorker`. */
export interface WorkerOptions {
  /**
   * Calls of one tool that run in this worker at the same time, within the
   * `background.concurrencyLimit` of the registry. Default: 4.
   */
  readonly concurrency?: number;
  /**
   * Calls of one tool and one tenant that run at the same time, in all workers together. Default:
   * no limit.
   */
  readonly tenantConcurrency?: number;
  /**
   * The application's values for a call: the journal doesn't have them. Default: those of the
   * registry.
   */
  readonly context?: (entry: JournalEntry) => ApplicationContext;
  /**
   * Milliseconds after which the worker looks again for later tools, for a database that was out of
   * reach, and for calls of dead processes, as `resume` does. Default: 15,000.
   */
  readonly resumeMs?: number;
}

const workerKinds: OptionKinds<WorkerOptions> = {
  concurrency: count(1),
  tenantConcurrency: count(1),
  context: callback('write a function that returns the values of a call, (entry) => …'),
  resumeMs: milliseconds,
};

/** A running worker. */
export interface ToolWorker {
  /** Takes no more calls, and resolves when the running ones have ended. */
  stop(): Promise<void>;
}

export interface WorkingTools extends CallableTools {
  /** The tools that may run in the background now. */
  readonly names: () => readonly string[];
}

/**
 * Runs the queued calls of the tools that it has. If the database is out of reach, it waits and
 * tries again. Throws a DefinitionError without a queue.
 */
export async function startWorker(
  tools: WorkingTools,
  options: WorkerOptions,
): Promise<ToolWorker> {
  checkOptions('ToolRegistry.startWorker', options, workerKinds);
  const { journal, queue } = requireQueue(tools.settings);
  const { openCalls } = tools.settings;
  const { concurrency = 4, tenantConcurrency, context, resumeMs = 15_000 } = options;
  const resumeOptions = context === undefined ? {} : { context };
  const workedTools = new Set<string>();
  const stops: (() => Promise<void>)[] = [];
  const workNew = async (): Promise<void> => {
    const newTools = tools.names().filter((name) => !workedTools.has(name));
    if (newTools.length === 0 && stops.length > 0) return;
    for (const name of newTools) workedTools.add(name);
    const run: RunJob = (job, isLast) =>
      runJob({ journal, tools, context, tenantConcurrency }, job, isLast);
    try {
      stops.push(await queue.work({ tools: newTools, concurrency, tenantConcurrency }, run));
    } catch (error) {
      for (const name of newTools) workedTools.delete(name);
      throw error;
    }
  };
  // Calls of workers that have died run here too. After an error of the database, the next look
  // tries again.
  const look = (): void => {
    void openCalls.whileAnswering(() => resumeCalls(tools, resumeOptions)).catch(() => undefined);
    void openCalls.whileAnswering(() => queue.resend([...workedTools])).catch(() => undefined);
  };
  // In an outage the next look starts the work.
  await workNew().catch((error: unknown) => {
    if (!queue.isOutage(error)) throw error;
  });
  look();
  let working = Promise.resolve();
  const timer = setInterval(() => {
    working = working.then(workNew).catch(() => undefined);
    look();
  }, resumeMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await working;
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

interface JobSettings {
  readonly tenantConcurrency: number | undefined;
  readonly context: WorkerOptions['context'];
  readonly journal: CallStore;
  readonly tools: CallableTools;
}

/**
 * Rejects if the call has to be tried again. A call that another process has taken, or that was
 * cancelled, is not run.
 */
async function runJob(
  { journal, tools, context, tenantConcurrency }: JobSettings,
  job: BackgroundJob,
  isLast: boolean,
): Promise<'done' | 'later'> {
  const runningLimit = tools.tools.get(job.tool)?.execution?.limits?.running;
  const start = await startQueued(journal, job, {
    tenant: tenantConcurrency,
    running: runningLimit,
  });
  if (start.kind !== 'started') return start.kind === 'limited' ? 'later' : 'done';
  const { entry } = start;
  const acceptedCall = acceptedCallOf(entry, tools.tools.get(entry.tool));
  if (acceptedCall === undefined || entry.contract !== definitionDigest(acceptedCall.contract)) {
    if (!isLast) return putBack(journal, entry, 'this worker has another definition of the tool');
    await endChanged(journal, entry);
    return 'done';
  }
  const { settings } = tools;
  const values = contextOf(entry, context, settings);
  if (values === undefined) return putBack(journal, entry, 'the function context has thrown');
  const isRetried = (outcome: AcceptedOutcome): boolean =>
    (!isLast || wasClosed(outcome)) && mayTryAgain(outcome, entry);
  const approvedDigest = entry.approved;
  const call = runningCallOf(entry, acceptedCall, settings, {
    context: values,
    approvedDigest,
    isRetried,
  });
  const outcome = await runHere(call, entry, isRetried);
  if (isRetried(outcome))
    throw new ToolmendError('try-again', `${entry.tool} is tried again later`);
  return 'done';
}

async function startQueued(
  journal: CallStore,
  { entry: id, tool, tenant }: BackgroundJob,
  most: RunningLimits,
): Promise<StartInTurnResult> {
  if (most.tenant !== undefined || most.running !== undefined)
    return journal.startInTurn({ id, tool, tenant }, most);
  const entry = await journal.start(id, ['queued']);
  return entry === undefined ? { kind: 'taken' } : { kind: 'started', entry };
}

async function putBack(journal: CallStore, entry: JournalEntry, why: string): Promise<never> {
  await journal.requeue(entry.id);
  throw new ToolmendError('try-again', `${entry.tool} is tried again later: ${why}`);
}

/** No worker has the definition that the call was made for. */
async function endChanged(journal: CallStore, { id, tool }: JournalEntry): Promise<void> {
  await journal.end(id, { state: 'ended', outcome: definitionHasChanged(tool) });
}

/**
 * A call that never ran, or that may run twice and ended by an accident: an exception, its time
 * limit, the end of its worker.
 */
function mayTryAgain(outcome: AcceptedOutcome, { rerun }: JournalEntry): boolean {
  if (neverRan(outcome)) return !isCancelledByPerson(outcome);
  if (rerun !== 'allowed') return false;
  if (outcome.status === 'failed') return outcome.reason === 'exception';
  return (
    outcome.status === 'timed_out' ||
    (outcome.status === 'cancelled' && !isCancelledByPerson(outcome))
  );
}

const isCancelledByPerson = (outcome: AcceptedOutcome): boolean =>
  outcome.status === 'cancelled' && !wasClosed(outcome);
