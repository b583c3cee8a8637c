// A server behind a URL that forgets its sessions.
import { type Server, createServer } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { HttpChannel } from '../../src/mcp-proxy/http-channel.ts';
import type { Message } from './harness.ts';

const open: { readonly server: Server; readonly channel: HttpChannel }[] = [];

afterEach(async () => {
  for (const { server, channel } of open.splice(0)) {
    await channel.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/**
 * A connection with a server of sessions; `forget` is a restart of the server. `begins`: sessions
 * that it begins. `refuses`: after them, it answers `initialize` with an error and a session.
 */
async function connectTo({ begins = Infinity, refuses = false, isStream = false } = {}) {
  let session = '';
  let sessionCount = 0;
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void readText(request).then((body) => {
      const { id, method }: Message = body === '' ? { method: request.method } : JSON.parse(body);
      const sessionHeader = request.headers['mcp-session-id'];
      requests.push(`${String(sessionHeader ?? '-')} ${method}`);
      if (request.method !== 'POST') return response.writeHead(405).end();
      if (method === 'initialize' && sessionCount === begins && refuses)
        return response
          .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'none' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'no' } }));
      if (method === 'initialize' && sessionCount < begins) session = `s${(sessionCount += 1)}`;
      else if (sessionHeader !== session || session === '')
        return response.writeHead(404).end('{"error":"no session"}');
      if (id === undefined) return response.writeHead(202).end();
      const answer = JSON.stringify({ jsonrpc: '2.0', id, result: { session } });
      response.writeHead(200, {
        'content-type': isStream ? 'text/event-stream' : 'application/json',
        'mcp-session-id': session,
      });
      return response.end(isStream ? `data: ${answer}\n\n` : answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const logLines: string[] = [];
  const channel = new HttpChannel(
    { url: new URL(`http://127.0.0.1:${port}/mcp`), headers: {} },
    (line) => logLines.push(line),
  );
  open.push({ server, channel });
  const receivers = new Map<unknown, (message: Message) => void>();
  void channel.run((text) => {
    const message: Message = JSON.parse(text);
    receivers.get(message.id)?.(message);
  });
  const ask = async (id: number, method: string): Promise<Message> => {
    const answer = new Promise<Message>((resolve) => receivers.set(id, resolve));
    await channel.send(JSON.stringify({ jsonrpc: '2.0', id, method, params: {} }));
    return answer;
  };
  await ask(0, 'initialize');
  await channel.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return { ask, seen: requests, logged: logLines, forget: () => (session = '') };
}

test.each([[false], [true]])(
  'a forgotten session is begun again, once for all calls; stream: %j',
  async (isStream) => {
    const { ask, seen: requests, logged: logLines, forget } = await connectTo({ isStream });
    forget();

    const answers = await Promise.all([ask(1, 'tools/call'), ask(2, 'tools/call')]);
    const later = await ask(3, 'tools/call');

    expect([...answers, later].map(({ id, result }) => [id, result.session])).toEqual([
      [1, 's2'],
      [2, 's2'],
      [3, 's2'],
    ]);
    expect(requests.filter((line) => line.includes('initialize'))).toEqual([
      '- initialize',
      's1 notifications/initialized',
      '- initialize',
      's2 notifications/initialized',
    ]);
    expect(logLines).toEqual(['the server had forgotten the session; a new one was begun']);
  },
);

test('a server that begins no new session: the call has an error', async () => {
  const { ask, forget } = await connectTo({ begins: 1 });
  forget();

  expect((await ask(1, 'tools/call')).error.message).toContain('The server answered 404');
  expect((await ask(2, 'tools/call')).error.message).toContain('The server answered 404');
});

test('a session that is begun with an error is none: the call has an error', async () => {
  const { ask, logged: logLines, forget } = await connectTo({ begins: 1, refuses: true });
  forget();

  expect((await ask(1, 'tools/call')).error.message).toContain('The server answered 404');
  expect(logLines).toEqual([]);
});

test('a connection that is closed at the moment of an answer ends without an error', async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/mcp`);
  const channel = new HttpChannel({ url, headers: {} }, () => undefined);
  open.push({ server, channel });
  const end = channel.run(() => channel.close());
  await channel.send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}');
  // An error that nobody handles would end this test.
  await new Promise((resolve) => setTimeout(resolve, 20));

  await expect(end).resolves.toBeUndefined();
});

test('a server that wants a token: the error says how to get one', async () => {
  const challenge = 'Bearer resource_metadata="https://mcp.test/.well-known/oauth"';
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(401, { 'www-authenticate': challenge }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/mcp`);
  const logLines: string[] = [];
  const channel = new HttpChannel({ url, headers: {} }, (line) => logLines.push(line));
  open.push({ server, channel });
  const answered = Promise.withResolvers<string>();
  void channel.run(answered.resolve);
  await channel.send('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}');
  await channel.send('{"jsonrpc":"2.0","method":"notifications/x"}');

  expect(JSON.parse(await answered.promise).error.message).toBe(
    `The server answered 401 Unauthorized (WWW-Authenticate: ${challenge}).`,
  );
  expect(logLines).toEqual([
    `the server answered 401 Unauthorized (WWW-Authenticate: ${challenge})`,
  ]);
});
