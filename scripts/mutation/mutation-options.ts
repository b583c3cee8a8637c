// How does Stryker run here? In a copy of the project, where all tests are one script; reports in a folder that isn't kept.

const reports = '.mutation';

/** The tests of a run, from the folder of the copy. */
export const bundle = `${reports}/tests.cjs`;

/** What the run without mutants has shown, from there too. */
export const runFacts = `${reports}/run-facts.json`;

// The types follow from the value: Stryker's own ones are all optional.
export function mutationOptions(folder: string) {
  const name = folder.replaceAll('/', '-');
  return {
    mutate: [`src/${folder}/**/*.ts`],
    testRunner: 'bundle',
    plugins: ['./scripts/mutation/bundle-runner.ts'],
    coverageAnalysis: 'perTest' as const,
    maxTestRunnerReuse: 200,
    buildCommand: `node scripts/mutation/bundle-tests.ts ${folder.split('/')[0]} ${bundle}`,
    // TypeScript 7 has no programming interface, by which Stryker would read and write the real one.
    tsconfigFile: 'none.json',
    disableTypeChecks: false,
    ignorePatterns: ['bench', 'examples', 'dist', 'dist-examples', 'test/fixtures/compilers'],
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
