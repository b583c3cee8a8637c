// `npm test` and `npm run test:slow`: vitest once, with its options. `--json --outputFile=FILE`
// also writes the results to a file.
import { parseCLI, startVitest } from 'vitest/node';

const options = process.argv
  .slice(2)
  .flatMap((option) => (option === '--json' ? ['--reporter=default', '--reporter=json'] : option));
const parsed = parseCLI(['vitest', 'run', ...options]);
const vitest = await startVitest('test', parsed.filter, parsed.options);
await vitest.exit();
