import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
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
  lease.hold('a', performance.now());
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

it('a process that closes its journal lives until what it keeps is written, or a lease is over', () => {
  const program = `import { Lease } from ${JSON.stringify(join(import.meta.dirname, '../../src/journal/lease.ts'))};
    const written = new Lease(600, () => Promise.resolve(['a']));
    written.hold('a', performance.now());
    written.writeLater('a', () => Promise.resolve(written.release('a')));
    await written.flush();
    console.log('written');
    const kept = new Lease(300, () => Promise.resolve(['a']));
    kept.hold('a', performance.now());
    await kept.flush();
    console.log('over');`;

  const { status, stdout } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { encoding: 'utf8' },
  );

  expect([status, stdout]).toEqual([0, 'written\nover\n']);
});
