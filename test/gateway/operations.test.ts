// What an operator of the gateway needs: probes, an end without loss, the access log, the metrics.
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { DefinitionError } from 'toolmend';
import { checkedSettings, gatewayOptions } from '../../src/gateway/gateway-options.ts';
import { GatewayRecord } from '../../src/gateway/gateway-record.ts';
import { type Gateway, startGateway } from '../../src/gateway/server.ts';
import { chatAnswer, chatStream, offering } from './chat-answers.ts';
import { ask, startTestGateway, startUpstream } from './scripted-upstream.ts';

const path = '/v1/chat/completions';
const json = (text: string) => ({ type: 'application/json', chunks: [text] });
const closers: (() => unknown)[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const close of closers.splice(0)) await close();
});

/** A server whose answers a test writes piece by piece. */
async function startSlowUpstream() {
  const responses: ServerResponse[] = [];
  const server = createServer((incoming, response) => {
    incoming.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    responses.push(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { origin: `http://127.0.0.1:${port}`, responses };
}

/** A request whose answer has begun. */
async function beginStream(port: number): Promise<IncomingMessage> {
  const sent = request({ port, path, method: 'POST', agent: false });
  sent.on('error', () => undefined);
  sent.end(offering({ stream: true }));
  const [answer]: IncomingMessage[] = await once(sent, 'response');
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

/** Waits until something is so. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

describe('the end', () => {
  test('an open stream ends, and there are no new requests', async () => {
    const upstream = await startSlowUpstream();
    const gateway = await startTestGateway(upstream.origin);
    const answer = await beginStream(gateway.port);
    const drained = gateway.drain(60_000).then(() => 'drained');
    const refused = await ask(gateway.port, path, { body: offering() }).catch(
      (error: NodeJS.ErrnoException) => error.code,
    );
    const before = gateway.open;
    upstream.responses[0]?.end(chatStream('{"paths":"a"}', 'Hm. ').join(''));

    expect(await textOf(answer)).toBe(chatStream('{"paths":["a"]}', 'Hm. ').join(''));
    expect(await drained).toBe('drained');
    expect([refused, before, gateway.open]).toEqual(['ECONNREFUSED', 1, 0]);
  });

  test('a connection that stays open gets 503 for its next request', async () => {
    const upstream = await startSlowUpstream();
    const gateway = await startTestGateway(upstream.origin);
    const body = offering({ stream: true });
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n`;
    const socket = connect(gateway.port, '127.0.0.1');
    const received = textOf(socket);
    socket.write(head + body);
    await until(() => upstream.responses.length === 1);
    const drained = gateway.drain(60_000);
    // The second request comes before the first has all of its answer.
    socket.write(head + body);
    await until(() => gateway.open === 2);
    upstream.responses[0]?.end(chatStream('{"paths":"a"}', 'Hm. ').join(''));
    await drained;
    const answers = (await received).match(/HTTP\/1\.1 \d+|shutting_down/g);

    expect(answers).toEqual(['HTTP/1.1 200', 'HTTP/1.1 503', 'shutting_down']);
  });

  test('a stream without an end is cut after the limit', async () => {
    const upstream = await startSlowUpstream();
    const gateway = await startTestGateway(upstream.origin);
    const answer = await beginStream(gateway.port);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const drained = gateway.drain(50);
    await vi.advanceTimersByTimeAsync(49);
    const before = gateway.open;
    await vi.advanceTimersByTimeAsync(1);
    await drained;

    await expect(textOf(answer)).rejects.toThrow('aborted');
    expect([before, gateway.open]).toEqual([1, 0]);
  });

  test('without an open request, it ends at once', async () => {
    const upstream = await startUpstream(() => json('{}'));
    const gateway = await startTestGateway(upstream.origin);
    await ask(gateway.port, '/v1/models', { method: 'GET' });
    // No time passes.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

    await expect(gateway.drain(60_000)).resolves.toBeUndefined();
  });

  test.each([
    ['30s', 30_000],
    ['500ms', 500],
    ['5m', 300_000],
    ['0s', 0],
    [undefined, 30_000],
  ])('drain %s', (drain, expected) => {
    const settings = {
      upstreams: [{ url: 'http://h' }],
      ...(drain === undefined ? {} : { drain }),
    };

    expect(gatewayOptions(checkedSettings('test', settings), {}).drainMs).toBe(expected);
  });

  test.each(['30', 's', '-1s', '1h', '1.5s', '', 30])('drain %j is refused', (drain) => {
    expect(() => checkedSettings('test', { drain })).toThrow(DefinitionError);
    expect(() => checkedSettings('test', { drain })).toThrow('such as 30s');
  });
});

describe('probes', () => {
  test('need no token, reach no upstream, and take any name', async () => {
    const upstream = await startUpstream(() => json('{}'));
    const { port } = await startTestGateway(upstream.origin, { tokenFrom: 'TOKEN' });
    const probe = async (url: string, method = 'GET') => {
      const { status, bytes } = await ask(port, url, {
        method,
        headers: { host: '10.0.0.7:4141' },
      });
      return [status, bytes.toString()];
    };

    expect(await probe('/health')).toEqual([200, '{"status":"live"}']);
    expect(await probe('/ready')).toEqual([200, '{"status":"ready"}']);
    expect(await probe('/ready', 'HEAD')).toEqual([200, '']);
    expect((await probe('/stats'))[0]).toBe(403);
    expect(upstream.received).toEqual([]);
  });

  test('other methods and paths are the upstream’s', async () => {
    const upstream = await startUpstream(() => json('{}'));
    const { port } = await startTestGateway(upstream.origin);
    await ask(port, '/health', { body: '{}' });
    await ask(port, '/v1/health', { method: 'GET' });

    expect(upstream.received.map((received) => received.path)).toEqual(['/health', '/v1/health']);
  });
});

/** A gateway that logs to lists. */
async function startLogged(origin: string) {
  const [access, calls, problems]: [string[], string[], string[]] = [[], [], []];
  const record = new GatewayRecord({
    writeLine: (line) => calls.push(line),
    contents: false,
    writeAccess: (line) => access.push(line),
  });
  const options = gatewayOptions(
    checkedSettings('test', { upstreams: [{ url: `${origin}/v1` }], tokenFrom: 'TOKEN' }),
    { TOKEN: 'tok' },
  );
  const gateway: Gateway = await startGateway(options, record, ({ url, method, path: of, what }) =>
    problems.push(`${url.origin} ${what}: ${method} ${of}`),
  );
  closers.push(() => gateway.close());
  const read = async (wanted: number) => {
    await until(() => access.length >= wanted);
    return {
      access: access.map((line) => JSON.parse(line)),
      calls: calls.map((line) => JSON.parse(line)),
      problems,
    };
  };
  return { port: gateway.port, read, text: () => access.join('') };
}

const headers = { authorization: 'Bearer tok' };

describe('logs', () => {
  test('the access log has a line for each request, without queries and keys', async () => {
    const upstream = await startUpstream(() => json(chatAnswer('{"paths":"a"}')));
    const { port, read, text } = await startLogged(upstream.origin);
    await ask(port, path, { body: offering(), headers });
    await ask(port, '/v1/models?key=s3cret', { method: 'GET', headers });
    await ask(port, path, { body: offering() });
    await ask(port, '/health', { method: 'GET' });
    await ask(port, '/stats', { method: 'GET', headers });
    const { access } = await read(3);

    expect(access).toMatchObject([
      {
        method: 'POST',
        path,
        status: 200,
        end: 'complete',
        protocol: 'chat_completions',
        model: 'm',
        ms: expect.any(Number),
        firstByteMs: expect.any(Number),
        bytes: chatAnswer('{"paths":["a"]}').length,
      },
      { method: 'GET', path: '/v1/models', status: 200, protocol: 'other' },
      { status: 401, end: 'refused' },
    ]);
    expect(access).toHaveLength(3);
    expect(text()).not.toMatch(/s3cret|tok"|Bearer/);
  });

  test('errors of the upstream are reported, and in the log', async () => {
    const upstream = await startUpstream(({ path: of }) =>
      of === path
        ? { status: 500, type: 'application/json', chunks: ['{"error":"s3cret"}'] }
        : { status: 404, type: 'application/json', chunks: ['{}'] },
    );
    const { port, read } = await startLogged(upstream.origin);
    await ask(port, path, { body: offering(), headers });
    await ask(port, '/v1/models?key=s3cret', { method: 'GET', headers });
    const { calls, problems } = await read(2);

    expect(problems).toEqual([
      `${upstream.origin} answered 500: POST ${path}`,
      `${upstream.origin} answered 404: GET /v1/models`,
    ]);
    expect(calls).toMatchObject([
      { protocol: 'chat_completions', answer: 500 },
      { protocol: 'other', method: 'GET', path: '/v1/models', answer: 404, end: 'complete' },
    ]);
    expect(JSON.stringify([calls, problems])).not.toContain('s3cret');
  });

  test('an upstream that can’t be reached, or breaks off, is reported', async () => {
    const upstream = await startUpstream(() => ({
      ...json('{"choices":['),
      headers: { 'content-length': '100' },
      end: 'break',
    }));
    const broken = await startLogged(upstream.origin);
    await ask(broken.port, path, { body: offering(), headers });
    const gone = await startLogged('http://127.0.0.1:1');
    await ask(gone.port, '/v1/models', { method: 'GET', headers });

    expect((await broken.read(1)).problems).toEqual([
      `${upstream.origin} broke off its answer: POST ${path}`,
    ]);
    const { problems, calls, access } = await gone.read(1);
    expect(problems).toEqual(['http://127.0.0.1:1 gave no answer (ECONNREFUSED): GET /v1/models']);
    expect(calls).toMatchObject([{ protocol: 'other', answer: 502, end: 'unreachable' }]);
    expect(access).toMatchObject([{ status: 502, end: 'unreachable' }]);
  });

  test('a client that leaves is no error of the upstream', async () => {
    const upstream = await startSlowUpstream();
    const { port, read } = await startLogged(upstream.origin);
    const sent = request({ port, path, method: 'POST', agent: false, headers });
    sent.on('error', () => undefined);
    sent.end(offering({ stream: true }));
    await once(sent, 'response');
    sent.destroy();
    const { access, problems } = await read(1);

    expect(access).toMatchObject([{ end: 'client_closed', status: 200 }]);
    expect(problems).toEqual([]);
  });
});

test('the metrics have statuses, the time to the first byte, and what is open', async () => {
  const upstream = await startSlowUpstream();
  const { port } = await startTestGateway(upstream.origin);
  const metrics = async (): Promise<readonly string[]> =>
    (await ask(port, '/metrics', { method: 'GET' })).bytes.toString().split('\n');
  const ofOpen = (lines: readonly string[]): readonly string[] =>
    lines.filter((line) => line.startsWith('toolmend_gateway_open'));
  const answers = await Promise.all([beginStream(port), beginStream(port)]);
  const before = await metrics();
  upstream.responses[0]?.write(': begun\n\n');
  await Promise.race(answers.map((answer) => once(answer, 'readable')));
  const during = await metrics();
  for (const response of upstream.responses) response.end('data: [DONE]\n\n');
  for (const answer of answers) await textOf(answer);
  await until(async () => ofOpen(await metrics()).every((line) => line.endsWith(' 0')));
  const after = await metrics();

  expect(ofOpen(before)).toEqual([
    'toolmend_gateway_open_requests{state="waiting"} 2',
    'toolmend_gateway_open_requests{state="streaming"} 0',
  ]);
  expect(ofOpen(during)).toEqual([
    'toolmend_gateway_open_requests{state="waiting"} 1',
    'toolmend_gateway_open_requests{state="streaming"} 1',
  ]);
  expect(after).toContain(
    'toolmend_gateway_requests_total{protocol="chat_completions",status="200"} 2',
  );
  expect(after).toContain(
    'toolmend_gateway_first_byte_seconds_count{protocol="chat_completions"} 2',
  );
});

test('a WebSocket is refused, with the token alone; another upgrade is a request like others', async () => {
  const upstream = await startUpstream(() => json('{}'));
  const { port } = await startTestGateway(upstream.origin, { tokenFrom: 'TOKEN' });
  const upgrade = async (to: string, more: Readonly<Record<string, string>>) => {
    const { status, bytes } = await ask(port, '/v1/responses', {
      method: to === 'h2c' ? 'POST' : 'GET',
      body: to === 'h2c' ? '{}' : '',
      headers: { connection: 'Upgrade', upgrade: to, ...more },
    });
    return `${status} ${bytes.toString()}`;
  };

  expect(await upgrade('websocket', {})).toMatch(/^401 /);
  expect(await upgrade('websocket', headers)).toMatch(/^501 .*takes no WebSockets/);
  expect(await upgrade('h2c', headers)).toBe('200 {}');
  expect(upstream.received.map(({ headers: sent }) => sent.upgrade)).toEqual([undefined]);
});
