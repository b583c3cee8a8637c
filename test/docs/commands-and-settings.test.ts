import { projectFolder, readManifest } from '../checks/project-folder.ts';
import { runToolmend } from '../cli/run-toolmend.ts';
import {
  isCommandOrSetting,
  readHelp,
  settingProblems,
  toolmendProblems,
  type CommandOptions,
} from './commands-and-settings.ts';
import { readDocBlocks } from './doc-blocks.ts';
import { block, documents } from './read-documents.ts';

/** The help of each command that the help lists. */
const helpOfCommands = await Promise.all(
  [...(await runToolmend('--help')).stdout.matchAll(/^ {2}(\w+) {2,}\w/gm)].map(
    async ([, name = '']) => (await runToolmend(name, '--help')).stdout,
  ),
);
const help = readHelp(helpOfCommands);

/** The problems of all blocks of a document, by the line of the block. */
const problemsIn = (text: string, options: CommandOptions = help): readonly string[] =>
  readDocBlocks(text)
    .filter(isCommandOrSetting)
    .flatMap((one) => settingProblems(one, options).map((problem) => `${one.line}: ${problem}`));

test('the help lists each command once, with its options', () => {
  const names = [
    'cases',
    'check',
    'demo',
    'eval',
    'gateway',
    'init',
    'journal',
    'mcp',
    'replay',
    'report',
    'suite',
    'ui',
    'worker',
  ];
  expect([...help.keys()].toSorted()).toEqual(names);
  expect([...(help.get('report') ?? [])]).toEqual([
    '--help',
    '--markdown',
    '--json',
    '--week',
    '--folder',
    '--url',
    '--until',
    '--schema',
  ]);
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

test('commands and options in the text are those of the help, and scripts of package.json', () => {
  const { scripts = {} } = readManifest(projectFolder);
  const options = new Set([...help.values()].flatMap((ofCommand) => [...ofCommand]));
  const problems = Object.entries(documents).flatMap(([page, text]) => {
    const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
    return [
      ...found(/`((?:npx )?toolmend [^`\n]+)`/g).flatMap((said) =>
        toolmendProblems(said.split(' '), help),
      ),
      ...found(/^\| `(--[a-z-]+)/gm).filter((option) => !options.has(option)),
      ...found(/`npm (?:run )?([\w:-]+)`/g).filter(
        (script) => !['ci', 'publish'].includes(script) && !(script in scripts),
      ),
    ].map((problem) => `${page}: ${problem}`);
  });
  expect(problems).toEqual([]);
});

test('a comment names the programs of its block that are not checked', () => {
  const sound = `<!-- commands of docker -->\n${block('sh', 'KEY=x docker ps', 'npm start')}`;
  const unsound = `<!-- commands of docker, git -->\n${block('sh', 'docker ps', 'other')}`;
  const problems = ['2: “git” is not in the block', '2: “other” is not a command of this project'];
  expect([problemsIn(sound), problemsIn(unsound)]).toEqual([[], problems]);
});

const server = (...args: readonly string[]): string =>
  JSON.stringify({ mcpServers: { a: { command: 'npx', args } } });

test.each([
  ['sh', 'npm ci && npm start', /^$/],
  ['sh', 'MODEL=x npm start', /^$/],
  ['sh', 'npm run check', /^$/],
  ['sh', 'npm install toolmend', /^$/],
  ['sh', 'npx toolmend mcp --port 0 -- other --any', /^$/],
  ['sh', 'npm run dance', /“npm run dance” is not a command of this project$/],
  ['sh', 'npm check', /“npm check” is not a command of this project$/],
  ['sh', 'npm install left-pad', /“npm install left-pad” is not a command of this project$/],
  ['sh', 'docker ps', /“docker ps” is not a command of this project$/],
  ['sh', 'npx toolmend', /toolmend has no command “”$/],
  ['sh', 'npx toolmend dance', /toolmend has no command “dance”$/],
  ['sh', 'npx toolmend gateway --prot 1', /toolmend gateway has no option “--prot”$/],
  ['json', '{ "a": 1 }', /^$/],
  ['json', '{ a: 1 }', /^1: can’t be read as json: /],
  ['json', server('-y', 'toolmend', 'mcp', '--', 'x', '--any'), /^$/],
  [
    'json',
    server('-y', 'toolmend', 'mcp', '--any', '--', 'x'),
    /toolmend mcp has no option “--any”$/,
  ],
  ['json', '{ "gateway": { "prot": 1 } }', /has no option "gateway.prot"/],
  [
    'json',
    '{ "mcp": { "servers": { "a": { "comand": "npx" } } } }',
    /has no option "mcp.servers.a.comand"/,
  ],
  ['toml', 'a = "b"\n[c.d]', /^$/],
  ['toml', 'a = b', /can’t be read as toml: /],
  ['yaml', 'a: [b]', /^$/],
  ['yaml', 'a: [b', /can’t be read as yaml: /],
  [
    'ini',
    '[Service]\nExecStart=npx toolmend gateway --any',
    /toolmend gateway has no option “--any”$/,
  ],
  [
    'dockerfile',
    'FROM node\nENTRYPOINT ["toolmend", "gateway", "--any"]',
    /gateway has no option “--any”$/,
  ],
])('of the block of %s with %s the problem is: %s', (language, text, problem) => {
  expect(problemsIn(block(language, text)).join()).toMatch(problem);
});
