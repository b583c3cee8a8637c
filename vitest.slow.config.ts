// Configures `npm run test:slow`: tests that start compilers, package managers and other programs,
// or take seconds, and property tests with 400 values each.
import { availableParallelism } from 'node:os';
import { mergeConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import fast from './vitest.config.ts';

const propertyRuns = process.env['PROPERTY_RUNS'] ?? '400';

/** Files that take minutes. By size, as vitest sorts files, some of them would run last and alone. */
const longFiles = [
  'test/page/page.slow.test.ts',
  'test/docs/documents.slow.test.ts',
  'test/compilers/nextjs.slow.test.ts',
  'test/gateway/parallel-clients.slow.test.ts',
  'test/journal/query-plans.slow.test.ts',
  'test/journal/crash.slow.test.ts',
  'test/providers/laws.property.test.ts',
];

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      longFiles.some((file) => moduleId.endsWith(file));
    // eslint-disable-next-line unicorn/no-array-sort -- a method of the sequencer, not of an array
    const sortedFiles = await super.sort(files);
    return [
      ...sortedFiles.filter(isLong),
      ...sortedFiles.filter((specification) => !isLong(specification)),
    ];
  }
}

const config = mergeConfig(fast, {
  test: {
    env: { PROPERTY_RUNS: propertyRuns },
    // Many of these tests wait for leases, registries of packages and databases: with a worker for
    // each core, a third of the processor time is idle.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFilesFirst },
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
