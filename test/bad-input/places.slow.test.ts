import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const here = import.meta.dirname;

const resultsIn = (timeZone: string, language: string): readonly string[] => {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [
      '--no-warnings',
      join(here, 'print-results.mjs'),
      join(here, '../cases/systems.jsonl'),
      join(here, '../cases/reported.jsonl'),
    ],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      env: { PATH: process.env['PATH'], TZ: timeZone, LANG: language, LC_ALL: language },
    },
  );
  expect([status, stderr]).toEqual([0, '']);
  return stdout.trim().split('\n');
};

test('the same results in every language and time zone', () => {
  const [where, ...expected] = resultsIn('UTC', 'C');
  expect(expected.length).toBeGreaterThan(600);
  const places = [where];
  for (const [timeZone, language] of [
    ['Asia/Kolkata', 'tr_TR.UTF-8'],
    ['Pacific/Auckland', 'ja_JP.UTF-8'],
  ] as const) {
    const [place, ...results] = resultsIn(timeZone, language);
    places.push(place);
    expect(results).toEqual(expected);
  }
  // Else nothing was set.
  expect(places).toEqual(['en-US UTC', 'tr-TR Asia/Calcutta', 'ja-JP Pacific/Auckland']);
});
