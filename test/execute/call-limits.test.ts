import { type RegistryOptions, toolMessage, type ToolDefinition, ToolRegistry } from 'toolmend';
import { openJournal } from 'toolmend/journal';
import { callOf, RecordingListener, statusesOf, thrower, toolOf } from '../tools.ts';

type Limits = NonNullable<ToolDefinition['limits']>;

const registryOf = (
  limits: Limits,
  execute: () => unknown = () => 'done',
  options: RegistryOptions = {},
) => new ToolRegistry(options).register(toolOf(execute, { limits }));

let calls = 0;
const send = (tools: ToolRegistry, sent: object = {}, tenant = '') =>
  tools.call(callOf({ id: `call_${(calls += 1)}`, arguments: sent }), { tenant });

const outcomes = async (sent: readonly ReturnType<typeof send>[]): Promise<readonly string[]> =>
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
    expect(await outcomes(sent)).toEqual(['completed', 'completed', 'rate_limit', 'completed']);
    const clock = performance.now.bind(performance);
    performance.now = () => clock() + 60_001;
    const later = await outcomes([send(tools)]);
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
    expect(await outcomes([send(tools)])).toEqual(['busy']);
    resolve('done');
    expect(await outcomes([first])).toEqual(['completed']);
    expect(await outcomes([send(tools)])).toEqual(['completed']);
  });

  it('count over all tenants, or by a key of the arguments', async () => {
    const all = registryOf(
      { rate: { calls: 1, perMs: 60_000 }, per: 'all' },
      undefined,
      await options(),
    );
    expect(await outcomes([send(all, {}, 'a'), send(all, {}, 'b')])).toEqual([
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
    expect(await outcomes(sent)).toEqual(['completed', 'completed', 'rate_limit']);
    expect(await outcomes([send(keyed, { account: 1 }, 'b')])).toEqual(['completed']);
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
