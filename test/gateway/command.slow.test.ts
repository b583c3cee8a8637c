// The command, in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type Server, type ServerResponse, createServer } from 'node:http';
import { join } from 'node:path';
import OpenAI from 'openai';
import { startScriptedServer } from '../adapters/scripted-server.ts';
import { temporaryFolder } from '../checks/temporary-folder.ts';

const command = join(import.meta.dirname, '../../src/cli/toolmend.ts');
const children: ChildProcess[] = [];

const upstreams: Server[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const upstream of upstreams.splice(0)) {
    upstream.closeAllConnections();
    upstream.close();
  }
});

/** Starts `toolmend gateway`; resolves to the base URL that it prints. */
async function startCommand(...args: readonly string[]): Promise<string> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', command, 'gateway', ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  children.push(child);
  child.stderr.pipe(process.stderr, { end: false });
  child.stdout.setEncoding('utf8');
  let printed = '';
  for await (const text of child.stdout) {
    printed += String(text);
    const url = /http:\/\/127\.0\.0\.1:\d+\S*/.exec(printed)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error(`the gateway ended: ${printed}`);
}

const tool = {
  type: 'function',
  function: {
    name: 'read_files',
    parameters: {
      type: 'object',
      properties: { paths: { type: 'array', items: { type: 'string' } } },
      required: ['paths'],
    },
  },
} as const;

test('a streamed call with an array as JSON text reaches the openai client with the array', async () => {
  const call = {
    id: 'call_1',
    name: 'read_files',
    arguments: '{"paths":"[\\"a.ts\\",\\"b.ts\\"]"}',
  };
  const upstream = await startScriptedServer({ text: 'Reading both.', calls: [call] });
  const baseURL = await startCommand('--upstream', upstream.baseURL);

  const client = new OpenAI({ baseURL, apiKey: 'sk-test' });
  const stream = client.chat.completions.stream({
    model: 'scripted',
    messages: [{ role: 'user', content: 'Read a.ts and b.ts.' }],
    tools: [tool],
  });
  const { choices } = await stream.finalChatCompletion();

  expect(choices[0]?.message.content).toBe('Reading both.');
  expect(choices[0]?.message.tool_calls).toMatchObject([
    { id: 'call_1', function: { name: 'read_files', arguments: '{"paths":["a.ts","b.ts"]}' } },
  ]);
});

test('the settings are those of toolmend.config.json, and the log is written', async () => {
  const call = { id: 'call_1', name: 'read_files', arguments: '{"paths":"a.ts"}' };
  const upstream = await startScriptedServer({ calls: [call] });
  const folder = temporaryFolder();
  const log = join(folder, 'calls.jsonl');
  const config = join(folder, 'toolmend.config.json');
  writeFileSync(
    config,
    JSON.stringify({ gateway: { upstreams: [{ url: upstream.baseURL }], log } }),
  );
  const baseURL = await startCommand('--config', config);

  const client = new OpenAI({ baseURL, apiKey: 'sk-test' });
  await client.chat.completions.create({ model: 'scripted', messages: [], tools: [tool] });
  children[0]?.kill('SIGTERM');
  await once(children[0] ?? process, 'exit');

  expect(JSON.parse(readFileSync(log, 'utf8'))).toMatchObject({
    status: 'repaired',
    rules: ['wrap_in_array'],
  });
});

test('a call that takes longer than 15 seconds is announced by comments, which clients ignore', async () => {
  const event = (delta: object, finish_reason: string | null = null): string =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const begun = { index: 0, id: '1', function: { name: 'read_files', arguments: '{"paths":' } };
  const rest = { index: 0, function: { arguments: '"a"}' } };
  const announced = Promise.withResolvers<void>();
  const server = createServer((incoming, response) => {
    incoming.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event({ tool_calls: [begun] }));
    void announced.promise.then(() =>
      response.end(`${event({ tool_calls: [rest] })}${event({}, 'tool_calls')}`),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const baseURL = await startCommand('--upstream', `http://127.0.0.1:${port}/v1`);
  const body = JSON.stringify({ model: 'm', messages: [], tools: [tool] });
  const answer = await fetch(`${baseURL}/chat/completions`, { method: 'POST', body });
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of answer.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.includes('\n\n')) announced.resolve();
  }
  server.close();

  // One for each 15 seconds.
  expect(text).toMatch(/^(?:: a tool call is on its way\n\n)+data: /);
  expect(text).toContain(JSON.stringify('{"paths":["a"]}'));
});

test('the command ends with code 0 when it is asked to', async () => {
  await startCommand('--upstream', 'http://127.0.0.1:9/v1');
  const [child] = children;
  const ended = once(child ?? process, 'exit');
  child?.kill('SIGTERM');

  expect(await ended).toEqual([0, null]);
});

describe('a signal', () => {
  /** The command with a stream that has begun, and what ends it. */
  async function begin(...args: readonly string[]) {
    const begun = Promise.withResolvers<ServerResponse>();
    const upstream = createServer((incoming, response) => {
      incoming.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': begun\n\n');
      begun.resolve(response);
    });
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const address = upstream.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const baseURL = await startCommand('--upstream', `http://127.0.0.1:${port}/v1`, ...args);
    const answer = await fetch(`${baseURL}/chat/completions`, { method: 'POST', body: '{}' });
    const [child] = children.slice(-1);
    if (child === undefined) throw new Error('there is no process');
    const exited = once(child, 'exit').then(([code]) => Number(code));
    const response = await begun.promise;
    upstreams.push(upstream);
    /** Sends a signal; resolves when the process says that it waits for the stream. */
    const askToEnd = async (): Promise<void> => {
      const heard = Promise.withResolvers<void>();
      let printed = '';
      child.stderr?.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        if (printed.includes('waiting for 1 open answer')) heard.resolve();
      });
      child.kill('SIGTERM');
      await heard.promise;
    };
    return { answer, child, exited, response, askToEnd };
  }

  test('lets an open stream end, and then the process ends', async () => {
    const { answer, child, exited, response, askToEnd } = await begin();
    await askToEnd();
    const before = child.exitCode;
    response.end('data: [DONE]\n\n');

    expect(await answer.text()).toBe(': begun\n\ndata: [DONE]\n\n');
    expect([before, await exited]).toEqual([null, 0]);
  });

  test('cuts an open stream after the limit', async () => {
    const { answer, child, exited } = await begin('--drain', '200ms');
    child.kill('SIGTERM');

    await expect(answer.text()).rejects.toThrow('terminated');
    expect(await exited).toBe(0);
  });

  test('that comes again ends the process at once', async () => {
    const { answer, child, exited, askToEnd } = await begin('--drain', '5m');
    await askToEnd();
    child.kill('SIGTERM');

    await expect(answer.text()).rejects.toThrow('terminated');
    expect(await exited).toBe(0);
  });
});
