// `toolmend mcp` with a server behind a URL, in sessions and in the stateless revision.
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { patient } from '../adapters/mcp/connections.ts';
import { projectFolder } from '../checks/project-folder.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** The URL of a server on loopback. */
async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/mcp`;
}

const command = process.execPath;
const toolmend = join(projectFolder, 'src/cli/toolmend.ts');

async function connect(
  era: 'legacy' | 'modern',
  args: readonly string[],
  env: Record<string, string> = {},
) {
  const client = new Client(
    { name: 'tests', version: '1.0.0' },
    {
      capabilities: { sampling: {} },
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
    },
  );
  const transport = new StdioClientTransport({
    command,
    args: [toolmend, 'mcp', ...args],
    env,
    stderr: 'pipe',
  });
  let errors = '';
  transport.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  await client.connect(transport, patient);
  /** Ends the input of the proxy. Unlike `close`, it waits until the proxy has ended by itself. */
  const leave = async (): Promise<void> => {
    const proxy: ChildProcess = Reflect.get(transport, '_process');
    proxy.stdin?.end();
    await once(proxy, 'close');
  };
  return { client, errors: () => errors, leave };
}

const ids = z.array(z.number().int());
const answer = (value: unknown) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(value) }],
});

/**
 * A server with sessions, of the first SDK: it samples, reports progress and changes its list.
 * `reported`: the client has read the progress; it drops an update that it reads together with the
 * result.
 */
async function sessionServer(report?: Promise<void>) {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const requests: string[] = [];
  const deletion = Promise.withResolvers<void>();
  const url = await listen((request, response) => {
    const id = String(request.headers['mcp-session-id'] ?? '');
    requests.push(
      `${request.method} ${id === '' ? 'new' : 'session'} ${request.headers.authorization ?? ''}`.trim(),
    );
    if (request.method === 'DELETE') deletion.resolve();
    const session = sessions.get(id);
    if (session !== undefined) return void session.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (sessionId) => void sessions.set(sessionId, transport),
    });
    const server = new McpServer1(
      { name: 'sessions', version: '1' },
      { capabilities: { logging: {} } },
    );
    server.registerTool(
      'sum',
      { inputSchema: { ids } },
      async ({ ids: given }, { sendNotification, _meta }) => {
        const progressToken = _meta?.progressToken ?? 0;
        await sendNotification({
          method: 'notifications/progress',
          params: { progressToken, progress: 1 },
        });
        await report;
        return answer(given);
      },
    );
    server.registerTool('ask', {}, async () => {
      const messages = [
        { role: 'user' as const, content: { type: 'text' as const, text: 'Hello?' } },
      ];
      return answer(await server.server.createMessage({ messages, maxTokens: 10 }));
    });
    server.registerTool('grow', {}, () => {
      server.registerTool('grown', {}, () => answer('new'));
      return answer('done');
    });
    return void server.connect(transport).then(() => transport.handleRequest(request, response));
  });
  return { url, requests, deleted: deletion.promise };
}

test('a server with sessions: repair, progress, sampling, announced changes, and the end of the session', async () => {
  const report = Promise.withResolvers<void>();
  const { url, requests, deleted } = await sessionServer(report.promise);
  const args = ['--url', url, '--header', 'Authorization: Bearer ${TOKEN}'];
  const { client, leave } = await connect('legacy', args, { TOKEN: 'hush' });
  client.setRequestHandler('sampling/createMessage', () => ({
    model: 'm',
    role: 'assistant',
    content: { type: 'text', text: 'Yes.' },
  }));
  const change = Promise.withResolvers<void>();
  client.setNotificationHandler('notifications/tools/list_changed', () => change.resolve());
  const progress: number[] = [];

  const sum = await client.callTool(
    { name: 'sum', arguments: { ids: '["1", 2]' } },
    {
      onprogress: (update) => {
        progress.push(update.progress);
        report.resolve();
      },
    },
  );
  const result = await client.callTool({ name: 'ask', arguments: {} });
  await client.callTool({ name: 'grow', arguments: {} });
  await change.promise;
  const { tools } = await client.listTools();
  await Promise.all([leave(), deleted]);

  expect(sum).toMatchObject(answer([1, 2]));
  expect(progress).toEqual([1]);
  expect(JSON.stringify(result)).toContain('Yes.');
  expect(tools.map(({ name }) => name)).toEqual(['sum', 'ask', 'grow', 'grown']);
  expect(requests).toContain('DELETE session Bearer hush');
});

test('the stateless revision: headers that repeat arguments say what the repaired call says', async () => {
  const bodies: unknown[] = [];
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'stateless', version: '1' });
    const inputSchema = z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }), ids });
    server.registerTool('sum', { inputSchema }, (values) => answer(values));
    return server;
  });
  const handle = toNodeHandler(handler);
  const url = await listen((request, response) => {
    bodies.push(request.headers['mcp-param-region']);
    void handle(
      Object.assign(request, { method: request.method ?? 'GET', url: request.url ?? '/' }),
      response,
    );
  });
  const { client } = await connect('modern', ['--url', url]);
  await client.listTools();

  const result = await client.callTool({ name: 'sum', arguments: { region: 'Köln', ids: '[1]' } });
  await client.close();
  await handler.close();

  expect(result).toMatchObject(answer({ region: 'Köln', ids: [1] }));
  expect(bodies.at(-1)).toBe('=?base64?S8O2bG4=?=');
});

test.each([
  ['a redirect', 302, 'redirects are not followed'],
  ['an error', 503, 'The server answered 503 Service Unavailable.'],
])('%s is the answer to the request', async (_title, status, message) => {
  const url = await listen((_request, response) => {
    response.writeHead(status, { location: 'http://127.0.0.1:1/' });
    response.end('no');
  });

  await expect(connect('legacy', ['--url', url])).rejects.toThrow(message);
});

test('a server that is not there, and one that goes during a call', async () => {
  await expect(connect('legacy', ['--url', 'http://127.0.0.1:9/mcp'])).rejects.toThrow(
    "The server can't be reached (ECONNREFUSED).",
  );
  const { url } = await sessionServer();
  const { client } = await connect('legacy', ['--url', url]);
  client.setRequestHandler('sampling/createMessage', () => {
    for (const server of servers) server.closeAllConnections();
    throw new Error('gone');
  });

  await expect(client.callTool({ name: 'ask', arguments: {} })).rejects.toThrow(
    'was lost before it answered',
  );
  await client.close();
});
