import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const files = ['print-results.mjs', '../cases/systems.jsonl', '../cases/reported.jsonl'];
const args = ['--no-warnings', ...files.map((file) => join(import.meta.dirname, file))];

const resultsIn = (timeZone: string, language: string): readonly string[] => {
  const env = { PATH: process.env['PATH'], TZ: timeZone, LANG: language, LC_ALL: language };
  const options = { encoding: 'utf8', maxBuffer: 2 ** 26, env } as const;
  const { stdout, stderr, status } = spawnSync(process.execPath, args, options);
  expect([status, stderr]).toEqual([0, '']);
  return stdout.trim().split('\n');
};

test('the same results in every language and time zone', () => {
  const [where, ...expected] = resultsIn('UTC', 'C');
  const [turkish, ...first] = resultsIn('Asia/Kolkata', 'tr_TR.UTF-8');
  const [japanese, ...second] = resultsIn('Pacific/Auckland', 'ja_JP.UTF-8');
  expect(expected.length).toBeGreaterThan(600);
  expect([first, second]).toEqual([expected, expected]);
  // Else nothing was set.
  expect([where, turkish, japanese]).toEqual([
    'en-US UTC',
    'tr-TR Asia/Calcutta',
    'ja-JP Pacific/Auckland',
  ]);
});
