// What a run says of its calls, while it goes on and when it ends.
import { RepairStats, ToolRegistry, ToolRetry, ToolRun, defineTool } from 'toolmend';
import { RecordingListener } from '../tools.ts';

const readFiles = defineTool<{ readonly paths: readonly string[] }>({
  name: 'read_files',
  description: 'Read text files.',
  effects: 'read',
  inputSchema: {
    type: 'object',
    properties: { paths: { type: 'array', items: { type: 'string' } } },
    required: ['paths'],
  },
  execute: ({ paths }) => {
    if (paths.includes('none')) throw new ToolRetry('There is no such file.');
    return paths.join(' ');
  },
});

const callOf = (id: string, text: string) => ({ id, name: 'read_files', arguments: text });

/** A valid, a repaired, a rejected, a retried, an unknown and a refused call. */
async function sixCalls(registry: ToolRegistry, run: ToolRun) {
  const options = { run, tenant: 'acme', conversation: 'c1' };
  await registry.call(callOf('1', '{"paths":["a"]}'), options);
  await registry.call(callOf('2', '{"paths":"a"}'), options);
  await registry.call(callOf('3', '{"paths":7}'), options);
  await registry.call(callOf('4', '{"paths":["none"]}'), options);
  await registry.call({ id: '5', name: 'no_such_tool', arguments: '{}' }, options);
  await registry.call(callOf('6', '{"paths":["a"]}'), options);
}

const counts = {
  calls: 6,
  unchanged: 2,
  repaired: 1,
  rejected: 2,
  refused: 1,
  failed: 1,
  retried: 2,
  rules: { wrap_in_array: 1 },
  duration: expect.any(Number),
};

test('a run counts its calls', async () => {
  const run = new ToolRun({ callLimit: 3, retryLimit: 5 });
  await sixCalls(new ToolRegistry().register(readFiles), run);

  expect(run.counts).toEqual(counts);
});

test('its end is one event of each listener, with whose run it was', async () => {
  const listener = new RecordingListener();
  const run = new ToolRun({ id: 'r1', label: 'reader', callLimit: 3, retryLimit: 5 });
  await sixCalls(new ToolRegistry({ listeners: [listener] }).register(readFiles), run);
  const ended = run.end();
  run.end();

  expect(ended).toEqual(counts);
  expect(listener.events.filter(({ type }) => type === 'tool_run_ended')).toEqual([
    {
      type: 'tool_run_ended',
      run: 'r1',
      label: 'reader',
      tenant: 'acme',
      conversation: 'c1',
      ...counts,
    },
  ]);
  expect(run.counts).toBe(ended);
});

test('calls are counted by tenant, or by the label of their run', async () => {
  const [byTenant, byLabel] = [new RepairStats({ by: 'tenant' }), new RepairStats({ by: 'label' })];
  const registry = new ToolRegistry({ listeners: [byTenant, byLabel] }).register(readFiles);
  await registry.call(callOf('1', '{"paths":"a"}'), {
    tenant: 'acme',
    run: new ToolRun({ label: 'reader' }),
  });
  await registry.call(callOf('2', '{"paths":["a"]}'), { tenant: 'other' });
  const [tenants, labels] = [byTenant.snapshot(), byLabel.snapshot()];

  expect(tenants['acme']?.['read_files']).toMatchObject({ repaired: 1, unchanged: 0 });
  expect(tenants['other']?.['read_files']).toMatchObject({ repaired: 0, unchanged: 1 });
  expect(labels['reader']?.['read_files']).toMatchObject({ repaired: 1 });
  expect(Object.keys(labels)).toEqual(['(unknown label)', 'reader']);
});

test('interpret alone is counted, unless another call counts', async () => {
  const [listener, stats] = [new RecordingListener(), new RepairStats()];
  const registry = new ToolRegistry({ listeners: [listener, stats] }).register(readFiles);
  registry.interpret(callOf('1', '{"paths":["a"]}'), { tenant: 'acme' });
  registry.interpret(callOf('2', '{"paths":"a"}'));
  registry.interpret(callOf('3', '{"paths":7}'));
  registry.interpret(callOf('4', '{"paths":7}'), { counted: false });
  const [hint] = await registry.learnedHints();

  expect(listener.events).toEqual([
    expect.objectContaining({ type: 'tool_call_interpreted', input: 'unchanged', tenant: 'acme' }),
    expect.objectContaining({
      input: 'repaired',
      repairs: [{ rule: 'wrap_in_array', path: '/paths' }],
    }),
    expect.objectContaining({ input: 'rejected', issues: [{ keyword: 'type', path: '/paths' }] }),
  ]);
  expect(stats.snapshot()['(unknown model)']?.['read_files']).toMatchObject({
    unchanged: 1,
    repaired: 1,
    rejected: 1,
    rules: { wrap_in_array: 1 },
  });
  expect(hint?.without).toMatchObject({ calls: 3, misses: 2 });
});
