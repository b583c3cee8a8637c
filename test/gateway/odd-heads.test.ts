// Answers whose head is as few servers write it.
import { once } from 'node:events';
import { type Socket, connect, createServer } from 'node:net';
import { offering } from './chat-answers.ts';
import { ask, startTestGateway } from './scripted-upstream.ts';

/** A server that answers each request with these bytes, and ends the connection. */
async function startRawUpstream(answer: string) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(answer, 'latin1'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { origin: `http://127.0.0.1:${port}`, close };
}

const path = '/v1/chat/completions';
const body = 'data: [DONE]\n\n';

test.each([
  ['a stream', 'POST', path, 'text/event-stream'],
  ['an answer that passes', 'GET', '/v1/files/1', 'text/plain'],
])('%s: bytes of a header that are not ASCII stay as they are', async (_title, ...how) => {
  const [method, requested, type] = how;
  const name = 'X-Name: Gr\u00c3\u00bcn \u00e9';
  const upstream = await startRawUpstream(
    `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n${name}\r\nConnection: close\r\n\r\n${body}`,
  );
  const { port } = await startTestGateway(upstream.origin);
  const socket = connect(port, '127.0.0.1');
  const request = method === 'GET' ? '' : offering();
  socket.write(
    `${method} ${requested} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: ${request.length}\r\n\r\n${request}`,
  );
  let text = '';
  for await (const chunk of socket.setEncoding('latin1')) text += String(chunk);
  upstream.close();

  expect(text).toContain(`\r\n${name}\r\n`);
  expect(text).toContain(body);
});

test('control characters in the words of a status don’t keep the answer from the client', async () => {
  const upstream = await startRawUpstream(
    `HTTP/1.1 200 O\u0007K\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n${body}`,
  );
  const { port } = await startTestGateway(upstream.origin);
  const { status, bytes } = await ask(port, path, { body: offering() });
  upstream.close();

  expect(status).toBe(200);
  expect(bytes.toString()).toBe(body);
});

test('an upstream that changes the protocol unasked gave no answer', async () => {
  const upstream = await startRawUpstream(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n',
  );
  const gateway = await startTestGateway(upstream.origin);
  const { status } = await ask(gateway.port, path, { body: offering() });
  upstream.close();

  expect(status).toBe(502);
  expect(gateway.open).toBe(0);
});
