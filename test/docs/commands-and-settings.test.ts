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

test('a script, a package, a command, an option and a program that are not known are problems', () => {
  const document = [
    block('sh', 'npm ci && npm start', 'MODEL=x npm start', 'npm run check', 'npm install toolmend'),
    block('sh', 'npm run dance', 'npm check', 'npm install left-pad', 'docker ps'),
    block(
      'sh',
      'npx toolmend gateway --port 1',
      'npx toolmend mcp --port 0 -- other --any',
      'npx toolmend cases a',
    ),
    block(
      'sh',
      'npx toolmend',
      'npx toolmend dance',
      'npx toolmend gateway --prot 1',
      'npx toolmend report --log x',
    ),
    '<!-- commands of docker -->',
    block('sh', 'KEY=x docker ps', 'npm start'),
    '<!-- commands of docker, git -->',
    block('sh', 'docker ps', 'other'),
  ].join('\n');

  expect(problemsIn(document)).toEqual([
    '8: “npm run dance” is not a command of this project',
    '8: “npm check” is not a command of this project',
    '8: “npm install left-pad” is not a command of this project',
    '8: “docker ps” is not a command of this project',
    '21: toolmend has no command “”',
    '21: toolmend has no command “dance”',
    '21: toolmend gateway has no option “--prot”',
    '21: toolmend report has no option “--log”',
    '35: “git” is not in the block',
    '35: “other” is not a command of this project',
  ]);
});

test('settings that their reader would refuse are problems', () => {
  const server = (...args: readonly string[]): string =>
    JSON.stringify({ mcpServers: { a: { command: 'npx', args } } });
  const document = [
    block('json', '{ "a": 1 }'),
    block('json', '{ a: 1 }'),
    block('json', server('-y', 'toolmend', 'mcp', '--', 'x', '--any')),
    block('json', server('-y', 'toolmend', 'mcp', '--any', '--', 'x')),
    block('json', '{ "gateway": { "prot": 1 } }'),
    block('json', '{ "mcp": { "servers": { "a": { "comand": "npx" } } } }'),
    block('toml', 'a = "b"', '[c.d]'),
    block('toml', 'a = b'),
    block('yaml', 'a: [b]'),
    block('yaml', 'a: [b'),
    block('ini', '[Service]', 'ExecStart=/usr/bin/npx toolmend gateway --any'),
    block('ini', 'ExecStart'),
    block('dockerfile', 'FROM node', 'ENTRYPOINT ["toolmend", "gateway", "--any"]'),
    block('dockerfile', 'FROM node', 'ENTRYPOINT [toolmend]'),
    block('dockerfile', 'RUM npm ci'),
  ].join('\n');

  expect(problemsIn(document)).toEqual([
    expect.stringMatching(/^5: can’t be read as json: /),
    '13: toolmend mcp has no option “--any”',
    expect.stringMatching(/^17: can’t be read as json: .*has no option "gateway.prot"/),
    expect.stringMatching(/^21: can’t be read as json: .*has no option "mcp.servers.a.comand"/),
    expect.stringMatching(/^30: can’t be read as toml: /),
    expect.stringMatching(/^38: can’t be read as yaml: /),
    '42: toolmend gateway has no option “--any”',
    expect.stringMatching(/^47: can’t be read as ini: /),
    '51: toolmend gateway has no option “--any”',
    expect.stringMatching(/^56: can’t be read as dockerfile: /),
    expect.stringMatching(/^61: can’t be read as dockerfile: /),
  ]);
});
