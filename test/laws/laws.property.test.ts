import { interpret } from 'toolmend';
import { propertyRuns, propertySeed } from '../seeded-fast-check.ts';
import { laws } from './laws.ts';
import { tryLaws } from './try-laws.ts';

const progress = (trials: number): void => {
  if (trials % 1000 === 0) process.stderr.write(`laws: ${trials} trials\n`);
};
const { counts, broken } = tryLaws({ interpret, runs: propertyRuns, seed: propertySeed, progress });

test(`no law is broken (seed ${propertySeed})`, () => {
  expect(broken).toBeUndefined();
});

test.each(laws)(`in ${propertyRuns} runs, $title`, ({ id }) => {
  expect(counts.get(id)).toBeGreaterThanOrEqual(propertyRuns);
});
