// What resuming, settling and workers need of a registry.
import { definitionError } from '../errors/definition-error.ts';
import type { CallSettings } from '../run/running-call.ts';
import type { CallStore } from '../store/call-store.ts';
import type { JobQueue } from '../store/job-queue.ts';

/** Throws a DefinitionError without a journal. */
export function requireJournal({ recording, store }: CallSettings): CallStore {
  if (recording === 'every_call') return store;
  const instead = "construct it with journal: await openJournal(…) of 'toolmend/journal'";
  throw definitionError('ToolRegistry', 'has no journal', instead);
}

/** Throws a DefinitionError without a queue. */
export function requireQueue({ queue, recording, store }: CallSettings): {
  readonly journal: CallStore;
  readonly queue: JobQueue;
} {
  if (recording === 'every_call' && queue !== undefined) return { journal: store, queue };
  const instead =
    'construct it with a journal in a database, and background: { queue: await openQueue(journal) }';
  throw definitionError('ToolRegistry', 'has no queue', instead);
}
