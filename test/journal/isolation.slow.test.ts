// A journal in a database whose transactions are isolated more than PostgreSQL's are by default.
import { Client } from 'pg';
import { type Journal, openJournal } from 'toolmend/journal';
import { entryOf, testJournal } from './port-tests.ts';
import { type PostgresServer, describeWithPostgres, startPostgres } from './postgres-server.ts';
import { testReplicas } from './replica-tests.ts';

describeWithPostgres(() => {
  describe.each(['repeatable read', 'serializable'])('with %s as its default', (level) => {
    let server: PostgresServer;
    let replicas: readonly [Journal, Journal];
    const ten = Array.from({ length: 10 }, (_, index) => index);
    const replicaOf = (index: number): Journal => replicas[index % 2 === 0 ? 0 : 1];
    beforeAll(async () => {
      server = await startPostgres();
      const client = new Client({ connectionString: server.connectionString });
      await client.connect();
      await client.query(`alter database postgres set default_transaction_isolation = '${level}'`);
      await client.end();
      // So long that a busy machine loses no lease.
      const leaseMs = 600_000;
      const open = () => openJournal({ connectionString: server.connectionString, leaseMs });
      replicas = [await open(), await open()];
      // Calls that come at the same time find open connections.
      await Promise.all(ten.map((index) => replicaOf(index).list({})));
    });
    afterAll(async () => {
      await Promise.all(replicas.map((journal) => journal.close()));
      server.remove();
    });

    it.each([
      ['running', { running: 2 }],
      ['starts in a minute', { rate: { calls: 2, perMs: 60_000 } }],
    ])('begins two of ten calls at the same time with the limit of two %s', async (key, limit) => {
      const begun = await Promise.all(
        ten.map((index) => replicaOf(index).begin(entryOf(), { limit: { key, ...limit } })),
      );

      expect(begun.filter(({ kind }) => kind === 'begun')).toHaveLength(2);
      expect(begun.filter(({ kind }) => kind === 'limited')).toHaveLength(8);
    });

    it('starts two of ten queued calls at the same time with the limit of two running', async () => {
      const tool = 'queued';
      const queued = ten.map(() => entryOf({ tool }));
      for (const entry of queued) await replicas[0].begin(entry, { state: 'queued', isLate: true });

      const started = await Promise.all(
        queued.map(({ id, tenant }, index) =>
          replicaOf(index).startInTurn({ id, tool, tenant }, { tenant: 2 }),
        ),
      );

      expect(started.filter(({ kind }) => kind === 'started')).toHaveLength(2);
    });

    it('starts each of ten calls once that both replicas start at the same time', async () => {
      const queued = ten.map(() => entryOf());
      for (const entry of queued) await replicas[0].begin(entry, { state: 'queued' });

      const started = await Promise.all(
        queued.flatMap(({ id }) => replicas.map((journal) => journal.start(id, ['queued']))),
      );

      expect(started.filter((entry) => entry !== undefined).map(({ id }) => id)).toEqual(
        queued.map(({ id }) => id),
      );
    });

    testJournal(() => replicas[0]);
    testReplicas(() => replicas);
  });
});
