// `toolmend report --week` of a log and of a journal.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToolmend } from './run-toolmend.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolmend-week-'));
});
afterAll(() => rm(folder, { recursive: true }));

const sentence = 'paths is a JSON array of strings: ["…"].';

/** A log of 200 calls of one model in the week, a fifth of them repaired, and two that don't count. */
async function writeLog() {
  const lineOf = (more: object) =>
    JSON.stringify({ time: '2026-11-27T10:00:00Z', model: 'qwen3', tool: 'read', ...more });
  const repaired = {
    status: 'repaired',
    rules: ['wrap_in_array'],
    misses: [{ kind: 'form', field: '/paths', sentence }],
  };
  const lines = [
    ...Array.from({ length: 159 }, () => lineOf({ status: 'unchanged' })),
    ...Array.from({ length: 40 }, () => lineOf(repaired)),
    lineOf({ status: 'rejected', issues: [{ keyword: 'required' }] }),
    lineOf({ status: 'unchanged', time: '2026-11-20T10:00:00Z' }),
    '{"time":"2026-11-27T10:00:00Z","protocol":"other"}',
  ];
  const path = join(folder, 'calls.jsonl');
  await writeFile(path, lines.join('\n'));
  return path;
}

test('a week of a log in Markdown: every share has its number of calls and its interval', async () => {
  const path = await writeLog();
  const { status, stdout } = await runToolmend('report', '--week', path, '--until', '2026-11-28');

  expect(status).toBe(0);
  expect(stdout).toBe(`# Tool calls from 2026-11-21 to 2026-11-28

| calls | valid | repaired | rejected | failed |
| --- | --- | --- | --- | --- |
| 200 | 159 of 200 (79.5 %, 73.4 to 84.5) | 40 of 200 (20.0 %, 15.0 to 26.1) | 1 of 200 (0.5 %, 0.1 to 2.8) | 0 of 200 (0.0 %, 0.0 to 1.9) |

## Models

| model | calls | valid | repaired | rejected | failed |
| --- | --- | --- | --- | --- | --- |
| qwen3 | 200 | 159 of 200 (79.5 %, 73.4 to 84.5) | 40 of 200 (20.0 %, 15.0 to 26.1) | 1 of 200 (0.5 %, 0.1 to 2.8) | 0 of 200 (0.0 %, 0.0 to 1.9) |

## Repaired, by rule

| rule | of all calls |
| --- | --- |
| wrap_in_array | 40 of 200 (20.0 %, 15.0 to 26.1) |

## Rejected, by issue

| issue | of all calls |
| --- | --- |
| required | 1 of 200 (0.5 %, 0.1 to 2.8) |

## Hints that are on, or would be

| model | tool | sentence | misses without it | misses with it |
| --- | --- | --- | --- | --- |
| qwen3 | read | ${sentence} | 40 of 200 (20.0 %, 13.7 to 28.2) | not shown |
`);
});

test('the same as JSON', async () => {
  const path = await writeLog();
  const args = ['report', '--week', path, '--until', '2026-11-28', '--json'];
  const report = JSON.parse((await runToolmend(...args)).stdout);

  expect(report).toMatchObject({
    since: '2026-11-21T00:00:00.000Z',
    total: { calls: 200, valid: 159, repaired: 40, rejected: 1, failed: 0 },
    hints: [{ state: 'trial', sentence, without: { calls: 200, misses: 40 } }],
  });
});

test.each([
  [['report', '--until', '2026-11-28', 'calls.jsonl'], 'need --week'],
  [
    ['report', '--week', 'calls.jsonl', '--folder', 'journal'],
    '--week takes files, --folder or --url',
  ],
  [['report', '--week', '--folder', '/no/such/folder'], 'there is no journal'],
])('%j is refused', async (args, why) => {
  const { status, stderr } = await runToolmend(...args);

  expect(status).toBe(2);
  expect(stderr).toContain(why);
});
