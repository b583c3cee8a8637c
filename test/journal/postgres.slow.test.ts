// A journal in PostgreSQL: dead replicas, servers that break, schemas that are not ours, and the
// command line.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { type JsonObject, type ToolContext, type ToolDefinition, ToolRegistry } from 'toolmend';
import { type Journal, type JournalOptions, openJournal, openQueue } from 'toolmend/journal';
import { runToolmend } from '../cli/run-toolmend.ts';
import { callOf, never, toolOf } from '../tools.ts';
import { openNetwork } from './network.ts';
import { journalOfVersion } from './older-journals.ts';
import { completed, entryOf } from './port-tests.ts';
import { type PostgresServer, startPostgres, describeWithPostgres } from './postgres-server.ts';

describeWithPostgres(() => {
  let server: PostgresServer;
  let databases = 0;
  let opened: Journal[] = [];
  let url = '';
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    databases += 1;
    await sql(`create database journal_${databases}`, server.connectionString);
    url = server.connectionString.replace(/postgres$/, `journal_${databases}`);
  });
  afterEach(async () => {
    await Promise.all(opened.map((journal) => journal.close()));
    opened = [];
  });

  /** A lease that is renewed, or ends, while a test looks on. All others last for the whole test. */
  const short = { leaseMs: 300 };
  /** Time goes on: nobody has renewed a lease for as long as it lasts. */
  const endLeases = (): Promise<void> =>
    sql("update toolmend.calls set lease_until = lease_until - interval '1 hour'");

  const sql = async (text: string, connectionString = url): Promise<void> => {
    const client = new Client({ connectionString });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  const open = async (options: JournalOptions = {}): Promise<Journal> => {
    const journal = await openJournal({ connectionString: url, leaseMs: 600_000, ...options });
    opened.push(journal);
    return journal;
  };
  const registry = (
    journal: Journal,
    execute: (values: JsonObject, context: ToolContext) => unknown,
    options: Partial<ToolDefinition> = {},
  ) => new ToolRegistry({ journal }).register(toolOf(execute, options));

  /** A replica that dies while it runs a call. */
  const die = async (options: Partial<ToolDefinition>): Promise<string> => {
    const journal = await openJournal({ connectionString: url });
    const started = Promise.withResolvers<string>();
    const execute = (_values: JsonObject, { idempotencyKey }: ToolContext) => {
      started.resolve(idempotencyKey);
      return never();
    };
    void registry(journal, execute, options).call(callOf({ arguments: { n: '1' } }), {
      conversation: 'c',
    });
    const key = await started.promise;
    await journal.close();
    await endLeases();
    return key;
  };

  const schema = { type: 'object', properties: { n: { type: 'integer' } } } as const;

  it.each([
    ['of a tool that only reads', { effects: 'read', inputSchema: schema }],
    ['of an idempotent tool', { idempotent: true, inputSchema: schema }],
  ] as const)(
    'runs the call %s again, as it was interpreted and with the same key',
    async (_what, options) => {
      const key = await die(options);
      const journal = await open();
      const ran: unknown[] = [];
      const tools = registry(
        journal,
        (values, context) => ran.push([values, context.idempotencyKey]),
        options,
      );

      const { outcomes, inDoubt } = await tools.resume();

      expect(inDoubt).toEqual([]);
      expect(outcomes).toMatchObject([
        { status: 'completed', interpretation: { status: 'repaired' } },
      ]);
      expect(ran).toEqual([[{ n: 1 }, key]]);
      expect(await tools.resume()).toEqual({ outcomes: [], inDoubt: [] });
      expect(await journal.deliver('', 'c')).toMatchObject([{ callId: 'call_1', attempts: 2 }]);
    },
  );

  it('leaves the call of a tool that may not run twice in doubt', async () => {
    await die({ inputSchema: schema });
    const ran: unknown[] = [];
    const tools = registry(await open(), (values) => ran.push(values), { inputSchema: schema });

    const { outcomes, inDoubt } = await tools.resume();

    expect(outcomes).toEqual([]);
    expect(inDoubt).toMatchObject([{ callId: 'call_1', state: 'in_doubt', attempts: 1 }]);
    expect(ran).toEqual([]);
  });

  it.each([
    ['another definition of the tool', { description: 'Works otherwise.' }],
    ['other tools', { name: 'other' }],
  ])(
    'a process with %s leaves a call to others, and after twenty leases in doubt',
    async (_what, now) => {
      await die({ effects: 'read', inputSchema: schema });
      const ran: unknown[] = [];
      const tools = registry(await open(), (values) => ran.push(values), {
        effects: 'read',
        inputSchema: schema,
        ...now,
      });

      const early = await tools.resume();
      await sql("update toolmend.calls set lease_until = lease_until - interval '4 days'");
      const late = await tools.resume();

      expect(early).toEqual({ outcomes: [], inDoubt: [] });
      expect(late).toMatchObject({
        outcomes: [],
        inDoubt: [{ callId: 'call_1', state: 'in_doubt' }],
      });
      expect(ran).toEqual([]);
    },
  );

  it('starts a call five times at most that ends its process', async () => {
    await die({ effects: 'read', inputSchema: schema });
    await sql('update toolmend.calls set attempts = 5');
    const ran: unknown[] = [];
    const tools = registry(await open(), (values) => ran.push(values), {
      effects: 'read',
      inputSchema: schema,
    });

    expect(await tools.resume()).toMatchObject({ outcomes: [], inDoubt: [{ attempts: 5 }] });
    expect(ran).toEqual([]);
  });

  it('uses an approval once though the answer to it is lost', async () => {
    const network = await openNetwork(server.connectionString);
    const far = await open({
      connectionString: url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${network.port}`),
      leaseMs: 6_000,
    });
    const ran: unknown[] = [];
    const tools = new ToolRegistry({ journal: far, approval: {} }).register(
      toolOf((values) => ran.push(values), { effects: 'destructive' }),
    );
    const statuses: string[] = [];
    for (const decision of ['approve', 'deny'] as const) {
      const asked = await tools.call(callOf({ id: decision }));
      if (asked.status !== 'approval_required') throw new Error(`is ${asked.status}`);
      network.loseAnswer('with used as');
      statuses.push((await tools.resolveApproval(asked.approval, { decision })).status);
    }

    expect(statuses).toEqual(['completed', 'denied']);
    expect(ran).toHaveLength(1);
    expect(await far.list({})).toMatchObject([{ state: 'ended' }, { state: 'ended' }]);
    network.close();
  });

  it('resumes a call on one of two replicas', async () => {
    await die({ effects: 'read', inputSchema: schema });
    const ran: unknown[] = [];
    const execute = (values: JsonObject): unknown => ran.push(values);
    const replicas = [await open(), await open()].map((journal) =>
      registry(journal, execute, { effects: 'read', inputSchema: schema }),
    );

    await Promise.all(replicas.map((tools) => tools.resume()));

    expect(ran).toHaveLength(1);
  });

  it('keeps the lease of a call that runs for longer than it', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const journal = await open(short);
    const outcome = registry(journal, () => promise).call(callOf(), { conversation: 'c' });
    const lease = async (): Promise<Date | undefined> => {
      const [row] = (await journal.sql?.query('select lease_until from toolmend.calls')) ?? [];
      return row?.['lease_until'] instanceof Date ? row['lease_until'] : undefined;
    };
    let first: Date | undefined;
    while (first === undefined) first = await lease();
    const end = first.getTime() + short.leaseMs;
    while (((await lease())?.getTime() ?? 0) <= end) await sleep(20);
    resolve('done');

    expect(await outcome).toMatchObject({ status: 'completed', result: 'done' });
  });

  it('leaves alone the calls of a process that renews their leases', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const started = Promise.withResolvers<void>();
    const execute = (): Promise<string> => {
      started.resolve();
      return promise;
    };
    const outcome = registry(await open(), execute, { effects: 'read' }).call(callOf());
    await started.promise;

    const resumed = await registry(await open(), () => 'again', { effects: 'read' }).resume();
    resolve('done');

    expect(resumed).toEqual({ outcomes: [], inDoubt: [] });
    expect(await outcome).toMatchObject({ status: 'completed', result: 'done' });
  });

  it('leaves alone the calls that it runs itself, though it could not renew their leases', async () => {
    const ran: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<string>();
    const started = Promise.withResolvers<void>();
    const tools = registry(
      await open(),
      () => {
        ran.push('run');
        started.resolve();
        return promise;
      },
      { effects: 'read' },
    );
    const first = tools.call(callOf(), { conversation: 'c' });
    await started.promise;
    await endLeases();

    expect(await tools.resume()).toEqual({ outcomes: [], inDoubt: [] });
    const again = tools.call(callOf(), { conversation: 'c' });
    resolve('done');
    expect(await again).toMatchObject({ result: 'done' });
    expect(await first).toMatchObject({ result: 'done' });
    expect(ran).toEqual(['run']);
    expect(await tools.background.takeResults({ conversation: 'c' })).toEqual([]);
  });

  it('gives the outcome in the journal to a process that lost its call to another one', async () => {
    const ending = Promise.withResolvers<string>();
    const started = Promise.withResolvers<void>();
    const execute = (): Promise<string> => {
      started.resolve();
      return ending.promise;
    };
    const slow = registry(await open(), execute, { effects: 'read' });
    const other = registry(await open(), () => 'of the other', { effects: 'read' });
    const first = slow.call(callOf(), { conversation: 'c' });
    await started.promise;
    await endLeases();

    expect(await other.resume()).toMatchObject({
      outcomes: [{ status: 'completed', result: 'of the other' }],
    });
    ending.resolve('of the slow one');

    expect(await first).toMatchObject({ status: 'completed', content: { text: 'of the other' } });
    expect(await slow.call(callOf(), { conversation: 'c' })).toMatchObject({
      content: { text: 'of the other' },
    });
  });

  it('does not run a call that another process took over before the answer to its beginning came', async () => {
    const pool = new Pool({ connectionString: url });
    const other = await open();
    const taken: unknown[] = [];
    const slowPool: NonNullable<JournalOptions['pool']> = {
      connect: (callback) => pool.connect(callback),
      on: (event, listener) => pool.on(event, listener),
      off: (event, listener) => pool.off(event, listener),
      query: async (text, values) => {
        const statement = typeof text === 'string' ? text : text.text;
        const result = await pool.query<Record<string, unknown>>(statement, values ?? []);
        if (statement.startsWith('insert into toolmend.calls')) {
          await sleep(short.leaseMs);
          await endLeases();
          taken.push(...(await other.takeAbandoned(1, { tools: ['work'] })));
        }
        return result;
      },
    };
    const journal = await openJournal({ pool: slowPool, ...short });
    const ran: unknown[] = [];

    const outcome = await registry(journal, (values) => ran.push(values)).call(callOf());
    await journal.close();
    await pool.end();

    expect(taken).toMatchObject([{ callId: 'call_1' }]);
    expect(ran).toEqual([]);
    expect(outcome).toMatchObject({ status: 'failed', reason: 'in_doubt' });
  });

  it('keeps a call that another process runs by now, though the one that lost it never ran it', async () => {
    const [slow, other] = [await open(), await open()];
    const entry = entryOf({ rerun: 'allowed' });
    await slow.begin(entry);
    await endLeases();
    await other.takeAbandoned(1, { id: entry.id });
    await other.start(entry.id, ['running']);
    const outcome = { status: 'limit_exceeded', reason: 'closed', message: 'closed' } as const;

    expect(await slow.end(entry.id, { state: 'not_run', outcome })).toBe(false);
    expect(await other.end(entry.id, completed)).toBe(true);
  });

  it.each(['requeue', 'doubt'] as const)(
    'leaves a call to others if %s can’t be written',
    async (method) => {
      const journal = await open(short);
      const entry = entryOf();
      await journal.begin(entry);
      server.stop();
      await expect(journal[method](entry.id)).rejects.toThrow();
      server.start();
      await endLeases();

      expect(await journal.takeAbandoned(1, { id: entry.id })).toMatchObject([{ id: entry.id }]);
    },
  );

  it('lets a call of another tenant wait, although one tenant has 100 waiting calls', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const tools = registry(await open(), () => promise, {
      limits: { running: 1, per: 'all', waitMs: 60_000 },
    });
    const first = tools.call(callOf());
    while ((await opened[0]?.list({}))?.length !== 1) await sleep(10);
    await sql(
      "insert into toolmend.waiting (id, limit_key, tenant, seen_at) select gen_random_uuid(), limit_key, 'a', now() + interval '1 hour' from toolmend.calls, generate_series(1, 100)",
    );
    const [again, other] = [
      tools.call(callOf(), { tenant: 'a' }),
      tools.call(callOf(), { tenant: 'b' }),
    ];

    expect(await again).toMatchObject({ status: 'limit_exceeded', reason: 'busy' });
    await sql("delete from toolmend.waiting where tenant = 'a'");
    resolve('done');
    expect(await Promise.all([first, other])).toMatchObject([
      { result: 'done' },
      { result: 'done' },
    ]);
  });

  it('takes over a call that is sent again after its replica died', async () => {
    const key = await die({ effects: 'read', inputSchema: schema });
    const tools = registry(await open(), (_values, context) => context.idempotencyKey, {
      effects: 'read',
      inputSchema: schema,
    });

    expect(await tools.call(callOf({ arguments: { n: 1 } }), { conversation: 'c' })).toMatchObject({
      status: 'completed',
      result: key,
    });
  });

  it("goes by the database's clock about approvals", async () => {
    const journal = await open();
    const tools = new ToolRegistry({ journal, approval: {} }).register(
      toolOf(() => 'done', { effects: 'destructive' }),
    );
    const asked = await tools.call(callOf());
    if (asked.status !== 'approval_required') throw new Error(`is ${asked.status}`);
    const { now } = Date;
    Date.now = () => now() + 24 * 60 * 60_000;

    const outcome = await tools.resolveApproval(asked.approval, { decision: 'approve' });
    Date.now = now;

    expect(outcome.status).toBe('completed');
  });

  it('writes the outcome of a call when the server comes back', async () => {
    const journal = await open();
    const execute = () => {
      server.stop('kill');
      setTimeout(() => server.start(), 500);
      return 'done';
    };

    const outcome = await registry(journal, execute).call(callOf(), { conversation: 'c' });

    expect(outcome).toMatchObject({ status: 'completed', result: 'done' });
    expect(await journal.list({ conversation: 'c' })).toMatchObject([
      { state: 'ended', outcome: { status: 'completed' } },
    ]);
  });

  it('keeps the outcome of a call while the network drops every packet', async () => {
    const network = await openNetwork(server.connectionString);
    const far = await open({
      connectionString: url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${network.port}`),
      leaseMs: 2_000,
    });
    const started = Promise.withResolvers<void>();
    const cut = (): string => {
      network.cut();
      started.resolve();
      return 'done';
    };

    const outcome = registry(far, cut).call(callOf(), { conversation: 'c' });
    await started.promise;
    const near = await open();
    const inDoubt: unknown[] = [];
    // A renewal that was on its way when the network was cut may arrive after the first look.
    while (inDoubt.length === 0) {
      await endLeases();
      inDoubt.push(...(await registry(near, () => 'again').resume()).inDoubt);
    }
    const first = await outcome;
    network.heal();
    while ((await near.list({ state: 'ended' })).length === 0) await sleep(100);
    network.close();

    expect(inDoubt).toMatchObject([{ callId: 'call_1' }]);
    expect(first).toMatchObject({ status: 'completed', result: 'done' });
    expect(await near.list({})).toMatchObject([
      { state: 'ended', outcome: { content: { text: 'done' } } },
    ]);
  });

  it('a worker whose network is cut for long loses no result, and nothing runs twice that may not', async () => {
    const network = await openNetwork(server.connectionString);
    const behind = url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${network.port}`);
    const runs: string[] = [];
    const running = new Map<string, PromiseWithResolvers<void>>();
    const bothRun = Promise.withResolvers<void>();
    const unwritten = Promise.withResolvers<void>();
    /** The first run of each tool ends when the test says so. */
    const started = (name: string): Promise<void> | undefined => {
      if (running.has(name)) return undefined;
      const ending = Promise.withResolvers<void>();
      running.set(name, ending);
      if (running.size === 2) bothRun.resolve();
      return ending.promise;
    };
    const replica = async (where: string, connectionString: string) => {
      const journal = await open({ connectionString, leaseMs: 6_000 });
      const queue = await openQueue(journal, { pollMs: 500 });
      const work = (name: string, idempotent: boolean) =>
        toolOf(
          async () => {
            runs.push(`${name} ${where}`);
            if (where === 'far') await started(name);
            return `${name} by ${where}`;
          },
          { name, idempotent, background: 'always' },
        );
      const onError = ({ tool }: { readonly tool: string }) =>
        tool === 'pay' && unwritten.resolve();
      const tools = new ToolRegistry({ journal, background: { queue }, listeners: [{ onError }] });
      return { journal, queue, tools: tools.register(work('pay', false), work('sync', true)) };
    };
    const send = async (
      { tools }: Awaited<ReturnType<typeof replica>>,
      name: string,
      id: string,
    ) => {
      const outcome = await tools.call(callOf({ id, name }));
      return outcome.status === 'in_background' ? outcome.handle : outcome.status;
    };
    const near = await replica('near', url);
    const far = await replica('far', behind);
    const endOf = (handle: string) => near.tools.background.wait(handle, 120_000);
    const farWorker = await far.tools.startWorker({ resumeMs: 1_000 });
    const [pay, sync] = [await send(near, 'pay', 'c1'), await send(near, 'sync', 'c2')];
    await bothRun.promise;
    network.cut();
    const nearWorker = await near.tools.startWorker({ resumeMs: 1_000 });
    const synced = await endOf(sync);
    while ((await near.journal.list({ state: 'in_doubt' })).length === 0) await sleep(100);
    const doubted = await near.journal.list({ state: 'in_doubt' });
    await nearWorker.stop();
    running.get('pay')?.resolve();
    await unwritten.promise;
    network.heal();
    const lateEnd = await endOf(await send(near, 'sync', 'c3'));
    running.get('sync')?.resolve();
    while ((await near.journal.list({ state: 'in_doubt' })).length > 0) await sleep(100);
    const paid = await endOf(pay);
    await farWorker.stop();
    for (const { tools, queue } of [near, far]) {
      await tools.close({ timeoutMs: 100 });
      await queue.close();
    }
    network.close();

    expect(synced).toMatchObject({ outcome: { status: 'completed', result: 'sync by near' } });
    expect(doubted).toMatchObject([{ tool: 'pay' }]);
    expect(lateEnd).toMatchObject({ outcome: { status: 'completed', result: 'sync by far' } });
    expect(paid).toMatchObject({ outcome: { status: 'completed', result: 'pay by far' } });
    expect(runs.toSorted()).toEqual(['pay far', 'sync far', 'sync far', 'sync near']);
  });

  it('executes nothing while the disk is full, and writes the outcome of what ran when there is space', async () => {
    const journal = await open({ leaseMs: 3_000 });
    await sql(`create function full_disk() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file' using errcode = '53100'; end $$`);
    const fill = () =>
      sql(
        'create trigger full_disk before insert or update on toolmend.calls execute function full_disk()',
      );
    const free = () => sql('drop trigger full_disk on toolmend.calls');
    const ran: string[] = [];
    const tools = registry(journal, async (_values, { call }) => {
      ran.push(call.id);
      if (call.id === 'second') await fill();
      return 'done';
    });
    await fill();
    const first = await tools.call(callOf({ id: 'first' }));
    await free();
    const second = await tools.call(callOf({ id: 'second' }));
    await free();
    while ((await journal.list({ state: 'ended' })).length === 0) await sleep(50);

    expect(first).toMatchObject({ status: 'failed', when: 'before' });
    expect(second).toMatchObject({ status: 'completed', result: 'done' });
    expect(ran).toEqual(['second']);
    expect(await journal.list({})).toMatchObject([{ callId: 'second', state: 'ended' }]);
  });

  it.each([
    ['queued', { inTransaction: () => Promise.resolve() }],
    ['running', { limit: { key: 'k', running: 1 } }],
  ] as const)(
    'writes a %s call once though the answer to its commit is lost',
    async (state, options) => {
      const network = await openNetwork(server.connectionString);
      const far = await open({
        connectionString: url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${network.port}`),
        leaseMs: 6_000,
      });
      await far.begin(entryOf(), {
        state,
        ...options,
        ...('limit' in options ? { limit: { key: 'j' } } : {}),
      });
      network.loseAnswer('commit');
      const entry = entryOf({ conversation: 'c' });

      expect(await far.begin(entry, { state, ...options })).toEqual({ kind: 'begun' });
      expect(await far.list({ conversation: 'c' })).toMatchObject([{ id: entry.id, state }]);
      network.close();
    },
  );

  it('writes a call once whose connection breaks inside its transaction', async () => {
    const network = await openNetwork(server.connectionString);
    const far = await open({
      connectionString: url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${network.port}`),
      leaseMs: 6_000,
    });
    const jobs: string[] = [];
    const entry = entryOf({ conversation: 'c' });
    network.loseAnswer('insert into toolmend.calls');

    const begun = await far.begin(entry, {
      state: 'queued',
      limit: { key: 'k', running: 1 },
      inTransaction: () => Promise.resolve(jobs.push('job')),
    });

    expect(begun).toEqual({ kind: 'begun' });
    expect(jobs).toEqual(['job']);
    expect(await far.list({})).toMatchObject([{ id: entry.id, state: 'queued' }]);
    network.close();
  });

  it('executes nothing that it cannot write first', async () => {
    const journal = await open();
    await sql('drop schema toolmend cascade');
    const ran: unknown[] = [];

    const outcome = await registry(journal, () => ran.push(1)).call(callOf());

    expect(outcome).toMatchObject({ status: 'failed', reason: 'exception', when: 'before' });
    expect(ran).toEqual([]);
  });

  it('opens the journal that replicas make at the same moment', async () => {
    const journals = await Promise.all([open(), open(), open()]);

    expect(await Promise.all(journals.map((journal) => journal.list({})))).toEqual([[], [], []]);
  });

  it('goes on with a journal without tables, as a migration leaves it that was cut off', async () => {
    await sql(
      "create schema toolmend; create table toolmend.journal (format text, version integer); insert into toolmend.journal values ('toolmend.journal', 0)",
    );

    expect(await (await open()).list({})).toEqual([]);
  });

  it.each([
    [
      'of a newer version',
      'update toolmend.journal set version = 99',
      'journal-version',
      'has version 99',
    ],
    [
      'without a table',
      'drop table toolmend.approvals',
      'journal-incomplete',
      'lacks the table approvals',
    ],
    [
      'of another application',
      'drop schema toolmend cascade; create schema toolmend; create table toolmend.users (id int)',
      'journal-foreign',
      'tables of another application',
    ],
    [
      'with a table journal of another application',
      'drop table toolmend.journal; create table toolmend.journal (entry text)',
      'journal-foreign',
      'tables of another application',
    ],
    [
      'in a read-only database',
      'alter database journal_$ set default_transaction_read_only = on',
      'journal-read-only',
      'read-only',
    ],
  ])('refuses a journal %s', async (_what, change, code, message) => {
    await open();
    await sql(change.replace('$', String(databases)));

    const error: unknown = await openJournal({ connectionString: url }).catch(
      (thrown: unknown) => thrown,
    );

    expect(error).toMatchObject({ code });
    expect(String(error)).toContain(message);
  });

  it('deletes what ended before the days of retention', async () => {
    const journal = await open();
    const tools = registry(journal, () => 'done');
    await tools.call(callOf({ id: 'old' }));
    await sql(
      "update toolmend.calls set created_at = created_at - interval '8 days', updated_at = updated_at - interval '8 days'",
    );
    await tools.call(callOf({ id: 'new' }));

    const pruned = await open({ retentionDays: 7 });
    while ((await pruned.list({})).length > 1) await sleep(20);

    expect(await pruned.list({})).toMatchObject([{ callId: 'new' }]);
  });

  it('opens at once, and deletes all that is old in batches, as soon as it can', async () => {
    const journal = await open();
    await registry(journal, () => 'done').call(callOf());
    await sql(`insert into toolmend.calls (id, tenant, call_id, tool, interpreter, digest, rerun, has_secrets, state, attempts,
        is_late, status, created_at, updated_at)
      select gen_random_uuid(), '', 'old', 'work', '0', 'sha256:0', false, false, 'ended', 1, false, 'valid', old, old
      from generate_series(1, 2500) n, lateral (select now() - interval '8 days' + n / 2 * interval '1 second' as old) times`);
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query('begin; lock table toolmend.calls in share mode');
    // Statements of this pool wait for the lock as long as it takes.
    const pool = new Pool({ connectionString: url });
    const pruned = await openJournal({ pool, retentionDays: 7 });
    const before = (await pruned.list({ callId: 'old', limit: 10_000 })).length;
    await client.query('commit');
    await client.end();
    while ((await pruned.list({ callId: 'old' })).length > 0) await sleep(20);
    const kept = await pruned.list({});
    await pruned.close();
    await pool.end();

    expect(before).toBe(2500);
    expect(kept).toMatchObject([{ callId: 'call_1' }]);
  });

  it('deletes once an hour while calls are written, in one of the replicas, by the clock of the database', async () => {
    const age = () =>
      sql(
        "update toolmend.calls set created_at = created_at - interval '8 days', updated_at = created_at - interval '8 days'",
      );
    const openAndPrune = async (): Promise<Journal> => {
      await registry(await open(), () => 'done').call(callOf({ id: 'older' }));
      await age();
      const journal = await open({ retentionDays: 7 });
      while ((await journal.list({})).length > 0) await sleep(10);
      return journal;
    };
    const replicas = [await openAndPrune(), await openAndPrune()];
    const [one, other] = replicas.map((journal) => registry(journal, () => 'done'));
    const ids = async () => (await (await open()).list({})).map(({ callId }) => callId).toSorted();
    const clock = performance.now.bind(performance);
    await one?.call(callOf({ id: 'a' }));
    await age();
    await one?.call(callOf({ id: 'b' }));
    const kept = await ids();
    performance.now = () => clock() + 2 * 60 * 60_000;
    await one?.call(callOf({ id: 'c' }));
    await sleep(200);
    const keptByTheDatabase = await ids();
    await sql("update toolmend.journal set pruned_at = pruned_at - interval '1 hour'");
    await other?.call(callOf({ id: 'd' }));
    await Promise.all(replicas.map((journal) => journal.close()));
    performance.now = clock;
    opened = opened.filter((journal) => !replicas.includes(journal));

    expect(kept).toEqual(['a', 'b']);
    expect(keptByTheDatabase).toEqual(['a', 'b', 'c']);
    expect(await ids()).toEqual(['b', 'c', 'd']);
  });

  it.each([1, 2, 3, 4, 5])('brings a journal of version %i up to date', async (version) => {
    await sql(`${journalOfVersion(version)};
      insert into toolmend.calls (id, tenant, call_id, tool, interpreter, digest, rerun, has_secrets, state, attempts, is_late)
      values (gen_random_uuid(), '', 'call_1', 'work', '0', 'sha256:0', false, false, 'ended', 1, false)`);

    expect(await (await open({ retentionDays: 1 })).list({})).toMatchObject([{ callId: 'call_1' }]);
  });

  describe('the command toolmend journal', () => {
    const calls = async (): Promise<void> => {
      const tools = registry(await open(), () => 'done', { inputSchema: schema });
      await tools.call(callOf({ id: 'call_1', arguments: '{"n": "5"}' }));
      await tools.call(callOf({ id: 'call_2', arguments: '{"n": "many"}' }));
    };

    it('lists calls without their arguments', async () => {
      await calls();

      const { status, stdout } = await runToolmend('journal', 'list', '--url', url);

      expect(status).toBe(0);
      expect(stdout).toMatch(
        /^id .*\n.* work +not_run +invalid_arguments +0\n.* work +ended +completed +1\n$/,
      );
      expect(stdout).not.toContain('many');
    });

    it('shows one call', async () => {
      await calls();
      const [, entry] = await (await open()).list({});

      const { stdout } = await runToolmend('journal', 'show', entry?.id ?? '', '--url', url);

      expect(JSON.parse(stdout)).toEqual(entry);
    });

    it('exports lines that cases and replay read', async () => {
      await calls();
      const folder = mkdtempSync(join(tmpdir(), 'toolmend-export-'));
      const file = join(folder, 'calls.jsonl');
      const { stdout } = await runToolmend('journal', 'export', '--url', url);
      writeFileSync(file, stdout);

      const cases = await runToolmend('cases', file, '--json');
      const replay = await runToolmend('replay', file);
      rmSync(folder, { recursive: true });

      expect(
        stdout
          .trimEnd()
          .split('\n')
          .toReversed()
          .map((line) => JSON.parse(line)),
      ).toMatchObject([
        {
          id: 'call_1',
          tool: { name: 'work', inputSchema: schema },
          arguments: '{"n": "5"}',
          status: 'repaired',
        },
        { id: 'call_2', arguments: '{"n": "many"}', status: 'rejected' },
      ]);
      expect(JSON.parse(cases.stdout)).toMatchObject({
        files: [{ calls: 2, bad: 0, outcomes: { repaired: 1, rejected: 1 } }],
      });
      expect(replay).toMatchObject({ status: 0 });
    });

    it('exports the definition of a tool whose calls were all accepted', async () => {
      await registry(await open(), () => 'done', { inputSchema: schema }).call(
        callOf({ arguments: '{"n": "5"}' }),
      );

      const { stdout } = await runToolmend('journal', 'export', '--url', url);

      expect(JSON.parse(stdout)).toMatchObject({ tool: { name: 'work', inputSchema: schema } });
    });

    it('reads a database that is read-only', async () => {
      await calls();
      await sql(`alter database journal_${databases} set default_transaction_read_only = on`);

      expect(await runToolmend('journal', 'list', '--url', url)).toMatchObject({ status: 0 });
    });

    it.each([
      [['journal'], 'needs list, show or export'],
      [['journal', 'show'], 'show needs one id'],
      [['journal', 'list', '--state', 'broken'], '--state is one of'],
      [['journal', 'list', '--limit', '1e20'], '--limit is a number of calls'],
      [['journal', 'list', '--folder', '/nowhere'], 'there is no journal in /nowhere'],
      [
        ['journal', 'list', '--folder', '/nowhere', '--url', 'postgres:'],
        '--folder or --url, not both',
      ],
      [['journal', 'list', '--url='], 'journal needs --folder or --url'],
    ])('says what is wrong with %j', async (args, message) => {
      const target = args.some((arg) => /--folder|--url/.test(arg)) ? [] : ['--url', url];
      const { status, stderr } = await runToolmend(...args, ...target);

      expect(status).toBe(2);
      expect(stderr).toContain(message);
    });

    it('says that a database has no journal', async () => {
      const { status, stderr } = await runToolmend('journal', 'list', '--url', url);

      expect(status).toBe(2);
      expect(stderr).toContain('is not in the schema toolmend');
    });
  });
});
