// Addresses that commands are to listen on.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { gatewayOptions } from '../../src/gateway/gateway-options.ts';
import { GatewayRecord } from '../../src/gateway/gateway-record.ts';
import { startGateway } from '../../src/gateway/server.ts';
import { McpListener } from '../../src/mcp-proxy/listener.ts';
import { startPageServer } from '../../src/cli/page-server.ts';
import { runToolmend } from './run-toolmend.ts';

const url = 'http://127.0.0.1:9/v1';

test.each([
  ['gateway', (port: string) => ['gateway', '--upstream', url, '--port', port]],
  ['mcp', (port: string) => ['mcp', '--url', url, '--port', port]],
])('%s on a port that is in use names it, and how to choose another', async (_name, argsFor) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const port = String(Reflect.get(Object(other.address()), 'port'));
  const { status, stderr } = await runToolmend(...argsFor(port));
  other.close();

  expect(status).toBe(2);
  expect(stderr).toBe(
    `toolmend: port ${port} of 127.0.0.1 is in use: pass another one with --port N, or --port 0 for a free one\n`,
  );
});

test('an address of another computer', async () => {
  vi.stubEnv('TOOLMEND_TEST_TOKEN', 'a');
  const access = ['--host', '192.0.2.1', '--token-env', 'TOOLMEND_TEST_TOKEN'];
  const { status, stderr } = await runToolmend('gateway', '--upstream', url, ...access);
  vi.unstubAllEnvs();

  expect(status).toBe(2);
  expect(stderr).toBe(
    'toolmend: 192.0.2.1 is not an address of this computer: pass one with --host ADDRESS, such as 127.0.0.1\n',
  );
});

test('on all interfaces, the address is one that can be opened here, with the token', async () => {
  const settings = { upstreams: [{ url }], host: '0.0.0.0', tokenFrom: 'TOKEN' };
  const record = new GatewayRecord({ writeLine: undefined, contents: false });
  const gateway = await startGateway(gatewayOptions(settings, { TOKEN: 'tok' }), record);
  const statusWith = async (headers: Record<string, string>) =>
    (await fetch(`${gateway.page}stats`, { headers })).status;

  expect(gateway.page).toBe(`http://127.0.0.1:${gateway.port}/`);
  expect(gateway.isOnAllInterfaces).toBe(true);
  expect(await statusWith({})).toBe(401);
  expect(await statusWith({ authorization: `Basic ${btoa('me:tok')}` })).toBe(200);
  await gateway.close();
});

test('the gateway, the proxy and the page keep connections for longer than clients do', async () => {
  const place = { host: '127.0.0.1', port: 0 };
  const record = new GatewayRecord({ writeLine: undefined, contents: false });
  const gateway = await startGateway(gatewayOptions({ upstreams: [{ url }] }, {}), record);
  const access = { isLoopback: true, allowedHosts: [], allowedOrigins: [], token: undefined };
  const proxy = new McpListener([], { ...place, access, log: () => undefined });
  const page = await startPageServer({
    ...place,
    data: record.calls,
    files: new Map(),
    token: undefined,
  });
  const urls = [`${gateway.page}health`, (await proxy.listen()).url, page.url];
  const answers = await Promise.all(urls.map((address) => fetch(address)));
  await Promise.all([...answers.map((answer) => answer.text()), gateway.close()]);
  await Promise.all([proxy.close(), page.close()]);

  expect(answers.map(({ headers }) => headers.get('keep-alive'))).toEqual(
    Array(3).fill('timeout=65'),
  );
});
