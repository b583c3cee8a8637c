// The entry `toolmend/journal`.
export { openJournal, type JournalOptions } from './open-journal.ts';
export type { PostgresPool } from './sql-database.ts';
export { openHintFile } from './hint-file.ts';
export { openQueue, type QueueOptions } from './open-queue.ts';
export type { JobQueue } from '../store/job-queue.ts';
export type { Journal, JournalEntry, JournalQuery, JournalState } from '../store/call-store.ts';
export type { StoredOutcome } from '../outcomes/stored-outcome.ts';
export type {
  CallFacts,
  CallFigures,
  CallFiguresReader,
  CallStatus,
  ChangesQuery,
  EntryChanges,
  FactsQuery,
  RejectedPlace,
  StatsDimension,
  StatsQuery,
  StatsRow,
} from '../store/call-figures.ts';
