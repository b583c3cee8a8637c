// Servers and clients of the first SDK.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  type JSONRPCMessage,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { DefinitionError, ToolRegistry } from 'toolmend';
import { registerRemoteTools, serveTools, type ToolListChange } from 'toolmend/mcp';
import { callTo, toolOf } from '../../tools.ts';
import { inMemoryOfFirstSdk } from './in-memory.ts';
import { sampleTools } from './sample-tools.ts';

const connected: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const peer of connected.splice(0)) await peer.close();
});

async function connect(...connecting: Parameters<typeof inMemoryOfFirstSdk>): Promise<Client> {
  const client = await inMemoryOfFirstSdk(...connecting);
  connected.push(client);
  return client;
}

const info = { name: 'samples', version: '1' };
describe('serveTools', () => {
  test.each([
    ['an McpServer', () => serveTools(new McpServer(info), sampleTools())],
    ['the server below one', () => serveTools(new McpServer(info).server, sampleTools())],
  ])('%s lists tools and runs repaired calls', async (_title, serve) => {
    const client = await connect(serve());

    const { tools } = await client.listTools();
    const result = await client.callTool({
      name: 'read_files',
      arguments: { file: '["a"]', limit: '5' },
    });
    const counted = await client.callTool({ name: 'count_rows', arguments: { table: 'orders' } });
    const drawn = await client.callTool({ name: 'draw', arguments: {} });

    expect(tools.map(({ name }) => name)).toEqual(sampleTools().names());
    expect(result).toMatchObject({
      content: [{ text: 'a from 0' }, { text: 'offset was not sent; 0 was used.' }],
    });
    expect(counted.structuredContent).toEqual({ rows: 6 });
    // Structured content of the older protocol is an object.
    expect(drawn.structuredContent).toEqual({ result: [1, 2] });
  });

  test('progress, cancellation and changes of the list', async () => {
    const tools = sampleTools();
    const client = await connect(serveTools(new McpServer(info), tools));
    const changed = Promise.withResolvers<void>();
    client.fallbackNotificationHandler = async ({ method }) => {
      if (method === 'notifications/tools/list_changed') changed.resolve();
    };
    const stop = new AbortController();
    const onprogress = (): void => stop.abort('enough');

    const waiting = client.callTool({ name: 'wait_for_abort', arguments: {} }, undefined, {
      signal: stop.signal,
      onprogress,
    });
    await expect(waiting).rejects.toThrow('enough');
    await client.callTool({ name: 'learn', arguments: {} });
    await changed.promise;

    expect(tools.names()).toContain('learned');
  });

  test('callOptions gets what the SDK knows of the request, and onOutcome the outcome', async () => {
    const seen: unknown[] = [];
    const whoami = toolOf((_values, { values }) => String(values['tenant']), { name: 'whoami' });
    const server = serveTools(new McpServer(info), new ToolRegistry().register(whoami), {
      callOptions: ({ requestId, mcpReq }) => ({
        context: { tenant: `${requestId} ${mcpReq.id}` },
      }),
      onOutcome: ({ status }, { requestId }) => seen.push([status, requestId]),
    });
    const client = await connect(server);

    const result = await client.callTool({ name: 'whoami', arguments: {} });

    expect(result.content).toEqual([{ type: 'text', text: '1 1' }]);
    expect(seen).toEqual([['completed', 1]]);
  });

  test('a server with tools of its own is refused', () => {
    const server = new McpServer(info);
    server.registerTool('own', {}, () => ({ content: [] }));
    expect(() => serveTools(server, sampleTools())).toThrow(DefinitionError);
  });
});

describe('registerRemoteTools', () => {
  test('tools are registered, and repaired calls are sent', async () => {
    const client = await connect(serveTools(new McpServer(info), sampleTools()));
    const tools = new ToolRegistry();
    const remote = await registerRemoteTools(tools, client, { prefix: 's_' });

    expect(remote.names).toEqual(
      sampleTools()
        .names()
        .map((name) => `s_${name}`),
    );
    expect(
      await tools.call(callTo('s_read_files', { paths: '["a"]', offset: '1', limit: 2 })),
    ).toMatchObject({ status: 'completed', result: 'a from 1' });
    const counted = await tools.call(callTo('s_count_rows', { table: 'orders' }));
    expect(counted).toMatchObject({ result: { rows: 6 } });
  });

  test('a changed list is read again', async () => {
    const served = sampleTools();
    const client = await connect(serveTools(new McpServer(info), served));
    const changed = Promise.withResolvers<ToolListChange>();
    const tools = new ToolRegistry();
    const remote = await registerRemoteTools(tools, client, { onChange: changed.resolve });

    await tools.call(callTo('learn'));
    expect(await changed.promise).toMatchObject({ kind: 'changed', added: ['learned'] });
    await remote.close();
    expect(tools.names()).toEqual([]);
  });

  test.each([
    [
      { result: { content: [{ type: 'text' }] } },
      "odd was executed, but the answer of its server can't be understood.",
    ],
    [
      { error: { code: -32603, message: 'no' } },
      'The server of odd refused the call: MCP error -32603: no',
    ],
  ])('a server that answers a call with %j', async (answer, message) => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const results: Record<string, object> = {
      initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: info },
      'tools/list': { tools: [{ name: 'odd', inputSchema: { type: 'object' } }] },
    };
    const respond = (sent: JSONRPCMessage): void => {
      if (!('method' in sent) || !('id' in sent)) return;
      const { id, method } = sent;
      const result = results[method];
      const response = { jsonrpc: '2.0', id, ...(result === undefined ? answer : { result }) };
      void far.send(JSON.parse(JSON.stringify(response)));
    };
    Object.assign(far, { onmessage: respond });
    const client = new Client({ name: 'host', version: '1' });
    await client.connect(near);
    connected.push(client);
    const tools = new ToolRegistry();
    await registerRemoteTools(tools, client, { timeoutMs: 100 });

    const outcome = await tools.call(callTo('odd'));

    expect(JSON.stringify(outcome)).toContain(JSON.stringify(message).slice(1, -1));
  });

  test('a connection that is lost during a call, and before one', async () => {
    const { server } = new McpServer(info, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [{ name: 'hang', inputSchema: { type: 'object' } }],
    }));
    server.setRequestHandler(CallToolRequestSchema, async () => {
      await server.close();
      return { content: [] };
    });
    const tools = new ToolRegistry();
    await registerRemoteTools(tools, await connect(server));

    expect(await tools.call(callTo('hang'))).toMatchObject({
      message:
        'hang has no result: the connection to its server was lost. Part of its work may be done.',
    });
    expect(await tools.call(callTo('hang'))).toMatchObject({
      message: 'hang was not executed.\nIts server is not connected. Go on without it.',
    });
  });

  test('something that is not a client is refused', async () => {
    const nothing: Client = JSON.parse('{}');
    await expect(registerRemoteTools(new ToolRegistry(), nothing)).rejects.toThrow(
      'is not a client',
    );
  });
});
