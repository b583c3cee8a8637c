import { type OptionKinds, checkOptions, count } from '../errors/check-options.ts';
import type { Journal } from '../execute/journal.ts';
import { MemoryJournal } from './memory-journal.ts';

/** The options of `openJournal`. */
export interface JournalOptions {
  /** Characters of a result that are kept; a longer one is cut, and a note says so. Default: 1 Mi. */
  readonly maxResultChars?: number;
}

const journalOptionKinds: OptionKinds<JournalOptions> = {
  maxResultChars: count(0),
};

/** Opens a journal in memory. Throws a DefinitionError with every problem of the options. */
export function openJournal(options: JournalOptions = {}): Promise<Journal> {
  checkOptions('openJournal', options, journalOptionKinds);
  const { maxResultChars = 1024 * 1024 } = options;
  return Promise.resolve(new MemoryJournal(maxResultChars));
}
