// Background tools, served to the client of SDK 1 in one process.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { defineTool, type RegistryOptions, ToolFailure, ToolRegistry } from 'toolmend';
import { type FirstSdkRequest, serveTools, type ServeOptions } from 'toolmend/mcp';

export const info = { name: 'builder', version: '1' };
export const closing: (() => unknown)[] = [];
export const closeAll = async (): Promise<void> => {
  for (const close of closing.splice(0).toReversed()) await close();
};

interface Build {
  readonly target: string;
}

/** `build` goes on until `finish` is called. */
export function builder(options: RegistryOptions = {}, finish: Promise<unknown> = Promise.resolve()) {
  const inputSchema = {
    type: 'object',
    properties: { target: { type: 'string' } },
    required: ['target'],
  } as const;
  const build = defineTool<Build>({
    name: 'build',
    description: 'Build.',
    inputSchema,
    background: 'allowed',
    execute: async ({ target }, { progress, signal }) => {
      progress({ progress: 1, total: 2, message: 'compiling' });
      const aborted = new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
      await Promise.race([finish, aborted]);
      if (target === 'broken') throw new ToolFailure('The compiler found 3 errors.');
      return { target, files: 3 };
    },
  });
  const deploy = defineTool({
    name: 'deploy',
    description: 'Deploy.',
    inputSchema: { type: 'object' },
    background: 'always',
    execute: () => 'deployed',
  });
  const look = defineTool({
    name: 'look',
    description: 'Look.',
    inputSchema: { type: 'object' },
    execute: () => 'seen',
  });
  return new ToolRegistry(options).register(build, deploy, look);
}

async function connect(server: McpServer): Promise<Client> {
  const client = new Client({ name: 'host', version: '1' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  closing.push(() => client.close());
  return client;
}

export const serve = (tools: ToolRegistry, options?: ServeOptions<FirstSdkRequest>) =>
  connect(serveTools(new McpServer(info), tools, options));

export const startTask = async (client: Client, sent: object, options = {}): Promise<string> => {
  const stream = client.experimental.tasks.callToolStream(
    { name: 'build', arguments: { ...sent } },
    undefined,
    {
      task: {},
      ...options,
    },
  );
  const { value } = await stream.next();
  if (value?.type !== 'taskCreated') throw new Error(JSON.stringify(value));
  expect(value.task.status).toBe('working');
  return value.task.taskId;
};
