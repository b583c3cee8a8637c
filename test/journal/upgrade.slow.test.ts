// Journals of older versions that are opened while other processes use them.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { type Journal, type JournalOptions, openJournal } from 'toolmend/journal';
import { writeManyCalls } from './many-calls.ts';
import { journalOfVersion } from './older-journals.ts';
import { completed, entryOf } from './port-tests.ts';
import { type PostgresServer, describeWithPostgres, startPostgres } from './postgres-server.ts';

type PostgresPool = NonNullable<JournalOptions['pool']>;

/** Longer than the time after which a server that doesn't answer counts as out of reach. */
const longBackupMs = 12_000;

describeWithPostgres(() => {
  let server: PostgresServer;
  let clients: Client[] = [];
  let journals: readonly Journal[] = [];
  beforeEach(async () => {
    server = await startPostgres();
    clients = [];
    journals = [];
  });
  afterEach(async () => {
    await Promise.all(journals.map((journal) => journal.close()));
    await Promise.all(clients.map((client) => client.end()));
    server.remove();
  });

  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: server.connectionString });
    await client.connect();
    clients.push(client);
    return client;
  };
  const open = (schema = 'toolmend') =>
    openJournal({ connectionString: server.connectionString, schema });

  /** Reads all tables in one transaction. */
  const backUp = async (): Promise<Client> => {
    const backup = await connect();
    await backup.query('begin isolation level repeatable read; select from toolmend.calls limit 1');
    return backup;
  };
  const indexesOf = async (client: Client, schema: string): Promise<readonly string[]> => {
    const { rows } = await client.query<{ definition: string }>(
      `select pg_get_indexdef(indexrelid) || ' ' || indisvalid as definition from pg_index
       join pg_class on pg_class.oid = indexrelid where relnamespace = $1::regnamespace order by relname`,
      [schema],
    );
    return rows.map(({ definition }) => definition.replaceAll(`${schema}.`, ''));
  };

  it.each([
    [1, 1_000_000, longBackupMs],
    [5, 100_000, 0],
  ])(
    'brings a journal of version %i with %i calls up to date in two replicas, during a backup and other calls',
    async (version, calls, backupMs) => {
      const client = await connect();
      await client.query(journalOfVersion(version));
      await writeManyCalls(client, calls);
      // A write that waits for longer is refused, so that the test fails.
      await client.query("alter database postgres set statement_timeout = '5s'");
      const backup = await backUp();
      const writer = await connect();
      const done = new AbortController();
      const write = async (): Promise<void> => {
        while (!done.signal.aborted) {
          await writer.query(
            `insert into toolmend.calls (id, tenant, call_id, tool, interpreter, digest, rerun, has_secrets, state, attempts, is_late)
             values (gen_random_uuid(), '', 'new', 'pay', '0', 'sha256:0', false, false, 'ended', 1, false)`,
          );
          await sleep(10);
        }
      };
      const writing = write();

      const opening = Promise.allSettled([open(), open()]).finally(() => done.abort());
      const waiting =
        "select from pg_stat_activity where application_name = 'toolmend' and wait_event_type = 'Lock'";
      while ((await client.query(waiting)).rowCount === 0 && !done.signal.aborted) await sleep(20);
      await Promise.race([opening, sleep(backupMs)]);
      await backup.query('commit');
      const opened = await opening;
      await writing;
      journals = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      journals = [...journals, await open('other')];

      // The reasons, which a failure has to show.
      expect(opened.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))).toEqual(
        [],
      );
      expect(await indexesOf(client, 'toolmend')).toEqual(await indexesOf(client, 'other'));
    },
  );

  it('opens while another replica brings the journal up to date', async () => {
    const client = await connect();
    await client.query(journalOfVersion(1));
    const pool = new Pool({ connectionString: server.connectionString });
    let migration: Promise<Journal> | undefined;
    const slowPool: PostgresPool = {
      connect: (callback) => pool.connect(callback),
      on: (event, listener) => pool.on(event, listener),
      off: (event, listener) => pool.off(event, listener),
      // The other replica is done between the query for the tables and the query for their version.
      query: async (text, values) => {
        const statement = typeof text === 'string' ? text : text.text;
        if (statement.includes('version')) journals = [await (migration ??= open())];
        return pool.query<Record<string, unknown>>(statement, values ?? []);
      },
    };

    const journal = await openJournal({ pool: slowPool });
    await journal.close();
    await pool.end();

    expect(migration).toBeDefined();
  });

  it('gives the calls of an older version their model, status and rules', async () => {
    const client = await connect();
    await client.query(journalOfVersion(5));
    await writeManyCalls(client, 2200);
    const journal = await open();
    journals = [journal];
    const unread = async (): Promise<number | null> =>
      (await client.query('select from toolmend.calls where status is null limit 1')).rowCount;
    while ((await unread()) !== 0) await sleep(50);

    expect(await journal.stats({ by: 'rule' })).toMatchObject([
      { rule: 'text_to_integer', calls: 200, repaired: 200 },
    ]);
    expect(await journal.stats({ by: 'model' })).toEqual([
      { model: 'small', calls: 2200, valid: 2000, repaired: 200, rejected: 0, failed: 0 },
    ]);
  });

  it('makes an index anew that a killed migration has left invalid', async () => {
    const client = await connect();
    await client.query(journalOfVersion(5));
    // Its snapshot holds up the indexes, and no lock the columns that are added before them.
    const reader = await connect();
    await reader.query('begin isolation level repeatable read; select from pg_class limit 1');
    const killed = open().catch((error: unknown) => error);
    const kill = async (): Promise<number | null> => {
      const { rowCount } = await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where query ilike 'create%index concurrently%' and wait_event = 'virtualxid'`,
      );
      return rowCount;
    };
    while ((await kill()) === 0) await sleep(20);
    const error = await killed;
    const left = await indexesOf(client, 'toolmend');
    await reader.query('commit');
    journals = [await open(), await open('other')];
    const entry = entryOf();

    expect(error).toMatchObject({ code: '57P01' });
    expect(left).toContainEqual(expect.stringMatching(/ false$/));
    expect(await indexesOf(client, 'toolmend')).toEqual(await indexesOf(client, 'other'));
    expect(await journals[0]?.begin(entry)).toEqual({ kind: 'begun' });
    expect(await journals[0]?.begin({ ...entry, id: crypto.randomUUID() })).toMatchObject({
      kind: 'known',
    });
    expect(await journals[0]?.end(entry.id, completed)).toBe(true);
  });
});
