import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
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

/** What became of one call: its outcome, and what the model reads. */
async function call(name: string, args: object, options?: CallOptions): Promise<readonly [string, string]> {
  const { tools } = createToolset(workspace);
  const outcome = await tools.call({ id: 'call_1', name, arguments: args }, options);
  return [outcome.status, toolMessage(outcome).text];
}

const onDisk = (path: string): string => readFileSync(join(workspace.root, path), 'utf8');

describe('reading', () => {
  it('gives whole files, or some of their lines', async () => {
    expect(await call('read_files', { paths: ['a.txt', 'src/b.js'] })).toEqual([
      'completed',
      '== a.txt\none\ntwo\nthree\n\n== src/b.js\nconst Two = 2;\n',
    ]);
    expect(await call('read_files', { paths: ['a.txt'], offset: 1, limit: 1 })).toEqual([
      'completed',
      '== a.txt\ntwo',
    ]);
  });

  it('lists folders, and finds text as it is', async () => {
    expect(await call('list_directory', { path: 'src' })).toEqual(['completed', '["b.js","deep/"]']);
    expect(await call('list_directory', {})).toEqual(['completed', '["a.txt","src/"]']);
    expect(await call('search_text', { text: 'two', paths: [] })).toEqual([
      'completed',
      'a.txt:2: two\nsrc/deep/c.js:1: twofold',
    ]);
    expect(
      await call('search_text', { text: 'two', paths: ['src'], ignore_case: true, extensions: ['.js'] }),
    ).toEqual(['completed', 'src/b.js:1: const Two = 2;\nsrc/deep/c.js:1: twofold']);
    expect(await call('search_text', { text: '.*', paths: [] })).toEqual([
      'completed',
      'No line holds this text.',
    ]);
  });

  it('tells the model of files that are not there or are folders', async () => {
    expect(await call('read_files', { paths: ['gone.txt'] })).toEqual(['retry', 'gone.txt does not exist.']);
    expect(await call('read_files', { paths: ['src'] })).toEqual(['retry', 'src is a folder.']);
    expect(await call('list_directory', { path: 'a.txt' })).toEqual(['retry', 'a.txt is no folder.']);
  });
});

describe('editing', () => {
  it('makes several edits in order', async () => {
    const edits = [
      { find: 'one', replace: 'two' },
      { find: 'two\ntwo', replace: '$& and $1' },
    ];

    expect(await call('edit_file', { path: 'a.txt', edits })).toEqual([
      'completed',
      'a.txt: 2 places changed.',
    ]);
    expect(onDisk('a.txt')).toBe('$& and $1\nthree\n');
  });

  it.each([
    ['stands nowhere', 'four', 'edits[1].find does not stand in the file: read it again.'],
    ['stands twice', 'e', 'edits[1].find stands in the file more than once: give more of the text.'],
  ])('makes none if one %s', async (_name, find, message) => {
    const edits = [
      { find: 'two', replace: '2' },
      { find, replace: 'x' },
    ];

    expect(await call('edit_file', { path: 'a.txt', edits })).toEqual(['retry', message]);
    expect(onDisk('a.txt')).toBe('one\ntwo\nthree\n');
  });

  it('refuses an edit that changes nothing, with the author’s own sentence', async () => {
    const [outcome, text] = await call('edit_file', {
      path: 'a.txt',
      edits: [{ find: 'one', replace: 'one' }],
    });

    expect(outcome).toBe('invalid_arguments');
    expect(text).toContain('edits[0] replaces a text by itself: send another replacement.');
  });

  it('writes a file byte for byte, and the folders above it', async () => {
    const content = '```json\n{"a": "\\n"}\n```\n';
    expect((await call('write_file', { path: 'x/y/z.md', content }))[0]).toBe('completed');
    expect(onDisk('x/y/z.md')).toBe(content);
  });
});

describe('the workspace', () => {
  it.each(['../outside.txt', '/etc/hostname', 'src/../../outside.txt', 'link/outside.txt', 'broken', 'a\0b'])(
    'is not left by %j',
    async (path) => {
      const outside = temporaryFolder({ 'outside.txt': 'outside' });
      symlinkSync(outside, join(workspace.root, 'link'));
      symlinkSync(join(outside, 'new.txt'), join(workspace.root, 'broken'));
      const message = `${path} leads out of the workspace: give a path relative to the workspace.`;
      expect(await call('read_files', { paths: [path] })).toEqual(['retry', message]);
      expect(await call('write_file', { path, content: 'x' })).toEqual(['retry', message]);
      expect(readFileSync(join(outside, 'outside.txt'), 'utf8')).toBe('outside');
    },
  );

  it('may have names that look like a way out', async () => {
    writeFileSync(join(workspace.root, '..notes'), 'in');
    mkdirSync(join(workspace.root, '...'));
    expect(await call('read_files', { paths: ['..notes'] })).toEqual(['completed', '== ..notes\nin']);
    expect((await call('write_file', { path: '.../new', content: '' }))[0]).toBe('completed');
  });
});

describe('a program', () => {
  const node = (code: string, more: object = {}) => ({ program: 'node', args: ['--eval', code], ...more });

  it('runs in the workspace, and tells its output and exit code', async () => {
    expect(await call('run_command', node('console.log(process.cwd()); process.exitCode = 3'))).toEqual([
      'completed',
      JSON.stringify({ exit_code: 3, output: `${workspace.root}\n` }),
    ]);
  });

  it('sees the variables of the call, and nothing of this process’s', async () => {
    process.env['OPENAI_API_KEY'] = 'secret';
    const code = 'console.log(Object.keys(process.env).sort().join())';
    const [, text] = await call('run_command', node(code, { environment: { COLOUR: 'red', PATH: '/x' } }));
    expect(JSON.parse(text).output).toBe('COLOUR,HOME,NO_COLOR,PATH\n');
    delete process.env['OPENAI_API_KEY'];
  });

  it('has no shell', async () => {
    const [, text] = await call('run_command', { program: 'ls', args: ['; touch made', '$(touch made)'] });
    expect(JSON.parse(text).exit_code).not.toBe(0);
    expect(await call('list_directory', {})).toEqual(['completed', '["a.txt","src/"]']);
  });

  /** A program that starts another one; both write down that they live, again and again. */
  const beating = `
    const { spawn } = require('node:child_process');
    const beat = "setInterval(() => require('node:fs').appendFileSync('beats', 'x'), 20)";
    spawn(process.execPath, ['--eval', beat], { stdio: 'inherit' });
    eval(beat);`;

  async function beatsAfterTheEnd(): Promise<number> {
    const beats = onDisk('beats').length;
    await sleep(300);
    return onDisk('beats').length - beats;
  }

  it('is stopped with all that it started when its time is over', async () => {
    expect(await call('run_command', node(beating, { timeout_ms: 2500 }))).toEqual([
      'failed',
      'node was stopped: it did not end within 2500 ms.',
    ]);
    expect(await beatsAfterTheEnd()).toBe(0);
  });

  it('is stopped when the application cancels', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const controller = new AbortController();
    const cancelled = call('run_command', node(beating), { signal: controller.signal });
    const timer = setInterval(() => {
      if (workspaceHas('beats')) resolve();
    }, 20);
    await promise;
    clearInterval(timer);
    controller.abort();
    expect((await cancelled)[0]).toBe('cancelled');
    await sleep(100);
    expect(await beatsAfterTheEnd()).toBe(0);
  });

  const workspaceHas = (path: string): boolean => {
    try {
      return onDisk(path).length > 0;
    } catch {
      return false;
    }
  };

  it('that can’t be started is an error without details', async () => {
    await workspace.remove();
    const [outcome, text] = await call('run_command', { program: 'ls' });
    expect(outcome).toBe('failed');
    expect(text).not.toContain('ENOENT');
  });
});
