// Prints `N passed, N failed` from the report that jest wrote; fails if no test ran.
// A file that could not even be loaded counts as one failure.
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
console.log(`${report.numPassedTests} passed, ${failed} failed`);
if (report.numPassedTests === 0 || failed > 0) process.exit(1);
