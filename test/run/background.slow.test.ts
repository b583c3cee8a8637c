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
