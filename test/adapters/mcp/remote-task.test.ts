// Remote tools that are called as tasks, by the clients of both SDKs.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore,
} from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitRequestSchema, ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { McpServer as SecondServer } from '@modelcontextprotocol/server';
import { toolMessage, ToolRegistry } from 'toolmend';
import { registerRemoteTools, type RemoteOptions, serveTools } from 'toolmend/mcp';
import { callTo, handleOf } from '../../tools.ts';
import { inMemory, inMemoryOfFirstSdk } from './in-memory.ts';
import { Fault, type ScriptedPeer, scriptedPeer, text } from './scripted-peer.ts';
import { builder, closeAll, closing, info, serve } from './task-tools.ts';

afterAll(closeAll);

/** The tools of the builder, in another registry; every call runs in the background there. */
async function remoteBuilder(
  served: ToolRegistry,
  background: 'always' | 'never',
  sdk: 'first' | 'second',
): Promise<ToolRegistry> {
  const registry = new ToolRegistry();
  const options: RemoteOptions = {
    filter: ({ name }) => name !== 'check_background',
    overlay: { build: { background } },
  };
  if (sdk === 'first') {
    await registerRemoteTools(registry, await serve(served), options);
  } else {
    const client = await inMemory(serveTools(new SecondServer(info), served));
    closing.push(() => client.close());
    await registerRemoteTools(registry, client, options);
  }
  return registry;
}

describe.concurrent.each(['first', 'second'] as const)('with the %s SDK', (sdk) => {
  test('a call in the background is a task, and its result becomes the outcome', async () => {
    const finish = Promise.withResolvers<void>();
    const served = builder({}, finish.promise);
    const registry = await remoteBuilder(served, 'always', sdk);
    const updates: unknown[] = [];
    const progress = (update: unknown): unknown => updates.push(update);

    const started = await registry.call(callTo('build', { Target: 'app' }), { progress });
    const handle = handleOf(started);
    // The server has a background call of its own.
    while ((await served.background.list()).length === 0) await new Promise(setImmediate);
    finish.resolve();
    const ended = await registry.background.wait(handle, 60_000);

    expect(started.status).toBe('in_background');
    expect(ended).toMatchObject({
      state: 'ended',
      outcome: { result: { target: 'app', files: 3 } },
    });
    expect(updates).toContainEqual(expect.objectContaining({ message: 'compiling' }));
  });

  test('a call in the foreground is a plain one', async () => {
    const served = builder();
    const registry = await remoteBuilder(served, 'never', sdk);

    const outcome = await registry.call(callTo('build', { target: 'app' }));

    expect(outcome).toMatchObject({ status: 'completed', result: { target: 'app', files: 3 } });
    expect(await served.background.list()).toEqual([]);
  });

  test('a tool that must be called as a task is, also in the foreground', async () => {
    const served = builder({ background: { checkTool: 'off' } });
    const registry = await remoteBuilder(served, 'never', sdk);

    const outcome = await registry.call(callTo('deploy'));

    expect(outcome).toMatchObject({ status: 'completed', result: 'deployed' });
    expect(await served.background.list()).toHaveLength(1);
  });

  test('a failure and a rejection are read by the model', async () => {
    const registry = await remoteBuilder(
      builder({ background: { checkTool: 'off' } }),
      'always',
      sdk,
    );

    const started = await registry.call(callTo('build', { target: 'broken' }));
    const ended = await registry.background.wait(handleOf(started), 60_000);

    expect(ended?.state === 'ended' && toolMessage(ended.outcome).text).toBe(
      'The compiler found 3 errors.',
    );
  });

  test('a cancelled call cancels its task', async () => {
    const served = builder({}, new Promise(() => undefined));
    const registry = await remoteBuilder(served, 'always', sdk);

    const started = await registry.call(callTo('build', { target: 'app' }));
    const handle = handleOf(started);
    while ((await served.background.list())[0]?.state !== 'running')
      await new Promise(setImmediate);
    const cancelled = await registry.background.cancel(handle);
    const [task] = await served.background.list();
    const end = await served.background.wait(task?.handle ?? '', 60_000);

    expect(cancelled).toMatchObject({ outcome: { status: 'cancelled' } });
    expect(end).toMatchObject({ outcome: { status: 'cancelled' } });
  });
});

test('a task that needs input asks the application’s client, and then has its result', async () => {
  const taskStore = new InMemoryTaskStore();
  const server = new McpServer(info, {
    capabilities: { tasks: { cancel: {}, list: {}, requests: { tools: { call: {} } } } },
    taskStore,
    taskMessageQueue: new InMemoryTaskMessageQueue(),
  });
  server.experimental.tasks.registerToolTask(
    'order',
    { description: 'Order.', execution: { taskSupport: 'required' } },
    {
      createTask: async (extra) => {
        const task = await extra.taskStore.createTask({ ttl: 60_000, pollInterval: 10 });
        const related = { timeout: 60_000, relatedTask: { taskId: task.taskId } };
        const requestedSchema = {
          type: 'object',
          properties: { size: { type: 'string' } },
        } as const;
        const params = { mode: 'form', message: 'Which size?', requestedSchema } as const;
        void extra
          .sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema, related)
          .then(({ content }) => {
            const ordered = { type: 'text' as const, text: `ordered ${String(content?.['size'])}` };
            return taskStore.storeTaskResult(task.taskId, 'completed', { content: [ordered] });
          });
        return { task };
      },
      getTask: (extra) => extra.taskStore.getTask(extra.taskId),
      getTaskResult: async (extra) => ({
        content: [],
        ...(await extra.taskStore.getTaskResult(extra.taskId)),
      }),
    },
  );
  const client = new Client(
    { name: 'host', version: '1' },
    { capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler(ElicitRequestSchema, () => ({
    action: 'accept',
    content: { size: 'XL' },
  }));
  await inMemoryOfFirstSdk(server, client);
  closing.push(() => {
    taskStore.cleanup();
    return client.close();
  });
  const registry = new ToolRegistry();
  await registerRemoteTools(registry, client);

  const outcome = await registry.call(callTo('order'));

  expect(toolMessage(outcome).text).toBe('ordered XL');
});

describe('a server that does not keep to the protocol', () => {
  const task = (status: string, more: object = {}) => ({
    taskId: 't1',
    status,
    pollInterval: 1,
    ...more,
  });
  const working = { task: task('working') };

  /** A registry with the tool `order`, which must be called as a task. */
  async function orders({ list, client }: ScriptedPeer): Promise<ToolRegistry> {
    list({
      name: 'order',
      inputSchema: { type: 'object' },
      execution: { taskSupport: 'required' },
    });
    const registry = new ToolRegistry();
    await registerRemoteTools(registry, client);
    return registry;
  }

  /** What the model reads of a call. */
  async function read(
    answer: unknown,
    tasks: Parameters<typeof scriptedPeer>[1] = {},
  ): Promise<string> {
    const peer = await scriptedPeer(() => answer, tasks);
    const registry = await orders(peer);
    return toolMessage(await registry.call(callTo('order'))).text;
  }
  const refuse = (code: number, message: string) => (): never => {
    throw new Fault(code, message);
  };

  test('one that answers the call itself is read as for a plain call', async () => {
    expect(await read(text('ordered'))).toBe('ordered');
  });

  test('a server without the capability is sent a plain call', async () => {
    const peer = await scriptedPeer(() => text('ordered'));
    const registry = await orders(peer);

    expect(toolMessage(await registry.call(callTo('order'))).text).toBe('ordered');
    expect(peer.calls).toEqual([{ name: 'order', arguments: {} }]);
  });

  test('the model reads that work may be done if the task or its answer is lost', async () => {
    const lost = await read(working, { 'tasks/get': refuse(-32_602, 'Task not found') });
    const unreadable = await read({ task: task('dancing') });
    const failed = await read(working, {
      'tasks/get': () => task('failed'),
      'tasks/result': refuse(-32_603, 'The kitchen is on fire.'),
    });
    const withoutContent = await read(working, {
      'tasks/get': () => task('completed'),
      'tasks/result': () => ({ content: 'no list' }),
    });

    expect([lost, unreadable, failed, withoutContent]).toEqual([
      'order has no result: its server no longer knows the call. Part of its work may be done.',
      "order has no result: the answer of its server can't be understood. Part of its work may be done.",
      'order was started, and failed: The kitchen is on fire.',
      "order was executed, but the answer of its server can't be understood.",
    ]);
  });

  test('a server that fails to say how far the task is is asked again', async () => {
    const states = [
      refuse(-32_603, 'The server failed with an internal error.'),
      () => task('completed'),
    ];

    expect(
      await read(working, {
        'tasks/get': () => states.shift()?.(),
        'tasks/result': () => text('ordered'),
      }),
    ).toBe('ordered');
    expect(states).toEqual([]);
  });

  test('a refused task is a refused call', async () => {
    const peer = await scriptedPeer(() => refuse(-32_602, 'No more orders.')(), {});
    const registry = await orders(peer);

    const outcome = await registry.call(callTo('order'));

    expect(toolMessage(outcome).text).toBe('The server of order refused the call: No more orders.');
  });

  test('each new status message is progress, once', async () => {
    const messages = ['boiling', 'boiling', 'serving'];
    const peer = await scriptedPeer(() => working, {
      'tasks/get': () => {
        const statusMessage = messages.shift();
        return statusMessage === undefined ? task('completed') : task('working', { statusMessage });
      },
      'tasks/result': () => text('served'),
    });
    const registry = await orders(peer);
    const updates: unknown[] = [];

    const outcome = await registry.call(callTo('order'), {
      progress: (update) => updates.push(update),
    });

    expect(toolMessage(outcome).text).toBe('served');
    expect(updates).toEqual([{ message: 'boiling' }, { message: 'serving' }]);
  });
});
