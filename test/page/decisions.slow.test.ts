import { type Journal, openJournal } from 'toolmend/journal';
import { pgliteFolder } from '../journal/pglite-folder.ts';
import {
  type PostgresServer,
  describeWithPostgres,
  startPostgres,
} from '../journal/postgres-server.ts';
import { testDecisions } from './decisions.ts';

describe('PGlite in a folder', () => {
  let journal: Journal;
  beforeAll(async () => {
    journal = await openJournal({ folder: await pgliteFolder() });
  });
  afterAll(() => journal.close());

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
