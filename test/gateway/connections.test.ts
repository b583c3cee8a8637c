// Connections that end in the midst of an exchange.
import { once } from 'node:events';
import { request } from 'node:http';
import { type Socket, createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Connections } from '../../src/gateway/upstream.ts';
import { chatStream, offering } from './chat-answers.ts';
import { KeptRecord, ask, startTestGateway } from './scripted-upstream.ts';

const path = '/v1/chat/completions';

/**
 * A server that answers the requests of all connections in turn, each of which comes as one chunk.
 */
async function startSocketServer(answer: (socket: Socket, index: number) => void) {
  const requests: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      if (!chunk.toString().startsWith('POST')) return;
      requests.push(chunk.toString());
      answer(socket, requests.length - 1);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    requests,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const servers: { close(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function startServer(answer: (socket: Socket, index: number) => void) {
  const server = await startSocketServer(answer);
  servers.push(server);
  return server;
}

/** A streamed answer whose end is the end of the connection. */
const closeDelimited =
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n';

const callBegun = chatStream('{"paths":', 'Let me see.').slice(0, 2).join('');

test('a request that a reused connection may have carried is not sent again', async () => {
  const upstream = await startServer((socket, index) => {
    if (index === 0)
      socket.write(
        'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
      );
    else socket.resetAndDestroy();
  });
  const { port } = await startTestGateway(upstream.origin);
  const first = await ask(port, path, { body: offering() });
  const second = await ask(port, path, { body: offering() });

  expect([first.status, second.status]).toEqual([200, 502]);
  expect(JSON.parse(second.bytes.toString()).error.message).toBe(
    'The upstream broke off the connection before it answered (ECONNRESET). It may have read the request.',
  );
  expect(upstream.requests).toHaveLength(2);
});

test('a connection that was idle is not used again, also if the process was busy', async () => {
  const sockets = new Set<Socket>();
  const upstream = await startServer((socket) => {
    sockets.add(socket);
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
  });
  const connections = new Connections({ maxIdle: 60_000 });
  const to = { url: new URL(upstream.origin), models: [], key: undefined };
  const send = async (): Promise<void> => {
    const body = Buffer.from('{}');
    const answer = await connections.send(
      to,
      { method: 'POST', path: '/', headers: [], body },
      AbortSignal.timeout(60_000),
    );
    await buffer(answer);
    await new Promise((resolve) => setImmediate(resolve));
  };
  await send();
  await send();
  const atOnce = sockets.size;
  const clock = performance.now.bind(performance);
  performance.now = () => clock() + 60_001;
  await send();
  performance.now = clock;
  connections.close();

  expect([atOnce, sockets.size]).toEqual([1, 2]);
});

test('a client that leaves in the midst of a call is logged as such, if the end of the connection ends the answer', async () => {
  const upstream = await startServer((socket) => void socket.write(closeDelimited + callBegun));
  const record = new KeptRecord({ writeLine: undefined, contents: false });
  const { port } = await startTestGateway(upstream.origin, {}, record);
  const client = request({ port, path, method: 'POST', agent: false });
  client.on('error', () => undefined);
  client.end(offering());
  await once(client, 'response');
  client.destroy();
  await record.added;

  expect(record.ends).toMatchObject([{ end: 'client_closed', calls: [] }]);
});

test.each([
  ['streamed', closeDelimited + callBegun],
  ['whole', closeDelimited.replace('text/event-stream', 'application/json') + '{"choices":['],
])('an upstream that resets the connection breaks off for the client: %s', async (_kind, sent) => {
  const upstream = await startServer((socket) => {
    socket.write(sent);
    setImmediate(() => socket.resetAndDestroy());
  });
  const record = new KeptRecord({ writeLine: undefined, contents: false });
  const { port } = await startTestGateway(upstream.origin, {}, record);
  const { isBroken, bytes } = await ask(port, path, { body: offering() });
  await record.added;

  expect(isBroken).toBe(true);
  expect(sent.endsWith(bytes.toString())).toBe(true);
  expect(record.ends).toMatchObject([{ end: 'upstream_closed', calls: [] }]);
});
