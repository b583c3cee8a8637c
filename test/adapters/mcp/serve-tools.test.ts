// Does a registry, served over the protocol, show its tools and answer calls as it does elsewhere? With the real client.
import type { Progress } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { defineTool, ToolFailure, type ToolOutcome, ToolRegistry } from 'toolmend';
import { serveTools, type ServeOptions } from 'toolmend/mcp';
import { type Connection, inMemory, overHttp, overStdio } from './connections.ts';
import { sampleTools } from './sample-tools.ts';

const identity = { name: 'samples', version: '1.0.0' };

const ways = {
  'stdio, with a handshake': () => overStdio('stdio-program.ts', 'legacy'),
  'stdio, stateless': () => overStdio('stdio-program.ts', 'modern'),
  'HTTP, with a handshake': () => overHttp(sampleServer(), 'legacy'),
  'HTTP, stateless': () => overHttp(sampleServer(), 'modern'),
};

function sampleServer(): () => McpServer {
  const tools = sampleTools();
  return () => serveTools(new McpServer(identity), tools);
}

describe.each(Object.entries(ways))('over %s', (way, connect) => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await connect();
  });
  afterAll(() => connection.close());

  test('the tools are listed with annotations and schemas, without our own', async () => {
    const { tools } = await connection.client.listTools();

    expect(tools.map(({ name }) => name)).toEqual([
      'read_files',
      'count_rows',
      'draw',
      'drop_table',
      'wait_for_abort',
      'learn',
    ]);
    const [readFiles, countRows, draw, drop] = tools;
    expect(readFiles).toMatchObject({
      annotations: { readOnlyHint: true },
      description: expect.stringMatching(/^Read text files\.\n.*JSON array/s),
    });
    expect(JSON.stringify(tools)).not.toContain('x-toolmend');
    expect(countRows?.outputSchema).toMatchObject({ properties: { rows: { type: 'integer' } } });
    expect(draw?.annotations).toBeUndefined();
    expect(drop?.annotations).toEqual({ readOnlyHint: false, destructiveHint: true });
  });

  test('a valid call is answered with the text, and nothing else', async () => {
    const result = await connection.client.callTool({
      name: 'read_files',
      arguments: { paths: ['a'], offset: 2, limit: 1 },
    });

    expect(result.content).toEqual([{ type: 'text', text: 'a from 2' }]);
    expect(result.isError ?? false).toBe(false);
  });

  test('a near miss is repaired, and its note stands in a block of its own', async () => {
    const result = await connection.client.callTool({
      name: 'Read-Files',
      arguments: { file: '["a","b"]', limit: '5' },
    });

    expect(result.content).toEqual([
      { type: 'text', text: 'a and b from 0' },
      {
        type: 'text',
        text: 'offset was not sent; 0 was used.',
        annotations: { audience: ['assistant'] },
      },
    ]);
  });

  test('structured content, text of its own, images', async () => {
    const rows = await connection.client.callTool({ name: 'count_rows', arguments: { table: 'orders' } });
    const point = await connection.client.callTool({ name: 'draw' });

    expect(rows).toMatchObject({
      structuredContent: { rows: 6 },
      content: [{ type: 'text', text: '{"rows":6}' }],
    });
    expect(point.content).toEqual([
      { type: 'text', text: 'A point.' },
      { type: 'image', data: 'iVA=', mimeType: 'image/png' },
    ]);
    // The older protocol has no structured content but objects.
    expect(point.structuredContent).toEqual(way.includes('handshake') ? { result: [1, 2] } : [1, 2]);
  });

  test('what the model did wrong is a result that says so', async () => {
    const result = await connection.client.callTool({ name: 'count_rows', arguments: { rows: 7 } });

    expect(result.isError).toBe(true);
    expect(result.content).toEqual([
      { type: 'text', text: expect.stringMatching(/^count_rows was not executed\.\n/) },
    ]);
  });

  test('a failure is told in its own words, an exception is not', async () => {
    const failure = await connection.client.callTool({ name: 'drop_table', arguments: { table: 'orders' } });
    const exception = await connection.client.callTool({
      name: 'drop_table',
      arguments: { table: 'secret' },
    });

    expect(failure).toMatchObject({ isError: true, content: [{ text: 'orders is in use.' }] });
    expect(exception).toMatchObject({
      isError: true,
      content: [
        { text: expect.stringMatching(/^drop_table failed with an internal error \(error \w+\)\.$/) },
      ],
    });
    expect(JSON.stringify(exception)).not.toContain('hunter2');
  });

  test('a tool that there is not is an error of the protocol, with the nearest names', async () => {
    const call = connection.client.callTool({ name: 'read_folders', arguments: {} });

    await expect(call).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('read_files'),
    });
  });

  test('progress reaches the client, and its cancellation reaches the tool', async () => {
    const { promise: half, resolve } = Promise.withResolvers<void>();
    const seen: Progress[] = [];
    const controller = new AbortController();
    const onprogress = (update: Progress): void => {
      seen.push(update);
      if (update.message === 'half') resolve();
    };

    const call = connection.client.callTool(
      { name: 'wait_for_abort' },
      { onprogress, signal: controller.signal },
    );
    const rejected = expect(call).rejects.toThrow();
    await half;
    controller.abort();
    await rejected;

    expect(seen).toEqual([
      { progress: 1, message: 'started' },
      { progress: 5, total: 10, message: 'half' },
    ]);
    if (way.startsWith('stdio')) await connection.heard('it was aborted');
  });

  test('a changed list is told', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    connection.client.setNotificationHandler('notifications/tools/list_changed', () => resolve());
    if (way.endsWith('stateless')) await connection.client.listen({ toolsListChanged: true });
    if (way === 'HTTP, with a handshake') return;

    await connection.client.callTool({ name: 'learn' });
    connection.toolsChanged();
    await promise;
    const { tools } = await connection.client.listTools(undefined, { cacheMode: 'refresh' });

    expect(tools.at(-1)?.name).toBe('learned');
  });
});

test('what the server knows of a request becomes the options of the call', async () => {
  const seen: unknown[] = [];
  const tools = new ToolRegistry().register(
    defineTool({
      name: 'whose',
      description: 'Whose call it is.',
      inputSchema: { type: 'object' },
      execute: (_values, { values, progress, call }) => {
        progress('heard');
        return `${JSON.stringify(values['tenant'])} ${typeof call.id}`;
      },
    }),
  );
  const callOptions: ServeOptions['callOptions'] = ({ http }) => ({
    context: { tenant: http?.req?.headers.get('host')?.split(':')[0] },
    progress: (update) => seen.push(update),
  });
  const connection = await overHttp(
    () => serveTools(new McpServer(identity), tools, { callOptions }),
    'modern',
  );

  const result = await connection.client.callTool({ name: 'whose' });
  await connection.close();

  expect(result.content).toEqual([{ type: 'text', text: '"127.0.0.1" string' }]);
  expect(seen).toEqual(['heard']);
});

test('the application is told what became of each call, and who asked; of one that waits, what to decide', async () => {
  const pay = defineTool({
    name: 'pay',
    description: 'Pay.',
    effects: 'destructive',
    inputSchema: { type: 'object', properties: { amount: { type: 'integer' } } },
    execute: () => 'paid',
  });
  const tools = new ToolRegistry({ approval: {} }).register(pay);
  const outcomes: ToolOutcome[] = [];
  const methods: string[] = [];
  const server = serveTools(new McpServer(identity), tools, {
    onOutcome: async (outcome, { mcpReq }) => {
      outcomes.push(outcome);
      methods.push(mcpReq.method);
      throw new Error('no log');
    },
  });
  const { client, close } = await inMemory(server);

  const waiting = await client.callTool({ name: 'pay', arguments: { amount: 5 } });
  await client.callTool({ name: 'play' }).catch(() => undefined);
  await close();
  const [asked] = outcomes;
  const decided =
    asked?.status === 'approval_required'
      ? await tools.resolveApproval(asked.approval, { decision: 'approve' })
      : undefined;

  expect(waiting).toMatchObject({ isError: true });
  expect(outcomes.map(({ status }) => status)).toEqual(['approval_required', 'unknown_tool']);
  expect(methods).toEqual(['tools/call', 'tools/call']);
  expect(decided).toMatchObject({ status: 'completed', result: 'paid' });
});

test('an onerror that throws shows nobody what it threw', async () => {
  const server = serveTools(new McpServer(identity), sampleTools(), {
    callOptions: () => {
      throw new Error('no tenant');
    },
  });
  const onerror = (): never => {
    throw new Error('hunter2');
  };
  Object.assign(server.server, { onerror });
  const { client, close } = await inMemory(server);
  const broken = await client.callTool({ name: 'draw' }).catch((error: unknown) => error);
  await close();

  expect(broken).toMatchObject({ code: -32603, message: expect.stringContaining('internal error (error ') });
});

test('a failure that the application declares is the answer, and another exception is shown to nobody', async () => {
  const errors: Error[] = [];
  const thrown: unknown[] = [new ToolFailure('Sign in first.'), new Error('hunter2')];
  const callOptions = (): never => {
    throw thrown.shift();
  };
  const server = serveTools(new McpServer(identity), sampleTools(), { callOptions });
  Object.assign(server.server, { onerror: (error: Error) => errors.push(error) });
  const { client, close } = await inMemory(server);

  const refused = await client.callTool({ name: 'draw' });
  const broken = await client.callTool({ name: 'draw' }).catch((error: unknown) => error);
  await close();

  expect(refused).toMatchObject({ isError: true, content: [{ text: 'Sign in first.' }] });
  expect(broken).toMatchObject({ code: -32603, message: expect.not.stringContaining('hunter2') });
  expect(errors).toMatchObject([{ cause: new Error('hunter2') }]);
});

test('the low-level server is served too, a selection as a registry', async () => {
  const tools = sampleTools().select({ filter: ({ name }) => name === 'draw' });
  const server = serveTools(new McpServer(identity).server, tools);
  const { client, close } = await inMemory(server);

  const listed = await client.listTools();
  await close();

  expect(listed.tools.map(({ name }) => name)).toEqual(['draw']);
});

test('a server with tools of its own is refused', () => {
  const server = new McpServer(identity);
  server.registerTool('own', {}, () => ({ content: [] }));

  expect(() => serveTools(server, sampleTools())).toThrow(
    'serveTools was given a server that has tools of its own: register those tools with the registry too',
  );
});
