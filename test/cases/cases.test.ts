// Counts right, missed and wrong results of the recorded calls. UPDATE_DOCS=1 npm test --
// test/cases/cases.test.ts updates the docs.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runToolmend } from '../cli/run-toolmend.ts';

const fileNamed = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Lines that are refused although they have one reading. */
const missed: Readonly<Record<string, readonly number[]>> = {
  // Text of an object for a list of strings, a quote before a word in the list's text, a bare word
  // without a slash.
  'reported-2.jsonl': [131, 138, 175],
  // Braces between the members of one object, bare words in an enum and a format, escaped quotes
  // around one string alone.
  'reported-5-arguments.jsonl': [3, 23, 24, 26],
  // An object after reasoning that has brackets of its own, the members of the only parameter.
  'reported-3.jsonl': [137, 244],
};

test.each([
  ['systems.jsonl', 438],
  ['reported.jsonl', 218],
  ['reported-2.jsonl', 192],
  // Its lines with a whole answer are in test/suite.
  ['reported-3.jsonl', 175],
  ['reported-4.jsonl', 67],
  ['reported-5-arguments.jsonl', 157],
  // Handwritten to tempt the rules about broken text and notations.
  ['adversarial.jsonl', 104],
  // Calls that earlier versions accepted wrongly, in their smallest form.
  ['attack.jsonl', 48],
  // Members that a string would swallow, values that would become the call, ends of destructive calls.
  ['attack-2.jsonl', 58],
  ['mutants.jsonl', 1187],
  // Handwritten for what no recorded call tells apart, and for what each rule leaves alone.
  ['ours.jsonl', 404],
])('%s: %d calls, none wrong', async (name, cases) => {
  const { status, stdout, stderr } = await runToolmend('cases', fileNamed(name), '--json');
  const { files }: { files: readonly object[] } = JSON.parse(stdout);
  const missedLines = missed[name] ?? [];
  expect(stderr).toBe('');
  expect(files).toHaveLength(1);
  expect(files[0]).toMatchObject({
    missedLines: missedLines.map((line) => ({ line })),
    wrongLines: [],
    judged: { cases, right: cases - missedLines.length, missed: missedLines.length, wrong: 0 },
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

/** The row of a file in the docs. With UPDATE_DOCS=1 it is updated. */
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

test('a file of tools has no calls', async () => {
  const { status, stdout } = await runToolmend('cases', fileNamed('mcp-tools.jsonl'));
  expect(stdout).toMatch(/^\S*mcp-tools\.jsonl: 968 lines without a call: .+\n$/);
  expect(status).toBe(0);
});
