// `npm run suite` writes the cases of suite/ from test/cases, and their sources. `-- --results` also
// gives the suite to each library, which takes some seconds, and writes suite/RESULTS.md if all of
// them ran; it needs `npm run build`, `npm ci --prefix bench/peers`, python3 and its json-repair.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { suiteFiles } from './suite/suite-files.ts';
import { type LibraryRun, runners, runLibrary } from './suite/runners.ts';
import { resultsPage } from './suite/results-page.ts';

const { values } = parseArgs({ options: { results: { type: 'boolean', default: false } } });
const folder = new URL('../suite/', import.meta.url);
for (const [name, text] of suiteFiles()) writeFileSync(new URL(name, folder), text);

if (values.results) {
  const results: LibraryRun[] = [];
  const failures: string[] = [];
  for (const runner of runners) {
    const result = await runLibrary(runner);
    if (result.kind === 'ran') results.push(result);
    else failures.push(`${runner}: ${result.why}`);
    console.log(result.kind === 'ran' ? result.implementation : failures.at(-1));
  }
  if (failures.length === 0)
    writeFileSync(new URL('RESULTS.md', folder), await resultsPage(results));
  else {
    console.error(
      `suite/RESULTS.md stays as it is: ${failures.length} of ${runners.length} libraries did not run. Run npm run build, npm ci --prefix bench/peers and pip install 'json-repair[schema]' first.`,
    );
    process.exitCode = 1;
  }
}
