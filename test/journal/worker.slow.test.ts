import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Journal, openJournal } from 'toolmend/journal';
import { type PostgresServer, startPostgres, describeWithPostgres } from './postgres-server.ts';
import { testWorkers } from './worker-tests.ts';

/** So long that a busy machine loses none. */
const leaseMs = 600_000;

describe('PGlite in a folder', () => {
  let journal: Journal;
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-pglite-'));
  beforeAll(async () => {
    journal = await openJournal({ folder, leaseMs });
  });
  afterAll(async () => {
    await journal.close();
    rmSync(folder, { recursive: true });
  });

  testWorkers(() => [journal, journal]);
});

describeWithPostgres(() => {
  let server: PostgresServer;
  let journal: Journal;
  let other: Journal;
  beforeAll(async () => {
    server = await startPostgres();
    const options = { connectionString: server.connectionString, leaseMs };
    journal = await openJournal(options);
    other = await openJournal(options);
  });
  afterAll(async () => {
    await Promise.all([journal.close(), other.close()]);
    server.remove();
  });

  testWorkers(() => [journal, other]);
});
