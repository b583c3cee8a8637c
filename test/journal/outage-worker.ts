// A process that calls tools and works on a queue, `outage-worker.ts URL`, until its standard input
// ends. Whatever the server does, it must live to its end.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolRegistry, defineTool } from '../../src/index.ts';
import { openJournal, openQueue } from '../../src/journal/index.ts';

const [connectionString = ''] = process.argv.slice(2);
const journal = await openJournal({ connectionString, leaseMs: 2_000 });
const queue = await openQueue(journal, {
  pollMs: 500,
  onError: () => {
    throw new Error('a listener that fails');
  },
});
const inputSchema = { type: 'object' } as const;
const execute = (): Promise<string> => sleep(5, 'done');
const description = 'Works.';
const tools = new ToolRegistry({ journal, background: { queue } }).register(
  defineTool({
    name: 'limited',
    description,
    inputSchema,
    execute,
    limits: { running: 2, per: 'all', waitMs: 500 },
  }),
  defineTool({ name: 'plain', description, inputSchema, execute }),
  defineTool({ name: 'queued', description, inputSchema, execute, background: 'always' }),
);
const worker = await tools.startWorker({ resumeMs: 300, tenantConcurrency: 2 });
console.log('started');

const over = new AbortController();
void once(process.stdin.resume(), 'end').then(() => over.abort());
const lanes = ['limited', 'limited', 'limited', 'limited', 'plain', 'plain', 'queued'].map(
  async (name) => {
    while (!over.signal.aborted) {
      await tools.call({ id: crypto.randomUUID(), name, arguments: '{}' });
      await sleep(5);
    }
  },
);
await Promise.all(lanes);
await worker.stop();
await tools.close({ timeoutMs: 100 });
await queue.close();
await journal.close();
console.log('alive');
