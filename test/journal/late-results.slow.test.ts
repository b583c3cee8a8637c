import { setTimeout as sleep } from 'node:timers/promises';
import { ToolRegistry } from 'toolmend';
import { type Journal, openJournal } from 'toolmend/journal';
import { type PostgresServer, startPostgres, describeWithPostgres } from './postgres-server.ts';
import { callTo, handleOf, toolOf } from '../tools.ts';
import { pgliteFolder } from './pglite-folder.ts';
import { endLeases, testLateResults } from './late-results-tests.ts';

describe('PGlite in a folder', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await pgliteFolder();
  });

  testLateResults((leaseMs) => openJournal({ folder, leaseMs }));
});

describeWithPostgres(() => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  const open = (leaseMs: number): Promise<Journal> =>
    openJournal({ connectionString: server.connectionString, leaseMs });

  testLateResults(open);

  it('another process doesn’t get what a living one has taken', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const leaseMs = 600_000;
    const [here, there] = [await open(leaseMs), await open(leaseMs)];
    const registryOf = (journal: Journal) =>
      new ToolRegistry({ journal }).register(
        toolOf(() => 'built', { name: 'build', background: 'always' }),
      );
    const [one, two] = [registryOf(here), registryOf(there)];
    const scope = { conversation: 'shared' };
    await one.background.wait(handleOf(await one.call(callTo('build'), scope)), 60_000);
    expect(await one.background.takeResults(scope)).toHaveLength(1);
    await endLeases(there);
    vi.advanceTimersByTime(leaseMs / 3);
    const renewed =
      "select from toolmend.calls where conversation = 'shared' and lease_until > now()";
    while ((await there.sql?.query(renewed, []))?.length === 0) await sleep(10);

    expect(await two.background.takeResults(scope)).toEqual([]);
    await here.close();
    await endLeases(there);
    expect(await two.background.takeResults(scope)).toHaveLength(1);
    await there.close();
    vi.useRealTimers();
  });
});
