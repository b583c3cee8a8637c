// What the proxy says of servers that can't be started, to a client that leaves at once.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToolmend } from './run-toolmend.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolmend-mcp-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a server that is not installed', async () => {
  expect(await runToolmend('mcp', '--', 'no-such-server', '--stdio')).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'toolmend: The server could not be started: there is no program no-such-server, install it or write its path.\n',
  });
});

test('each of several servers', async () => {
  const config = join(folder, 'servers.json');
  const servers = { one: { command: 'no-such-one' }, two: { command: 'no-such-two' } };
  await writeFile(config, JSON.stringify({ mcp: { servers } }));
  const { status, stderr } = await runToolmend('mcp', '--config', config);

  expect(status).toBe(1);
  expect(stderr).toContain('The server one could not be started: there is no program no-such-one');
  expect(stderr).toContain('The server two could not be started: there is no program no-such-two');
});

test('a file that is no program', async () => {
  const path = join(folder, 'notes.txt');
  await writeFile(path, 'notes');
  const { status, stderr } = await runToolmend('mcp', '--', path);

  expect(status).toBe(1);
  expect(stderr).toContain(`${path} is not a program that may be run`);
});
