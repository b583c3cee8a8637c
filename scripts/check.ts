// `npm run check`: runs every check, prints the output of those that fail, and names them at the
// end.
import { spawnSync } from 'node:child_process';

const checks = ['types', 'lint', 'format', 'unused', 'packaging'] as const;

const failed = checks.filter((check) => {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', check], {
    encoding: 'utf8',
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${check} (${seconds} s)`);
  if (status !== 0) console.log(stdout + stderr);
  return status !== 0;
});

if (failed.length > 0) {
  console.error(`check failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
