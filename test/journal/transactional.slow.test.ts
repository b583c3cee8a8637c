// Tools whose work is committed with their outcome, in PGlite and PostgreSQL.
import {
  DefinitionError,
  type Interceptor,
  type JsonObject,
  type RegistryOptions,
  type ToolContext,
  type ToolDefinition,
  ToolFailure,
  ToolRegistry,
} from 'toolmend';
import { type Journal, openJournal, openQueue } from 'toolmend/journal';
import { callOf, never, toolOf } from '../tools.ts';
import { pgliteFolder } from './pglite-folder.ts';
import { type PostgresServer, describeWithPostgres, startPostgres } from './postgres-server.ts';

/** `open`: the journals of two replicas, with leases that last. */
function testTransactions(open: () => readonly [Journal, Journal]): void {
  let conversation = '';
  beforeEach(() => void (conversation = crypto.randomUUID()));

  type Code = (values: JsonObject, context: ToolContext) => unknown;
  const registry = (
    code: Code,
    options: Partial<ToolDefinition> = {},
    { journal = open()[0], ...more }: RegistryOptions = {},
  ) =>
    new ToolRegistry({ journal, ...more }).register(
      toolOf(code, { transactional: true, ...options }),
    );
  const insert = ({ transaction, idempotencyKey }: ToolContext, note: string) =>
    transaction.query('insert into refunds (conversation, key, note) values ($1, $2, $3)', [
      conversation,
      idempotencyKey,
      note,
    ]);
  const sql = () => {
    const { sql: database } = open()[0];
    if (database === undefined) throw new Error('has no database');
    return database;
  };
  const notes = async (): Promise<readonly unknown[]> =>
    (
      await sql().query('select note from refunds where conversation = $1 order by note', [
        conversation,
      ])
    ).map(({ note }) => note);
  const states = async () =>
    (await open()[0].list({ conversation })).map(({ state, outcome }) => [state, outcome?.status]);
  beforeAll(() =>
    sql().query('create table if not exists refunds (conversation text, key text, note text)'),
  );

  it('commits the work with the outcome', async () => {
    const tools = registry(async (_values, context) => {
      await insert(context, 'paid');
      const [row] = await context.transaction.query('select note from refunds where key = $1', [
        context.idempotencyKey,
      ]);
      return `refund: ${String(row?.['note'])}`;
    });

    const outcome = await tools.call(callOf(), { conversation });

    expect(outcome).toMatchObject({ status: 'completed', result: 'refund: paid' });
    expect([await notes(), await states()]).toEqual([['paid'], [['ended', 'completed']]]);
  });

  it.each<readonly [string, Code, object]>([
    ['an exception', () => Promise.reject(new Error('broken')), { reason: 'exception' }],
    ['a failure', () => Promise.reject(new ToolFailure('No.')), { reason: 'declared' }],
    ['a result that no model may see', () => 'text', { reason: 'result' }],
  ])('undoes the work after %s', async (_what, then, failed) => {
    const tools = registry(
      async (values, context) => {
        await insert(context, 'paid');
        return then(values, context);
      },
      { outputSchema: { type: 'object' } },
    );

    const outcome = await tools.call(callOf(), { conversation });

    expect(outcome).toMatchObject({ status: 'failed', ...failed });
    expect([await notes(), await states()]).toEqual([[], [['ended', 'failed']]]);
  });

  it('undoes the work of a call whose time is over, and takes no more of it', async () => {
    const callHasEnded = Promise.withResolvers<void>();
    const late = Promise.withResolvers<unknown>();
    const tools = registry(
      async (_values, context) => {
        await insert(context, 'paid').catch(() => undefined);
        await callHasEnded.promise;
        late.resolve(await insert(context, 'late').catch((error: unknown) => error));
      },
      { timeoutMs: 50 },
    );

    const outcome = await tools.call(callOf(), { conversation });
    callHasEnded.resolve();

    expect(outcome).toMatchObject({
      status: 'timed_out',
      message: expect.stringContaining('Its work was undone.'),
    });
    expect(await late.promise).toMatchObject({ code: 'transaction-over' });
    expect([await notes(), await states()]).toEqual([[], [['ended', 'timed_out']]]);
  });

  it('frees the idempotency key of a call whose time was over', async () => {
    const secondHasEnded = Promise.withResolvers<void>();
    const late = Promise.withResolvers<unknown>();
    const tools = registry(
      async (_values, context) => {
        const { id } = context.call;
        await insert(context, id).catch(() => undefined);
        if (id === 'second') return 'done';
        await secondHasEnded.promise;
        late.resolve(await insert(context, 'late').catch((error: unknown) => error));
        return 'late';
      },
      { idempotencyKey: () => conversation },
    );

    const outcomes = [
      await tools.call(callOf({ id: 'first' }), { conversation, timeoutMs: 50 }),
      await tools.call(callOf({ id: 'second' }), { conversation }),
    ];
    secondHasEnded.resolve();

    expect(outcomes).toMatchObject([
      { status: 'timed_out' },
      { status: 'completed', result: 'done' },
    ]);
    expect(await late.promise).toMatchObject({ code: 'transaction-over' });
    expect(await notes()).toEqual(['second']);
    // The newest first.
    expect(await states()).toEqual([
      ['ended', 'completed'],
      ['ended', 'timed_out'],
    ]);
  });

  it('undoes the work of a call that is cancelled', async () => {
    const cancelling = new AbortController();
    const tools = registry(async (_values, context) => {
      await insert(context, 'paid');
      cancelling.abort();
      return never();
    });

    const outcome = await tools.call(callOf(), { conversation, signal: cancelling.signal });

    expect(outcome).toMatchObject({ status: 'cancelled', when: 'during' });
    expect([await notes(), await states()]).toEqual([[], [['ended', 'cancelled']]]);
  });

  it('runs a call again that the database rolled back because of another one', async () => {
    let runs = 0;
    const tools = registry(async (_values, context) => {
      runs += 1;
      await insert(context, `run ${runs}`);
      if (runs === 1)
        await context.transaction.query(
          `do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`,
        );
      return runs;
    });

    expect(await tools.call(callOf(), { conversation })).toMatchObject({ result: 2 });
    expect(await notes()).toEqual(['run 2']);
  });

  it('commits nothing of an error that the tool ignores', async () => {
    const tools = registry(async (_values, context) => {
      await insert(context, 'paid');
      await context.transaction.query('select * from missing', []).catch(() => undefined);
      return 'done';
    });

    expect(await tools.call(callOf(), { conversation })).toMatchObject({ status: 'failed' });
    expect(await notes()).toEqual([]);
  });

  it('does not let a tool end its transaction', async () => {
    const tools = registry(async (_values, context) => {
      await insert(context, 'paid');
      await context.transaction.query('  Commit;');
    });

    expect(await tools.call(callOf(), { conversation })).toMatchObject({
      status: 'failed',
      cause: { code: 'transaction-ended' },
    });
    expect(await notes()).toEqual([]);
  });

  it('writes the outcome as an interceptor has changed it', async () => {
    const tools = registry(
      async (_values, context) => {
        await insert(context, 'paid');
        return 'paid 250 to her card';
      },
      {},
      { interceptors: [async (call, next) => call.amend(await next(), { text: 'paid 250' })] },
    );

    await tools.call(callOf(), { conversation });

    const [entry] = await open()[0].list({ conversation });
    expect(JSON.stringify(entry?.outcome)).toContain('paid 250');
    expect(JSON.stringify(entry?.outcome)).not.toContain('her card');
  });

  it('keeps the idempotency key of committed work if an interceptor throws, and frees that of undone work', async () => {
    const fails: Interceptor = async (_call, next) => {
      await next();
      throw new Error('the log is full');
    };
    const key = { idempotencyKey: () => conversation };
    const pay: Code = (_values, context) => insert(context, 'paid');
    const undone = registry(pay, { ...key, outputSchema: { type: 'object' } });
    const committed = registry(pay, key, { interceptors: [fails] });
    const calls = ['call_1', 'call_2'].map((id) => callOf({ id }));

    for (const one of calls) await undone.call(one, { conversation });
    expect(await notes()).toEqual([]);
    for (const one of calls) await committed.call(one, { conversation, turn: 'next' });
    expect(await notes()).toEqual(['paid']);
    const inOrder = (await open()[0].list({ conversation })).map(({ callId }) => callId);
    expect(inOrder).toEqual(['call_1', 'call_2', 'call_1']);
  });

  it('commits nothing after another process has taken the call over', async () => {
    const started = Promise.withResolvers<void>();
    const going = Promise.withResolvers<void>();
    const slow = registry(async (_values, context) => {
      // PGlite has one connection.
      started.resolve();
      await going.promise;
      await insert(context, 'slow');
      await context.transaction.query(
        `update toolmend.calls set owner = gen_random_uuid() where conversation = $1`,
        [conversation],
      );
      return 'slow';
    });
    const first = slow.call(callOf(), { conversation });
    await started.promise;
    going.resolve();

    expect(await first).not.toMatchObject({ status: 'completed' });
    expect(await notes()).toEqual([]);
  });

  it('runs in the background, and on a worker', async () => {
    const queue = await openQueue(open()[0], { pollMs: 500 });
    const tools = registry(
      async (_values, context) => {
        await insert(context, 'paid');
        return 'done';
      },
      { background: 'always' },
      { background: { queue } },
    );
    const worker = await tools.startWorker();
    const started = await tools.call(callOf(), { conversation });
    if (started.status !== 'in_background') throw new Error(`is ${started.status}`);
    const ended = await tools.background.wait(started.handle, 120_000);
    await worker.stop();
    await queue.close();

    expect(ended).toMatchObject({ state: 'ended', outcome: { status: 'completed' } });
    expect([await notes(), await states()]).toEqual([['paid'], [['ended', 'completed']]]);
  });

  it('refuses a call that the code makes for itself', async () => {
    const errors: unknown[] = [];
    const tools: ToolRegistry = registry(async (_values, context) => {
      const inner = tools.call(callOf({ id: 'inner' }), { parent: context });
      errors.push(await inner.catch((error: unknown) => error));
      return 'done';
    });

    await tools.call(callOf(), { conversation });

    expect(errors).toEqual([expect.any(DefinitionError)]);
  });

  it('has no transaction for another tool', async () => {
    const tools = registry((_values, context) => insert(context, 'paid'), {
      transactional: false,
    });

    expect(await tools.call(callOf(), { conversation })).toMatchObject({
      status: 'failed',
      cause: {
        message: expect.stringContaining("write transactional: true in the tool's options"),
      },
    });
  });
}

describe('PGlite in a folder', () => {
  let journal: Journal;
  beforeAll(async () => {
    journal = await openJournal({ folder: await pgliteFolder() });
  });
  afterAll(() => journal.close());

  testTransactions(() => [journal, journal]);
});

describeWithPostgres(() => {
  let server: PostgresServer;
  let journal: Journal;
  let other: Journal;
  beforeAll(async () => {
    server = await startPostgres();
    const { connectionString } = server;
    journal = await openJournal({ connectionString, poolSize: 4 });
    other = await openJournal({ connectionString });
  });
  afterAll(async () => {
    await Promise.all([journal.close(), other.close()]);
    server.remove();
  });

  testTransactions(() => [journal, other]);

  const abandon = () =>
    journal.sql?.query(
      "update toolmend.calls set owner = gen_random_uuid(), lease_until = now() - interval '1 hour' where state = 'running'",
    );
  const dying = async (options: Partial<ToolDefinition>, values: JsonObject) => {
    const conversation = crypto.randomUUID();
    const started = Promise.withResolvers<void>();
    const tools = new ToolRegistry({ journal: other }).register(
      toolOf(
        () => {
          started.resolve();
          return never();
        },
        { transactional: true, ...options },
      ),
    );
    const ending = new AbortController();
    const first = tools.call(callOf({ arguments: values }), {
      conversation,
      signal: ending.signal,
    });
    await started.promise;
    await abandon();
    const end = () => {
      ending.abort();
      return first;
    };
    return { conversation, end };
  };

  it('runs a call again whose process has died', async () => {
    const { conversation, end } = await dying({}, {});
    const again = new ToolRegistry({ journal }).register(
      toolOf(() => 'again', { transactional: true }),
    );

    const { outcomes, inDoubt } = await again.resume();

    expect([outcomes, inDoubt]).toMatchObject([[{ status: 'completed', result: 'again' }], []]);
    await end();
    expect(await journal.list({ conversation })).toMatchObject([
      { state: 'ended', outcome: { status: 'completed', content: { text: 'again' } } },
    ]);
  });

  it('ends a call with secrets whose process has died as not executed', async () => {
    const inputSchema = {
      type: 'object',
      properties: { pin: { type: 'string', 'x-toolmend': { secret: true } } },
    } as const;
    const { conversation, end } = await dying({ inputSchema }, { pin: 's3cret' });
    const again = new ToolRegistry({ journal }).register(
      toolOf(() => 'again', { transactional: true, inputSchema }),
    );

    expect(await again.resume()).toEqual({ outcomes: [], inDoubt: [] });

    expect(await journal.list({ conversation })).toMatchObject([
      { state: 'not_run', outcome: { status: 'failed', when: 'before' } },
    ]);
    await end();
  });

  it('leaves connections for everything else', async () => {
    const going = Promise.withResolvers<void>();
    const tools = new ToolRegistry({ journal }).register(
      toolOf(
        async (_values, { transaction }) => {
          await transaction.query('select 1', []);
          await going.promise;
          return 'done';
        },
        { transactional: true },
      ),
    );
    const calls = Array.from({ length: 8 }, (_, index) =>
      tools.call(callOf({ id: `call_${index}` })),
    );
    await vi.waitFor(
      async () => expect(await journal.list({ state: 'running' })).toHaveLength(8),
      20_000,
    );
    going.resolve();

    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(
      calls.map(() => 'completed'),
    );
  });
});
