// A proxy in front of several servers.
import { McpHub } from '../../src/mcp-proxy/hub.ts';
import type { HubServer } from '../../src/mcp-proxy/lists.ts';
import { type ServerToolOptions, ServerTools } from '../../src/mcp-proxy/tools.ts';
import {
  type FakeChannel,
  type Message,
  fakeChannel,
  fakeServer,
  listTool,
  messagesTo,
  request,
  settled,
} from './harness.ts';

const integers = { type: 'array', items: { type: 'integer' } };
const search = listTool('search', { ids: integers }, { required: ['ids'] });
const text = (content: string) => ({ content: [{ type: 'text', text: content }] });

/** A server with one tool that says who it is. */
const server = (
  name: string,
  more: Parameters<typeof fakeServer>[0] = {},
  exit?: string,
): FakeChannel =>
  fakeServer(
    {
      initialize: ({ params }: Message) => ({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {}, prompts: {}, resources: {} },
        serverInfo: { name, version: '1' },
      }),
      'tools/list': () => ({ tools: [search] }),
      'tools/call': ({ params }: Message) =>
        text(`${name} ${params.name} ${JSON.stringify(params.arguments)}`),
      ...more,
    },
    exit,
  );

function hubOf(
  channels: Readonly<Record<string, FakeChannel>>,
  options: ServerToolOptions = {},
  prefix?: string,
) {
  const logLines: string[] = [];
  const log = (line: string): void => void logLines.push(line);
  const client = fakeChannel();
  const servers = Object.entries(channels).map(([name, channel]): HubServer => {
    const shownPrefix = prefix ?? `${name}_`;
    return {
      name,
      prefix: shownPrefix,
      channel,
      tools: new ServerTools({ ...options, prefix: shownPrefix }, log),
    };
  });
  const end = new McpHub(client, servers, { log }).run();
  const ask = async (id: unknown, method: string, params: object = {}): Promise<Message> => {
    await client.say(request(id, method, params));
    for (let turn = 0; turn < 5; turn += 1) await settled();
    return messagesTo(client).findLast(
      (message) => message.id === id && message.method === undefined,
    );
  };
  return { client, logged: logLines, ended: end, ask };
}

const start = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'c', version: '1' },
};

test('the start: the oldest version, what any server can do, and all instructions', async () => {
  const old = () => ({
    protocolVersion: '2024-11-05',
    capabilities: { tools: {}, logging: {}, resources: { subscribe: true } },
    serverInfo: { name: 'b', version: '1' },
    instructions: 'Ask b.',
  });
  const { ask } = hubOf({ a: server('a'), b: server('b', { initialize: old }) });

  expect((await ask(0, 'initialize', start)).result).toEqual({
    protocolVersion: '2024-11-05',
    capabilities: {
      tools: { listChanged: true },
      prompts: {},
      logging: {},
      resources: { subscribe: true },
    },
    serverInfo: { name: 'toolmend', title: 'toolmend for a, b', version: '1' },
    instructions: '# b\nAsk b.',
  });
});

test('a server that does not start is left out; if none does, the client gets an error', async () => {
  const startError = () => ({ error: { code: -32603, message: 'no key' } });
  const one = hubOf({ a: server('a'), b: server('b', { initialize: startError }) });
  const none = hubOf({ b: server('b', { initialize: startError }) });

  expect((await one.ask(0, 'initialize', start)).result.serverInfo.title).toBe('toolmend for a');
  expect((await one.ask(1, 'tools/list')).result.tools).toHaveLength(1);
  expect(one.logged).toEqual(['the server b did not start, and is left out']);
  expect((await none.ask(0, 'initialize', start)).error.message).toBe('The server b: no key');
});

test('the client is not told of changed lists before the start is answered, or after its end', async () => {
  const dying = fakeChannel(() => dying.end(), 'ended with exit code 1.');
  const second = server('a');
  const { client, ask } = hubOf({ a: second, b: dying });

  await ask(0, 'initialize', start);
  expect(messagesTo(client).map(({ id }) => id)).toEqual([0]);
  client.end();
  await settled();
  second.end();
  await settled();

  expect(client.sent).toHaveLength(1);
});

test('each message of a batch is answered, and a message that can’t be read by its id', async () => {
  const { client, ask } = hubOf({ a: server('a'), b: server('b') });
  await ask(0, 'initialize', start);
  client.sent.length = 0;

  await client.say([
    request(1, 'ping'),
    request('x', 'tools/call', { name: 'a_search', arguments: { ids: '[1]' } }),
    { jsonrpc: '2.0', id: null, method: 'tools/call', params: { name: 'a_search' } },
  ]);
  await client.say(
    `{"jsonrpc":"2.0","id":7,"method":"ping","params":${'['.repeat(300)}${']'.repeat(300)}}`,
  );
  for (let turn = 0; turn < 5; turn += 1) await settled();

  const answers = messagesTo(client).toSorted((left, right) =>
    String(left.id).localeCompare(String(right.id)),
  );
  expect(answers).toMatchObject([
    { id: 1, result: {} },
    { id: 7, error: { code: -32600, message: expect.stringContaining('deeper than 256') } },
    { id: null, error: { code: -32600 } },
    { id: 'x', result: { content: [{ text: 'a search {"ids":[1]}' }] } },
  ]);
});

test('tools of one name have distinct names, and each call reaches its server, repaired', async () => {
  const { ask } = hubOf({ a: server('a'), b: server('b') });

  const { tools } = (await ask(1, 'tools/list')).result;
  const answer = await ask(2, 'tools/call', { name: 'b_search', arguments: { ids: '["1"]' } });
  const refusal = await ask(3, 'tools/call', { name: 'a_search', arguments: {} });

  expect(tools.map(({ name }: { name: string }) => name)).toEqual(['a_search', 'b_search']);
  expect(answer.result).toEqual(text('b search {"ids":[1]}'));
  expect(refusal.result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^a_search was not executed\./) }],
  });
});

test('a call before any list, and one of an unknown tool', async () => {
  const { ask } = hubOf({ a: server('a'), b: server('b') });

  expect(
    (await ask(1, 'tools/call', { name: 'a_search', arguments: { ids: [1] } })).result,
  ).toEqual(text('a search {"ids":[1]}'));
  expect((await ask(2, 'tools/call', { name: 'search', arguments: {} })).error).toMatchObject({
    code: -32602,
    message: expect.stringContaining('The tools are: a_search, b_search.'),
  });
});

test('of two tools with one shown name, the first is listed and called', async () => {
  const { ask, logged: logLines } = hubOf({ a: server('a'), b: server('b') }, {}, '');

  expect((await ask(1, 'tools/list')).result.tools).toHaveLength(1);
  expect((await ask(2, 'tools/call', { name: 'search', arguments: { ids: [1] } })).result).toEqual(
    text('a search {"ids":[1]}'),
  );
  expect(logLines).toEqual(['b lists search, which a lists too: it is left out']);
});

test('requests of two servers with one id reach the client with distinct ones, and the responses come back', async () => {
  const [a, b] = [server('a'), server('b')];
  const { client } = hubOf({ a, b });

  await a.say(request(1, 'sampling/createMessage', { _meta: { progressToken: 1 }, who: 'a' }));
  await b.say(request(1, 'sampling/createMessage', { _meta: { progressToken: 1 }, who: 'b' }));
  const [first, second] = messagesTo(client);
  await client.say({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: second.params._meta.progressToken, progress: 1 },
  });
  await client.say({ jsonrpc: '2.0', id: second.id, result: { text: 'for b' } });
  await client.say({ jsonrpc: '2.0', id: first.id, result: { text: 'for a' } });

  expect(first.id).not.toBe(second.id);
  expect(messagesTo(a)).toEqual([{ jsonrpc: '2.0', id: 1, result: { text: 'for a' } }]);
  expect(messagesTo(b)).toEqual([
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
    { jsonrpc: '2.0', id: 1, result: { text: 'for b' } },
  ]);
});

test('a server cancels its request under the id that the client knows', async () => {
  const a = server('a');
  const { client } = hubOf({ a, b: server('b') });

  await a.say(request(1, 'elicitation/create'));
  await a.say({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: 1, reason: 'late' },
  });

  const [serverRequest, cancellation] = messagesTo(client);
  expect(cancellation.params).toEqual({ requestId: serverRequest.id, reason: 'late' });
});

test('the client’s cancellation reaches the one server that works on the call; progress of it reaches the client', async () => {
  const [a, b] = [server('a', { 'tools/call': () => undefined }), server('b')];
  const { client, ask } = hubOf({ a, b });
  await ask(1, 'tools/list');
  await ask(2, 'tools/call', {
    name: 'a_search',
    arguments: { ids: [1] },
    _meta: { progressToken: 2 },
  });

  const progress = {
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: 2, progress: 1 },
  };
  await a.say(progress);
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };
  await client.say(cancelled);

  expect(messagesTo(client).at(-1)).toEqual(progress);
  expect(messagesTo(a).at(-1)).toEqual(cancelled);
  expect(messagesTo(b).some(({ method }) => method === 'notifications/cancelled')).toBe(false);
});

test('prompts have the prefix; resources and completions go to the server that lists them', async () => {
  const lists = (name: string): Parameters<typeof fakeServer>[0] => ({
    'prompts/list': () => ({ prompts: [{ name: 'greet', title: name }] }),
    'prompts/get': ({ params }: Message) => ({ got: `${name} ${params.name}` }),
    'resources/list': () => ({ resources: [{ uri: `${name}://one`, name: 'one' }] }),
    'resources/templates/list': () => ({
      resourceTemplates: [{ uriTemplate: `${name}://item/{id}`, name: 'x' }],
    }),
    'resources/read': ({ params }: Message) => ({ read: `${name} ${params.uri}` }),
    'completion/complete': ({ params }: Message) => ({
      completed: `${name} ${params.ref.name ?? params.ref.uri}`,
    }),
  });
  const { ask } = hubOf({ a: server('a', lists('a')), b: server('b', lists('b')) });
  const promptRef = { ref: { type: 'ref/prompt', name: 'b_greet' } };
  const resourceRef = { ref: { type: 'ref/resource', uri: 'b://item/{id}' } };

  const { prompts } = (await ask(1, 'prompts/list')).result;
  expect(prompts.map(({ name }: { name: string }) => name)).toEqual(['a_greet', 'b_greet']);
  expect((await ask(2, 'prompts/get', { name: 'b_greet' })).result).toEqual({ got: 'b greet' });
  expect((await ask(3, 'resources/read', { uri: 'b://one' })).result).toEqual({
    read: 'b b://one',
  });
  expect((await ask(4, 'resources/read', { uri: 'b://item/5' })).result).toEqual({
    read: 'b b://item/5',
  });
  expect((await ask(5, 'completion/complete', promptRef)).result).toEqual({ completed: 'b greet' });
  expect((await ask(6, 'completion/complete', resourceRef)).result).toEqual({
    completed: 'b b://item/{id}',
  });
  expect((await ask(7, 'resources/read', { uri: 'c://none' })).error.code).toBe(-32601);
  expect((await ask(8, 'ping')).result).toEqual({});
});

test('a task goes on at the server that began it', async () => {
  const tasks = (name: string): Parameters<typeof fakeServer>[0] => ({
    'tools/call': () => ({ task: { taskId: `${name}-1`, status: 'working' } }),
    'tasks/get': ({ params }: Message) => ({ of: name, taskId: params.taskId }),
  });
  const { ask } = hubOf({ a: server('a', tasks('a')), b: server('b', tasks('b')) });
  await ask(1, 'tools/call', { name: 'b_search', arguments: { ids: [1] }, task: {} });

  expect((await ask(2, 'tasks/get', { taskId: 'b-1' })).result).toEqual({ of: 'b', taskId: 'b-1' });
  expect((await ask(3, 'tasks/get', { taskId: 'c-1' })).error.code).toBe(-32601);
});

test('a changed list reaches the client, and is read again; notifications of the client reach all servers', async () => {
  let tools = [search];
  const [a, b] = [server('a', { 'tools/list': () => ({ tools }) }), server('b')];
  const { client, ask } = hubOf({ a, b });
  await ask(1, 'tools/list');
  tools = [listTool('fresh', { ids: integers })];
  const changeNotice = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
  const roots = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };

  await a.say(changeNotice);
  await client.say(roots);

  expect(messagesTo(client).at(-1)).toEqual(changeNotice);
  expect(
    (await ask(2, 'tools/call', { name: 'a_fresh', arguments: { ids: '[1]' } })).result,
  ).toEqual(text('a fresh {"ids":[1]}'));
  expect(a.sent).toContain(JSON.stringify(roots));
  expect(b.sent).toContain(JSON.stringify(roots));
});

test('a server that dies takes its tools with it; its calls get an error, and the others go on', async () => {
  const a = server('a', { 'tools/call': () => undefined }, 'ended with exit code 3');
  const { client, ask, logged: logLines, ended: end } = hubOf({ a, b: server('b') });
  await ask(1, 'tools/list');
  await ask(2, 'tools/call', { name: 'a_search', arguments: { ids: [1] } });

  a.end();
  await settled();

  expect(messagesTo(client).slice(-2)).toEqual([
    {
      jsonrpc: '2.0',
      id: 2,
      error: { code: -32000, message: 'The server a ended with exit code 3.' },
    },
    { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
  ]);
  expect(logLines).toEqual(['The server a ended with exit code 3.']);
  expect(
    (await ask(3, 'tools/call', { name: 'b_search', arguments: { ids: [1] } })).result,
  ).toEqual(text('b search {"ids":[1]}'));
  expect(
    (await ask(4, 'tools/call', { name: 'a_search', arguments: { ids: [1] } })).error.code,
  ).toBe(-32602);
  client.end();
  expect(await end).toBe('client');
});

describe('the stateless revision', () => {
  const envelope = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
  const discovered = (versions: readonly string[], ttlMs: number) => ({
    resultType: 'complete',
    supportedVersions: versions,
    capabilities: { tools: {} },
    ttlMs,
    cacheScope: ttlMs > 5 ? 'public' : 'private',
  });

  test('is spoken if all servers do, in a version that all have', async () => {
    const modern = (...versions: readonly string[]) =>
      server('m', { 'server/discover': () => discovered(versions, versions.length * 5) });
    const { ask } = hubOf({ a: modern('2026-07-28', '2027-01-01'), b: modern('2026-07-28') });
    const mixed = hubOf({
      a: modern('2026-07-28'),
      b: server('b', {
        'server/discover': () => ({ error: { code: -32601, message: 'Method not found' } }),
      }),
    });

    expect((await ask(1, 'server/discover', envelope)).result).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true } },
      ttlMs: 5,
      cacheScope: 'private',
    });
    expect((await mixed.ask(1, 'server/discover', envelope)).error.code).toBe(-32601);
  });

  test('a subscription is one at each server, under the client’s id', async () => {
    const [a, b] = [server('a'), server('b')];
    const { client } = hubOf({ a, b });
    await client.say(
      request('listen-1', 'subscriptions/listen', { ...envelope, notifications: {} }),
    );
    await settled();
    const proxyId = messagesTo(a)[0].id;
    const key = 'io.modelcontextprotocol/subscriptionId';

    await a.say({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
      params: { _meta: { [key]: proxyId } },
    });
    await client.say({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 'listen-1' },
    });
    await settled();

    expect(messagesTo(client)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/tools/list_changed',
        params: { _meta: { [key]: 'listen-1' } },
      },
    ]);
    expect(messagesTo(a).at(-1).params).toEqual({ requestId: proxyId });
    expect(messagesTo(b).at(-1).method).toBe('notifications/cancelled');
  });
});

test.each([
  ['hello', -32700],
  ['["ping"]', -32700],
])('a message that can’t be read: %s', async (message, code) => {
  const { client } = hubOf({ a: server('a'), b: server('b') });

  await client.say(message);

  expect(messagesTo(client)).toMatchObject([{ id: null, error: { code } }]);
});
