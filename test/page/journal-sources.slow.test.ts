import { type Journal, openJournal } from 'toolmend/journal';
import { pgliteFolder } from '../journal/pglite-folder.ts';
import {
  type PostgresServer,
  describeWithPostgres,
  startPostgres,
} from '../journal/postgres-server.ts';
import { testJournalSource } from './journal-source.ts';

describe('the page over PGlite', () => {
  let journal: Journal;
  beforeAll(async () => {
    journal = await openJournal({ folder: await pgliteFolder() });
  });
  afterAll(() => journal.close());

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
