import { type Journal, openJournal } from 'toolmend/journal';
import { testJournal } from './port-tests.ts';

let journal: Journal;
beforeAll(async () => {
  journal = await openJournal();
});

testJournal(() => journal);
