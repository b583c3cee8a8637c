// Clients of both SDKs, connected with a server in this process.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as FirstTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { McpServer as FirstServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { McpServer } from '@modelcontextprotocol/server';

const info = { name: 'tests', version: '1.0.0' };

export async function inMemory(server: McpServer | McpServer['server']): Promise<Client> {
  const client = new Client(info, { versionNegotiation: { mode: 'legacy' } });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  return client;
}

export async function inMemoryOfFirstSdk(
  server: FirstServer | FirstServer['server'],
  client = new FirstClient(info),
): Promise<FirstClient> {
  const [near, far] = FirstTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  return client;
}
