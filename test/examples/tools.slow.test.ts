import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallOptions, toolMessage } from 'toolmend';
import { createToolset } from '../../examples/main-job/toolset.ts';
import { Workspace } from '../../examples/main-job/workspace.ts';
import { temporaryFolder } from '../checks/temporary-folder.ts';

let workspace: Workspace;

beforeEach(async () => {
  workspace = await Workspace.create({
    'a.txt': 'one\ntwo\nthree\n',
    'src/b.js': 'const Two = 2;\n',
    'src/deep/c.js': 'twofold\n',
  });
});

afterEach(() => workspace.remove());

/** The status of one call, and what the model reads. */
async function call(
  name: string,
  args: object,
  options?: CallOptions,
): Promise<readonly [string, string]> {
  const { tools } = createToolset(workspace);
  const outcome = await tools.call({ id: 'call_1', name, arguments: args }, options);
  return [outcome.status, toolMessage(outcome).text];
}

const onDisk = (path: string): string => readFileSync(join(workspace.root, path), 'utf8');

const all = '== a.txt\none\ntwo\nthree';
const inScripts = { text: 'two', paths: ['src'], ignore_case: true, extensions: ['.js'] };

test.each<[string, object, string, string]>([
  [
    'read_files',
    { paths: ['a.txt', 'src/b.js'] },
    'completed',
    `${all}\n\n== src/b.js\nconst Two = 2;\n`,
  ],
  ['read_files', { paths: ['a.txt'], offset: 1, limit: 1 }, 'completed', '== a.txt\ntwo'],
  ['read_files', { paths: ['gone.txt'] }, 'retry', 'gone.txt does not exist.'],
  ['read_files', { paths: ['src'] }, 'retry', 'src is a folder.'],
  ['list_directory', { path: 'src' }, 'completed', '["b.js","deep/"]'],
  ['list_directory', {}, 'completed', '["a.txt","src/"]'],
  ['list_directory', { path: 'a.txt' }, 'retry', 'a.txt is no folder.'],
  [
    'search_text',
    { text: 'two', paths: [] },
    'completed',
    'a.txt:2: two\nsrc/deep/c.js:1: twofold',
  ],
  ['search_text', inScripts, 'completed', 'src/b.js:1: const Two = 2;\nsrc/deep/c.js:1: twofold'],
  ['search_text', { text: '.*', paths: [] }, 'completed', 'No line holds this text.'],
])('%s %j: %s', async (name, args, status, text) => {
  expect(await call(name, args)).toEqual([status, text]);
});

describe('editing', () => {
  it('makes several edits in order', async () => {
    const edits = [
      { find: 'one', replace: 'two' },
      { find: 'two\ntwo', replace: '$& and $1' },
    ];
    const edited = await call('edit_file', { path: 'a.txt', edits });
    expect(edited).toEqual(['completed', 'a.txt: 2 places changed.']);
    expect(onDisk('a.txt')).toBe('$& and $1\nthree\n');
  });

  it.each([
    ['four', 'x', 'retry', 'edits[1].find does not stand in the file: read it again.'],
    ['e', 'x', 'retry', 'edits[1].find stands in the file more than once: give more of the text.'],
    [
      'one',
      'one',
      'invalid_arguments',
      'edits[1] replaces a text by itself: send another replacement.',
    ],
  ])('makes none if one is wrong: %s', async (find, replace, status, message) => {
    const sound = { find: 'two', replace: '2' };
    const edits = [sound, { find, replace }];
    const outcome = await call('edit_file', { path: 'a.txt', edits });
    expect(outcome).toEqual([status, expect.stringContaining(message)]);
    expect(onDisk('a.txt')).toBe('one\ntwo\nthree\n');
  });

  it('writes a file byte for byte, and the folders above it', async () => {
    const content = '```json\n{"a": "\\n"}\n```\n';
    expect((await call('write_file', { path: 'x/y/z.md', content }))[0]).toBe('completed');
    expect(onDisk('x/y/z.md')).toBe(content);
  });
});

describe('the workspace', () => {
  it.each([
    '../outside.txt',
    '/etc/hostname',
    'src/../../outside.txt',
    'link/outside.txt',
    'broken',
    'a\0b',
  ])('is not left by %j', async (path) => {
    const outside = temporaryFolder({ 'outside.txt': 'outside' });
    symlinkSync(outside, join(workspace.root, 'link'));
    symlinkSync(join(outside, 'new.txt'), join(workspace.root, 'broken'));
    const message = `${path} leads out of the workspace: give a path relative to the workspace.`;
    expect(await call('read_files', { paths: [path] })).toEqual(['retry', message]);
    expect(await call('write_file', { path, content: 'x' })).toEqual(['retry', message]);
    expect(readFileSync(join(outside, 'outside.txt'), 'utf8')).toBe('outside');
  });

  it('may have names that look like a way out', async () => {
    writeFileSync(join(workspace.root, '..notes'), 'in');
    mkdirSync(join(workspace.root, '...'));
    expect(await call('read_files', { paths: ['..notes'] })).toEqual([
      'completed',
      '== ..notes\nin',
    ]);
    expect((await call('write_file', { path: '.../new', content: '' }))[0]).toBe('completed');
  });
});

describe('a program', () => {
  const node = (code: string, more: object = {}) => ({
    program: 'node',
    args: ['--eval', code],
    ...more,
  });

  it('runs in the workspace, and tells its output and exit code', async () => {
    const ended = await call(
      'run_command',
      node('console.log(process.cwd()); process.exitCode = 3'),
    );
    expect(ended).toEqual([
      'completed',
      JSON.stringify({ exit_code: 3, output: `${workspace.root}\n` }),
    ]);
  });

  it('sees the variables of the call, and nothing of this process’s', async () => {
    process.env['OPENAI_API_KEY'] = 'secret';
    const code = 'console.log(Object.keys(process.env).sort().join())';
    const [, text] = await call(
      'run_command',
      node(code, { environment: { COLOUR: 'red', PATH: '/x' } }),
    );
    expect(JSON.parse(text).output).toBe('COLOUR,HOME,NO_COLOR,PATH\n');
    delete process.env['OPENAI_API_KEY'];
  });

  it('has no shell', async () => {
    const [, text] = await call('run_command', {
      program: 'ls',
      args: ['; touch made', '$(touch made)'],
    });
    expect(JSON.parse(text).exit_code).not.toBe(0);
    expect(await call('list_directory', {})).toEqual(['completed', '["a.txt","src/"]']);
  });

  /** A program that starts another one; both write down that they live, again and again. */
  const beating = `
    const { spawn } = require('node:child_process');
    const beat = "setInterval(() => require('node:fs').appendFileSync('beats', 'x'), 20)";
    spawn(process.execPath, ['--eval', beat], { stdio: 'inherit' });
    eval(beat);`;

  const begun = async (): Promise<void> => {
    while (!existsSync(join(workspace.root, 'beats'))) await sleep(20);
  };

  /** A killed process may still finish what it was writing. */
  async function noBeats(): Promise<void> {
    for (let before = -1; before < onDisk('beats').length; await sleep(300))
      before = onDisk('beats').length;
  }

  it('is stopped with all that it started when its time is over', async () => {
    // The time is over when the programs run, whenever that is.
    const { timeout } = AbortSignal;
    const over = new AbortController();
    const limits: number[] = [];
    AbortSignal.timeout = (milliseconds) => {
      limits.push(milliseconds);
      return over.signal;
    };
    const stopped = call('run_command', node(beating, { timeout_ms: 2500 }));
    await begun();
    over.abort();
    AbortSignal.timeout = timeout;
    expect(await stopped).toEqual(['failed', 'node was stopped: it did not end within 2500 ms.']);
    expect(limits).toEqual([2500]);
    await noBeats();
  });

  it('that can’t be started is an error without details', async () => {
    await workspace.remove();
    const [outcome, text] = await call('run_command', { program: 'ls' });
    expect(outcome).toBe('failed');
    expect(text).not.toContain('ENOENT');
  });
});
