// Prints `N passed, N failed` over the JSON reports of test runs. Fails if a test failed, or if a report is missing or has no test.
// A test file that could not be loaded counts as one failure.
import { existsSync, readFileSync } from 'node:fs';

const reports = process.argv
  .slice(2)
  .map((path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}));
const isUnloaded = ({ status, assertionResults }) =>
  status === 'failed' && assertionResults.every((test) => test.status !== 'failed');
const sum = (counts) => counts.reduce((total, count) => total + count, 0);

const passed = reports.map(({ numPassedTests = 0 }) => numPassedTests);
const failed = sum(
  reports.map(
    ({ numFailedTests = 0, testResults = [] }) =>
      numFailedTests + testResults.filter(isUnloaded).length,
  ),
);
console.log(`${sum(passed)} passed, ${failed} failed`);
if (failed > 0 || passed.includes(0)) process.exit(1);
