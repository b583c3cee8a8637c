import { openJournal } from 'toolmend/journal';
import { pgliteFolder } from './pglite-folder.ts';
import { type PostgresServer, startPostgres, describeWithPostgres } from './postgres-server.ts';
import { longTime, testShutdown } from './shutdown-tests.ts';

describe('PGlite in a folder', () =>
  testShutdown(async () => {
    const journal = await openJournal({ folder: await pgliteFolder(), leaseMs: longTime });
    // Another registry of the process: one process has the folder.
    return { here: journal, there: journal };
  }));

describeWithPostgres(() => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  testShutdown(async () => {
    const schema = `s${crypto.randomUUID().slice(0, 8)}`;
    const options = { connectionString: server.connectionString, schema, leaseMs: longTime };
    const [here, there] = [await openJournal(options), await openJournal(options)];
    return { here, there, close: () => there.close() };
  });
});
