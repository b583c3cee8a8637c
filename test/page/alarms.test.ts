// Alarms of handwritten calls.
import { doneKey, muteKey, sortAlarms } from '../../page/alarm-marks.ts';
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

const silentRun = (run: string, minutes: number) =>
  runAlarms([call(minutes, { ...rejected, run })], now).alarms;
const marksOf = (key: string, value: string) => new Map([[key, value]]);

test('an alarm that is done comes back if it happens again', () => {
  const [first] = silentRun('r1', 40);
  if (first === undefined) throw new Error('There is no alarm.');
  const marks = marksOf(doneKey(first), first.at);
  const later = [...silentRun('r1', 20), ...silentRun('r2', 40)];
  expect(sortAlarms({ alarms: [first], runs: 1 }, marks)).toEqual({
    open: { alarms: [], runs: 1 },
    marked: [{ alarm: first, mark: 'done' }],
  });
  expect(sortAlarms({ alarms: later, runs: 2 }, marks).open.alarms).toEqual(later);
});

test('a muted alarm is muted in other runs, until the next release; alarms of other reasons are not', () => {
  const [first] = silentRun('r1', 40);
  if (first === undefined) throw new Error('There is no alarm.');
  const marks = marksOf(muteKey(first), '1.0');
  const others = silentRun('r2', 20);
  const otherReason = runAlarms(
    [call(30, { status: 'rejected', issues: ['not_json'] })],
    now,
  ).alarms;
  const looked = { alarms: [...others, ...otherReason], runs: 2 };
  const openAlarms = (release: string) => sortAlarms({ ...looked, release }, marks).open.alarms;
  expect(openAlarms('1.0')).toEqual(otherReason);
  expect(openAlarms('1.1')).toEqual(looked.alarms);
});
