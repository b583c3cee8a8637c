import { type Journal, openJournal } from 'toolmend/journal';
import { testChangedApprovals } from './changed-approvals-laws.ts';

describe('without a journal', () => testChangedApprovals(() => undefined));

describe('with a journal in memory', () => {
  let journal: Journal;
  beforeAll(async () => {
    journal = await openJournal();
  });
  testChangedApprovals(() => journal);
});
