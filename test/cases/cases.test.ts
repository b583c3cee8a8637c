// Does every recorded call become what it must? Right, missed and wrong are counted per file, by the command that users have.
import { fileURLToPath } from 'node:url';
import { runToolmend } from '../cli/run-toolmend.ts';

const fileNamed = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

test.each([
  ['systems.jsonl', 438],
  ['reported.jsonl', 218],
  ['mutants.jsonl', 1187],
  // Written by hand for what no recorded call tells apart, and for what each rule leaves alone.
  ['ours.jsonl', 373],
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
});

test('a file of tools has nothing to judge', async () => {
  const { status, stdout } = await runToolmend('cases', fileNamed('mcp-tools.jsonl'));

  expect(stdout).toMatch(/^\S*mcp-tools\.jsonl: 968 lines without a call\n$/);
  expect(status).toBe(0);
});
