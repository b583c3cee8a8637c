import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournal } from 'toolmend/journal';
import { type PostgresServer, startPostgres, describeWithPostgres } from './postgres-server.ts';
import { longTime, testShutdown } from './shutdown-tests.ts';

describe('PGlite in a folder', () =>
  testShutdown(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolmend-pglite-'));
    const journal = await openJournal({ folder, leaseMs: longTime });
    const close = () => Promise.resolve(rmSync(folder, { recursive: true }));
    // Another registry of the process: one process has the folder.
    return { here: journal, there: journal, close };
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
