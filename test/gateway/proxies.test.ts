// Upstreams behind the proxy that the environment names.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { checkedSettings, gatewayOptions } from '../../src/gateway/gateway-options.ts';
import { GatewayRecord } from '../../src/gateway/gateway-record.ts';
import { HttpChannel } from '../../src/mcp-proxy/http-channel.ts';
import { whyNoProxy } from '../../src/network/outgoing-agents.ts';
import { startGateway } from '../../src/gateway/server.ts';
import { chatAnswer, offering } from './chat-answers.ts';
import { ask, startUpstream } from './scripted-upstream.ts';

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Seen {
  readonly line: string;
  readonly host: string | undefined;
  readonly authorization: string | undefined;
  readonly text: string;
}

/** A proxy that answers by itself what it is asked for, and makes no tunnels. */
async function startProxy(answer: string) {
  const seen: Seen[] = [];
  const server = createServer((incoming, response) => {
    void textOf(incoming).then((text) => {
      const { method = '', url = '', headers } = incoming;
      const { host, 'proxy-authorization': authorization } = headers;
      seen.push({ line: `${method} ${url}`, host, authorization, text });
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
  });
  server.on('connect', ({ url = '', headers }, socket) => {
    const { host, 'proxy-authorization': authorization } = headers;
    seen.push({ line: `CONNECT ${url}`, host, authorization, text: '' });
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { seen, host: `127.0.0.1:${port}` };
}

async function startBehind(url: string, environment: Readonly<Record<string, string>>) {
  const settings = checkedSettings('test', { upstreams: [{ url }] });
  const record = new GatewayRecord({ writeLine: undefined, contents: false });
  const gateway = await startGateway(gatewayOptions(settings, environment), record);
  closers.push(() => gateway.close());
  return gateway;
}

const path = '/v1/chat/completions';

test('HTTP_PROXY is asked for an upstream on http, and the call is repaired', async () => {
  const proxy = await startProxy(chatAnswer('{"paths":"a"}'));
  const { port } = await startBehind('http://upstream.test/v1', {
    HTTP_PROXY: `http://me:secret@${proxy.host}`,
  });
  for (let count = 0; count < 2; count += 1) {
    const { bytes } = await ask(port, path, { body: offering() });

    expect(bytes.toString()).toBe(chatAnswer('{"paths":["a"]}'));
  }
  expect(proxy.seen).toEqual(
    [1, 2].map(() => ({
      line: `POST http://upstream.test${path}`,
      host: 'upstream.test',
      authorization: `Basic ${Buffer.from('me:secret').toString('base64')}`,
      text: offering(),
    })),
  );
});

test('HTTPS_PROXY is asked for a tunnel to an upstream on https', async () => {
  const proxy = await startProxy('{}');
  const { port } = await startBehind('https://upstream.test/v1', {
    https_proxy: `http://${proxy.host}`,
  });

  expect((await ask(port, path, { body: offering() })).status).toBe(502);
  expect(proxy.seen).toMatchObject([{ line: 'CONNECT upstream.test:443' }]);
});

test('NO_PROXY names hosts without it', async () => {
  const proxy = await startProxy('{}');
  const { port } = await startBehind('http://upstream.invalid/v1', {
    HTTP_PROXY: `http://${proxy.host}`,
    NO_PROXY: 'example.com,.invalid',
  });

  expect((await ask(port, path, { body: offering() })).status).toBe(502);
  expect(proxy.seen).toEqual([]);
});

test('a server on this computer is reached without it', async () => {
  const proxy = await startProxy('{}');
  const upstream = await startUpstream(() => ({ type: 'application/json', chunks: ['{}'] }));
  const { port } = await startBehind(upstream.origin, { HTTP_PROXY: `http://${proxy.host}` });

  expect((await ask(port, path, { body: offering() })).status).toBe(200);
  expect([proxy.seen.length, upstream.received.length]).toEqual([0, 1]);
});

test('an MCP server at a URL is reached through it', async () => {
  const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
  const proxy = await startProxy(answer);
  const url = new URL('http://mcp.test/mcp');
  const channel = new HttpChannel({ url, headers: {} }, () => undefined, {
    HTTP_PROXY: `http://${proxy.host}`,
  });
  closers.push(() => channel.close());
  const answered = Promise.withResolvers<string>();
  void channel.run(answered.resolve);
  await channel.send('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');

  expect(await answered.promise).toBe(answer);
  expect(proxy.seen).toMatchObject([{ line: 'POST http://mcp.test/mcp', host: 'mcp.test' }]);
});

test.each([
  ['https://h', { HTTPS_PROXY: 'http://p' }, '22.12.0', 'HTTPS_PROXY is not used for h'],
  ['http://h', { http_proxy: 'http://p' }, '24.4.1', 'HTTP_PROXY is not used for h'],
  ['http://h', { HTTP_PROXY: 'http://p' }, '23.11.0', 'HTTP_PROXY is not used for h'],
  ['http://h', { HTTP_PROXY: 'http://p' }, '22.21.0', undefined],
  ['http://h', { HTTP_PROXY: 'http://p' }, '24.5.0', undefined],
  ['http://h', { HTTP_PROXY: 'http://p' }, '25.0.0', undefined],
  ['http://h', { HTTP_PROXY: '' }, '22.12.0', undefined],
  ['http://127.0.0.1:1', { HTTP_PROXY: 'http://p' }, '22.12.0', undefined],
  ['https://h', { HTTP_PROXY: 'http://p' }, '22.12.0', undefined],
])('whether a proxy is used: %s, %j, Node %s', (url, environment, version, expected) => {
  const why = whyNoProxy(new URL(url), environment, version);

  if (expected === undefined) expect(why).toBeUndefined();
  else expect(why).toContain(expected);
});
