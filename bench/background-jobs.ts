import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PgBoss } from 'pg-boss';
import { defineTool, ToolRegistry } from 'toolmend';
import { type Journal, openQueue } from 'toolmend/journal';

/** Jobs that run at once, and that are sent at once. */
const lanes = 16;
const data = { path: 'a', limit: 3 };

/** Jobs that end in a second, from the first one that is sent to the end of the last one. */
export type JobsPerSecond = (count: number) => Promise<number>;

/** Background calls of a registry, which a worker in the same process runs. */
export const backgroundCalls =
  (journal: Journal): JobsPerSecond =>
  async (count) => {
    const queue = await openQueue(journal, { pollMs: 500 });
    const ended = countdown(count);
    const tools = new ToolRegistry({
      journal,
      background: { queue, onEnd: () => ended.one(), concurrencyLimit: lanes },
    }).register(
      defineTool({
        name: 'look_up',
        description: 'Looks something up.',
        inputSchema: {
          type: 'object',
          properties: { path: { type: 'string' }, limit: { type: 'integer' } },
        },
        effects: 'read',
        background: 'always',
        execute: () => 'found',
      }),
    );
    await tools.startWorker({ concurrency: lanes });
    const send = (): Promise<unknown> =>
      tools.call(
        { id: crypto.randomUUID(), name: 'look_up', arguments: data },
        { conversation: 'bench' },
      );
    const perSecond = await ratePerSecond(count, send, ended.all);
    await tools.close();
    await queue.close();
    return perSecond;
  };

/** pg-boss alone, whose workers go on at once too. */
export const bossJobs =
  (connectionString: string): JobsPerSecond =>
  async (count) => {
    const boss = new PgBoss({ connectionString, supervise: false, schedule: false });
    await boss.start();
    await boss.createQueue('bench_work');
    const ended = countdown(count);
    for (let lane = 0; lane < lanes; lane += 1) {
      let worker = '';
      worker = await boss.work('bench_work', { pollingIntervalSeconds: 0.5 }, async () => {
        ended.one();
        boss.notifyWorker(worker);
      });
    }
    const perSecond = await ratePerSecond(count, () => boss.send('bench_work', data), ended.all);
    await boss.stop({ graceful: false });
    return perSecond;
  };

/**
 * BullMQ with Redis, which doesn't wait for its disk. Not part of what is installed: a text says
 * what is missing. `BULLMQ` is a folder in which `npm install bullmq ioredis` was run.
 */
export async function bullJobs(count: number): Promise<number | string> {
  const folder = process.env['BULLMQ'];
  if (folder === undefined)
    return 'not measured: BULLMQ=folder, after npm install bullmq ioredis there';
  const home = mkdtempSync(join(tmpdir(), 'toolmend-redis-'));
  const port = await freePort();
  const redis = spawn('redis-server', ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', home], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    await once(redis, 'spawn');
    await started(redis.stdout);
    const { Queue, Worker } = createRequire(join(folder, 'any.js'))('bullmq');
    const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
    const ended = countdown(count);
    const queue = new Queue('bench', { connection });
    const worker = new Worker('bench', async () => ended.one(), { connection, concurrency: lanes });
    await worker.waitUntilReady();
    const perSecond = await ratePerSecond(count, () => queue.add('look_up', data), ended.all);
    await worker.close();
    await queue.close();
    return perSecond;
  } catch (error) {
    const isMissing = Reflect.get(Object(error), 'code') === 'ENOENT';
    return `not measured: ${isMissing ? 'apt-get install redis-server' : String(error)}`;
  } finally {
    // On SIGTERM it would wait for a folder to save to.
    redis.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  }
}

async function started(output: AsyncIterable<unknown>): Promise<void> {
  for await (const lines of output) if (String(lines).includes('Ready to accept')) return;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

function countdown(count: number): { readonly one: () => void; readonly all: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let left = count;
  const one = (): void => {
    left -= 1;
    if (left === 0) resolve();
  };
  return { one, all: promise };
}

async function ratePerSecond(
  count: number,
  send: () => Promise<unknown>,
  ended: Promise<void>,
): Promise<number> {
  const start = performance.now();
  let sent = 0;
  const lane = async (): Promise<void> => {
    while (sent < count) {
      sent += 1;
      await send();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  await ended;
  return (count * 1000) / (performance.now() - start);
}
