// A journal in PostgreSQL whose server is out of reach for a while, or refuses statements.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type ToolDefinition, ToolRegistry } from 'toolmend';
import {
  type Journal,
  type JournalOptions,
  type JobQueue,
  openJournal,
  openQueue,
} from 'toolmend/journal';
import { callOf, toolOf } from '../tools.ts';
import { type PostgresServer, describeWithPostgres, startPostgres } from './postgres-server.ts';

describeWithPostgres(() => {
  let server: PostgresServer;
  let databases = 0;
  let url = '';
  let opened: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    databases += 1;
    await sql(`create database outage_${databases}`, server.connectionString);
    url = server.connectionString.replace(/postgres$/, `outage_${databases}`);
  });
  afterEach(async () => {
    for (const closing of opened.toReversed()) await closing.close();
    opened = [];
  });

  const sql = async (text: string, connectionString = url): Promise<void> => {
    const client = new Client({ connectionString });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  const open = async (options: JournalOptions = {}): Promise<Journal> => {
    const journal = await openJournal({ connectionString: url, ...options });
    opened.push(journal);
    return journal;
  };
  const queueOf = async (journal: Journal, onError = (): void => undefined): Promise<JobQueue> => {
    const queue = await openQueue(journal, { pollMs: 500, onError });
    opened.push(queue);
    return queue;
  };
  const registry = (
    journal: Journal,
    execute: () => unknown,
    options: Partial<ToolDefinition> = {},
    queue?: JobQueue,
  ) =>
    new ToolRegistry({
      journal,
      ...(queue === undefined ? {} : { background: { queue } }),
    }).register(toolOf(execute, options));

  /** Milliseconds until something that must happen counts as missed, also on a busy machine. */
  const patience = 120_000;
  const until = async (isReached: () => Promise<boolean>): Promise<void> => {
    const end = performance.now() + patience;
    while (!(await isReached()) && performance.now() < end) await sleep(50);
  };

  /** The next `times` outcomes are refused with this code; `terminate` ends the connection. */
  const refuse = (code: string, times: number) =>
    sql(`create sequence refusals;
      create function refuse() returns trigger language plpgsql as $$ begin
        if nextval('refusals') > ${times} then return new; end if;
        ${code === 'terminate' ? 'perform pg_terminate_backend(pg_backend_pid());' : `raise exception 'refused' using errcode = '${code}';`}
        return new; end $$;
      create trigger refuse before update on toolmend.calls for each row
        when (new.state = 'ended') execute function refuse();`);

  const codes = ['57014', '55P03', '40001', '40P01', '58030', 'XX000', 'terminate'] as const;

  it.each(codes)('writes an outcome that the database refused once (%s)', async (code) => {
    const journal = await open();
    await refuse(code, 1);

    const outcome = await registry(journal, () => 'paid').call(callOf(), { conversation: 'c' });

    expect(outcome).toMatchObject({ status: 'completed', result: 'paid' });
    expect(await journal.list({})).toMatchObject([
      { state: 'ended', attempts: 1, outcome: { content: { text: 'paid' } } },
    ]);
  });

  it.each([...codes, '42501', 'P0001'])(
    'keeps an outcome that the database refuses for longer (%s), and its call meanwhile',
    async (code) => {
      const journal = await open({ leaseMs: 900 });
      const near = await open();
      await refuse(code, 12);
      // Whether another process would find the lease renewed in time depends on the machine.
      await sql(`create sequence renewals;
        create function renewed() returns trigger language plpgsql as $$ begin
          perform nextval('renewals'); return new; end $$;
        create trigger renewed before update on toolmend.calls for each row
          when (new.state = 'running' and new.lease_until > old.lease_until) execute function renewed();`);

      const outcome = await registry(journal, () => 'paid').call(callOf());
      await until(async () => (await near.list({ state: 'running' })).length === 0);
      const [renewals] = (await near.sql?.query('select last_value from renewals', [])) ?? [];

      expect(outcome).toMatchObject({ status: 'completed', result: 'paid' });
      expect(await near.list({})).toMatchObject([
        { state: 'ended', attempts: 1, outcome: { content: { text: 'paid' } } },
      ]);
      expect(Number(renewals?.['last_value'])).toBeGreaterThan(1);
    },
  );

  it('writes outcomes behind one that the database refuses for ever', async () => {
    const journal = await open({ leaseMs: 900 });
    await sql(`create function refuse() returns trigger language plpgsql as $$ begin
        if new.call_id = 'bad' then raise exception 'refused' using errcode = '58030'; end if;
        if nextval('refusals') < 12 then raise exception 'refused' using errcode = '58030'; end if;
        return new; end $$;
      create sequence refusals;
      create trigger refuse before update on toolmend.calls for each row
        when (new.state = 'ended') execute function refuse();`);
    const tools = registry(journal, () => 'paid');

    await Promise.all([tools.call(callOf({ id: 'bad' })), tools.call(callOf({ id: 'good' }))]);
    await until(async () => (await journal.list({ state: 'ended' })).length > 0);

    expect(await journal.list({ state: 'ended' })).toMatchObject([{ callId: 'good' }]);
    await sql('drop trigger refuse on toolmend.calls');
  });

  it('a process lives on while its connections are ended and its server stops', async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'outage-worker.ts'), url], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const code = new Promise((resolve) => child.on('close', resolve));
    await until(() => Promise.resolve(stdout.includes('started')));
    const endConnections = () =>
      sql(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'toolmend'`,
        server.connectionString,
      );
    for (let round = 0; round < 60; round += 1) await endConnections().then(() => sleep(20));
    server.stop('kill');
    await sleep(1_500);
    server.start();
    for (let round = 0; round < 60; round += 1) await endConnections().then(() => sleep(20));
    const journal = await open();
    const ended = "select count(*)::int as calls from toolmend.calls where state = 'ended'";
    const endedCalls = async () => Number((await journal.sql?.query(ended, []))?.[0]?.['calls']);
    const before = await endedCalls();
    await until(async () => (await endedCalls()) > Math.max(before, 10));
    child.stdin.end();

    expect(await code).toBe(0);
    expect([stdout, stderr]).toEqual(['started\nalive\n', '']);
    expect(await endedCalls()).toBeGreaterThan(Math.max(before, 10));
  });

  it('a worker that starts in an outage runs the queued calls after it', async () => {
    const journal = await open();
    const queue = await queueOf(journal);
    const ran: string[] = [];
    const tools = registry(journal, () => ran.push('run'), { background: 'always' }, queue);
    const started = await tools.call(callOf());
    if (started.status !== 'in_background') throw new Error(`is ${started.status}`);
    const near = await open();
    const fresh = registry(
      near,
      () => ran.push('run'),
      { background: 'always' },
      await queueOf(near),
    );
    server.stop();

    const worker = await fresh.startWorker({ resumeMs: 500 });
    server.start();
    const ended = await tools.background.wait(started.handle, patience);
    await worker.stop();

    expect(ended).toMatchObject({ state: 'ended', outcome: { status: 'completed' } });
    expect(ran).toEqual(['run']);
  });

  it('a worker that starts in an outage can be stopped in it', async () => {
    const journal = await open();
    const queue = await queueOf(journal);
    const tools = registry(journal, () => 'run', { background: 'always' }, queue);
    server.stop();

    const worker = await tools.startWorker({ resumeMs: 60_000 });
    await worker.stop();
    server.start();
  });

  it('a worker goes on after an outage', async () => {
    const journal = await open();
    const looked = Promise.withResolvers<void>();
    const queue = await queueOf(journal, looked.resolve);
    const ran: string[] = [];
    const tools = registry(journal, () => ran.push('run'), { background: 'always' }, queue);
    const worker = await tools.startWorker({ resumeMs: 500 });
    server.stop('kill');
    await looked.promise;
    server.start();
    const started = await tools.call(callOf());
    if (started.status !== 'in_background') throw new Error(`is ${started.status}`);
    const ended = await tools.background.wait(started.handle, patience);
    await worker.stop();

    expect(ended).toMatchObject({ state: 'ended', outcome: { status: 'completed' } });
    expect(ran).toEqual(['run']);
  });
});
