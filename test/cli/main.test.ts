import { projectFolder, readManifest } from '../checks/project-folder.ts';
import { runToolmend } from './run-toolmend.ts';

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

test.each(['--help', '-h', 'help'])('%s lists the commands, a line for each', async (word) => {
  const { status, stdout, stderr } = await runToolmend(word);
  const commands = [...stdout.matchAll(/^ {2}(\w+) +\w/gm)].map(([, name = '']) => name);
  expect(commands.filter((name) => name !== 'toolmend').toSorted()).toEqual(names);
  expect(stdout.split('\n').length).toBeLessThan(24);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

describe.each(names)('the help of %s', (name) => {
  test.each([
    [name, '--help'],
    [name, '-h'],
    ['help', name],
    [name, '--unknown', '--help'],
  ])('by %s %s is about that command only', async (...args) => {
    const { status, stdout, stderr } = await runToolmend(...args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const usageLines = [...stdout.matchAll(/^(?:Usage:| {5,}) toolmend (\w+)/gm)];
    expect(new Set(usageLines.map(([, command]) => command))).toEqual(new Set([name]));
  });
});

test('what follows -- is the command of a server, also its --help', async () => {
  const { status, stdout } = await runToolmend('check', '--', process.execPath, '--help');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
});

test.each(['--version', '-v'])('%s is the version of the package', async (word) => {
  const { version } = Object(readManifest(projectFolder));
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
  expect(await runToolmend(word)).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
});

test('a word that is no command is said, also with --help', async () => {
  const { status, stderr } = await runToolmend('chekc', '--help');
  expect(stderr).toBe(
    'toolmend: there is no command "chekc"\nRun toolmend --help to see the commands.\n',
  );
  expect(status).toBe(2);
});
