import { setTimeout as delay } from 'node:timers/promises';
import { type RegistryOptions, ToolRegistry, ToolResult } from 'toolmend';
import { openJournal } from 'toolmend/journal';
import { journalWith } from '../journal-with.ts';
import { callOf, callTo, handleOf, toolOf } from '../tools.ts';

const inOne = { conversation: 'c1' } as const;

const unreachable = () => Promise.reject(new Error('the database is away'));

async function ended(tools: ToolRegistry): Promise<string> {
  const handle = handleOf(await tools.call(callTo('build'), inOne));
  await tools.background.wait(handle, 30_000);
  return handle;
}

const registryOf = (options: RegistryOptions, result: () => unknown = () => 'built') =>
  new ToolRegistry(options).register(
    toolOf(() => delay(20).then(result), { name: 'build', background: 'always' }),
    toolOf(() => 'text', { name: 'read' }),
  );

it('an outcome is returned without late results if these can’t be read, and a later call has them', async () => {
  const errors: unknown[] = [];
  let isAway = true;
  const stored = await openJournal();
  const journal = journalWith(stored, {
    deliver: (...scope) => (isAway ? unreachable() : stored.deliver(...scope)),
  });
  const tools = registryOf({
    journal,
    listeners: [{ onError: ({ error }) => void errors.push(error) }],
  });
  await ended(tools);
  errors.length = 0;
  const [first] = await tools.callAll([callOf({ id: 'call_2', name: 'read' })], inOne);
  expect(first).toMatchObject({ status: 'completed', result: 'text' });
  expect(errors).toEqual([new Error('the database is away')]);
  isAway = false;
  const second = await tools.call(callOf({ id: 'call_3', name: 'read' }), inOne);
  expect(second.notes?.join()).toContain('has ended (completed):\nbuilt');
});

it('a call that can’t be written fails, though late results can’t be read either', async () => {
  const journal = journalWith(await openJournal(), { begin: unreachable, deliver: unreachable });
  const tools = registryOf({ journal, approval: {} });
  const outcome = await tools.call(callOf({ id: 'call_1', name: 'read' }), inOne);
  expect(outcome).toMatchObject({ status: 'failed', when: 'before' });
});

it.each([
  [
    'offered',
    /has an image and a file that are not shown here\. To see them, call check_background with bg_/,
  ],
  ['off', /has an image and a file that are not shown here\.$/],
] as const)(
  'a late result says which images and files it leaves out: %s',
  async (checkTool, says) => {
    const tools = registryOf({ background: { checkTool } }, () =>
      ToolResult.of('chart')
        .image(new Uint8Array([1]), 'image/png')
        .file(new Uint8Array([1]), 'application/pdf'),
    );
    const handle = await ended(tools);
    const next = await tools.call(callOf({ id: 'call_2', name: 'read' }), inOne);
    expect(next.notes?.join()).toMatch(says);
    if (checkTool === 'off') return;
    const content = {
      images: [{ mediaType: 'image/png' }],
      files: [{ mediaType: 'application/pdf' }],
    };
    expect(await tools.call(callTo('check_background', { handle }), inOne)).toMatchObject({
      content,
    });
  },
);

it.each([1e12, Infinity, -1, Number.NaN])('background.wait refuses the time %s', async (time) => {
  const tools = registryOf({});
  const handle = await ended(tools);
  await expect(tools.background.wait(handle, time)).rejects.toThrow(
    'write milliseconds, at least 0',
  );
});

it('an approved call that is sent again has its result once', async () => {
  const tools = registryOf({
    journal: await openJournal(),
    approval: { needed: ({ tool }) => tool === 'read' },
  });
  const call = callOf({ id: 'call_1', name: 'read' });
  const waiting = await tools.call(call, inOne);
  if (waiting.status !== 'approval_required') throw new Error(waiting.status);
  await tools.resolveApproval(waiting.approval, { decision: 'approve' });

  const again = await tools.call(call, inOne);
  const next = await tools.call(callOf({ id: 'call_2', name: 'build' }), inOne);

  expect(again).toMatchObject({ status: 'completed', result: 'text' });
  expect(again.notes).toHaveLength(1);
  expect(again.notes?.join()).toContain('was not executed again');
  expect(next.notes ?? []).toEqual([]);
});
