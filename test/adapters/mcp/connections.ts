// Connections of the real client, over stdio and HTTP on loopback, in both eras of the protocol.
import { type EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  type CreateMcpHandlerOptions,
  McpServer,
} from '@modelcontextprotocol/server';
import type { ToolSet } from 'toolmend';
import { serveTools } from 'toolmend/mcp';
import { projectFolder } from '../../checks/project-folder.ts';

export type Era = 'legacy' | 'modern';

/**
 * For `connect`: milliseconds in which a server process starts, also on a busy machine. The
 * client's default is a minute.
 */
export const patient = { timeout: 600_000 };

/** What the tests of served tools need. */
export interface Connection {
  readonly client: Client;
  /** Resolves when a server process has written this to its standard error. */
  readonly heard?: (text: string) => Promise<void>;
  /** Announces a changed list to the clients of a modern server over HTTP. */
  readonly toolsChanged?: () => void;
  readonly close: () => Promise<void>;
}

const newClient = (era: Era): Client =>
  new Client(
    { name: 'tests', version: '1.0.0' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } },
  );

/** `program`: a file of this folder. */
export async function overStdio(program: string, era: Era, args: readonly string[] = []) {
  const client = newClient(era);
  const file = join(projectFolder, 'test/adapters/mcp', program);
  const server = { command: process.execPath, args: [file, ...args], stderr: 'pipe' as const };
  const transport = new StdioClientTransport(server);
  await client.connect(transport, patient);
  return { client, heard: heardOn(transport.stderr), close: () => client.close() };
}

function heardOn(stream: EventEmitter | null): NonNullable<Connection['heard']> {
  let errors = '';
  stream?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  return async (text) => {
    while (!errors.includes(text)) await (stream === null ? undefined : once(stream, 'data'));
  };
}

/** The tools over HTTP. */
export const serveOverHttp = (
  tools: ToolSet,
  era: Era = 'modern',
  options: CreateMcpHandlerOptions = {},
) =>
  overHttp(
    () => serveTools(new McpServer({ name: 'samples', version: '1.0.0' }), tools),
    era,
    options,
  );

/**
 * With a new server for each request, as in services. `stop` ends the server without a word to the
 * client.
 */
export async function overHttp(
  factory: () => McpServer,
  era: Era,
  options: CreateMcpHandlerOptions = {},
  client = newClient(era),
) {
  const handler = createMcpHandler(factory, options);
  const handle = toNodeHandler(handler);
  const listener = createServer((request, response) => {
    const { method = 'GET', url = '/' } = request;
    void handle(Object.assign(request, { method, url }), response);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const stop = async (): Promise<void> => {
    await handler.close();
    listener.closeAllConnections();
    if (listener.listening) await new Promise((resolve) => listener.close(resolve));
  };
  const url = `http://127.0.0.1:${port}/mcp`;
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return {
    client,
    toolsChanged: () => handler.notify.toolsChanged(),
    stop,
    url,
    close: async () => {
      await client.close();
      await stop();
    },
  };
}
