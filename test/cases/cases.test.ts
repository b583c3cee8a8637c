// Does every recorded call become what it must? Right, missed and wrong are counted per file, by the command that users have; and do the docs
// say the same? To write their numbers anew: UPDATE_DOCS=1 npm test -- test/cases/cases.test.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runToolmend } from '../cli/run-toolmend.ts';

const fileNamed = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

test.each([
  ['systems.jsonl', 438],
  ['reported.jsonl', 218],
  ['mutants.jsonl', 1187],
  // Written by hand for what no recorded call tells apart, and for what each rule leaves alone.
  ['ours.jsonl', 404],
])('%s: all %d are right', async (name, cases) => {
  const { status, stdout, stderr } = await runToolmend('cases', fileNamed(name), '--json');
  const { files }: { files: readonly object[] } = JSON.parse(stdout);
  expect(stderr).toBe('');
  expect(files).toHaveLength(1);
  expect(files[0]).toMatchObject({
    missedLines: [],
    wrongLines: [],
    judged: { cases, right: cases, missed: 0, wrong: 0 },
  });
  expect(status).toBe(0);
  expect(rowInDocs(name, judgedIn(files))).toEqual(judgedIn(files));
});

const page = new URL('../../docs/internals/accuracy.md', import.meta.url);
const columns = ['cases', 'right', 'refused', 'missed', 'wrong'] as const;

function judgedIn(files: readonly object[]): readonly number[] {
  const judged: object = Reflect.get(files[0] ?? {}, 'judged');
  return columns.map((column) => Number(Reflect.get(judged, column)));
}

/** What the docs say of a file; with UPDATE_DOCS=1 they are made to say what is so. */
function rowInDocs(name: string, counts: readonly number[]): readonly number[] {
  const text = readFileSync(page, 'utf8');
  const row = text.split('\n').find((line) => line.startsWith(`| ${name} `)) ?? '';
  const [, first = '', ...cells] = row.split('|');
  if (process.env['UPDATE_DOCS'] !== undefined) {
    const said = cells.slice(0, -1).map((cell, at) => `${counts[at]} `.padStart(cell.length));
    writeFileSync(page, text.replace(row, `|${[first, ...said].join('|')}|`));
    return counts;
  }
  return cells.slice(0, -1).map(Number);
}

test('a file of tools has nothing to judge', async () => {
  const { status, stdout } = await runToolmend('cases', fileNamed('mcp-tools.jsonl'));
  expect(stdout).toMatch(/^\S*mcp-tools\.jsonl: 968 lines without a call\n$/);
  expect(status).toBe(0);
});
