// What holds for every schema and every call? Laws over generated contracts, valid arguments and mistakes in them.
import * as fc from 'fast-check';
import { interpret } from 'toolmend';
import { trials } from './generators/trials.ts';
import { judgeTrial } from './judge-trial.ts';
import { laws } from './laws.ts';

const counts = new Map<string, number>();

test('every law holds in 1,000 trials', () => {
  fc.assert(
    fc.property(trials, (trial) => {
      judgeTrial(trial, interpret, counts);
    }),
    { numRuns: 1000 },
  );
});

test.each(laws)('$title: asked often enough to show it', ({ id }) => {
  expect(counts.get(id)).toBeGreaterThan(400);
});
