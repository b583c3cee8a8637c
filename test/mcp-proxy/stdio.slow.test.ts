// `toolmend mcp` in front of servers over stdio, with the SDK's clients unmodified.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioClientTransport1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { patient } from '../adapters/mcp/connections.ts';
import { projectFolder } from '../checks/project-folder.ts';
import { temporaryFolder } from '../checks/temporary-folder.ts';

const file = (path: string): string => join(projectFolder, path);
const command = process.execPath;
const proxied = (server: string, ...options: readonly string[]): string[] => [
  file('src/cli/toolmend.ts'),
  'mcp',
  ...options,
  '--',
  command,
  file(server),
];
const scripted = 'test/mcp-proxy/scripted-program.ts';
const registry = 'test/adapters/mcp/stdio-program.ts';

async function connect(era: 'legacy' | 'modern', args: string[], env: Record<string, string> = {}) {
  const client = new Client(
    { name: 'tests', version: '1.0.0' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } },
  );
  const transport = new StdioClientTransport({ command, args, env, stderr: 'pipe' });
  let errors = '';
  transport.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  await client.connect(transport, patient);
  /** Until this was written to standard error. */
  const heard = async (text: string): Promise<void> => {
    while (!errors.includes(text)) await delay(10);
  };
  return { client, errors: () => errors, heard };
}

const textOf = (result: { content: readonly object[] }): string =>
  result.content.map((block) => ('text' in block ? String(block.text) : '')).join('\n');

test('a stringified list is repaired before the server gets it, and hints are in the list', async () => {
  const { client } = await connect('legacy', proxied(scripted));

  const toolList = await client.listTools();
  const result = await client.callTool({
    name: 'read_files',
    arguments: { paths: '["a.txt"]', limit: '2' },
  });
  await client.close();

  expect(toolList.tools[0]?.description).toBe('Reads files.\npaths is a JSON array of strings.');
  expect(JSON.parse(textOf(result)).params).toMatchObject({
    name: 'read_files',
    arguments: { paths: ['a.txt'], limit: 2 },
  });
});

test('the client of the first SDK calls without asking for the list before', async () => {
  const client = new Client1({ name: 'tests', version: '1.0.0' });
  const transport = new StdioClientTransport1({
    command,
    args: proxied(scripted),
    stderr: 'ignore',
  });
  await client.connect(transport, patient);

  const result = await client.callTool({ name: 'read_files', arguments: { paths: '["a.txt"]' } });
  const refusal = await client.callTool({ name: 'read_files', arguments: { limit: 2 } });
  await client.close();

  expect(result.content).toMatchObject([{ text: expect.stringContaining('"paths":["a.txt"]') }]);
  expect(refusal).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('paths is missing') }],
  });
});

test('the stateless revision passes: progress, cancellation and announced changes', async () => {
  const { client, heard } = await connect('modern', proxied(registry));
  const change = Promise.withResolvers<void>();
  client.setNotificationHandler('notifications/tools/list_changed', () => change.resolve());
  const subscription = await client.listen({ toolsListChanged: true });
  const { tools } = await client.listTools();
  const progress: unknown[] = [];
  const stop = new AbortController();

  const cancelled = client
    .callTool(
      { name: 'wait_for_abort', arguments: {} },
      {
        signal: stop.signal,
        onprogress: (update) => {
          progress.push(update);
          stop.abort();
        },
      },
    )
    .catch((error: unknown) => error);
  const aborted = await cancelled;
  await client.callTool({ name: 'learn', arguments: {} });
  await change.promise;
  const newList = await client.listTools(undefined, { cacheMode: 'refresh' });
  await heard('it was aborted');
  await subscription.close();
  await client.close();

  expect(aborted).toBeInstanceOf(Error);
  expect(progress).not.toEqual([]);
  expect(newList.tools).toHaveLength(tools.length + 1);
});

test('a server gets the default variables and those that are named, no others', async () => {
  const env = { SECRET_TOKEN: 'secret', WANTED: 'wanted', PATH: process.env['PATH'] ?? '' };
  const { client } = await connect('legacy', proxied(scripted, '--env', 'WANTED'), env);

  const result = await client.callTool({ name: 'environment', arguments: {} });
  await client.close();

  expect(JSON.parse(textOf(result))).toMatchObject({ WANTED: 'wanted', PATH: env.PATH });
  expect(textOf(result)).not.toContain('SECRET_TOKEN');
});

test('what a server writes beside the protocol reaches standard error only', async () => {
  const { client, heard } = await connect('legacy', proxied(scripted));
  const faults: Error[] = [];
  Object.assign(client, { onerror: (error: Error) => faults.push(error) });

  const result = await client.callTool({ name: 'babble', arguments: {} });
  await heard('a word on standard error');
  await heard('a line that is not a message');
  await client.close();

  expect(textOf(result)).toBe('done');
  expect(faults).toEqual([]);
});

test('a server that dies: the call fails with its exit code, and the proxy ends', async () => {
  const { client, errors } = await connect('legacy', proxied(scripted));
  const { promise: close, resolve: onclose } = Promise.withResolvers<void>();
  Object.assign(client, { onclose });

  await expect(client.callTool({ name: 'die', arguments: {} })).rejects.toThrow(
    'The server ended with exit code 3.',
  );
  await close;

  expect(errors()).toContain('toolmend: The server ended with exit code 3.');
});

test('exit codes: 0 when the client goes, 1 when the server dies, 2 for wrong usage', async () => {
  const run = (args: string[]): ChildProcess =>
    spawn(command, args, { stdio: ['pipe', 'ignore', 'ignore'] });
  const codeOf = async (child: ChildProcess): Promise<unknown> => (await once(child, 'close'))[0];
  const quiet = run(proxied(scripted));
  quiet.stdin?.end();

  expect(await codeOf(quiet)).toBe(0);
  expect(
    await codeOf(run([file('src/cli/toolmend.ts'), 'mcp', '--', 'there-is-no-such-command'])),
  ).toBe(1);
  expect(await codeOf(run([file('src/cli/toolmend.ts'), 'mcp']))).toBe(2);
});

test('a log that replay reads: what became of each call, without secrets', async () => {
  const folder = temporaryFolder();
  const log = join(folder, 'calls.jsonl');
  const { client } = await connect('legacy', proxied(scripted, '--log', log, '--log-contents'));
  await client.callTool({ name: 'read_files', arguments: { paths: '["a.txt"]' } });
  await client.callTool({ name: 'read_files', arguments: { paths: ['a'], token: 'hush' } });
  await client.close();

  const lines = readFileSync(log, 'utf8').trim().split('\n');
  const replay = spawn(command, [file('src/cli/toolmend.ts'), 'replay', log], { stdio: 'ignore' });
  const [exitCode]: unknown[] = await once(replay, 'close');

  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      tool: 'read_files',
      status: 'repaired',
      rules: ['json_text_to_array'],
      arguments: '{"paths":"[\\"a.txt\\"]"}',
    },
    { tool: 'read_files', status: 'rejected', issues: [{ keyword: 'additionalProperties' }] },
  ]);
  expect(lines.join()).not.toContain('hush');
  expect(exitCode).toBe(0);
});

describe('several servers', () => {
  const config = (servers: object): string =>
    join(temporaryFolder({ 'c.json': JSON.stringify({ mcp: { servers } }) }), 'c.json');
  const run = (server: string, more: object = {}): object => ({
    command,
    args: [file(server)],
    ...more,
  });
  const proxy = (servers: object, ...options: readonly string[]): string[] => [
    file('src/cli/toolmend.ts'),
    'mcp',
    '--config',
    config(servers),
    ...options,
  ];

  test('under one roof: tools of one name, repaired calls, own environments, and one that dies', async () => {
    const servers = {
      one: run(scripted, { env: { ONLY: 'one' } }),
      two: run(scripted),
      rows: run(registry),
    };
    const { client, heard } = await connect('legacy', proxy(servers));
    const change = Promise.withResolvers<void>();
    client.setNotificationHandler('notifications/tools/list_changed', () => change.resolve());

    const { tools } = await client.listTools();
    const result = await client.callTool({
      name: 'two_read_files',
      arguments: { paths: '["a.txt"]' },
    });
    const environments = await Promise.all(
      ['one', 'two'].map((name) => client.callTool({ name: `${name}_environment`, arguments: {} })),
    );
    const died = await client
      .callTool({ name: 'one_die', arguments: {} })
      .catch((error: Error) => error.message);
    await change.promise;
    const newList = await client.listTools(undefined, { cacheMode: 'refresh' });
    await heard('The server one ended');
    await client.close();

    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['one_read_files', 'two_read_files', 'rows_read_files']),
    );
    expect(JSON.parse(textOf(result)).params).toMatchObject({
      name: 'read_files',
      arguments: { paths: ['a.txt'] },
    });
    expect(environments.map((one) => textOf(one).includes('ONLY'))).toEqual([true, false]);
    expect(died).toContain('The server one ended with exit code 3.');
    expect(newList.tools.map(({ name }) => name)).not.toContain('one_read_files');
  });

  test('in the stateless revision, with announced changes, also if one starts slowly', async () => {
    const late = {
      command: 'sh',
      args: ['-c', 'sleep 6 && exec "$0" "$1"', command, file(registry)],
    };
    const { client } = await connect('modern', proxy({ one: run(registry), two: late }));
    const change = Promise.withResolvers<void>();
    client.setNotificationHandler('notifications/tools/list_changed', () => change.resolve());
    const subscription = await client.listen({ toolsListChanged: true });
    const oldList = await client.listTools();

    await client.callTool({ name: 'two_learn', arguments: {} });
    await change.promise;
    const newList = await client.listTools(undefined, { cacheMode: 'refresh' });
    await subscription.close();
    await client.close();

    expect(newList.tools).toHaveLength(oldList.tools.length + 1);
    expect(newList.tools.at(-1)?.name).toBe('two_learned');
  });

  test('printed pins are those under which calls go through', async () => {
    const child = spawn(command, proxy({ one: run(scripted) }, '--print-pins'), {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child, 'close');
    const { one: pins } = JSON.parse(output);

    const { client } = await connect('legacy', proxy({ one: run(scripted, { pins }) }));
    const result = await client.callTool({ name: 'read_files', arguments: { paths: ['a'] } });
    await client.close();
    const other = { ...pins, read_files: pins.die };
    const wary = await connect('legacy', proxy({ one: run(scripted, { pins: other }) }));
    const refusal = await wary.client.callTool({ name: 'read_files', arguments: { paths: ['a'] } });
    await wary.client.close();

    expect(result.isError).toBeUndefined();
    expect(textOf(refusal)).toContain('Its definition has changed');
  });
});
