import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Journal, openJournal } from 'toolmend/journal';
import { testChangedApprovals } from './changed-approvals-laws.ts';

describe('with PGlite', () => {
  let journal: Journal;
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-approvals-'));
  beforeAll(async () => {
    journal = await openJournal({ folder });
  });
  afterAll(async () => {
    await journal.close();
    rmSync(folder, { recursive: true });
  });
  testChangedApprovals(() => journal);
});
