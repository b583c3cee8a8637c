import { Lease } from '../../src/journal/lease.ts';

const clock = performance.now.bind(performance);
afterEach(() => {
  performance.now = clock;
});

async function notRenewed(stillOwned: readonly string[]) {
  const asked: unknown[] = [];
  const lease = new Lease(300_000, (ids) => {
    asked.push(ids);
    return Promise.resolve(stillOwned);
  });
  lease.hold('a');
  await lease.require('a');
  expect(asked).toEqual([]);
  performance.now = () => clock() + 200_001;
  return { lease, asked };
}

it('a lease that was not renewed in time is kept if the database says so', async () => {
  const { lease, asked } = await notRenewed(['a']);

  await lease.require('a');
  expect(asked).toEqual([['a']]);
  await lease.close();
});

it('a lease that was not renewed in time is lost if another process has taken the call', async () => {
  const { lease } = await notRenewed([]);

  await expect(lease.require('a')).rejects.toMatchObject({ code: 'lease-lost' });
  await lease.close();
});
