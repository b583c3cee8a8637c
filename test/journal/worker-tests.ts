import { setTimeout as delay } from 'node:timers/promises';
import {
  defineTool,
  type RegistryOptions,
  toolMessage,
  type ToolDefinition,
  type ToolOutcome,
  ToolRegistry,
} from 'toolmend';
import { type Journal, openQueue } from 'toolmend/journal';
import { journalWith } from '../journal-with.ts';

/** Milliseconds until a call counts as lost, also on a busy machine. */
const patience = 120_000;

/**
 * What every queue does, on the database of `journals`: those of a process that calls, and of one
 * that works.
 */
export function testWorkers(journals: () => readonly [Journal, Journal]): void {
  const closing: (() => Promise<unknown>)[] = [];
  let calls = 0;

  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  type Execute = ToolDefinition['execute'];
  const toolOf = (execute: Execute, options: Partial<ToolDefinition> = {}) =>
    defineTool({
      name: 'build',
      description: 'Build.',
      inputSchema: { type: 'object' },
      background: 'always',
      ...options,
      execute,
    });

  async function registryOn(
    journal: Journal,
    tool: ReturnType<typeof toolOf>,
    options: RegistryOptions = {},
  ): Promise<ToolRegistry> {
    const queue = await openQueue(journal, { pollMs: 500, retryDelayMs: 1000, retryLimit: 2 });
    const { background, ...others } = options;
    const tools = new ToolRegistry({
      journal,
      background: { queue, ...background },
      ...others,
    }).register(tool);
    closing.push(
      () => queue.close(),
      () => tools.close({ timeoutMs: 100 }),
    );
    return tools;
  }

  const notHere: Execute = () => {
    throw new Error('ran in the process that called');
  };

  const callOf = (sent: object = {}, name = 'build') => ({
    id: `call_${(calls += 1)}`,
    name,
    arguments: sent,
  });

  function handleOf(outcome: ToolOutcome): string {
    if (outcome.status !== 'in_background') throw new Error(toolMessage(outcome).text);
    return outcome.handle;
  }

  /** Until so many calls wait for a limit. */
  async function untilWaiting(count: number): Promise<void> {
    const [{ sql }] = journals();
    if (sql === undefined) throw new Error('no database');
    const counted = async (): Promise<unknown> =>
      (await sql.query(`select count(*)::int as count from ${sql.schema}.waiting`))[0]?.['count'];
    while ((await counted()) !== count) await delay(10);
  }

  it('a worker goes on with the next call at once, and looks for calls only when none is left', async () => {
    const [journal] = journals();
    const queue = await openQueue(journal, { pollMs: 300_000 });
    const tools = new ToolRegistry({ journal, background: { queue } }).register(
      toolOf(() => 'built', { name: 'build_many' }),
    );
    closing.push(
      () => queue.close(),
      () => tools.close({ timeoutMs: 100 }),
    );
    const queued = await Promise.all(
      Array.from({ length: 12 }, () => tools.call(callOf({}, 'build_many'))),
    );

    await tools.startWorker({ concurrency: 2 });
    const ended = await Promise.all(
      queued.map((outcome) => tools.background.wait(handleOf(outcome), patience)),
    );

    expect(ended.map((call) => call?.state)).toEqual(queued.map(() => 'ended'));
  });

  it('a worker puts a call back whose context can’t be made, and runs it later', async () => {
    const [journal] = journals();
    const errors: unknown[] = [];
    const listeners = [
      { onError: ({ error }: { readonly error: unknown }) => void errors.push(error) },
    ];
    const tools = await registryOn(
      journal,
      toolOf((_values, { values }) => values, { name: 'build_later' }),
      { listeners },
    );
    const handle = handleOf(await tools.call(callOf({}, 'build_later')));
    await tools.startWorker({
      context: () => {
        if (errors.length === 0) throw new Error('not yet');
        return { user: 'ann' };
      },
    });

    expect(await tools.background.wait(handle, patience)).toMatchObject({
      outcome: { result: { user: 'ann' } },
    });
    expect(errors).toEqual([new Error('not yet')]);
  });

  it('a worker runs the call of a tenant with characters that PostgreSQL refuses', async () => {
    const [journal] = journals();
    const conversation = crypto.randomUUID();
    const scope = { tenant: 'a\0\uD800', conversation };
    const tools = await registryOn(
      journal,
      toolOf(() => 'built', { name: 'build_odd' }),
    );
    handleOf(await tools.call(callOf({}, 'build_odd'), scope));
    await tools.startWorker();

    let ended = await tools.background.takeResults(scope);
    while (ended.length === 0) {
      await delay(100);
      ended = await tools.background.takeResults(scope);
    }
    expect(ended).toMatchObject([{ outcome: { result: 'built' } }]);
  });

  it('a worker runs what another process has queued, and the caller gets the result', async () => {
    const [here, there] = journals();
    const conversation = crypto.randomUUID();
    const scope = { tenant: 'a', conversation };
    const web = await registryOn(here, toolOf(notHere));
    const seen: unknown[] = [];
    const ended: string[] = [];
    const work = await registryOn(
      there,
      toolOf(async ({ target }, { meta, values, progress, call }) => {
        progress('compiling');
        await delay(1);
        seen.push(target, meta, values, call.id);
        return `built ${JSON.stringify(target)}`;
      }),
      { background: { onEnd: ({ outcome }) => void ended.push(outcome.status) } },
    );
    const call = callOf({ target: 'app' });
    const handle = handleOf(await web.call(call, scope));
    expect(await web.background.get(handle, { tenant: 'a' })).toMatchObject({ state: 'waiting' });
    expect(await web.background.get(handle, { tenant: 'b' })).toBeUndefined();
    const worker = await work.startWorker({ context: ({ tenant }) => ({ owner: tenant }) });
    expect(await web.background.wait(handle, patience, { tenant: 'a' })).toMatchObject({
      state: 'ended',
      outcome: { status: 'completed', result: 'built "app"' },
    });
    await worker.stop();
    expect(seen).toEqual(['app', {}, { owner: 'a' }, call.id]);
    expect(ended).toEqual(['completed']);
    expect(await web.background.takeResults(scope)).toMatchObject([
      {
        handle,
        text: `build, which ran in the background as ${handle}, has ended (completed):\nbuilt "app"`,
      },
    ]);
    expect(await work.background.takeResults(scope)).toEqual([]);
  });

  it('a caller in the process of the worker sees the end as soon as the journal has it', async () => {
    const [journal] = journals();
    const written = Promise.withResolvers<void>();
    const slow = journalWith(journal, {
      end: async (...end) => {
        const isEnded = await journal.end(...end);
        await written.promise;
        return isEnded;
      },
    });
    const tools = await registryOn(
      slow,
      toolOf(() => 'built', { name: 'build_here' }),
    );
    const handle = handleOf(await tools.call(callOf({}, 'build_here')));
    const waited = tools.background.wait(handle, patience);

    const worker = await tools.startWorker();

    expect(await waited).toMatchObject({ state: 'ended', outcome: { result: 'built' } });
    written.resolve();
    await worker.stop();
  });

  it('a call that may run twice is tried again after an exception; another is not', async () => {
    const [here, there] = journals();
    const runs: string[] = [];
    const failing = (name: string, idempotent: boolean) =>
      toolOf(
        (_values, { idempotencyKey }) => {
          runs.push(`${name} ${idempotencyKey}`);
          if (runs.filter((run) => run.startsWith(name)).length < 2) throw new Error('broken');
          return 'done';
        },
        { name, idempotent },
      );
    const web = await registryOn(here, toolOf(notHere, { name: 'sync', idempotent: true }));
    web.register(toolOf(notHere, { name: 'pay' }));
    const work = await registryOn(there, failing('sync', true));
    work.register(failing('pay', false));
    await work.startWorker();
    const handles = [
      handleOf(await web.call(callOf({}, 'sync'))),
      handleOf(await web.call(callOf({}, 'pay'))),
    ];
    const [synced, paid] = await Promise.all(
      handles.map((handle) => web.background.wait(handle, patience)),
    );
    expect(synced).toMatchObject({ outcome: { status: 'completed', result: 'done' } });
    expect(paid).toMatchObject({ outcome: { status: 'failed', reason: 'exception' } });
    const keys = runs.filter((run) => run.startsWith('sync'));
    expect([keys.length, new Set(keys).size, runs.length]).toEqual([2, 1, 3]);
  });

  it('a call whose worker dies before it starts it is run by another one, also without retries', async () => {
    const [here, there] = journals();
    const queue = await openQueue(here, { pollMs: 500, retryDelayMs: 1000, retryLimit: 0 });
    const web = new ToolRegistry({ journal: here, background: { queue } }).register(
      toolOf(() => 'packed', { name: 'pack' }),
    );
    closing.push(() => queue.close());
    const handle = handleOf(await web.call(callOf({}, 'pack')));
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = await queue.work(
      { tools: ['pack'], concurrency: 1, tenantConcurrency: undefined },
      () => {
        resolve();
        return Promise.reject(new Error('killed'));
      },
    );
    await promise;
    await stop();
    const check = callOf({ handle }, 'check_background');
    expect(await web.call(check)).toMatchObject({
      result: expect.stringContaining('pack waits for a worker'),
    });
    const work = await registryOn(
      there,
      toolOf(() => 'packed', { name: 'pack' }),
    );
    await work.startWorker();
    await web.background.wait(handle, patience);
    expect(toolMessage(await web.call(callOf({ handle }, 'check_background'))).text).toContain(
      'packed',
    );
  });

  it('a worker runs the calls of a tool that is registered later', async () => {
    const [here, there] = journals();
    const web = await registryOn(here, toolOf(notHere, { name: 'late' }));
    const work = await registryOn(there, toolOf(notHere, { name: 'early' }));
    await work.startWorker({ resumeMs: 200 });
    const handle = handleOf(await web.call(callOf({}, 'late')));
    work.register(toolOf(() => 'worked', { name: 'late' }));
    expect(await web.background.wait(handle, patience)).toMatchObject({
      outcome: { result: 'worked' },
    });
  });

  it('a call whose job is gone is run all the same', async () => {
    const [here, there] = journals();
    const web = await registryOn(here, toolOf(notHere, { name: 'lost' }));
    const handle = handleOf(await web.call(callOf({}, 'lost')));
    const { sql } = here;
    if (sql === undefined) throw new Error('no database');
    await sql.query(`delete from ${sql.schema}_jobs.job where name = 'toolmend.lost'`);
    await sql.query(
      `update ${sql.schema}.calls set updated_at = updated_at - interval '2 minutes' where tool = 'lost'`,
    );
    const work = await registryOn(
      there,
      toolOf(() => 'found', { name: 'lost' }),
    );
    await work.startWorker({ resumeMs: 200 });
    expect(await web.background.wait(handle, patience)).toMatchObject({
      outcome: { result: 'found' },
    });
  });

  it('workers keep the limit of running calls', async () => {
    const [here, there] = journals();
    const limits = { running: 1, per: 'all' } as const;
    const web = await registryOn(here, toolOf(notHere, { name: 'single', limits }));
    const most = { now: 0, ever: 0 };
    const execute: Execute = async () => {
      most.ever = Math.max(most.ever, (most.now += 1));
      await delay(50);
      most.now -= 1;
      return 'done';
    };
    const sent = ['a', 'b', 'c'].map(async (tenant) => ({
      tenant,
      handle: handleOf(await web.call(callOf({}, 'single'), { tenant })),
    }));
    const handles = await Promise.all(sent);
    const work = await registryOn(there, toolOf(execute, { name: 'single', limits }));
    await work.startWorker();
    const ended = await Promise.all(
      handles.map(({ handle, tenant }) => web.background.wait(handle, patience, { tenant })),
    );
    expect(ended).toMatchObject(handles.map(() => ({ outcome: { result: 'done' } })));
    expect(most.ever).toBe(1);
  });

  it('a call beyond its limit waits in one job, and calls start in the order in which they were sent', async () => {
    const [here, there] = journals();
    const limits = { running: 1, per: 'all' } as const;
    const web = await registryOn(here, toolOf(notHere, { name: 'in_order', limits }));
    const order: unknown[] = [];
    const goOn = Promise.withResolvers<void>();
    const execute: Execute = async ({ n }) => {
      order.push(n);
      await goOn.promise;
      return 'done';
    };
    const handles: string[] = [];
    for (const n of [1, 2, 3, 4]) handles.push(handleOf(await web.call(callOf({ n }, 'in_order'))));
    const work = await registryOn(there, toolOf(execute, { name: 'in_order', limits }));
    await work.startWorker({ concurrency: 2 });
    const { sql } = here;
    if (sql === undefined) throw new Error('no database');
    // The times from which each job may be fetched. One that has three was put back twice.
    const times = new Map<unknown, Set<unknown>>();
    while (![...times.values()].some(({ size }) => size > 2)) {
      const jobs = await sql.query(
        `select id, start_after::text as time from ${sql.schema}_jobs.job where name = 'toolmend.in_order'`,
        [],
      );
      for (const { id, time } of jobs) times.set(id, (times.get(id) ?? new Set()).add(time));
      await delay(20);
    }
    const [row] = await sql.query(
      `select count(*)::int as count from ${sql.schema}_jobs.job where name = 'toolmend.in_order'`,
      [],
    );

    expect(row?.['count']).toBe(4);
    goOn.resolve();
    const ended = await Promise.all(handles.map((handle) => web.background.wait(handle, patience)));
    expect(ended.map((call) => call?.state)).toEqual(handles.map(() => 'ended'));
    expect(order).toEqual([1, 2, 3, 4]);
  });

  it('a call that a worker has fetched and not started is taken over when its worker has died', async () => {
    const [here, there] = journals();
    const { sql } = here;
    if (sql === undefined) throw new Error('no database');
    const web = await registryOn(here, toolOf(notHere, { name: 'fetched' }));
    const handle = handleOf(await web.call(callOf({}, 'fetched')));
    let isDead = false;
    const dyingJournal = journalWith(here, {
      sql: {
        ...sql,
        query: (...statement) =>
          isDead ? Promise.reject(new Error('killed')) : sql.query(...statement),
      },
    });
    const queue = await openQueue(dyingJournal, { pollMs: 500 });
    closing.push(() => queue.close());
    const fetched = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<'done'>();
    const stop = await queue.work(
      { tools: ['fetched'], concurrency: 1, tenantConcurrency: undefined },
      () => {
        fetched.resolve();
        return ended.promise;
      },
    );
    await fetched.promise;
    isDead = true;
    await sql.query(
      `update ${sql.schema}_jobs.job set heartbeat_on = heartbeat_on - interval '11 seconds'
       where name = 'toolmend.fetched'`,
    );

    const work = await registryOn(
      there,
      toolOf(() => 'taken over', { name: 'fetched' }),
    );
    await work.startWorker({ resumeMs: 200 });
    const outcome = await web.background.wait(handle, patience);
    isDead = false;
    ended.resolve('done');
    await stop();
    expect(outcome).toMatchObject({ state: 'ended', outcome: { result: 'taken over' } });
  });

  it('a worker without the tool leaves the call to others', async () => {
    const [here, there] = journals();
    const web = await registryOn(here, toolOf(notHere, { name: 'render' }));
    const other = await registryOn(
      there,
      toolOf(() => 'sent', { name: 'mail' }),
    );
    await other.startWorker();
    const handle = handleOf(await web.call(callOf({}, 'render')));
    for (let looks = 0; looks < 2; looks += 1) {
      const mail = handleOf(await other.call(callOf({}, 'mail')));
      expect(await other.background.wait(mail, patience)).toMatchObject({
        outcome: { result: 'sent' },
      });
    }
    expect(await web.background.get(handle)).toMatchObject({ state: 'waiting' });
    const work = await registryOn(
      there,
      toolOf(() => 'drawn', { name: 'render' }),
    );
    await work.startWorker();
    expect(await web.background.wait(handle, patience)).toMatchObject({
      outcome: { result: 'drawn' },
    });
  });

  it('a call is cancelled by a process that doesn’t run it: while it waits, and while it runs', async () => {
    const [here, there] = journals();
    const web = await registryOn(here, toolOf(notHere, { name: 'index' }));
    const running = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    const work = await registryOn(
      there,
      toolOf(
        (_values, { signal }) => {
          signal.addEventListener('abort', () => aborted.resolve());
          running.resolve();
          return new Promise(() => {});
        },
        { name: 'index' },
      ),
    );
    const waiting = handleOf(await web.call(callOf({}, 'index')));
    expect(await web.background.cancel(waiting)).toMatchObject({
      outcome: { status: 'cancelled', when: 'before' },
    });
    await work.startWorker();
    const handle = handleOf(await web.call(callOf({}, 'index')));
    await running.promise;
    expect(await web.background.cancel(handle)).toMatchObject({
      outcome: { status: 'cancelled', when: 'during' },
    });
    await aborted.promise;
    expect(await web.background.get(handle)).toMatchObject({
      outcome: { status: 'cancelled', when: 'during' },
    });
  });

  it('a worker that closes puts back a call that may run again, and another worker runs it', async () => {
    const [here, there] = journals();
    const web = await registryOn(here, toolOf(notHere, { name: 'copy', effects: 'read' }));
    const begun = Promise.withResolvers<void>();
    const first = await registryOn(
      there,
      toolOf(
        () => {
          begun.resolve();
          return new Promise(() => {});
        },
        { name: 'copy', effects: 'read' },
      ),
    );
    await first.startWorker();
    const handle = handleOf(await web.call(callOf({}, 'copy')));
    await begun.promise;
    await first.close({ timeoutMs: 10 });
    expect(await web.background.get(handle)).toMatchObject({ state: 'waiting' });
    const second = await registryOn(
      there,
      toolOf(() => 'copied', { name: 'copy', effects: 'read' }),
    );
    await second.startWorker();
    expect(await web.background.wait(handle, patience)).toMatchObject({
      outcome: { result: 'copied' },
    });
  });

  it('a worker with another definition of the tool never runs the call, and the last attempt says so', async () => {
    const [here, there] = journals();
    const web = await registryOn(here, toolOf(notHere, { name: 'plan' }));
    const other = await registryOn(
      there,
      toolOf(notHere, { name: 'plan', description: 'Plan otherwise.' }),
    );
    await other.startWorker();
    const handle = handleOf(await web.call(callOf({}, 'plan')));
    expect(await web.background.wait(handle, patience)).toMatchObject({
      outcome: { status: 'denied', by: 'journal' },
      text: `plan, which ran in the background as ${handle}, has ended (denied):
plan was not executed.
Its definition has changed and has to be accepted first. Go on without it.`,
    });
  });

  it('the calls of one tenant run in turn with tenantConcurrency, over all workers, beside those of others', async () => {
    const [here, there] = journals();
    const web = await registryOn(here, toolOf(notHere, { name: 'draw' }));
    const running = new Map<unknown, number>();
    const most = new Map<unknown, number>();
    const beside = Promise.withResolvers<unknown>();
    const execute: Execute = async (_values, { values: { owner } }) => {
      running.set(owner, (running.get(owner) ?? 0) + 1);
      most.set(owner, Math.max(most.get(owner) ?? 0, running.get(owner) ?? 0));
      if (owner === 'b') beside.resolve(running.get('a'));
      else await beside.promise;
      await delay(100);
      running.set(owner, (running.get(owner) ?? 0) - 1);
      return owner;
    };
    const send = async (tenant: string) => handleOf(await web.call(callOf({}, 'draw'), { tenant }));
    const handles = await Promise.all(['a', 'a', 'a'].map(send));
    for (const journal of [here, there]) {
      const work = await registryOn(journal, toolOf(execute, { name: 'draw' }));
      await work.startWorker({
        tenantConcurrency: 1,
        context: ({ tenant }) => ({ owner: tenant }),
      });
    }
    while ((running.get('a') ?? 0) === 0) await delay(5);
    const other = await web.background.wait(await send('b'), patience, { tenant: 'b' });
    const ended = await Promise.all(
      handles.map((handle) => web.background.wait(handle, patience, { tenant: 'a' })),
    );
    expect([...ended, other]).toMatchObject(
      ['a', 'a', 'a', 'b'].map((result) => ({ outcome: { result } })),
    );
    expect(most).toEqual(
      new Map([
        ['a', 1],
        ['b', 1],
      ]),
    );
    expect(await beside.promise).toBe(1);
  });

  it('the journal row and the job row are written together or not at all', async () => {
    const [here] = journals();
    const web = await registryOn(here, toolOf(notHere, { name: 'scan' }));
    const before = await here.list({ tool: 'scan' });
    const { sql } = here;
    if (sql === undefined) throw new Error('no database');
    const jobs = async (): Promise<unknown> => {
      const [row] = await sql.query(
        `select count(*)::int as count from ${sql.schema}_jobs.job where name = $1`,
        ['toolmend.scan'],
      );
      return row?.['count'];
    };
    handleOf(await web.call(callOf({}, 'scan')));
    expect([await jobs(), (await here.list({ tool: 'scan' })).length - before.length]).toEqual([
      1, 1,
    ]);
    await sql.query(
      `alter table ${sql.schema}_jobs.job_common add constraint no_scan check (name <> 'toolmend.scan') not valid`,
    );
    const outcome = await web.call(callOf({}, 'scan'));
    await sql.query(`alter table ${sql.schema}_jobs.job_common drop constraint no_scan`);
    expect(outcome).toMatchObject({ status: 'failed', when: 'before' });
    expect([await jobs(), (await here.list({ tool: 'scan' })).length - before.length]).toEqual([
      1, 1,
    ]);
  });

  it('limits of a tool are counted by the database, over all processes', async () => {
    const limited = (
      journal: Journal,
      limits: NonNullable<ToolDefinition['limits']>,
      execute: Execute,
    ) =>
      new ToolRegistry({ journal }).register(
        toolOf(execute, {
          name: `limited_${Object.keys(limits).join('_')}`,
          background: 'never',
          limits,
        }),
      );
    const reasonOf = (outcome: ToolOutcome): string =>
      outcome.status === 'limit_exceeded' ? outcome.reason : outcome.status;
    const tenant = crypto.randomUUID();
    const rate = { rate: { calls: 5, perMs: 3_600_000 } };
    const [one, two] = journals().map((journal) => limited(journal, rate, () => 'done'));
    if (one === undefined || two === undefined) throw new Error('two journals');
    const sent = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? one : two).call(callOf({}, 'limited_rate'), { tenant }),
    );
    const reasons = (await Promise.all(sent)).map(reasonOf).toSorted();
    expect(reasons).toEqual([
      ...Array<string>(5).fill('completed'),
      ...Array<string>(15).fill('rate_limit'),
    ]);
    expect(reasonOf(await one.call(callOf({}, 'limited_rate'), { tenant: `${tenant}b` }))).toBe(
      'completed',
    );

    const { promise, resolve } = Promise.withResolvers<string>();
    const [here, there] = journals().map((journal) =>
      limited(journal, { running: 2 }, () => promise),
    );
    if (here === undefined || there === undefined) throw new Error('two journals');
    const running = [here, there, here, there].map((tools) =>
      tools.call(callOf({}, 'limited_running'), { tenant }),
    );
    const settled: string[] = [];
    for (const call of running) void call.then((outcome) => settled.push(reasonOf(outcome)));
    while (settled.length < 2) await delay(5);
    expect(settled).toEqual(['busy', 'busy']);
    resolve('done');
    expect((await Promise.all(running)).map(reasonOf).toSorted()).toEqual([
      'busy',
      'busy',
      'completed',
      'completed',
    ]);
    expect(reasonOf(await there.call(callOf({}, 'limited_running'), { tenant }))).toBe('completed');
  });

  it('tenants take turns at a limit of all tenants, over all processes', async () => {
    const order: unknown[] = [];
    const most = { now: 0, ever: 0 };
    const { promise: allWait, resolve: goOn } = Promise.withResolvers<void>();
    const execute: Execute = async ({ tenant }) => {
      order.push(tenant);
      most.ever = Math.max(most.ever, (most.now += 1));
      await allWait;
      await delay(5);
      most.now -= 1;
    };
    const limits = { running: 1, per: 'all', waitMs: 600_000 } as const;
    const options = { name: 'shared', background: 'never', limits } as const;
    const [one, two] = journals().map((journal) =>
      new ToolRegistry({ journal }).register(toolOf(execute, options)),
    );
    if (one === undefined || two === undefined) throw new Error('two journals');
    const send = (tenant: string, index: number) =>
      (index % 2 === 0 ? one : two).call(callOf({ tenant }, 'shared'), { tenant });

    const greedy = Array.from({ length: 12 }, (_, index) => send('greedy', index));
    await untilWaiting(11);
    const modest = ['b', 'b', 'c'].map(send);
    await untilWaiting(14);
    goOn();
    const statuses = (await Promise.all([...greedy, ...modest])).map(({ status }) => status);

    expect(new Set(statuses)).toEqual(new Set(['completed']));
    expect(most.ever).toBe(1);
    // After the call that ran, the first calls of the others are next, then the greedy tenant's,
    // and then their second one.
    const next = order.slice(1, 6);
    expect(
      ['b', 'c', 'greedy'].map((tenant) => next.filter((ran) => ran === tenant).length),
    ).toEqual([2, 1, 2]);
    expect(order).toHaveLength(15);
  });

  it('a call that has waited too long is refused, and others do not wait for it', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const started = Promise.withResolvers<void>();
    const execute = (): Promise<string> => {
      started.resolve();
      return promise;
    };
    const limits = { running: 1, per: 'all', waitMs: 400 } as const;
    const [one, two] = journals().map((journal) =>
      new ToolRegistry({ journal }).register(
        toolOf(execute, { name: 'narrow', background: 'never', limits }),
      ),
    );
    if (one === undefined || two === undefined) throw new Error('two journals');
    const first = one.call(callOf({}, 'narrow'), { tenant: 'a' });
    await started.promise;
    const second = await two.call(callOf({}, 'narrow'), { tenant: 'b' });
    resolve('done');

    expect(second).toMatchObject({ status: 'limit_exceeded', reason: 'busy' });
    expect(await first).toMatchObject({ status: 'completed' });
    expect(await one.call(callOf({}, 'narrow'), { tenant: 'a' })).toMatchObject({
      status: 'completed',
    });
  });
}
