import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder, readManifest } from '../checks/project-folder.ts';
import { temporaryFolder } from '../checks/temporary-folder.ts';
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

/** Root may read all files but some of the kernel's. */
function forbiddenFile(): string {
  if (process.getuid?.() === 0) return '/proc/sys/vm/compact_memory';
  const path = join(temporaryFolder({ 'calls.jsonl': '' }), 'calls.jsonl');
  chmodSync(path, 0);
  return path;
}

test.each([
  [['eval', '--upstream', 'http://127.0.0.1:1/v1', '--prompts']],
  [['cases']],
  [['suite', '--runner', 'node']],
  [['mcp', '--config']],
])('toolmend %j says that a file may not be read', async (command) => {
  const path = forbiddenFile();
  const { status, stderr } = await runToolmend(...command, path);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringContaining(`${path} can't be read (EACCES)`),
  });
});

test.each([
  [['journal', 'list', '--url', 's3cret']],
  [['ui', '--url', 'mysql://s3cret@localhost/agent']],
  [['report', '--week', '--url', 'localhost:5432/s3cret']],
])('toolmend %j says what a URL of a journal looks like', async (command) => {
  const { status, stderr } = await runToolmend(...command);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringContaining('write one such as postgres://localhost/agent'),
  });
  expect(stderr).not.toContain('s3cret');
});
