import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Journal, openJournal } from 'toolmend/journal';
import {
  type PostgresServer,
  describeWithPostgres,
  startPostgres,
} from '../journal/postgres-server.ts';
import { testDecisions } from './decisions.ts';

describe('PGlite in a folder', () => {
  let journal: Journal;
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-pglite-'));
  beforeAll(async () => {
    journal = await openJournal({ folder });
  });
  afterAll(async () => {
    await journal.close();
    rmSync(folder, { recursive: true });
  });

  testDecisions(() => journal);
});

describeWithPostgres(() => {
  let server: PostgresServer;
  let journal: Journal;
  beforeAll(async () => {
    server = await startPostgres();
    journal = await openJournal({ connectionString: server.connectionString });
  });
  afterAll(async () => {
    await journal.close();
    server.remove();
  });

  testDecisions(() => journal);
});
