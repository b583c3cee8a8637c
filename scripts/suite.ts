// `npm run suite` writes the cases of suite/ from test/cases, and their sources. `-- --results` also
// gives the suite to each library, which takes some seconds, and writes suite/RESULTS.md; it needs
// `npm run build`, `npm ci --prefix bench/peers` and python3.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { suiteFiles } from './suite/suite-files.ts';
import { runners, runLibrary } from './suite/runners.ts';
import { resultsPage } from './suite/results-page.ts';

const { values } = parseArgs({ options: { results: { type: 'boolean', default: false } } });
const folder = new URL('../suite/', import.meta.url);
for (const [name, text] of suiteFiles()) writeFileSync(new URL(name, folder), text);

if (values.results) {
  const results = [];
  for (const runner of runners) {
    const result = await runLibrary(runner);
    console.log(result.kind === 'ran' ? result.implementation : `${runner}: ${result.why}`);
    results.push(result);
  }
  writeFileSync(new URL('RESULTS.md', folder), await resultsPage(results));
}
