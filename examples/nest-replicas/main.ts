// Two replicas and a worker behind one PostgreSQL. An approval is given on the other replica, and
// processes are killed in between.
import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';

const database = new Pool({ connectionString: process.env['DATABASE_URL'] });
await database.query(
  'create table refunds (payment text, amount int); create table exports (pid int)',
);
const count = async (table: 'refunds' | 'exports'): Promise<number> => {
  const { rows } = await database.query<{ readonly count: number }>(
    `select count(*)::int as count from ${table}`,
  );
  return rows[0]?.count ?? 0;
};

interface Running {
  readonly child: ChildProcess;
  readonly address: string;
}

async function start(role: 'replica' | 'worker', environment = {}): Promise<Running> {
  const env = { ...process.env, ...environment };
  const child = fork(join(import.meta.dirname, 'process.js'), [role], { env });
  const [{ address }] = await once(child, 'message');
  console.log(`a ${role} has started`);
  return { child, address };
}

async function kill({ child }: Running): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

interface Answer {
  readonly status: string;
  readonly notes: readonly string[];
  readonly approval?: object;
}

async function post({ address }: Running, path: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${address}/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return JSON.parse(await response.text());
}

interface Found {
  readonly late: readonly string[];
  readonly health: Readonly<Record<string, unknown>>;
}

async function get<Path extends keyof Found>(
  { address }: Running,
  path: Path,
): Promise<Found[Path]> {
  const response = await fetch(`${address}/${path}?conversation=${conversation}`);
  return JSON.parse(await response.text());
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await delay(100);
}

const conversation = 'c1';
const [first, second] = await Promise.all([start('replica'), start('replica')]);

// A refund has to be approved. The replica that asked dies; the approval is given on the other one,
// and counts once.
const refund = { id: 'call_1', name: 'refund', arguments: '{"payment": "p1", "amount": "250"}' };
const asked = await post(first, 'calls', { conversation, call: refund });
strictEqual(asked.status, 'approval_required');
await kill(first);
const decisions = await Promise.all([
  post(second, 'approvals', { approval: asked.approval }),
  post(second, 'approvals', { approval: asked.approval }),
]);
deepStrictEqual(decisions.map(({ status }) => status).toSorted(), ['completed', 'denied']);
strictEqual(await count('refunds'), 1);
console.log('the approval was given on the other replica, and counted once');

// An export runs on a worker, which dies. Another worker runs it again, because it only reads.
const exporting = { id: 'call_2', name: 'export_orders', arguments: '{"year": 2026}' };
const started = await post(second, 'calls', { conversation, call: exporting });
strictEqual(started.status, 'in_background');
match(started.notes.join('\n'), /Refunded 250 of p1\./); // the result of the approved call
const worker = await start('worker', { EXPORT_TIME: '3600000' }); // dies in its first hour
await until(async () => (await count('exports')) === 1);
await kill(worker);
const other = await start('worker');
const late: string[] = [];
await until(async () => late.push(...(await get(second, 'late'))) > 0);
match(
  late.join('\n'),
  /^export_orders, which ran in the background as bg_[^]*\n12 orders of 2026\.$/,
);
strictEqual(await count('exports'), 2);
console.log('the export outlived its worker, and its result came once');

const { toolmend } = await get(second, 'health');
deepStrictEqual(toolmend, { status: 'up', inDoubt: 0, running: 0, waiting: 0 });
for (const { child } of [second, other]) {
  const exit = once(child, 'exit');
  child.kill('SIGTERM'); // a graceful end: Nest closes the registry, the queue and the journal
  await exit;
}
await database.end();
console.log('all processes have ended');
