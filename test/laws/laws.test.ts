// What holds for every schema and every call? Laws over generated contracts, valid arguments and mistakes in them.
import { interpret } from 'toolmend';
import { propertySeed } from '../seeded-fast-check.ts';
import { laws } from './laws.ts';
import { tryLaws } from './try-laws.ts';

const { counts, broken } = tryLaws({ interpret, runs: 1000, seed: propertySeed });

test('no law is broken', () => {
  process.stdout.write(`laws: seed ${propertySeed}\n`);
  expect(broken).toBeUndefined();
});

test.each(laws)('in 1,000 runs, $title', ({ id }) => {
  expect(counts.get(id)).toBeGreaterThanOrEqual(1000);
});
