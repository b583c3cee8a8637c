// Prints `N passed, N failed` over jest's JSON reports. Fails if a test failed, or if a report is missing or has no test.
// A test file that could not be loaded counts as one failure.
import { existsSync, readFileSync } from 'node:fs';

const reports = process.argv
  .slice(2)
  .map((path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}));
const sum = (...names) =>
  reports.reduce(
    (total, report) => total + names.reduce((all, name) => all + (report[name] ?? 0), 0),
    0,
  );

const failed = sum('numFailedTests', 'numRuntimeErrorTestSuites');
console.log(`${sum('numPassedTests')} passed, ${failed} failed`);
if (failed > 0 || reports.some(({ numPassedTests = 0 }) => numPassedTests === 0)) process.exit(1);
