import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { PgBoss } from 'pg-boss';
import { defineTool, ToolRegistry } from 'toolmend';
import { type Journal, openJournal } from 'toolmend/journal';
import {
  type PostgresServer,
  startPostgres,
  whyWithoutPostgres,
} from '../test/journal/postgres-server.ts';
import { backgroundCalls, bossJobs, bullJobs } from './background-jobs.ts';
import type { MeasureSettings } from './measure.ts';
import { type Section, shown } from './section.ts';

const mostTimes = 1.5;
const batch = 100;
const lanes = 16;

/** Statements of the journal for one call, with their parameters. */
type Statements = readonly { readonly text: string; readonly values: readonly unknown[] }[];

export async function journaledCalls(settings: MeasureSettings): Promise<Section> {
  const title = 'A journaled call beside the insert and the update that it makes';
  const about =
    'Microseconds for one call after another, and calls in a second with 16 at a time. The bare statements are those of the journal, ' +
    'sent through the same driver. PostgreSQL runs on the same machine, with its default settings. ' +
    'Background calls and jobs: sent 16 at a time and run by 16 workers of the same process, until the last one has ended. ' +
    `Load average at the start: ${shown(loadavg()[0] ?? Number.NaN)}.`;
  const columns = ['', 'microseconds', 'times', 'a second'];
  const why = whyWithoutPostgres();
  if (why !== undefined) return { title, about: why, columns, rows: [], goals: [] };
  const server = await startPostgres('on');
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-bench-'));
  const statements = await statementsOfACall(server);
  const onPostgres = await openJournal({ connectionString: server.connectionString });
  const postgres = await compare(onPostgres, statements, settings);
  await onPostgres.close();
  const jobs = settings.rounds * batch;
  const late = await openJournal({ connectionString: server.connectionString });
  const called = await backgroundCalls(late)(jobs);
  await late.close();
  const worked = await bossJobs(server.connectionString)(jobs);
  const boss = await bossThroughput(server, settings);
  server.remove();
  const bull = await bullJobs(jobs);
  const onPglite = await openJournal({ folder });
  const pglite = await compare(onPglite, statements, settings);
  const calledOnPglite = await backgroundCalls(onPglite)(jobs);
  await onPglite.close();
  rmSync(folder, { recursive: true });
  const rows = [
    rowsOf('PostgreSQL', postgres),
    [
      ['PostgreSQL, background call on a worker', '', '', shown(called)],
      ['PostgreSQL, job of pg-boss alone', '', '', shown(worked)],
      ['PostgreSQL, `send`, `fetch`, `complete` of pg-boss', '', '', shown(boss)],
      ['Redis, job of BullMQ', '', '', typeof bull === 'number' ? shown(bull) : bull],
    ],
    rowsOf('PGlite', pglite),
    [['PGlite, background call on a worker', '', '', shown(calledOnPglite)]],
    await inMemory(settings),
  ];
  const goal = `a journaled call: at most ${mostTimes} times its insert and update`;
  const goals = [postgres, pglite].map(({ times }) => ({
    goal,
    measured: `${shown(times)} times`,
    isMet: times <= mostTimes,
  }));
  return { title, about, columns, rows: rows.flat(), goals };
}

interface Compared {
  readonly bare: number;
  readonly journaled: number;
  readonly times: number;
  readonly bareThroughput: number;
  readonly throughput: number;
}

const rowsOf = (
  name: string,
  { bare, journaled, times, bareThroughput, throughput }: Compared,
): readonly (readonly string[])[] => [
  [`${name}, insert and update`, shown(bare), '1', shown(bareThroughput)],
  [`${name}, journaled call`, shown(journaled), shown(times), shown(throughput)],
];

/** Microseconds of each in turn, so that a machine that slows down slows both. */
async function compare(
  journal: Journal,
  statements: Statements,
  { rounds }: MeasureSettings,
): Promise<Compared> {
  const tools = registryOn(journal);
  const bare = (): Promise<void> => runStatements(journal, statements);
  const call = (): Promise<unknown> => callOnce(tools);
  await microseconds(bare, batch);
  await microseconds(call, batch);
  const times = [];
  for (let round = 0; round < rounds; round += 1)
    times.push({ bare: await microseconds(bare, batch), call: await microseconds(call, batch) });
  return {
    bare: median(times.map((time) => time.bare)),
    journaled: median(times.map((time) => time.call)),
    times: median(times.map((time) => time.call / time.bare)),
    bareThroughput: await perSecond(bare, rounds * batch),
    throughput: await perSecond(call, rounds * batch),
  };
}

/** Without a journal, and with one in memory. */
async function inMemory({ rounds }: MeasureSettings): Promise<readonly (readonly string[])[]> {
  const [without, within] = [registryOn(undefined), registryOn(await openJournal())];
  const count = batch * 20;
  const times = [];
  for (let round = -1; round < rounds; round += 1) {
    const none = await microseconds(() => callOnce(without), count);
    const memory = await microseconds(() => callOnce(within), count);
    if (round >= 0) times.push({ none, memory });
  }
  const of = (...values: readonly number[]): readonly string[] => values.map(shown);
  return [
    ['no journal', ...of(median(times.map(({ none }) => none))), '1', ''],
    [
      'journal in memory',
      ...of(
        median(times.map(({ memory }) => memory)),
        median(times.map(({ memory, none }) => memory / none)),
      ),
      '',
    ],
  ];
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

async function microseconds(run: () => Promise<unknown>, count: number): Promise<number> {
  const start = performance.now();
  for (let at = 0; at < count; at += 1) await run();
  return ((performance.now() - start) * 1000) / count;
}

async function perSecond(run: () => Promise<unknown>, count: number): Promise<number> {
  const start = performance.now();
  const lane = async (): Promise<void> => {
    for (let at = 0; at < count / lanes; at += 1) await run();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return (Math.ceil(count / lanes) * lanes * 1000) / (performance.now() - start);
}

const registryOn = (journal: Journal | undefined): ToolRegistry =>
  new ToolRegistry({
    ...(journal === undefined ? {} : { journal }),
    concurrencyLimit: lanes,
  }).register(
    defineTool({
      name: 'look_up',
      description: 'Looks something up.',
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string' }, limit: { type: 'integer' } },
      },
      effects: 'read',
      execute: async () => 'found',
    }),
  );

const callOnce = (tools: ToolRegistry): Promise<unknown> =>
  tools.call(
    { id: crypto.randomUUID(), name: 'look_up', arguments: '{"path":"a","limit":3}' },
    { conversation: 'bench' },
  );

/** Notes what the driver sends for a call whose tool is known. */
async function statementsOfACall(server: PostgresServer): Promise<Statements> {
  const journal = await openJournal({ connectionString: server.connectionString });
  const tools = registryOn(journal);
  await callOnce(tools);
  const sent: { text: string; values: readonly unknown[] }[] = [];
  const query: unknown = Reflect.get(Client.prototype, 'query');
  if (typeof query !== 'function') throw new Error('pg has no Client.query');
  const noting = function (this: Client, ...given: readonly unknown[]): unknown {
    const [text, values] = given;
    if (typeof text === 'string' && Array.isArray(values)) sent.push({ text, values });
    return Reflect.apply(query, this, given);
  };
  Object.assign(Client.prototype, { query: noting });
  await callOnce(tools);
  Object.assign(Client.prototype, { query });
  await journal.close();
  if (sent.length !== 2) throw new Error(`a journaled call sends ${sent.length} statements`);
  return sent;
}

/**
 * The same rows with other ids: the first parameter is the id of the row, the fourth of the insert
 * that of the call.
 */
async function runStatements(journal: Journal, statements: Statements): Promise<void> {
  const id = crypto.randomUUID();
  for (const { text, values } of statements) {
    const isInsert = text.trimStart().startsWith('insert');
    await journal.sql?.query(text, isInsert ? values.with(0, id).with(3, id) : values.with(0, id));
  }
}

async function bossThroughput(
  server: PostgresServer,
  { rounds }: MeasureSettings,
): Promise<number> {
  const boss = new PgBoss({
    connectionString: server.connectionString,
    supervise: false,
    schedule: false,
  });
  await boss.start();
  await boss.createQueue('bench');
  const run = async (): Promise<void> => {
    await boss.send('bench', { path: 'a', limit: 3 });
    const [job] = await boss.fetch('bench');
    if (job !== undefined) await boss.complete('bench', job.id);
  };
  const throughput = await perSecond(run, rounds * batch);
  await boss.stop({ graceful: false });
  return throughput;
}
