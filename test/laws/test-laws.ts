import { interpret } from 'toolmend';
import { propertySeed } from '../seeded-fast-check.ts';
import { laws } from './laws.ts';
import { tryLaws } from './try-laws.ts';

/** Declares a test for each law, over generated contracts, valid arguments and faults in them. */
export function testLaws(runs: number): void {
  const progress = (trials: number): void => {
    if (trials % 1000 === 0) process.stderr.write(`laws: ${trials} trials\n`);
  };
  const { counts, broken } = tryLaws({ interpret, runs, seed: propertySeed, progress });

  test(`no law is broken (seed ${propertySeed})`, () => {
    expect(broken).toBeUndefined();
  });

  test.each(laws)(`in ${runs} runs, $title`, ({ id }) => {
    expect(counts.get(id)).toBeGreaterThanOrEqual(runs);
  });
}
