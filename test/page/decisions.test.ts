import { type Journal, openJournal } from 'toolmend/journal';
import { testDecisions } from './decisions.ts';

let journal: Journal;
beforeAll(async () => {
  journal = await openJournal();
});
afterAll(() => journal.close());

testDecisions(() => journal);
