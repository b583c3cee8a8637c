// The suite is what test/cases says, each case is as its schema says, toolmend's own row of the
// results is true, and runners in other processes are asked.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { suiteFiles } from '../../scripts/suite/suite-files.ts';
import { SuiteCounts, readSuiteCase, suiteVerdict } from '../../src/cli/suite-cases.ts';
import { answerOf } from '../../suite/runners/toolmend.mjs';
import { projectFolder } from '../checks/project-folder.ts';
import { runCommand } from '../checks/run-command.ts';
import { temporaryFolder } from '../checks/temporary-folder.ts';
import { runToolmend } from '../cli/run-toolmend.ts';

const suiteFile = (name: string): URL => new URL(`../../suite/${name}`, import.meta.url);
const textOf = (name: string): string => readFileSync(suiteFile(name), 'utf8');
const lines = textOf('cases.jsonl').trimEnd().split('\n');

test('npm run suite changes nothing', () => {
  for (const [name, text] of suiteFiles()) expect(textOf(name) === text ? name : '').toBe(name);
});

test('each case is as the schema says, and no id is used twice', () => {
  const isValid = new Ajv2020().compile(JSON.parse(textOf('case.schema.json')));
  const cases: readonly { readonly id: string }[] = lines.map((line) => JSON.parse(line));

  expect(cases.filter((one) => !isValid(one))).toEqual([]);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  expect(isValid({ ...cases[0], refuse: true })).toBe(false);
});

test('no case names a person or a private folder', () => {
  const named = lines.filter((line) =>
    /(?:\/home\/|\/Users\/)(?!ada\b|me\b|user\b|dev\b|dog\b|opc\b|j\b|u\b|z\b)\w|github\.com\/(?!\w[\w.-]*\/)/.test(
      line,
    ),
  );
  expect(named).toEqual([]);
});

/** Calls in the text of an answer that are refused although they have one reading. */
const missed = [
  'f3a-danyapi-3-inner-brace',
  'f3b-lfm2-leading-zero-integers',
  'f3b-ollama-qwen-yes-for-boolean',
];

// test/cases judges all others.
test.each(['text', 'danger'] as const)(
  'toolmend gets no case of the level %s wrong, and its row of the results says so',
  (level) => {
    const counts = new SuiteCounts();
    for (const line of lines) {
      const one = readSuiteCase(line);
      if (one?.level !== level) continue;
      // As it goes through the runner's standard output.
      const answer = JSON.parse(JSON.stringify(answerOf(JSON.parse(JSON.stringify(one.question)))));
      counts.add(one, suiteVerdict(one, answer));
    }
    const { total, ...ids } = counts.report();
    const section =
      textOf('RESULTS.md')
        .split('## ')
        .find((part) => part.startsWith(level)) ?? '';
    const [, cells = ''] = /^\| toolmend [^|]*\|(.*)\|$/m.exec(section) ?? [];

    expect(ids).toMatchObject({ missed: level === 'text' ? missed : [], wrong: [] });
    expect(cells.split('|').map(Number)).toEqual([
      total.right + total.missed,
      total.right,
      total.missed,
      0,
      0,
    ]);
  },
);

test('runners exist that the README names', () => {
  const names = [...textOf('README.md').matchAll(/`([\w-]+\.(?:mjs|py))`/g)].map(
    ([, name]) => name,
  );
  expect(names.length).toBeGreaterThan(3);
  for (const name of names)
    expect(existsSync(fileURLToPath(suiteFile(`runners/${name}`)))).toBe(true);
});

const python = (name: string): string => `python3 ${join('suite/runners', name)}`;

/** A runner of one answer for all questions. */
const runnerThat = (answer: string): string => {
  const program = `
for await (const line of (await import('node:readline')).createInterface({ input: process.stdin })) {
  const { command, seq } = JSON.parse(line);
  if (command === 'stop') break;
  console.log(command === 'start' ? '{"version":1,"implementation":{"name":"x"}}' : ${answer});
}`;
  return `node ${join(temporaryFolder({ 'runner.mjs': program }), 'runner.mjs')}`;
};

test("Python's json is asked every case, and those of answers' texts are skipped", async () => {
  const { status, stdout, stderr } = await runToolmend(
    'suite',
    '--runner',
    python('python-json.py'),
    '--json',
  );
  const { implementation, total, levels } = JSON.parse(stdout);

  expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  expect(implementation).toMatch(/^json 3\.\d+\.\d+ Python$/);
  expect(total.right + total.missed + total.wrong + total.skipped).toBe(lines.length);
  expect(levels.text).toEqual({ right: 0, missed: 0, wrong: 0, skipped: 75 });
  expect(levels.types.wrong).toBeGreaterThan(0);
});

test('a runner whose library is not installed says what to install', () => {
  // -S: without installed packages.
  const runner = ['-S', 'suite/runners/json-repair.py'];
  expect(runCommand(projectFolder, 'python3', runner)).toMatchObject({
    status: 1,
    output: "json_repair is not installed: run pip install 'json-repair[schema]'\n",
  });
});

test('a level is asked alone, and shown as a table', async () => {
  const { status, stdout } = await runToolmend(
    'suite',
    '--runner',
    runnerThat('JSON.stringify({ seq, refuse: "no" })'),
    '--level',
    'danger',
  );

  expect(status).toBe(0);
  expect(stdout.split('\n').slice(0, 5)).toEqual([
    'x',
    '',
    'level   cases  right  missed  wrong  skipped',
    'danger     29     22       7      0        0',
    'all        29     22       7      0        0',
  ]);
});

test.each([
  [runnerThat('JSON.stringify({ seq: 0, refuse: "no" })'), 'answered another question than 1'],
  [runnerThat('JSON.stringify({ seq })'), 'answered without exactly one of accept, refuse, skip'],
  [runnerThat('"hello"'), 'answered hello, which is not a JSON object'],
  ['node --eval process.exit(3)', 'the runner node ended with exit code 3'],
  ['no-such-program', 'could not be started'],
])('%s is refused', async (runner, why) => {
  const { status, stdout, stderr } = await runToolmend('suite', '--runner', runner);

  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(why);
});
