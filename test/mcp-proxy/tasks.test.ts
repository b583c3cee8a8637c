// Tasks of revision 2025-11-25 through the proxy, with client and server of SDK 1.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Channel } from '../../src/mcp-proxy/channel.ts';
import { McpHub } from '../../src/mcp-proxy/hub.ts';
import { McpRelay } from '../../src/mcp-proxy/relay.ts';
import { ServerTools } from '../../src/mcp-proxy/tools.ts';

import {
  type Message,
  fakeChannel,
  fakeServer,
  listTool,
  messagesTo,
  request,
  settled,
} from './harness.ts';

const info = { name: 'builder', version: '1' };
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server whose tool `build` must be called as a task. */
function builder(): McpServer {
  const taskStore = new InMemoryTaskStore();
  closers.push(() => taskStore.cleanup());
  const capabilities = { tasks: { cancel: {}, list: {}, requests: { tools: { call: {} } } } };
  const server = new McpServer(info, { capabilities, taskStore });
  const inputSchema = { targets: z.array(z.string()), jobs: z.number().int().optional() };
  server.experimental.tasks.registerToolTask(
    'build',
    { description: 'Build.', inputSchema, execution: { taskSupport: 'required' } },
    {
      createTask: async ({ targets, jobs }, extra) => {
        const task = await extra.taskStore.createTask({ ttl: 60_000, pollInterval: 5 });
        const text = `${targets.join('+')} with ${jobs ?? 1}`;
        if (!targets.includes('endless'))
          setImmediate(
            () =>
              void taskStore.storeTaskResult(task.taskId, 'completed', {
                content: [{ type: 'text', text }],
              }),
          );
        return { task };
      },
      getTask: (_args, extra) => extra.taskStore.getTask(extra.taskId),
      getTaskResult: async (_args, extra) => ({
        content: [],
        ...(await extra.taskStore.getTaskResult(extra.taskId)),
      }),
    },
  );
  return server;
}

/** One end of a transport in memory, as the proxy has it. */
function channelOf(transport: InMemoryTransport, texts: string[]): Channel {
  return {
    run: async (receive) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const onmessage = (message: JSONRPCMessage): void => void receive(JSON.stringify(message));
      Object.assign(transport, { onmessage, onclose: resolve });
      await transport.start();
      return promise;
    },
    send: (text) => {
      texts.push(text);
      const message: JSONRPCMessage = JSON.parse(text);
      return transport.send(message);
    },
    close: () => transport.close(),
  };
}

/** `sent`: what the server got. */
async function proxied(kind: 'relay' | 'hub') {
  const [clientEnd, proxyEnd] = InMemoryTransport.createLinkedPair();
  const [far, serverEnd] = InMemoryTransport.createLinkedPair();
  const [sent, answered] = [new Array<string>(), new Array<string>()];
  await builder().connect(serverEnd);
  const [outer, channel] = [channelOf(proxyEnd, answered), channelOf(far, sent)];
  const log = (): void => undefined;
  const tools = new ServerTools(kind === 'hub' ? { prefix: 'b_' } : {}, log);
  const proxy =
    kind === 'relay'
      ? new McpRelay(outer, channel, { tools, log })
      : new McpHub(outer, [{ name: 'b', prefix: 'b_', channel, tools }], { log });
  void proxy.run();
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(clientEnd);
  closers.push(() => client.close());
  return { client, sent, name: kind === 'hub' ? 'b_build' : 'build' };
}

async function messagesOf(client: Client, name: string, args: Record<string, unknown>) {
  const messages = [];
  const stream = client.experimental.tasks.callToolStream({ name, arguments: args }, undefined, {
    task: {},
  });
  for await (const message of stream) messages.push(message);
  return messages;
}

describe.each(['relay', 'hub'] as const)('through a %s', (kind) => {
  test('a valid call passes as it came, and its task to its result', async () => {
    const { client, sent, name } = await proxied(kind);
    const { tools } = await client.listTools();

    const messages = await messagesOf(client, name, { targets: ['app'] });

    expect(tools[0]?.execution).toEqual({ taskSupport: 'required' });
    expect(messages[0]?.type).toBe('taskCreated');
    expect(messages.at(-1)).toMatchObject({
      type: 'result',
      result: { content: [{ text: 'app with 1' }] },
    });
    const call = sent.find((text) => text.includes('tools/call')) ?? '';
    expect(JSON.parse(call).params).toEqual({
      name: 'build',
      arguments: { targets: ['app'] },
      task: {},
    });
  });

  test('the arguments of a task are repaired', async () => {
    const { client, sent, name } = await proxied(kind);
    await client.listTools();

    const messages = await messagesOf(client, name, { targets: '["app", "docs"]', jobs: '4' });

    expect(messages.at(-1)).toMatchObject({
      type: 'result',
      result: { content: [{ text: 'app+docs with 4' }] },
    });
    const call = sent.find((text) => text.includes('tools/call')) ?? '';
    expect(JSON.parse(call).params).toEqual({
      name: 'build',
      arguments: { targets: ['app', 'docs'], jobs: 4 },
      task: {},
    });
  });

  test('a task that can’t be repaired is an error that says why', async () => {
    const { client, sent, name } = await proxied(kind);
    await client.listTools();

    const messages = await messagesOf(client, name, { targets: { app: true } });

    expect(messages).toMatchObject([
      {
        type: 'error',
        error: { code: -32_602, message: expect.stringContaining('was not executed') },
      },
    ]);
    expect(sent.some((text) => text.includes('tools/call'))).toBe(false);
  });

  test('tasks are listed, looked at and cancelled', async () => {
    const { client, name } = await proxied(kind);
    await client.listTools();
    const { tasks } = client.experimental;
    const stream = tasks.callToolStream({ name, arguments: { targets: 'endless' } }, undefined, {
      task: {},
    });
    const { value: creation } = await stream.next();
    const id = creation?.type === 'taskCreated' ? creation.task.taskId : '';

    const working = await tasks.getTask(id);
    const { tasks: taskList } = await tasks.listTasks();
    const cancelled = await tasks.cancelTask(id);

    expect(working.status).toBe('working');
    expect(taskList.map(({ taskId }) => taskId)).toEqual([id]);
    expect(cancelled.status).toBe('cancelled');
  });
});

test('what was changed is said with the result of the task', async () => {
  const pairs = [{ requires: ['offset', 'limit'], defaults: { offset: 0 } }];
  const result = (text: string) => ({ content: [{ type: 'text', text }] });
  const server = fakeServer({
    'tools/list': () => ({
      tools: [listTool('read', { offset: { type: 'integer' }, limit: { type: 'integer' } })],
    }),
    'tools/call': () => ({ content: [], task: { taskId: 't1', status: 'working' } }),
    'tasks/result': ({ params }: Message) => result(`of ${params.taskId}`),
  });
  const client = fakeChannel();
  const log = (): void => undefined;
  const relay = new McpRelay(client, server, {
    tools: new ServerTools({ overlay: { read: { pairs } } }, log),
    log,
  });
  void relay.run();

  await client.say(request(1, 'tools/call', { name: 'read', arguments: { limit: 5 }, task: {} }));
  for (let turn = 0; turn < 3; turn += 1) await settled();
  await client.say(request(2, 'tasks/result', { taskId: 't1' }));
  await client.say(request(3, 'tasks/result', { taskId: 't2' }));
  await settled();

  expect(messagesTo(client).map((message) => message.result.content)).toEqual([
    [],
    [
      { type: 'text', text: 'of t1' },
      {
        type: 'text',
        text: 'offset was not sent; 0 was used.',
        annotations: { audience: ['assistant'] },
      },
    ],
    [{ type: 'text', text: 'of t2' }],
  ]);
});
