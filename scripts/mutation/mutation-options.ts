// How does Stryker run here? In a copy of the project, where all tests are one module; reports in a folder that isn't kept.

const reports = '.mutation';

// The types follow from the value: Stryker's own ones are all optional.
export function mutationOptions(folder: string) {
  const name = folder.replaceAll('/', '-');
  const bundle = `${reports}/tests.test.mjs`;
  return {
    mutate: [`src/${folder}/**/*.ts`],
    testRunner: 'jest',
    coverageAnalysis: 'perTest' as const,
    testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    buildCommand: `node scripts/mutation/bundle-tests.ts ${folder.split('/')[0]} ${bundle}`,
    jest: {
      projectType: 'custom' as const,
      enableFindRelatedTests: false,
      config: { testMatch: [`<rootDir>/${bundle}`], transform: {}, testTimeout: 60_000 },
    },
    // TypeScript 7 has no programming interface, by which Stryker would read and write the real one.
    tsconfigFile: 'none.json',
    disableTypeChecks: false,
    ignorePatterns: ['bench', 'examples', 'dist', 'dist-examples', 'test/fixtures'],
    concurrency: 2,
    // Far more than any takes: a busy machine is no endless loop.
    timeoutMS: 40_000,
    incremental: true,
    incrementalFile: `${reports}/${name}.incremental.json`,
    tempDirName: `${reports}/copies`,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: `${reports}/${name}.json` },
  };
}
