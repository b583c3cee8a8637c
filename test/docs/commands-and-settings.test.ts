import { runToolmend } from '../cli/run-toolmend.ts';
import { isCommandOrSetting, readHelp, settingProblems, toolmendProblems } from './commands-and-settings.ts';
import type { CommandOptions } from './commands-and-settings.ts';
import { readDocBlocks } from './doc-blocks.ts';
import { block, documents } from './read-documents.ts';

const help = readHelp((await runToolmend('--help')).stdout);

/** The problems of all blocks of a document, by the line of the block. */
const problemsIn = (text: string, options: CommandOptions = help): readonly string[] =>
  readDocBlocks(text)
    .filter(isCommandOrSetting)
    .flatMap((one) => settingProblems(one, options).map((problem) => `${one.line}: ${problem}`));

test('the help lists each command once, with its options', () => {
  const names = ['cases', 'check', 'gateway', 'journal', 'mcp', 'replay', 'report', 'worker'];
  expect([...help.keys()].toSorted()).toEqual(names);
  expect([...(help.get('report') ?? [])]).toEqual(['--markdown', '--json']);
  expect(help.get('gateway')).toContain('--log-contents');
  expect(help.get('gateway')).not.toContain('--verbose');
  expect(help.get('mcp')).toContain('--allow-origin');
  expect(help.get('worker')).toContain('--tenant-concurrency');
  expect(help.get('journal')).toContain('--state');
});

test('commands in blocks exist, and settings can be read', () => {
  const problems = Object.entries(documents).flatMap(([page, text]) =>
    problemsIn(text).map((problem) => `${page}:${problem}`),
  );

  expect(problems).toEqual([]);
});

test('commands and options in the text are those of the help', () => {
  const problems = Object.entries(documents).flatMap(([page, text]) => {
    const spans = [...text.matchAll(/`((?:npx )?toolmend [^`\n]+)`/g)].map(([, command = '']) => command);
    const rows = [...text.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, option = '']) => option);
    const known = new Set([...help.values()].flatMap((options) => [...options]));
    return [
      ...spans.flatMap((command) => toolmendProblems(command.split(' '), help)),
      ...rows.filter((option) => !known.has(option)).map((option) => `toolmend has no option “${option}”`),
    ].map((problem) => `${page}: ${problem}`);
  });

  expect(problems).toEqual([]);
});

test.each([
  ['npm ci && npm start', ''],
  ['MODEL=x npm start', ''],
  ['npm run check', ''],
  ['npm install toolmend', ''],
  ['npx toolmend mcp --port 0 -- other --any', ''],
  ['npm run dance', '“npm run dance” is not a command of this project'],
  ['npm check', '“npm check” is not a command of this project'],
  ['npm install left-pad', '“npm install left-pad” is not a command of this project'],
  ['docker ps', '“docker ps” is not a command of this project'],
  ['npx toolmend', 'toolmend has no command “”'],
  ['npx toolmend dance', 'toolmend has no command “dance”'],
  ['npx toolmend gateway --prot 1', 'toolmend gateway has no option “--prot”'],
])('of the command %s the problem is: %s', (command, problem) => {
  expect(problemsIn(block('sh', command))).toEqual(problem === '' ? [] : [`1: ${problem}`]);
});

test('a comment names the programs of its block that are not checked', () => {
  expect(problemsIn(`<!-- commands of docker -->\n${block('sh', 'KEY=x docker ps', 'npm start')}`)).toEqual(
    [],
  );
  expect(problemsIn(`<!-- commands of docker, git -->\n${block('sh', 'docker ps', 'other')}`)).toEqual([
    '2: “git” is not in the block',
    '2: “other” is not a command of this project',
  ]);
});

const server = (...args: readonly string[]): string =>
  JSON.stringify({ mcpServers: { a: { command: 'npx', args } } });

test.each([
  ['json', '{ "a": 1 }', /^$/],
  ['json', '{ a: 1 }', /^1: can’t be read as json: /],
  ['json', server('-y', 'toolmend', 'mcp', '--', 'x', '--any'), /^$/],
  ['json', server('-y', 'toolmend', 'mcp', '--any', '--', 'x'), /toolmend mcp has no option “--any”$/],
  ['json', '{ "gateway": { "prot": 1 } }', /has no option "gateway.prot"/],
  ['json', '{ "mcp": { "servers": { "a": { "comand": "npx" } } } }', /has no option "mcp.servers.a.comand"/],
  ['toml', 'a = "b"\n[c.d]', /^$/],
  ['toml', 'a = b', /can’t be read as toml: /],
  ['yaml', 'a: [b]', /^$/],
  ['yaml', 'a: [b', /can’t be read as yaml: /],
  ['ini', '[Service]\nExecStart=npx toolmend gateway --any', /toolmend gateway has no option “--any”$/],
  ['ini', 'ExecStart', /can’t be read as ini: /],
  ['dockerfile', 'FROM node\nENTRYPOINT ["toolmend", "gateway", "--any"]', /gateway has no option “--any”$/],
  ['dockerfile', 'FROM node\nENTRYPOINT [toolmend]', /can’t be read as dockerfile: /],
  ['dockerfile', 'RUM npm ci', /can’t be read as dockerfile: /],
])('of the %s settings %s the problem is: %s', (language, text, problem) => {
  expect(problemsIn(block(language, text)).join()).toMatch(problem);
});
