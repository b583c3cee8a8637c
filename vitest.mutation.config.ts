// Configures `npm run mutation`, which says in MUTATION_TESTS what runs for each change.
import fast from './vitest.config.ts';

const names: readonly string[] = JSON.parse(process.env['MUTATION_TESTS'] ?? '[]');

export default {
  ...fast,
  test: {
    ...fast.test,
    include: names.map((name) => `test/${name.endsWith('.ts') ? name : `${name}/**/*.test.ts`}`),
    exclude: ['test/fixtures/**', '**/*.{slow,property}.test.ts'],
    // Stryker's runner starts threads, which take no flags of V8.
    execArgv: [],
  },
};
