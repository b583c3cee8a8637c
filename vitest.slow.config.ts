// Configures `npm run test:slow`: tests that start compilers, package managers and other programs,
// or take seconds, and property tests with 400 values each.
import { availableParallelism } from 'node:os';
import { mergeConfig } from 'vitest/config';
import fast from './vitest.config.ts';

const propertyRuns = process.env['PROPERTY_RUNS'] ?? '400';

const config = mergeConfig(fast, {
  test: {
    env: { PROPERTY_RUNS: propertyRuns },
    // Many of these tests wait for leases, registries of packages and databases: with a worker for
    // each core, a third of the processor time is idle.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});

export default {
  ...config,
  // mergeConfig joins lists.
  test: {
    ...config.test,
    include: ['test/**/*.{slow,property}.test.ts'],
    exclude: ['test/fixtures/**'],
  },
};
