import { Lease } from '../../src/journal/lease.ts';

const block = (milliseconds: number): unknown =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

it.each([
  ['is kept if the database says so', ['a'], true],
  ['is lost if another process has taken the call', [], false],
] as const)('a lease that was not renewed in time %s', async (_what, renewed, isKept) => {
  const asked: unknown[] = [];
  const lease = new Lease(300, (ids) => {
    asked.push(ids);
    return Promise.resolve(renewed);
  });
  lease.hold('a');

  expect(await lease.keeps('a')).toBe(true);
  expect(asked).toEqual([]);
  block(210);
  expect(await lease.keeps('a')).toBe(isKept);
  expect(asked).toEqual([['a']]);
  await lease.close();
});
