import { type Journal, openJournal } from 'toolmend/journal';
import { testJournalSource } from './journal-source.ts';

describe('the page over a journal in memory', () => {
  let journal: Journal;
  beforeAll(async () => {
    journal = await openJournal();
  });
  afterAll(() => journal.close());

  testJournalSource(() => journal);
});
