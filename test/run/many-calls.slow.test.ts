// At most 10,000 calls wait or are kept in memory.
import { ToolRegistry } from 'toolmend';
import { callTo, handleOf, never, toolOf } from '../tools.ts';

it('the handle of the oldest ended call is forgotten when there are more than 10,000; those that run are kept', async () => {
  const tools = new ToolRegistry().register(
    toolOf<{ run?: boolean }>(({ run }) => (run === true ? never() : 'done'), {
      background: 'always',
    }),
  );
  const start = async (sent: object) => handleOf(await tools.call(callTo('work', sent)));
  const running = await start({ run: true });
  const first = await start({});
  let last = '';
  for (let calls = 0; calls < 10_000; calls += 1) last = await start({});
  expect(await tools.background.get(first)).toBeUndefined();
  expect(await tools.background.get(running)).toMatchObject({ state: 'running' });
  expect(await tools.background.wait(last, 30_000)).toMatchObject({ state: 'ended' });
  await tools.close({ timeoutMs: 0 });
});

it('10,000 calls may wait for an approval, and further ones are refused until one is decided', async () => {
  let runs = 0;
  const pay = toolOf(() => (runs += 1), { effects: 'destructive' });
  const tools = new ToolRegistry({ approval: {} }).register(pay);
  const first = await tools.call(callTo('work'));
  if (first.status !== 'approval_required') throw new Error(`is ${first.status}`);
  for (let waiting = 1; waiting < 10_000; waiting += 1) await tools.call(callTo('work'));
  expect(await tools.call(callTo('work'))).toMatchObject({
    status: 'limit_exceeded',
    reason: 'busy',
  });
  expect((await tools.resolveApproval(first.approval, { decision: 'approve' })).status).toBe(
    'completed',
  );
  expect((await tools.call(callTo('work'))).status).toBe('approval_required');
  expect(runs).toBe(1);
});
