import { type Journal, openJournal } from 'toolmend/journal';
import { testReplicas } from './replica-tests.ts';

let journal: Journal;
beforeAll(async () => {
  journal = await openJournal();
});

testReplicas(() => [journal, journal]);
