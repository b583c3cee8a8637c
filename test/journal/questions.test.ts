import { type Journal, openJournal } from 'toolmend/journal';
import { testQuestions } from './question-tests.ts';

let journal: Journal;
beforeAll(async () => {
  journal = await openJournal();
});

testQuestions(() => [journal, journal]);
