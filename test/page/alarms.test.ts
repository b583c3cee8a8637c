// Alarms of handwritten calls.
import { rateAlarms, runAlarms } from '../../src/page/alarms.ts';
import type { ListedCall } from '../../src/page/page-data.ts';

const now = Date.parse('2026-03-01T12:00:00.000Z');

/** A call so many minutes ago. */
const call = (minutes: number, members: Partial<ListedCall> = {}): ListedCall => ({
  id: `${minutes}`,
  at: new Date(now - minutes * 60_000).toISOString(),
  tool: 'shell',
  status: 'valid',
  rules: [],
  issues: [],
  run: 'r1',
  ...members,
});
const rejected = { status: 'rejected', issues: ['required /command'] } as const;

test.each([
  ['its last call was rejected, 10 minutes ago', [call(30), call(10, rejected)], 1],
  ['9 minutes ago', [call(30), call(9, rejected)], 0],
  ['a call followed', [call(30, rejected), call(20)], 0],
  ['lines are out of order', [call(20), call(30, rejected)], 0],
  ['it names no run', [{ ...call(30, rejected), run: undefined }], 0],
])('a run is silent: %s', (_when, calls, count) => {
  expect(runAlarms(calls as readonly ListedCall[], now).alarms).toHaveLength(count);
});

test('a conversation stands for its run', () => {
  const { run: _run, ...bare } = call(30, rejected);
  expect(runAlarms([{ ...bare, conversation: 'c1' }], now).alarms).toMatchObject([
    { kind: 'silent', tool: 'shell' },
  ]);
});

test('the same rejection five times in a row is repeated; another one between ends it', () => {
  const five = [9, 8, 7, 6, 5].map((minutes) => call(minutes, rejected));
  expect(runAlarms([...five, call(1)], now)).toMatchObject({
    runs: 1,
    alarms: [{ kind: 'repeated', tool: 'shell', times: 5, issues: ['required /command'] }],
  });
  const other = call(7, { ...rejected, issues: ['not_json'] });
  expect(runAlarms([...five.with(2, other), call(1)], now).alarms).toEqual([]);
  expect(runAlarms([...five.slice(1), call(1)], now).alarms).toEqual([]);
});

const releases = [
  { release: '1.0', first: 1_000 },
  { release: '1.1', first: 2_000 },
];
const counts = (release: string, valid: number, rejectedCalls: number) => ({
  tool: 'task',
  release,
  valid,
  repaired: 0,
  rejected: rejectedCalls,
  failed: 0,
});

test.each([
  ['far above', counts('1.1', 640, 50), 1],
  ['above, within the interval', counts('1.1', 670, 20), 0],
  ['below', counts('1.1', 690, 0), 0],
  ['of 29 calls', counts('1.1', 0, 29), 0],
])('a rate after a release is an alarm: %s', (_when, after, count) => {
  const alarms = rateAlarms(releases, [counts('1.0', 612, 10), after]);
  expect(alarms.map(({ status, before }) => [status, before.release])).toEqual(
    Array.from({ length: count }, () => ['rejected', '1.0']),
  );
});
