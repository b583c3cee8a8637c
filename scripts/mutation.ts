// `npm run mutation -- json` changes src/json in thousands of ways, runs the tests of test/json for each change, and prints
// the changes that no test notices, and the score. Further folders or files name more tests: `npm run mutation --
// repair/rules repair validate`. Takes minutes to hours; a second run tries only what has changed since.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

const [folder = '', ...tests] = parseArgs({ allowPositionals: true }).positionals;
if (folder === '' || !existsSync(`src/${folder}`))
  throw new TypeError('npm run mutation -- FOLDER [TESTS...]: a folder in src, and folders or files in test');

// A few values are enough to notice a change. Instrumented code is slow, so that costs are not measured.
process.env['PROPERTY_RUNS'] = '5';
process.env['COSTS'] = 'ignored';
const reports = '.mutation';
const name = folder.replaceAll('/', '-');
const [ownTests = ''] = folder.split('/');

await new Stryker({
  mutate: [`src/${folder}${folder.endsWith('.ts') ? '' : '/**/*.ts'}`],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  plugins: ['@stryker-mutator/jest-runner'],
  jest: {
    configFile: 'jest.config.ts',
    config: {
      testMatch: [...(tests.length === 0 ? [ownTests] : tests)].map((path) =>
        path.endsWith('.ts') ? `<rootDir>/test/${path}` : `<rootDir>/test/${path}/**/*.test.ts`,
      ),
    },
    enableFindRelatedTests: false,
  },
  coverageAnalysis: 'perTest',
  // Stryker would read and write the real one by an interface that TypeScript 7 doesn't have.
  tsconfigFile: 'none.json',
  disableTypeChecks: false,
  ignorePatterns: ['bench', 'examples', 'dist', 'dist-examples', 'test/fixtures/compilers'],
  concurrency: 2,
  incremental: true,
  incrementalFile: `${reports}/${name}.incremental.json`,
  tempDirName: `${reports}/copies`,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false },
}).runMutationTest();
