// Configures fast-check. Property tests import `fc` from here, so that all use one seed and one
// number of runs.
import { configureGlobal } from 'fast-check';

const asked = process.env['SEED'] ?? '20261121';

/**
 * The same in every run, so that a commit passes its tests or doesn't. `SEED=7 npm test` takes
 * another seed, `SEED=random` a new one.
 */
export const propertySeed =
  asked === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(asked);
if (!Number.isInteger(propertySeed))
  throw new TypeError(`SEED=${asked}: give a whole number or random`);

/**
 * How many values a property is tried on: 25 in `npm test`, 400 in `npm run test:slow`, or what
 * PROPERTY_RUNS says.
 */
export const propertyRuns = Number(process.env['PROPERTY_RUNS'] ?? 25);
if (!Number.isInteger(propertyRuns)) throw new TypeError('PROPERTY_RUNS: give a whole number');

configureGlobal({ seed: propertySeed, numRuns: propertyRuns });

export * as fc from 'fast-check';
