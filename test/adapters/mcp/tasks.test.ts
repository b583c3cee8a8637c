// Background calls as tasks of revision 2025-11-25, served to the clients of both SDKs.
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { CallToolResultSchema, type Progress } from '@modelcontextprotocol/sdk/types.js';
import { McpServer as SecondServer } from '@modelcontextprotocol/server';
import { DefinitionError } from 'toolmend';
import { serveTools } from 'toolmend/mcp';
import { overHttp } from './connections.ts';
import { inMemory } from './in-memory.ts';
import { builder, closeAll, closing, info, serve, startTask } from './task-tools.ts';

afterEach(closeAll);

const onlyText = (text: string) => ({ content: [{ type: 'text', text }] });

describe('tasks of a server, with the client of SDK 1', () => {
  test('tools say whether they may be called as tasks', async () => {
    const client = await serve(builder());
    const alone = await serve(builder({ background: { checkTool: 'off' } }));

    const { tools } = await client.listTools();
    const { tools: withoutCheck } = await alone.listTools();

    expect(tools.map(({ name, execution }) => [name, execution?.taskSupport])).toEqual([
      ['build', 'optional'],
      ['deploy', 'optional'],
      ['look', undefined],
      ['check_background', undefined],
    ]);
    const support = withoutCheck.map(({ execution }) => execution?.taskSupport);
    expect(support).toEqual(['optional', 'required', undefined]);
    expect(client.getServerCapabilities()?.tasks).toEqual({
      cancel: {},
      requests: { tools: { call: {} } },
    });
  });

  test('a repaired call is streamed from its task to its result, with progress and the status', async () => {
    const finish = Promise.withResolvers<void>();
    const tools = builder({}, finish.promise);
    const client = await serve(tools);
    await client.listTools();
    const notified: unknown[] = [];
    client.fallbackNotificationHandler = async ({ method, params }) => {
      if (method === 'notifications/tasks/status') notified.push(params?.['status']);
    };
    const progress: Progress[] = [];

    const messages: unknown[] = [];
    const sent = { Target: 'app' };
    const stream = client.experimental.tasks.callToolStream(
      { name: 'build', arguments: sent },
      undefined,
      {
        onprogress: (update) => progress.push(update),
      },
    );
    for await (const message of stream) {
      messages.push(message.type === 'result' ? message.result : message.type);
      finish.resolve();
    }

    expect(messages[0]).toBe('taskCreated');
    expect(messages.at(-1)).toMatchObject({ structuredContent: { target: 'app', files: 3 } });
    expect(progress).toEqual([{ progress: 1, total: 2, message: 'compiling' }]);
    expect(notified).toEqual(['completed']);
    expect(await tools.background.takeResults()).toEqual([]);
  });

  test('a task is looked at, cancelled, and keeps its result', async () => {
    const finish = Promise.withResolvers<void>();
    const client = await serve(builder({}, finish.promise));
    const { tasks } = client.experimental;
    const one = await startTask(client, { target: 'app' });
    const other = await startTask(client, { target: 'broken' });
    const third = await startTask(client, { target: 'docs' });

    const working = await tasks.getTask(one);
    const cancelled = await tasks.cancelTask(third);
    const result = tasks.getTaskResult(one, CallToolResultSchema);
    finish.resolve();
    const [done, failed] = [await result, await tasks.getTaskResult(other, CallToolResultSchema)];
    const states = [
      await tasks.getTask(one),
      await tasks.getTask(other),
      await tasks.getTask(third),
    ];

    expect(working).toMatchObject({
      status: 'working',
      statusMessage: 'compiling',
      ttl: 86_400_000,
    });
    expect(working.pollInterval).toBe(1000);
    expect(cancelled.status).toBe('cancelled');
    expect(done.structuredContent).toEqual({ target: 'app', files: 3 });
    expect(done._meta).toEqual({ 'io.modelcontextprotocol/related-task': { taskId: one } });
    expect(failed).toMatchObject({ ...onlyText('The compiler found 3 errors.'), isError: true });
    expect(states.map(({ status }) => status)).toEqual(['completed', 'failed', 'cancelled']);
    expect(states[1]?.statusMessage).toBe('The compiler found 3 errors.');
    await expect(tasks.cancelTask(one)).rejects.toMatchObject({ code: -32_602 });
    await expect(tasks.getTask('bg_unknown')).rejects.toMatchObject({ code: -32_602 });
  });

  test('a rejected call is a task that has failed, with the message for the model', async () => {
    const client = await serve(builder());
    const task = await startTask(client, { target: [1, 2] });

    const { status } = await client.experimental.tasks.getTask(task);
    const result = await client.experimental.tasks.getTaskResult(task, CallToolResultSchema);

    expect(status).toBe('failed');
    const content = [{ text: expect.stringContaining('was not executed') }];
    expect(result).toMatchObject({ isError: true, content });
  });

  test('a call without a task is answered as before, and a task of another tool is an error', async () => {
    const client = await serve(builder());
    const asTask = { name: 'look', arguments: {}, task: {} };
    const unknown = { name: 'paint', arguments: {}, task: {} };

    const plain = await client.callTool({ name: 'build', arguments: { target: 'app' } });

    expect(plain.structuredContent).toEqual({ target: 'app', files: 3 });
    await expect(
      client.request({ method: 'tools/call', params: asTask }, CallToolResultSchema),
    ).rejects.toMatchObject({ code: -32_601 });
    await expect(
      client.request({ method: 'tools/call', params: unknown }, CallToolResultSchema),
    ).rejects.toMatchObject({ code: -32_602 });
  });

  test('a tool whose result is read in no other way must be called as a task', async () => {
    const client = await serve(builder({ background: { checkTool: 'off' } }));

    await expect(client.callTool({ name: 'deploy', arguments: {} })).rejects.toMatchObject({
      code: -32_601,
    });
  });

  test('tenants list, see and cancel their own tasks alone', async () => {
    const finish = Promise.withResolvers<void>();
    const tools = builder({}, finish.promise);
    const as = (tenant: string) => serve(tools, { callOptions: () => ({ tenant }) });
    const [ann, bob] = [await as('ann'), await as('bob')];
    const first = await startTask(ann, { target: 'app' });
    const second = await startTask(ann, { target: 'docs' });
    const rejected = await startTask(ann, { target: [1] });

    const listed = await ann.experimental.tasks.listTasks();
    const foreign = await bob.experimental.tasks.listTasks();

    expect(listed.tasks.map(({ taskId }) => taskId)).toEqual([rejected, second, first]);
    expect(foreign.tasks).toEqual([]);
    for (const id of [first, rejected]) {
      await expect(bob.experimental.tasks.getTask(id)).rejects.toMatchObject({ code: -32_602 });
      await expect(bob.experimental.tasks.cancelTask(id)).rejects.toMatchObject({ code: -32_602 });
      const result = bob.experimental.tasks.getTaskResult(id, CallToolResultSchema);
      await expect(result).rejects.toMatchObject({ code: -32_602 });
    }
    await expect(ann.experimental.tasks.listTasks('bg_other')).rejects.toMatchObject({
      code: -32_602,
    });
    finish.resolve();
  });

  test.each([{}, { tenant: '' }, { context: { tenant: 'ann' } }])(
    'clients without a tenant, with %j, list no tasks of each other',
    async (callOptions) => {
      const tools = builder();
      const client = await serve(tools, { callOptions: () => callOptions });
      const other = await serve(tools, { callOptions: () => callOptions });
      const task = await startTask(client, { target: 'app' });

      const list = other.experimental.tasks.listTasks();

      await expect(list).rejects.toMatchObject({ code: -32_601 });
      const result = await client.experimental.tasks.getTaskResult(task, CallToolResultSchema);
      expect(result.structuredContent).toEqual({ target: 'app', files: 3 });
    },
  );

  test('a list has pages', async () => {
    const tools = builder();
    const client = await serve(tools, { callOptions: () => ({ tenant: 'ann' }) });
    for (let at = 0; at < 101; at += 1) await startTask(client, { target: `app${at}` });

    const first = await client.experimental.tasks.listTasks();
    const second = await client.experimental.tasks.listTasks(first.nextCursor);

    expect([first.tasks.length, second.tasks.length, second.nextCursor]).toEqual([
      100,
      1,
      undefined,
    ]);
  });

  test('a journal that can’t be read now neither hides a task that has started nor tells its client why', async () => {
    const tools = builder();
    const client = await serve(tools);
    const { background } = tools;
    const fail = (): never => {
      throw new Error('the password is hunter2');
    };
    for (const method of ['get', 'markTaken'] as const)
      Object.defineProperty(background, method, { value: async () => fail(), configurable: true });

    const task = await startTask(client, { target: 'app' });
    const unread = client.experimental.tasks.getTask(task);

    const message = expect.not.stringContaining('hunter2');
    await expect(unread).rejects.toMatchObject({ code: -32_603, message });
    Reflect.deleteProperty(background, 'get');
    const result = await client.experimental.tasks.getTaskResult(task, CallToolResultSchema);
    expect(result.structuredContent).toEqual({ target: 'app', files: 3 });
  });

  test('a server with a task store of its own is refused', () => {
    const taskStore = new InMemoryTaskStore();
    const server = new McpServer(info, { capabilities: { tasks: {} }, taskStore });
    expect(() => serveTools(server, builder())).toThrow(DefinitionError);
  });
});

test('tasks over HTTP outlive the connection of their client', async () => {
  const finish = Promise.withResolvers<void>();
  const tools = builder({}, finish.promise);
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const listener = createServer((request, response) => {
    const handle = async (): Promise<void> => {
      const id = request.headers['mcp-session-id'];
      const known = typeof id === 'string' ? sessions.get(id) : undefined;
      if (known !== undefined) return known.handleRequest(request, response);
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (session) => void sessions.set(session, transport),
      });
      await serveTools(new McpServer(info), tools).connect(transport);
      return transport.handleRequest(request, response);
    };
    void handle();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    listener.closeAllConnections();
    listener.close();
  });
  const address = listener.address();
  const url = new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/mcp`);
  const open = async (): Promise<Client> => {
    const client = new Client({ name: 'host', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(url));
    return client;
  };
  const before = await open();
  const task = await startTask(before, { target: 'app' });
  await before.close();
  const client = await open();
  closing.push(() => client.close());
  const working = await client.experimental.tasks.getTask(task);
  finish.resolve();
  const result = await client.experimental.tasks.getTaskResult(task, CallToolResultSchema);

  expect(working.status).toBe('working');
  expect(result.structuredContent).toEqual({ target: 'app', files: 3 });
});

describe('tasks of a server of SDK 2', () => {
  test('are served to its client by the methods of the protocol', async () => {
    const finish = Promise.withResolvers<void>();
    const tools = builder({}, finish.promise);
    const client = await inMemory(
      serveTools(new SecondServer(info), tools, { callOptions: () => ({ tenant: 'ann' }) }),
    );
    closing.push(() => client.close());
    const params = { name: 'build', arguments: { Target: 'app' }, task: { ttl: 1000 } };

    const created = await client.request({ method: 'tools/call', params }, anything);
    const taskId = String(Reflect.get(Object(Reflect.get(Object(created), 'task')), 'taskId'));
    const state = await client.request({ method: 'tasks/get', params: { taskId } }, anything);
    finish.resolve();
    const result = await client.request({ method: 'tasks/result', params: { taskId } }, anything);
    const list = await client.request({ method: 'tasks/list', params: {} }, anything);
    const { tools: listed } = await client.listTools();

    expect(created).toMatchObject({ task: { status: 'working' } });
    expect(state).toMatchObject({ taskId, status: 'working', statusMessage: 'compiling' });
    expect(result).toMatchObject({ structuredContent: { target: 'app', files: 3 } });
    expect(list).toMatchObject({ tasks: [{ taskId, status: 'completed' }] });
    expect(listed[0]).toMatchObject({ execution: { taskSupport: 'optional' } });
    await expect(
      client.request({ method: 'tasks/cancel', params: { taskId } }, anything),
    ).rejects.toMatchObject({ code: -32_602 });
  });

  test('are not offered in revision 2026-07-28, which has no task parameter', async () => {
    const tools = builder();
    const { client, close } = await overHttp(
      () => serveTools(new SecondServer(info), tools),
      'modern',
    );
    closing.push(close);

    const { tools: listed } = await client.listTools();
    const params = { name: 'build', arguments: { target: 'app' }, task: {} };
    const result = await client.request({ method: 'tools/call', params }, anything);

    expect(listed.map((tool) => tool.execution)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(client.getServerCapabilities()).not.toHaveProperty('tasks');
    expect(result).toMatchObject({ structuredContent: { target: 'app', files: 3 } });
  });
});

const anything = {
  '~standard': { version: 1 as const, vendor: 'tests', validate: (value: unknown) => ({ value }) },
};
