// Background tools, served to the client of SDK 1 in one process.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { type RegistryOptions, ToolFailure, ToolRegistry } from 'toolmend';
import { type FirstSdkRequest, serveTools, type ServeOptions } from 'toolmend/mcp';
import { toolOf } from '../../tools.ts';
import { inMemoryOfFirstSdk } from './in-memory.ts';

export const info = { name: 'builder', version: '1' };
export const closing: (() => unknown)[] = [];
export const closeAll = async (): Promise<void> => {
  for (const close of closing.splice(0).toReversed()) await close();
};

const properties = { target: { type: 'string' } } as const;
const inputSchema = { type: 'object', properties, required: ['target'] } as const;

/** `build` goes on until `finish` is called. */
export function builder(
  options: RegistryOptions = {},
  finish: Promise<unknown> = Promise.resolve(),
) {
  const build = toolOf<{ readonly target: string }>(
    async ({ target }, { progress, signal }) => {
      progress({ progress: 1, total: 2, message: 'compiling' });
      const aborted = new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
      await Promise.race([finish, aborted]);
      if (target === 'broken') throw new ToolFailure('The compiler found 3 errors.');
      return { target, files: 3 };
    },
    { name: 'build', background: 'allowed', inputSchema },
  );
  const deploy = toolOf(() => 'deployed', { name: 'deploy', background: 'always' });
  const look = toolOf(() => 'seen', { name: 'look' });
  return new ToolRegistry(options).register(build, deploy, look);
}

export async function serve(
  tools: ToolRegistry,
  options?: ServeOptions<FirstSdkRequest>,
): Promise<Client> {
  const client = await inMemoryOfFirstSdk(serveTools(new McpServer(info), tools, options));
  closing.push(() => client.close());
  return client;
}

export const startTask = async (client: Client, sent: object, options = {}): Promise<string> => {
  const call = { name: 'build', arguments: { ...sent } };
  const stream = client.experimental.tasks.callToolStream(call, undefined, {
    task: {},
    ...options,
  });
  const { value } = await stream.next();
  if (value?.type !== 'taskCreated') throw new Error(JSON.stringify(value));
  expect(value.task.status).toBe('working');
  return value.task.taskId;
};
