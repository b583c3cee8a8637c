import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Journal, openJournal } from 'toolmend/journal';
import {
  type PostgresServer,
  describeWithPostgres,
  startPostgres,
} from '../journal/postgres-server.ts';
import { testJournalSource } from './journal-source.ts';

describe('the page over PGlite', () => {
  let journal: Journal;
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-page-'));
  beforeAll(async () => {
    journal = await openJournal({ folder });
  });
  afterAll(async () => {
    await journal.close();
    rmSync(folder, { recursive: true });
  });

  testJournalSource(() => journal);
});

describeWithPostgres(() => {
  let server: PostgresServer;
  let journal: Journal;
  beforeAll(async () => {
    server = await startPostgres();
    const { connectionString } = server;
    journal = await openJournal({ connectionString, secretsKey: 'a key of all replicas' });
  });
  afterAll(async () => {
    await journal.close();
    server.remove();
  });

  testJournalSource(() => journal);
});
