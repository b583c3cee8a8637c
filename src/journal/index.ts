// The entry `toolmend/journal`.
export { openJournal, type JournalOptions } from './open-journal.ts';
export type { Journal, JournalEntry, JournalQuery, JournalState } from '../execute/journal.ts';
export type { StoredOutcome } from '../execute/stored-outcome.ts';
