import { setTimeout as delay } from 'node:timers/promises';
import { type RegistryOptions, toolMessage, type ToolDefinition, ToolRegistry } from 'toolmend';
import { openJournal } from 'toolmend/journal';
import { callOf, RecordingListener, statusesOf, thrower, toolOf } from '../tools.ts';

type Limits = NonNullable<ToolDefinition['limits']>;

const registryOf = (
  limits: Limits,
  execute: () => unknown = () => 'done',
  options: RegistryOptions = {},
) => new ToolRegistry(options).register(toolOf(execute, { limits }));

let callCount = 0;
const send = (tools: ToolRegistry, sent: object = {}, tenant = '') =>
  tools.call(callOf({ id: `call_${(callCount += 1)}`, arguments: sent }), { tenant });

const endsOf = async (sent: readonly ReturnType<typeof send>[]): Promise<readonly string[]> =>
  (await Promise.all(sent)).map((outcome) =>
    outcome.status === 'limit_exceeded' ? outcome.reason : outcome.status,
  );

describe.each<[string, () => Promise<RegistryOptions>]>([
  ['without a journal', () => Promise.resolve({})],
  ['with a journal in memory', async () => ({ journal: await openJournal() })],
])('the limits of a tool, %s', (_title, options) => {
  it('refuse calls beyond the rate of each tenant until the time is over', async () => {
    const tools = registryOf({ rate: { calls: 2, perMs: 60_000 } }, undefined, await options());
    const sent = [send(tools), send(tools), send(tools), send(tools, {}, 'b')];
    expect(await endsOf(sent)).toEqual(['completed', 'completed', 'rate_limit', 'completed']);
    const clock = performance.now.bind(performance);
    performance.now = () => clock() + 60_001;
    const later = await endsOf([send(tools)]);
    performance.now = clock;
    expect(later).toEqual(['completed']);
  });

  it('refuse calls beyond those that run', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const started = Promise.withResolvers<void>();
    const execute = (): Promise<string> => {
      started.resolve();
      return promise;
    };
    const tools = registryOf({ running: 1 }, execute, await options());
    const first = send(tools);
    await started.promise;
    expect(await endsOf([send(tools)])).toEqual(['busy']);
    resolve('done');
    expect(await endsOf([first])).toEqual(['completed']);
    expect(await endsOf([send(tools)])).toEqual(['completed']);
  });

  it('count over all tenants, or by a key of the arguments', async () => {
    const all = registryOf(
      { rate: { calls: 1, perMs: 60_000 }, per: 'all' },
      undefined,
      await options(),
    );
    expect(await endsOf([send(all, {}, 'a'), send(all, {}, 'b')])).toEqual([
      'completed',
      'rate_limit',
    ]);
    const key: Limits['per'] = { key: (values) => Reflect.get(values, 'account') };
    const keyed = registryOf(
      { rate: { calls: 1, perMs: 60_000 }, per: key },
      undefined,
      await options(),
    );
    const sent = [
      send(keyed, { account: 1 }),
      send(keyed, { account: 2 }),
      send(keyed, { account: 1 }),
    ];
    expect(await endsOf(sent)).toEqual(['completed', 'completed', 'rate_limit']);
    expect(await endsOf([send(keyed, { account: 1 }, 'b')])).toEqual(['completed']);
  });

  it('fail a call whose key function throws, and nothing runs', async () => {
    const limits = { running: 1, per: { key: thrower(new Error('broken')) } };
    const tools = registryOf(limits, undefined, await options());
    expect(await send(tools)).toMatchObject({ status: 'failed', when: 'before' });
  });
});

it('the model reads that it is to send the call later, and listeners are told', async () => {
  const listener = new RecordingListener();
  const tools = registryOf({ rate: { calls: 1, perMs: 60_000 } }, undefined, {
    listeners: [listener],
  });
  await send(tools);
  expect(toolMessage(await send(tools)).text).toBe(
    'work was not executed.\nIt has been called too often in a short time. Go on with other work, and send this call again later.',
  );
  expect(listener.events.at(-1)).toMatchObject({ type: 'tool_call_refused', reason: 'rate_limit' });
});

it('a call that fails frees its place', async () => {
  const tools = registryOf({ running: 1 }, thrower(new Error('broken')));
  expect(await statusesOf([send(tools)])).toEqual(['failed']);
  expect(await statusesOf([send(tools)])).toEqual(['failed']);
});

it('wrong limits are refused with what to write', () => {
  const limitsOf = (limits: unknown) => () =>
    Reflect.apply(toolOf, undefined, [() => 1, { limits }]);
  expect(limitsOf({ rate: { calls: 1 } })).toThrow(
    'work has no limits.rate.perMs: write milliseconds',
  );
  expect(limitsOf({ per: 'user' })).toThrow(
    "work has \"user\" for limits.per: write 'tenant', 'all' or { key: (values) => … }.",
  );
});

it('runs what was approved, although as many calls run already', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const tools = new ToolRegistry({ approval: {} }).register(
    toolOf(() => promise, { effects: 'destructive', limits: { running: 1 } }),
  );
  const asked = [await tools.call(callOf()), await tools.call(callOf())];

  const outcomes = asked.map((outcome) =>
    tools.resolveApproval(Reflect.get(outcome, 'approval'), { decision: 'approve' }),
  );
  resolve('done');
  expect(await statusesOf(outcomes)).toEqual(['completed', 'completed']);
});

describe('with waitMs, a call', () => {
  const limited = (limits: Limits, execute: () => unknown = () => delay(20, 'done')) => {
    const order: string[] = [];
    const tools = new ToolRegistry().register(toolOf(execute, { limits }));
    const call = async (tenant: string, signal?: AbortSignal): Promise<string> => {
      const options = signal === undefined ? { tenant } : { tenant, signal };
      const outcome = await tools.call(callOf({ id: '' }), options);
      if (outcome.status === 'completed') order.push(tenant);
      return outcome.status === 'limit_exceeded' ? outcome.reason : outcome.status;
    };
    return { order, call };
  };

  it('lets calls wait for their turn, and tenants take turns', async () => {
    const { order, call } = limited({ running: 1, per: 'all', waitMs: 600_000 });

    await Promise.all(['a', 'a', 'a', 'a', 'b', 'b', 'c'].map((tenant) => call(tenant)));

    expect(order.join('')).toBe('abcabaa');
  });

  it('waits for the time of a rate', async () => {
    const { call } = limited({ rate: { calls: 2, perMs: 100 }, waitMs: 600_000 }, () => 'done');
    const start = performance.now();

    const statuses = await Promise.all([call('a'), call('a'), call('a')]);
    expect(statuses).toEqual(['completed', 'completed', 'completed']);
    expect(performance.now() - start).toBeGreaterThan(95);
  });

  it('refuses a call that has waited for waitMs, or that was cancelled', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { call } = limited({ running: 1, waitMs: 60 }, () => promise);
    const cancelled = new AbortController();

    const first = call('a');
    const others = Promise.all([call('a'), call('a', cancelled.signal)]);
    cancelled.abort();

    expect(await others).toEqual(['busy', 'cancelled']);
    resolve('done');
    expect(await first).toBe('completed');
  });

  it('lets 100 calls wait, and refuses more', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { call } = limited({ running: 1, waitMs: 600_000 }, () => promise);
    const refused: string[] = [];

    const calls = Array.from({ length: 111 }, () => call('a'));
    for (const one of calls) void one.then((status) => status === 'busy' && refused.push(status));
    await delay(30);
    const soon = refused.length;
    resolve('done');
    const statuses = await Promise.all(calls);

    expect(soon).toBe(10);
    expect(statuses.filter((status) => status === 'completed')).toHaveLength(101);
  });

  it('lets a call of another tenant wait, although one tenant has 100 waiting calls', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { call } = limited({ running: 1, per: 'all', waitMs: 600_000 }, () => promise);
    const calls = Array.from({ length: 101 }, () => call('a'));

    const others = [call('b'), call('b')];
    expect(await others[1]).toBe('busy');
    resolve('done');
    expect(await others[0]).toBe('completed');
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['completed']));
  });
});
