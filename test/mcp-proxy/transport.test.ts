// Repair in an MCP client: one function around its transport.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as InMemoryTransport1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer } from '@modelcontextprotocol/server';
import { DefinitionError } from 'toolmend';
import {
  repairToolCalls,
  type RepairedToolCall,
  type ToolCallRepairOptions,
} from 'toolmend/mcp-client';
import { z } from 'zod';

const info = { name: 'samples', version: '1' };
const ids = z.array(z.number().int());
const answer = (value: unknown) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(value) }],
});

interface Host {
  listTools(): Promise<{ tools: { name: string; description?: string | undefined }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  close(): Promise<void>;
}

const hosts: Host[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

/** A server that takes only exact calls, and its client. */
async function second(options?: ToolCallRepairOptions): Promise<Host> {
  const server = new McpServer(info);
  server.registerTool('sum', { description: 'Sums.', inputSchema: z.object({ ids }) }, (values) =>
    answer(values),
  );
  server.registerTool('grow', { inputSchema: z.object({}) }, () => {
    server.registerTool('grown', { inputSchema: z.object({ ids }) }, (values) => answer(values));
    return answer('done');
  });
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  await server.connect(serverEnd);
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(repairToolCalls(clientEnd, options));
  return client;
}

async function first(options?: ToolCallRepairOptions): Promise<Host> {
  const server = new McpServer1(info);
  server.registerTool('sum', { description: 'Sums.', inputSchema: { ids } }, (values) =>
    answer(values),
  );
  server.registerTool('grow', {}, () => {
    server.registerTool('grown', { inputSchema: { ids } }, (values) => answer(values));
    return answer('done');
  });
  const [clientEnd, serverEnd] = InMemoryTransport1.createLinkedPair();
  await server.connect(serverEnd);
  const client = new Client1({ name: 'host', version: '1' });
  await client.connect(repairToolCalls(clientEnd, options));
  return client;
}

describe.each([
  ['SDK 2', second],
  ['SDK 1', first],
])('a client of %s', (_title, connect) => {
  const open = async (options?: ToolCallRepairOptions): Promise<Host> => {
    const host = await connect(options);
    hosts.push(host);
    return host;
  };

  test('a near miss is repaired by the schema that the server lists', async () => {
    const host = await open();
    const { tools } = await host.listTools();

    expect(tools[0]?.description).toBe('Sums.\nids is a JSON array of integers.');
    expect(await host.callTool({ name: 'sum', arguments: { ids: '["1", 2]' } })).toMatchObject(
      answer({ ids: [1, 2] }),
    );
  });

  test('a call before any list', async () => {
    const host = await open();
    expect(await host.callTool({ name: 'sum', arguments: { ids: 1 } })).toMatchObject(
      answer({ ids: [1] }),
    );
  });

  test('a call that can’t be repaired has an error as its result, which says what to correct', async () => {
    const calls: RepairedToolCall[] = [];
    const host = await open({ onCall: (call) => calls.push(call) });

    expect(await host.callTool({ name: 'sum', arguments: { ids: ['x'] } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^sum was not executed\./) }],
    });
    await host.callTool({ name: 'sum', arguments: { ids: '[1]' } });
    await host.callTool({ name: 'sum', arguments: { ids: [1] } });
    expect(calls).toEqual([
      { tool: 'sum', status: 'refused', rules: [] },
      { tool: 'sum', status: 'repaired', rules: ['json_text_to_array'] },
      { tool: 'sum', status: 'unchanged', rules: [] },
    ]);
  });

  test('a changed list is followed', async () => {
    const host = await open({ hints: false });
    await host.callTool({ name: 'grow', arguments: {} });

    expect(await host.callTool({ name: 'grown', arguments: { ids: '[1]' } })).toMatchObject(
      answer({ ids: [1] }),
    );
    expect((await host.listTools()).tools.map(({ description }) => description)).toEqual([
      'Sums.',
      undefined,
      undefined,
    ]);
  });
});

test('what the transport knows of a message, and options of a call, reach the other side', async () => {
  const receivedMessages: unknown[] = [];
  const sentMessages: unknown[] = [];
  const transport = {
    onmessage: undefined as ((message: object, extra?: object) => void) | undefined,
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (message: object, options?: object) => {
      sentMessages.push([message, options]);
      return Promise.resolve();
    },
  };
  const repairingTransport = repairToolCalls(transport);
  Object.assign(repairingTransport, {
    onmessage: (...message: unknown[]) => receivedMessages.push(message),
  });
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
  const listAnswer = { jsonrpc: '2.0', id: 2, result: { tools: [] } };

  await repairingTransport.send(ping, { a: 1 });
  await repairingTransport.send(list, { b: 2 });
  transport.onmessage?.(ping, { extra: 1 });
  transport.onmessage?.(listAnswer, { extra: 2 });

  expect(sentMessages).toEqual([
    [ping, { a: 1 }],
    [list, { b: 2 }],
  ]);
  expect(receivedMessages).toEqual([
    [ping, { extra: 1 }],
    [listAnswer, { extra: 2 }],
  ]);
});

test('a transport that can’t send rejects, as without repair', async () => {
  const transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (_message: object) => Promise.reject(new Error('gone')),
  };
  const receivedMessages: unknown[] = [];
  const repairingTransport = repairToolCalls(transport);
  Object.assign(repairingTransport, {
    onmessage: (message: unknown) => receivedMessages.push(message),
  });

  await expect(
    repairingTransport.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  ).rejects.toThrow('gone');
  await repairingTransport.send({
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'x' },
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(receivedMessages).toEqual([
    { jsonrpc: '2.0', id: 2, error: { code: -32000, message: 'gone' } },
  ]);
});

test('misspelt options, and something that is not a transport, are refused', () => {
  const [transport] = InMemoryTransport.createLinkedPair();
  const misspelt: ToolCallRepairOptions = JSON.parse('{"hint":false}');
  const nothing: typeof transport = JSON.parse('{}');

  expect(() => repairToolCalls(transport, misspelt)).toThrow(DefinitionError);
  expect(() => repairToolCalls(nothing)).toThrow('is not a transport');
});
