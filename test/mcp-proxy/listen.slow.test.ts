// `toolmend mcp --port`: the proxy over HTTP, with servers over stdio and over HTTP behind it.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { patient } from '../adapters/mcp/connections.ts';
import { projectFolder } from '../checks/project-folder.ts';

const file = (path: string): string => join(projectFolder, path);
const scripted = ['--', process.execPath, file('test/mcp-proxy/scripted-program.ts')];
const registry = ['--', process.execPath, file('test/adapters/mcp/stdio-program.ts')];

const children: ChildProcessByStdio<null, Readable, Readable>[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'close');
  }
});

/** Starts the command with `--port 0`. Resolves with what it prints first. */
async function start(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(
    process.execPath,
    [file('src/cli/toolmend.ts'), 'mcp', '--port', '0', ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    },
  );
  children.push(child);
  const firstOutput = await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]);
  const line = String(firstOutput[0]).trim();
  return { line, url: new URL(/http:\S+/.exec(line)?.[0] ?? 'http://127.0.0.1:9') };
}

async function connect(url: URL, era: 'legacy' | 'modern', headers: Record<string, string> = {}) {
  const client = new Client(
    { name: 'tests', version: '1.0.0' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } },
  );
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers } }),
    patient,
  );
  return client;
}

const sentTo = (result: object): string => JSON.stringify(result);

test('two sessions have servers of their own; the client of the first SDK ends its session', async () => {
  const { url } = await start(scripted);
  const first = await connect(url, 'legacy');
  const second = new Client1({ name: 'tests', version: '1.0.0' });
  const transport = new Transport1(url);
  await second.connect(transport, patient);

  const died = await first
    .callTool({ name: 'die', arguments: {} })
    .catch((error: Error) => error.message);
  const result = await second.callTool({ name: 'read_files', arguments: { paths: '["a.txt"]' } });
  const { sessionId } = transport;
  await transport.terminateSession();
  const responseAfterEnd = await fetch(url, {
    method: 'DELETE',
    headers: { 'mcp-session-id': String(sessionId) },
  });
  await first.close();

  expect(died).toContain('The server ended with exit code 3.');
  expect(sentTo(result)).toContain(String.raw`\"paths\":[\"a.txt\"]`);
  expect(responseAfterEnd.status).toBe(404);
});

test('clients of the stateless revision use the same ids; progress and cancellation find their request', async () => {
  const { url } = await start(registry);
  const clients = await Promise.all([connect(url, 'modern'), connect(url, 'modern')]);
  const wait = async (client: Client) => {
    const stop = new AbortController();
    const progress: unknown[] = [];
    const onprogress = (update: unknown): void => {
      progress.push(update);
      if (progress.length === 2) stop.abort();
    };
    const outcome = await client
      .callTool({ name: 'wait_for_abort', arguments: {} }, { signal: stop.signal, onprogress })
      .catch(() => 'aborted');
    return { outcome, updates: progress.length };
  };

  const [one, two] = await Promise.all(clients.map(wait));
  const [client] = clients;
  const change = Promise.withResolvers<void>();
  client?.setNotificationHandler('notifications/tools/list_changed', () => change.resolve());
  await client?.listen({ toolsListChanged: true });
  await clients[1]?.callTool({ name: 'learn', arguments: {} });
  await change.promise;
  await Promise.all(clients.map((each) => each.close()));

  expect([one, two]).toEqual(Array.from({ length: 2 }, () => ({ outcome: 'aborted', updates: 2 })));
});

test('a proxy in front of a proxy over HTTP', async () => {
  const inner = await start(scripted);
  const outer = await start(['--url', inner.url.href]);
  const client = await connect(outer.url, 'legacy');

  const { tools } = await client.listTools();
  const result = await client.callTool({ name: 'read_files', arguments: { paths: 'a.txt' } });
  await client.close();

  expect(tools).toHaveLength(4);
  expect(sentTo(result)).toContain(String.raw`\"paths\":[\"a.txt\"]`);
});

const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const json = { 'content-type': 'application/json' };
const post = async (url: URL, headers: Record<string, string>, text = body) =>
  fetch(url, { method: 'POST', headers: { ...json, ...headers }, body: text });

test('requests of pages, without a session, and that are not one message are refused', async () => {
  const { url } = await start(scripted);
  const statuses = await Promise.all([
    post(url, { origin: 'https://evil.example' }),
    post(url, { 'content-type': 'text/plain' }),
    post(url, { 'mcp-session-id': 'none' }),
    post(url, {}),
    post(url, {}, '{'),
    post(url, {}, `[${body}]`),
    post(new URL('/other', url), {}),
    fetch(url),
  ]);

  expect(statuses.map(({ status }) => status)).toEqual([403, 415, 404, 400, 400, 400, 404, 405]);
});

test.each([
  ['2025-03-26', 200],
  ['2025-06-18', 400],
])('a batch in a session of revision %s has the status %i', async (protocolVersion, status) => {
  const { url } = await start(scripted);
  const message = (id: number | undefined, method: string, params: object = {}) => ({
    jsonrpc: '2.0',
    ...(id === undefined ? {} : { id }),
    method,
    params,
  });
  const sessionResponse = await post(
    url,
    {},
    JSON.stringify(message(1, 'initialize', { protocolVersion })),
  );
  await sessionResponse.text();
  const session = { 'mcp-session-id': sessionResponse.headers.get('mcp-session-id') ?? '' };
  const call = { name: 'read_files', arguments: { paths: '["a.txt"]' } };
  const answered = await post(
    url,
    session,
    JSON.stringify([
      message(undefined, 'notifications/initialized'),
      message(2, 'tools/call', call),
      message(3, 'tools/list'),
    ]),
  );
  const text = await answered.text();
  const notice = await post(
    url,
    session,
    JSON.stringify([message(undefined, 'notifications/initialized')]),
  );

  expect([answered.status, notice.status]).toEqual([status, status === 200 ? 202 : 400]);
  if (status === 400)
    return expect(text).toContain('only sessions of revision 2025-03-26 have batches');
  const answers = text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
  expect(new Map(answers.map(({ id, result }) => [id, Object.keys(result)]))).toEqual(
    new Map([
      [2, ['content']],
      [3, ['tools']],
    ]),
  );
  return expect(text).toContain(String.raw`\"paths\":[\"a.txt\"]`);
});

test('a body that is too long, a path of slashes and a deep message are answered', async () => {
  const { url } = await start(scripted);
  const { request } = await import('node:http');
  const clientRequest = request(url, { method: 'POST', headers: json });
  const answered = once(clientRequest, 'response');
  for (let part = 0; part < 33; part += 1) clientRequest.write('x'.repeat(1024 * 1024));
  clientRequest.end();
  const [tooLong] = await answered;
  tooLong.resume();
  const slashes = request({ host: url.hostname, port: url.port, path: '//' });
  slashes.end();
  const [slashResponse] = await once(slashes, 'response');
  slashResponse.resume();
  const deep = await post(
    url,
    {},
    `{"jsonrpc":"2.0","id":7,"method":"ping","params":${'['.repeat(300)}${']'.repeat(300)}}`,
  );

  expect([tooLong.statusCode, slashResponse.statusCode, deep.status]).toEqual([413, 404, 400]);
  expect(await deep.json()).toMatchObject({
    id: 7,
    error: { message: expect.stringContaining('deeper than 256') },
  });
});

test('a page of an allowed origin may send requests with a token, and read the answers', async () => {
  const origin = 'https://app.example';
  const { url } = await start(
    ['--token-env', 'PROXY_TOKEN', '--allow-origin', origin, ...scripted],
    {
      PROXY_TOKEN: 'open sesame',
    },
  );
  const ask = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  };
  const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin, ...ask } });
  const foreign = await fetch(url, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', ...ask },
  });
  const tokenlessResponse = await post(url, { origin });
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
  };
  const answer = await post(
    url,
    { origin, authorization: 'Bearer open sesame', accept: 'application/json, text/event-stream' },
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  );
  await answer.text();

  expect([preflight.status, foreign.status, tokenlessResponse.status, answer.status]).toEqual([
    204, 403, 401, 200,
  ]);
  expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
  expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization');
  expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
  expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
  expect(answer.headers.get('access-control-expose-headers')).toBe('mcp-session-id');
});

test('a request of the stateless revision whose headers say something else is refused', async () => {
  const { url } = await start(scripted);
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const call = {
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name: 'die', _meta: meta },
  };
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'read',
  };
  const response = await post(url, headers, JSON.stringify(call));

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ id: 7, error: { code: -32_020 } });
});

test('a foreign Host is refused, as DNS rebinding would send it', async () => {
  const { url } = await start(scripted);
  const { request } = await import('node:http');
  const clientRequest = request(url, {
    method: 'POST',
    headers: { ...json, host: 'evil.example' },
  });
  clientRequest.end(body);
  const [response] = await once(clientRequest, 'response');
  response.resume();

  expect(response.statusCode).toBe(403);
});

test('a token is needed beyond loopback, and clients must send it', async () => {
  const refusal = await start(['--host', '0.0.0.0', ...scripted]);
  const { url } = await start(['--token-env', 'PROXY_TOKEN', ...scripted], {
    PROXY_TOKEN: 'open sesame',
  });

  const tokenlessResponse = await post(url, {});
  const client = await connect(url, 'legacy', { authorization: 'Bearer open sesame' });
  const { tools } = await client.listTools();
  await client.close();

  expect(refusal.line).toContain('0.0.0.0 is not loopback');
  expect(tokenlessResponse.status).toBe(401);
  expect(tools).toHaveLength(4);
});

/** A server whose only tool says that it was called and by which process, and answers on a signal. */
const slowServer = `
  import { createInterface } from 'node:readline';
  const results = {
    initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }),
    'tools/list': () => ({ tools: [{ name: 'wait', inputSchema: { type: 'object' } }] }),
  };
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === 'tools/call') {
      process.once('SIGUSR2', () => send({ id, result: { content: [{ type: 'text', text: 'done' }] } }));
      console.error('called in ' + process.pid + '.');
    } else if (id !== undefined) send({ id, result: results[method]?.(params) });
  });
`;

describe('SIGTERM', () => {
  const slow = ['--', process.execPath, '--input-type=module', '--eval', slowServer];

  /** Ends the proxy while a call is open. `isAnswered`: the server answers it then. */
  async function callAndEnd(isAnswered: boolean, args: readonly string[] = []) {
    const { url } = await start([...args, ...slow]);
    const [child] = children;
    const [client, other] = await Promise.all([connect(url, 'legacy'), connect(url, 'legacy')]);
    const errors: string[] = [];
    child?.stderr.on('data', (data) => errors.push(String(data)));
    const hasPrinted = (words: string): Promise<void> =>
      new Promise((resolve) => {
        child?.stderr.on('data', () => errors.join('').includes(words) && resolve());
      });
    const [called, asked] = [hasPrinted('called in '), hasPrinted('waiting')];
    const ended = child && once(child, 'close');
    const result = client
      .callTool({ name: 'wait', arguments: {} })
      .catch((error: Error) => error.message);
    await called;
    child?.kill('SIGTERM');
    await asked;
    const later = await other.callTool({ name: 'wait', arguments: {} }).catch(() => 'refused');
    const [, pid] = /called in (\d+)\./.exec(errors.join('')) ?? [];
    if (isAnswered) process.kill(Number(pid), 'SIGUSR2');
    return { result: await result, later, code: (await ended)?.[0], errors: errors.join('') };
  }

  test('lets an open call end, and takes no new one', async () => {
    const { result, later, code, errors } = await callAndEnd(true);

    expect(result).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
    expect([later, code]).toEqual(['refused', 0]);
    expect(errors).toContain('waiting for 1 open answer, at most 30 s');
  });

  test('waits no longer than --drain says', async () => {
    const { result, code, errors } = await callAndEnd(false, ['--drain', '50ms']);

    expect(result).toContain('The proxy has ended.');
    expect(code).toBe(0);
    expect(errors).toContain('waiting for 1 open answer, at most 0.05 s');
  });
});
