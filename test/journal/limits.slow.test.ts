// How many calls with a limit a journal begins and ends, with and without a history.
import { Client } from 'pg';
import { type Journal, openJournal } from 'toolmend/journal';
import { writeWithoutIndexes } from './many-calls.ts';
import { completed, entryOf } from './port-tests.ts';
import { type PostgresServer, describeWithPostgres, startPostgres } from './postgres-server.ts';

const measuredMs = 3_000;
const limit = { key: 'limit-1', rate: { calls: 1_000_000, perMs: 60_000 }, running: 100 };

describeWithPostgres(() => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  /** Calls a second, of which ten run at the same time. */
  const rateOf = async (journal: Journal): Promise<number> => {
    const begin = performance.now();
    let ended = 0;
    const call = async (): Promise<void> => {
      while (performance.now() < begin + measuredMs) {
        const entry = entryOf();
        await journal.begin(entry, { limit });
        await journal.end(entry.id, completed);
        ended += 1;
      }
    };
    await Promise.all(Array.from({ length: 10 }, call));
    return (ended * 1000) / (performance.now() - begin);
  };

  it('begins calls with a limit as fast with a million old calls as without', async () => {
    const { connectionString } = server;
    const client = new Client({ connectionString });
    await client.connect();
    const rates: number[] = [];
    for (const calls of [0, 250_000, 1_000_000]) {
      await client.query('drop schema if exists toolmend cascade');
      const first = await openJournal({ connectionString });
      await first.close();
      await writeWithoutIndexes(client, calls);
      const journal = await openJournal({ connectionString });
      await rateOf(journal);
      rates.push(await rateOf(journal));
      await journal.close();
    }
    await client.end();
    const [empty = 0, ...others] = rates;
    console.log(`calls a second: ${rates.map((rate) => rate.toFixed(1)).join(', ')}`);

    expect(Math.min(...others)).toBeGreaterThan(empty / 4);
  });
});
