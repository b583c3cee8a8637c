import { defineTool, ToolRegistry, ToolRetry } from 'toolmend';
import { openJournal } from 'toolmend/journal';
import { growthOf, heapNow } from '../run/heap.ts';
import { startPostgres, whyWithoutPostgres } from './postgres-server.ts';

/** `JOURNAL_SOAK_CALLS=1000000 npm run test:slow -- test/journal/soak` makes a million. */
const calls = Number(process.env['JOURNAL_SOAK_CALLS'] ?? 4_000);
const tenants = 50;
const samples = 10;
/** Fewer calls are the warm-up, in which caches fill and code is compiled. */
const fewestForHeap = 50_000;

const why = whyWithoutPostgres();
(why === undefined ? it : it.skip)(
  `has a row for each call of ${tenants} tenants, and keeps none in memory${why === undefined ? '' : ` (${why})`}`,
  async () => {
    const server = await startPostgres();
    try {
      const journal = await openJournal({ connectionString: server.connectionString });
      const tools = new ToolRegistry({ journal, concurrencyLimit: 10 }).register(
        defineTool<{ n: number }>({
          name: 'count',
          description: 'Counts.',
          inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
          execute: ({ n }) => {
            if (n % 4 === 3) throw new ToolRetry('Try another one.');
            return `counted ${n}`;
          },
        }),
      );
      const heap: number[] = [];
      for (let sample = 0; sample < samples; sample += 1) {
        for (let made = 0; made < calls / samples; made += 100) {
          const batch = Array.from(
            { length: 100 },
            (_, index) => (sample * calls) / samples + made + index,
          );
          await Promise.all(
            batch.map((n) =>
              tools.call(
                { id: `call_${n}`, name: 'count', arguments: `{"n": "${n}"}` },
                { tenant: `tenant_${n % tenants}`, conversation: 'c' },
              ),
            ),
          );
        }
        heap.push(await heapNow());
      }
      const rows = await journal.sql?.query(
        `select tenant, count(*)::integer as calls, (count(*) filter (where outcome_status = 'completed'))::integer as completed,
           (count(*) filter (where outcome_status = 'retry'))::integer as retries from toolmend.calls group by tenant`,
        [],
      );
      await tools.close();
      await journal.close();

      const each = calls / tenants;
      expect(rows).toHaveLength(tenants);
      expect(new Set(rows?.map((row) => row['calls']))).toEqual(new Set([each]));
      expect(rows?.reduce((sum, row) => sum + Number(row['completed']), 0)).toBe((calls * 3) / 4);
      expect(rows?.reduce((sum, row) => sum + Number(row['retries']), 0)).toBe(calls / 4);
      if (calls >= fewestForHeap) expect(growthOf(heap.slice(3))).toBeLessThan(0.05);
    } finally {
      server.remove();
    }
  },
  900_000 + calls * 10,
);
