// Configures `npm test`. A test file's name says when it runs:
//   *.test.ts            in `npm test`
//   *.slow.test.ts       in `npm run test:slow`
//   *.property.test.ts   in both; its properties are tried on more values in `npm run test:slow`
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // `toolmend` and its entries, as tsconfig.json has them. The runners of suite/ are not part of it.
  resolve: {
    tsconfigPaths: true,
    alias: {
      'toolmend/repair': fileURLToPath(new URL('src/interpret/index.ts', import.meta.url)),
    },
  },
  test: {
    globals: true,
    include: ['test/**/*.test.ts'],
    exclude: ['test/fixtures/**', '**/*.slow.test.ts'],
    // The files of a worker share modules and globals: to load the project anew for each of them
    // takes longer than the tests. What a test changes of them, it puts back.
    isolate: false,
    globalSetup: ['test/run-folder.ts'],
    // By default vitest leaves one core idle, which is half of a two-core machine.
    maxWorkers: availableParallelism(),
    // Young objects outlive a scavenge less often, which saves processor time.
    execArgv: ['--max-semi-space-size=64'],
    // Only a test that never ends takes so long, however busy the machine is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 300_000,
    slowTestThreshold: 5000,
  },
});
