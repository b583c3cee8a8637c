// How many rows PostgreSQL looks at for each statement of a journal with a million calls, and how
// fast calls with a limit begin and end beside them.
import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';
import { Client, Pool } from 'pg';
import { ToolRegistry } from 'toolmend';
import { type Journal, type StatsQuery, openJournal, openQueue } from 'toolmend/journal';
import { JournalCalls } from '../../src/page/journal-calls.ts';
import type { BeginOptions, JournalQuery, NewEntry } from '../../src/store/call-store.ts';
import { callOf, toolOf } from '../tools.ts';
import { writeWithoutIndexes } from './many-calls.ts';
import { completed, entryOf } from './port-tests.ts';
import { type PostgresServer, describeWithPostgres, startPostgres } from './postgres-server.ts';
import { type ExplainedStatement, explainStatements, statementsOf } from './statement-plans.ts';
import { writeQueries } from './write-queries.ts';

const calls = 1_000_000;
const day = 86_400_000;
/** Rows that a statement may look at. The longest list and batch have a thousand. */
const mostRows = 5_000;

const explainsCalls = ({ nodes }: ExplainedStatement): boolean =>
  nodes.some(({ relation, index }) => (relation ?? index ?? '').startsWith('calls'));

/** What is wrong with the plan of a statement. */
const faultsOf = ({ text, nodes }: ExplainedStatement): readonly string[] =>
  nodes
    .filter(
      ({ type, relation, rows }) =>
        (type === 'Seq Scan' && relation === 'calls') || rows > mostRows,
    )
    .map(
      ({ type, relation, index, rows }) =>
        `${type} of ${rows} rows (${index ?? relation ?? ''}): ${text.replaceAll(/\s+/g, ' ')}`,
    );

describeWithPostgres(() => {
  let server: PostgresServer;
  let client: Client;
  /** Its statements may take as long as the machine needs. */
  let pool: Pool;
  let journal: Journal;
  const measured: [string, readonly ExplainedStatement[]][] = [];
  /** What was counted, how many calls, and how long it took, as a multiple of the bare sum. */
  const counting: [string, number, number][] = [];
  /** The methods of the journal that were called. */
  const called = new Set<string>();
  beforeAll(async () => {
    server = await startPostgres();
    const { connectionString } = server;
    client = new Client({ connectionString });
    await client.connect();
    const first = await openJournal({ connectionString });
    await first.close();
    await writeWithoutIndexes(client, calls);
    await explainStatements(client);
    pool = new Pool({ connectionString });
    const opened = await openJournal({ pool });
    journal = new Proxy(opened, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        called.add(String(name));
        return member.bind(target);
      },
    });
  });
  afterAll(async () => {
    console.log(
      counting.map(([query, count, times]) => `${query}: ${count}, ${times.toFixed(1)}`).join('\n'),
    );
    if (process.env['UPDATE_DOCS'] === '1') writeQueries(measured);
    await journal.close();
    await pool.end();
    await client.end();
    server.remove();
  });

  const idOf = async (where: string): Promise<string> => {
    const { rows } = await client.query<{ id: string }>(
      `select id from toolmend.calls where ${where} limit 1`,
    );
    return rows[0]?.id ?? '';
  };
  const begin = async (
    entry: Partial<NewEntry> = {},
    options: BeginOptions = {},
  ): Promise<string> => {
    const whole = entryOf({ tenant: 'tenant-7', ...entry });
    await journal.begin(whole, options);
    return whole.id;
  };
  const limit = { key: 'limit-1', rate: { calls: 1_000_000, perMs: 60_000 }, running: 1_000 };

  const list = (query: JournalQuery) => async (): Promise<void> => {
    const before = await idOf("call_id = 'call_5' and created_at < now() - interval '20 days'");
    await journal.list(query);
    await journal.list({ ...query, before });
  };
  const states = ['queued', 'running', 'waiting', 'in_doubt', 'ended', 'not_run'] as const;
  const queries: readonly JournalQuery[] = [
    {},
    ...states.map((state) => ({ state })),
    { tenant: 'tenant-7' },
    { tenant: 'tenant-7', state: 'waiting' },
    { tenant: 'tenant-7', isLate: true },
    { tenant: 'tenant-7', conversation: 'conversation-25007' },
    { tenant: 'nobody' },
    { tenant: 'nobody', isLate: true },
    { conversation: 'conversation-25000' },
    { conversation: 'none' },
    { tool: 'tool_3' },
    { tool: 'none' },
    { callId: 'call_7' },
    { callId: 'none' },
    { isLate: true },
    { model: 'model-3' },
    { model: 'none' },
    { status: 'repaired' },
    { status: 'rejected' },
    { status: 'failed' },
    { status: 'valid' },
    { rule: 'text_to_integer' },
    { rule: 'rename_key' },
    { rule: 'none' },
    { run: 'run-25000' },
    { run: 'none' },
    { since: new Date(Date.now() - 40 * day), until: new Date(Date.now() - 30 * day) },
    { rule: 'text_to_integer', until: new Date(Date.now() - 30 * day) },
  ];

  const lives = async (): Promise<void> => {
    const entry = entryOf({ tenant: 'tenant-7', idempotencyKey: crypto.randomUUID() });
    await journal.begin(entry);
    await journal.begin({ ...entry, id: crypto.randomUUID() });
    await begin({ idempotencyKey: entry.idempotencyKey ?? '' });
    if (entry.call !== undefined) await journal.edit(entry.id, entry.call, entry.call);
    await journal.requireLease(entry.id);
    await journal.entry(entry.id);
    const work = (): Promise<typeof completed.outcome> => Promise.resolve(completed.outcome);
    await journal.runInTransaction?.(entry.id, work, new AbortController().signal);
    await journal.end(entry.id, completed);
    await journal.settled(entry.id);
    const cancelled = await begin({ idempotencyKey: crypto.randomUUID() });
    await journal.cancelWithKey(cancelled, completed.outcome);
    await journal.start(await begin({}, { state: 'queued' }), ['queued']);
    await journal.requeue(await begin());
    await journal.doubt(await begin());
    journal.letGo(await begin());
    await journal.define('sha256:new', {});
    await journal.definition('sha256:new');
  };

  const limits = async (): Promise<void> => {
    await begin({}, { limit });
    await begin({}, { limit: { ...limit, running: 1_000, waitMs: 1 } });
    await begin({}, { limit: { ...limit, running: 0, waitMs: 100 } });
    const queued = { isLate: true, state: 'queued', limit } as const;
    const id = await begin({ tool: 'tool_3' }, queued);
    const most = { tenant: 1_000, running: 1_000 };
    await journal.startInTurn({ id, tool: 'tool_3', tenant: 'tenant-7' }, most);
    await journal.startInTurn({ id, tool: 'tool_3', tenant: 'tenant-7' }, most);
  };

  const approvals = async (): Promise<void> => {
    const { call } = entryOf();
    const ids = [crypto.randomUUID(), crypto.randomUUID()];
    for (const id of ids) {
      const approval = { id, seal: 'seal', expiresAfter: 60_000, from: 'running' } as const;
      await journal.openApproval(await begin(), approval);
      await journal.findApproval(id, 'tenant-7');
    }
    const [run = '', end = ''] = ids;
    if (call !== undefined)
      await journal.useApproval(run, 'tenant-7', { kind: 'run', call, approved: 'sha256:2' });
    await journal.useApproval(end, 'tenant-7', { kind: 'end', outcome: completed.outcome });
  };

  const takeOvers = async (): Promise<void> => {
    await journal.takeAbandoned(10, {
      id: await idOf("state = 'running' and lease_until < now()"),
    });
    await journal.takeAbandoned(10, { definitions: ['sha256:0'], tools: ['tool_3'] });
    await journal.takeAbandoned(10, { definitions: ['sha256:1'], tools: ['none'] });
    await journal.expiredQuestions(10, ['tool_3']);
  };

  const late = async (): Promise<void> => {
    await journal.deliver('tenant-7', 'conversation-25000');
    await journal.deliver('tenant-7', undefined);
    await journal.delivered(await idOf('is_late and delivered_at is null'));
  };

  const background = async (): Promise<void> => {
    // Closing the registry waits for the calls that its journal runs.
    const other = await openJournal({ connectionString: server.connectionString });
    const queue = await openQueue(other, { pollMs: 500 });
    const tools = new ToolRegistry({ journal: other, background: { queue } }).register(
      toolOf(() => 'done', { background: 'always' }),
    );
    const outcome = await tools.call(callOf(), { tenant: 'tenant-7' });
    if (outcome.status !== 'in_background') throw new Error(outcome.status);
    const worker = await tools.startWorker({ resumeMs: 500 });
    await tools.background.wait(outcome.handle, 120_000, { tenant: 'tenant-7' });
    await tools.background.list({ tenant: 'tenant-7' });
    await tools.background.takeResults({ tenant: 'tenant-7' });
    await worker.stop();
    await tools.close();
    await queue.close();
    await other.close();
  };

  const live = async (): Promise<void> => {
    let { cursor } = await journal.changes();
    const id = await begin();
    for (const size of [1, 100])
      ({ cursor } = await journal.changes({ after: cursor, limit: size }));
    await journal.end(id, completed);
    await journal.changes({ after: cursor, tenant: 'tenant-7' });
  };

  const retention = async (): Promise<void> => {
    // Calls turn 57 days old every five seconds. Those that were not yet when the journal was opened
    // are left to the next hour.
    const cutoff = "now() - interval '57 days'";
    const { rows: times } = await client.query<{ time: string }>(
      `select (${cutoff})::text as time`,
    );
    const pruning = await openJournal({ pool, retentionDays: 57 });
    const old =
      "select count(*)::int as count from toolmend.calls where updated_at < $1 and state = 'ended'";
    let count: number | undefined;
    do {
      await setTimeout(100);
      count = (await client.query<{ count: number }>(old, [times[0]?.time])).rows[0]?.count;
    } while (count !== 0);
    await pruning.close();
  };

  it.each<readonly [string, () => Promise<void>]>([
    ...queries.map((query) => [`list(${inspect(query)})`, list(query)] as const),
    ['calls that begin and end', lives],
    ['limits', limits],
    ['approvals', approvals],
    ['take-overs', takeOvers],
    ['late results', late],
    ['background calls', background],
    ['changes', live],
    ['retention', retention],
  ])('looks at few of a million calls for %s', async (what, work) => {
    const statements = await statementsOf(server.log, work);
    const checked = statements.filter(explainsCalls);
    measured.push([what, checked]);
    expect(checked.length).toBeGreaterThan(0);
    expect(checked.flatMap(faultsOf)).toEqual([]);
  });

  const month = { since: new Date(Date.now() - 30 * day), until: new Date() };
  /** The calls that a query counts, and milliseconds. */
  async function counted(query: StatsQuery): Promise<readonly [callCount: number, ms: number]> {
    const before = performance.now();
    const rows = await journal.stats(query);
    const ms = performance.now() - before;
    return [rows.reduce((sum, row) => sum + row.calls, 0), ms];
  }

  // A time would depend on what else the machine does.
  it.each<StatsQuery>([
    { by: 'model' },
    { by: 'tool' },
    { by: ['model', 'tool'] },
    { by: ['release', 'tool'] },
    { by: 'rule' },
    { by: ['tool', 'issue'] },
    { by: 'time', stepMs: 3_600_000 },
    { by: ['time', 'tool'], stepMs: day },
    { by: ['model', 'tool'], ...month },
    { by: 'tool', tenant: 'tenant-7' },
  ])('counts a million calls by %j in at most six times what the bare sum takes', async (query) => {
    let callCount = 0;
    const bareTimes: number[] = [];
    const times: number[] = [];
    // In turn: what else the machine does slows both.
    for (let n = 0; n < 3; n += 1) {
      bareTimes.push((await counted({ by: [] }))[1]);
      const [count, ms] = await counted(query);
      times.push(ms);
      callCount = count;
    }
    const ratio = Math.min(...times) / Math.min(...bareTimes);
    counting.push([inspect(query), callCount, ratio]);

    expect(callCount).toBeGreaterThan(1000);
    expect(ratio).toBeLessThan(6);
  });

  it('the page shows the newest of a million calls, and counts all of them as stats does', async () => {
    const page = new JournalCalls(journal, { source: 'a million calls' });
    const until = Date.now() + day;
    const newest: string[] = [];
    const statements = await statementsOf(server.log, async () => {
      const { calls: listedCalls } = await page.list({ filter: {}, since: 0, limit: 100 });
      newest.push(...listedCalls.map(({ id }) => id));
    });
    const numbers = await page.numbers(undefined, until);
    const alarms = await page.alarms(undefined, until);
    const [all] = await journal.stats({ by: [], until: new Date(until) });
    const { valid, repaired, rejected, failed } = numbers.total;

    expect(newest).toHaveLength(100);
    expect(statements.filter(explainsCalls).flatMap(faultsOf)).toEqual([]);
    expect({ valid, repaired, rejected, failed }).toEqual({
      valid: all?.valid,
      repaired: all?.repaired,
      rejected: all?.rejected,
      failed: all?.failed,
    });
    expect(all?.calls).toBeGreaterThan(calls * 0.9);
    expect(numbers.steps.reduce((sum, step) => sum + step.valid, 0)).toBe(valid);
    expect(alarms.runs).toBeGreaterThan(0);
  });

  /** Calls a second, of which ten run at the same time. */
  const rateOf = async (measuredJournal: Journal, milliseconds: number): Promise<number> => {
    const start = performance.now();
    let ended = 0;
    const call = async (): Promise<void> => {
      while (performance.now() < start + milliseconds) {
        const entry = entryOf();
        await measuredJournal.begin(entry, { limit });
        await measuredJournal.end(entry.id, completed);
        ended += 1;
      }
    };
    await Promise.all(Array.from({ length: 10 }, call));
    return (ended * 1000) / (performance.now() - start);
  };

  it('begins calls with a limit as fast with a million old calls as without', async () => {
    const { connectionString } = server;
    const empty = await openJournal({ connectionString, schema: 'empty' });
    for (const one of [empty, journal]) await rateOf(one, 1_000);
    let [emptyRate, rate] = [0, 0];
    // In turn: what else the machine does slows both.
    for (let n = 0; n < 3; n += 1) {
      emptyRate += (await rateOf(empty, 1_000)) / 3;
      rate += (await rateOf(journal, 1_000)) / 3;
    }
    await empty.close();
    console.log(`calls with a limit a second: ${emptyRate.toFixed(1)}, ${rate.toFixed(1)}`);

    expect(rate).toBeGreaterThan(emptyRate / 4);
  });

  it('has called every method of a journal', () => {
    const prototype: unknown = Object.getPrototypeOf(journal);
    const methods = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');

    expect([...called, 'flush', 'close'].toSorted()).toEqual(expect.arrayContaining(methods));
  });

  it('finds a statement that looks at all calls', async () => {
    const statements = await statementsOf(server.log, async () =>
      journal.sql?.query(
        "select sent from toolmend.calls where created_at < clock_timestamp() - $1 * interval '100 years'",
        [1],
      ),
    );

    expect(statements.flatMap(faultsOf)).toEqual([expect.stringContaining('Seq Scan')]);
  });
});
