import { ToolRegistry } from 'toolmend';
import { openJournal } from 'toolmend/journal';
import { callOf, toolOf } from '../tools.ts';
import { testShutdown } from './shutdown-tests.ts';

describe('without a journal', () =>
  testShutdown(() => Promise.resolve({ here: undefined, there: undefined })));

describe('in memory', () =>
  testShutdown(async () => {
    const journal = await openJournal();
    return { here: journal, there: journal };
  }));

it.each(['approve', 'deny'] as const)(
  'a registry that is closed leaves an approval open: %s',
  async (decision) => {
    const journal = await openJournal();
    const start = () =>
      new ToolRegistry({ journal, approval: {} }).register(
        toolOf(() => 'done', { effects: 'destructive' }),
      );
    const before = start();
    const waiting = await before.call(callOf());
    if (waiting.status !== 'approval_required') throw new Error(waiting.status);
    await before.close();

    await expect(before.resolveApproval(waiting.approval, { decision })).rejects.toMatchObject({
      code: 'registry-closed',
      message:
        'The registry was closed, and the approval is still open: resolve it in another process.',
    });
    const outcome = await start().resolveApproval(waiting.approval, { decision });
    expect(outcome.status).toBe(decision === 'approve' ? 'completed' : 'denied');
  },
);

it('a registry that is closed answers without its journal', async () => {
  const journal = await openJournal();
  const errors: unknown[] = [];
  const listeners = [
    { onError: ({ error }: { readonly error: unknown }) => void errors.push(error) },
  ];
  const tools = new ToolRegistry({ journal, listeners }).register(
    toolOf(() => 'done', { background: 'allowed' }),
  );
  await tools.close();
  const away = () => Promise.reject(new Error('the journal is closed'));
  Object.assign(journal, { begin: away, deliver: away });

  expect(await tools.call(callOf(), { conversation: 'c' })).toMatchObject({
    status: 'limit_exceeded',
    reason: 'closed',
  });
  expect(errors).toEqual([]);
});
