// `npm run mutation -- json` changes src/json in thousands of ways, runs the tests of test/json for
// each change, and prints the changes that no test notices, and the score. Further folders or files
// name more tests: `npm run mutation -- repair/rules repair validate`. Takes minutes to hours; a
// second run tries only what has changed since. `--lines 100 --seed 1` changes that many lines
// only, drawn by chance. `--workers 1` leaves a core to others.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    lines: { type: 'string' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
  },
});
const [folder = '', ...tests] = positionals;
if (folder === '' || !existsSync(`src/${folder}`))
  throw new TypeError(
    'npm run mutation -- FOLDER [TESTS...]: a folder in src, and folders or files in test',
  );

// Instrumented code is slow: costs are not measured, and property tests are left out.
process.env['COSTS'] = 'ignored';
process.env['MUTATION_TESTS'] = JSON.stringify(
  tests.length === 0 ? [folder.split('/', 1)[0]] : tests,
);
const reports = '.mutation';
const name = folder.replaceAll('/', '-');

const files = `src/${folder}${folder.endsWith('.ts') ? '' : '/**/*.ts'}`;

await new Stryker({
  mutate:
    values.lines === undefined ? [files] : drawnLines(Number(values.lines), Number(values.seed)),
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  coverageAnalysis: 'perTest',
  // Stryker would read and write the real one by an interface that TypeScript 7 doesn't have.
  tsconfigFile: 'none.json',
  // The tests of a busy room take minutes in instrumented code.
  dryRunTimeoutMinutes: 30,
  disableTypeChecks: false,
  // A mutant that loops for ever is rare; on a busy machine one that doesn't would be counted as
  // one that does.
  timeoutMS: 60_000,
  ignorePatterns: ['bench', 'examples', 'dist', 'dist-examples', 'test/fixtures/compilers'],
  concurrency: Number(values.workers),
  incremental: values.lines === undefined,
  incrementalFile: `${reports}/${name}.incremental.json`,
  tempDirName: `${reports}/copies`,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false },
}).runMutationTest();

/**
 * Lines with code, each as `FILE:LINE-LINE`. A mutant counts if it is in such a line as a whole.
 */
function drawnLines(count: number, seed: number): string[] {
  const lines = globSync(files).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((text, index) =>
        /^\s*(?:\/\/|\/?\*|import |export (?:type|interface)|[})\];,]*$)/.test(text)
          ? []
          : [`${file}:${index + 1}-${index + 1}`],
      ),
  );
  // Lehmer's generator (Park and Miller, 1988).
  let state = seed;
  const draw = (): string[] => {
    state = (state * 48_271) % 2_147_483_647;
    return lines.splice(state % lines.length, 1);
  };
  return Array.from({ length: Math.min(count, lines.length) }, draw).flat();
}
