// The short form of `npm run soak`: is nothing left, does nothing grow, and does nobody see what is another's?
import { leaks } from '../../scripts/soak/leaks.ts';
import { soak } from '../../scripts/soak/soak.ts';

it('T40, T41: calls that time out or are cancelled leave no timer, no listener and no memory', async () => {
  const { outcomes, lateResults, timers, listeners, heapMegabytes } = await leaks(1_000);
  expect(outcomes).toEqual({ timed_out: 1_000, 'cancelled during': 500, 'cancelled before': 500 });
  expect(lateResults).toBe(500);
  // Of the whole process: the test runner has a few of its own, which come and go.
  expect(timers).toBeLessThan(10);
  expect(listeners).toBe(0);
  expect(heapMegabytes).toBeLessThan(10);
});

it('T43: fifty applications with tools of the same name, side by side: no foreign value in any answer', async () => {
  const { calls, foreign, outcomes } = await soak(2_000, 3);
  expect([calls, foreign]).toEqual([2_000, 0]);
  expect(Object.keys(outcomes)).toEqual(
    expect.arrayContaining([
      'cancelled before',
      'cancelled during',
      'completed',
      'failed',
      'invalid_arguments',
      'retry',
      'timed_out',
      'unknown_tool',
    ]),
  );
});
