// Calls that a process takes over from one that has died.
import { setTimeout as delay } from 'node:timers/promises';
import { type RegistryOptions, type ToolDefinition, ToolRegistry } from 'toolmend';
import { RecordingListener, callOf, callTo, handleOf, never, thrower, toolOf } from '../tools.ts';
import { killableJournal } from './killable-journal.ts';

/** The handle of a call whose process was killed, and the registry of another process. */
async function leftCall(execute: ToolDefinition['execute'], options: RegistryOptions) {
  const { journal, kill } = await killableJournal();
  const tool = { name: 'report', background: 'always', effects: 'read' } as const;
  const dead = new ToolRegistry({ journal }).register(toolOf(never, tool));
  const handle = handleOf(await dead.call(callTo('report')));
  await kill();
  return {
    handle,
    tools: new ToolRegistry({ journal, ...options }).register(toolOf(execute, tool)),
  };
}

it('leaves a call to a person whose context can’t be made, and says why', async () => {
  const listener = new RecordingListener();
  const { handle, tools } = await leftCall(() => 'done', { listeners: [listener] });

  const { inDoubt } = await tools.resume({ context: thrower(new Error('no such tenant')) });

  expect(inDoubt).toMatchObject([{ state: 'in_doubt' }]);
  expect(await tools.background.get(handle)).toMatchObject({ outcome: { reason: 'in_doubt' } });
  expect(listener.errors).toMatchObject([{ tool: 'report', error: new Error('no such tenant') }]);
});

it('shows the progress of a call in the background that runs again, its end, and cancels it', async () => {
  const ended: string[] = [];
  const started = Promise.withResolvers<void>();
  const execute: ToolDefinition['execute'] = (_values, { progress }) => {
    progress('half');
    started.resolve();
    return never();
  };
  const onEnd = ({ outcome }: { readonly outcome: { readonly status: string } }) =>
    void ended.push(outcome.status);
  const { handle, tools } = await leftCall(execute, { background: { onEnd } });
  const resumed = tools.resume();
  await started.promise;

  expect(await tools.background.get(handle)).toMatchObject({ state: 'running', progress: 'half' });
  expect(await tools.background.cancel(handle)).toMatchObject({ outcome: { status: 'cancelled' } });
  expect((await resumed).outcomes).toMatchObject([{ status: 'cancelled', when: 'during' }]);
  expect(ended).toEqual(['cancelled']);
});

it.each([
  ['run', 2],
  ['wait for a slot', 1],
])('leaves calls that %s to other processes when the registry closes', async (_title, slots) => {
  const { journal, kill } = await killableJournal();
  const tool = { name: 'report', effects: 'read' } as const;
  const dead = new ToolRegistry({ journal }).register(toolOf(never, tool));
  for (const id of ['1', '2']) void dead.call(callOf({ id, name: 'report' }));
  while ((await journal.list({ state: 'running' })).length < 2) await delay(1);
  await kill();
  const started = Promise.withResolvers<void>();
  const tools = new ToolRegistry({ journal, concurrencyLimit: slots }).register(
    toolOf(() => {
      started.resolve();
      return never();
    }, tool),
  );
  const resumed = tools.resume();
  await started.promise;
  await tools.close({ timeoutMs: 10 });
  await resumed;

  expect(await journal.list({})).toMatchObject([{ state: 'running' }, { state: 'running' }]);
});
