import { setTimeout as delay } from 'node:timers/promises';
import { type ToolDefinition, ToolRegistry } from 'toolmend';
import { callOf, statusesOf, toolOf } from '../tools.ts';

const limited = (
  limits: NonNullable<ToolDefinition['limits']>,
  execute: () => unknown = () => delay(20, 'done'),
) => {
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

it('waits for a rate', async () => {
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
