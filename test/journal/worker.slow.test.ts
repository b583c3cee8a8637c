import { type Journal, openJournal } from 'toolmend/journal';
import { pgliteFolder } from './pglite-folder.ts';
import { type PostgresServer, startPostgres, describeWithPostgres } from './postgres-server.ts';
import { testWorkers } from './worker-tests.ts';

/** So long that a busy machine loses none. */
const leaseMs = 600_000;

describe('PGlite in a folder', () => {
  let journal: Journal;
  beforeAll(async () => {
    journal = await openJournal({ folder: await pgliteFolder(), leaseMs });
  });
  afterAll(() => journal.close());

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
