// Runs the tests that `npm run mutation` names as one file, so that each mutant loads the modules
// once.
import { globSync } from 'node:fs';
import { join } from 'node:path';

const names: readonly string[] = JSON.parse(process.env['MUTATION_TESTS'] ?? '[]');
const patterns = names.map((name) => (name.endsWith('.ts') ? name : `${name}/**/*.test.ts`));
for (const path of globSync(patterns, { cwd: import.meta.dirname }).toSorted())
  if (!/\.(slow|property)\.test\.ts$/.test(path)) await import(join(import.meta.dirname, path));
