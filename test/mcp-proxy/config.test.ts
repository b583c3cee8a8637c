// toolmend.config.json for `toolmend mcp`.
import { DefinitionError } from 'toolmend';
import { serversIn } from '../../src/mcp-proxy/config.ts';

const readServers = (mcp: unknown) => serversIn(JSON.stringify({ mcp }), 'toolmend.config.json');

beforeAll(() => {
  process.env['MCP_TEST_TOKEN'] = 'hush';
});
afterAll(() => {
  delete process.env['MCP_TEST_TOKEN'];
});

test('a command and a URL, with variables of the environment', () => {
  const [files, search] = readServers({
    hints: false,
    servers: {
      files: {
        command: 'npx',
        args: ['-y', 'x'],
        env: { KEY: 'a ${MCP_TEST_TOKEN}' },
        cwd: '/tmp',
      },
      search: {
        url: 'https://example.com/mcp',
        headers: { Authorization: 'Bearer ${MCP_TEST_TOKEN}' },
        prefix: 's_',
        pins: { s_find: 'sha256:0' },
        overlay: { find: { effects: 'read', fixed: { tenant: 'acme' } } },
        annotations: 'trusted',
      },
    },
  });

  expect(files).toMatchObject({
    name: 'files',
    prefix: 'files_',
    tools: { hints: false, prefix: 'files_' },
    server: {
      command: 'npx',
      args: ['-y', 'x'],
      env: { KEY: 'a hush', PATH: process.env['PATH'] },
      cwd: '/tmp',
    },
  });
  expect(files?.server).not.toHaveProperty('env.MCP_TEST_TOKEN');
  expect(search).toMatchObject({
    prefix: 's_',
    tools: {
      pins: { s_find: 'sha256:0' },
      annotations: 'trusted',
      overlay: { find: { effects: 'read' } },
    },
    server: { url: new URL('https://example.com/mcp'), headers: { authorization: 'Bearer hush' } },
  });
});

test('a command gets the variables that programs need, and no others', () => {
  const needed = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];
  const before = { ...process.env };
  for (const name of needed) process.env[name] ??= `a ${name}`;
  const expected = Object.fromEntries(needed.map((name) => [name, process.env[name]]));
  try {
    const [server] = readServers({ servers: { files: { command: 'x' } } });
    expect(server?.server).toHaveProperty('env', expected);
  } finally {
    for (const name of needed) if (before[name] === undefined) delete process.env[name];
  }
});

test('the only server has no prefix', () => {
  expect(readServers({ servers: { files: { command: 'x' } } })).toMatchObject([
    { prefix: '', tools: { prefix: '' } },
  ]);
});

test('a file with a byte order mark and the settings of the gateway', () => {
  const text = `\uFEFF${JSON.stringify({ gateway: {}, mcp: { servers: { a: { command: 'x' } } } })}`;
  expect(serversIn(text, 'c.json')).toHaveLength(1);
});

test.each([
  ['no servers', { servers: {} }, 'toolmend.config.json names no server'],
  ['a misspelt member', { server: {} }, 'server'],
  ['a misspelt member of a server', { servers: { a: { commnad: 'x' } } }, 'command'],
  ['neither command nor url', { servers: { a: {} } }, 'a needs either command or url'],
  [
    'both',
    { servers: { a: { command: 'x', url: 'https://example.com' } } },
    'a needs either command or url',
  ],
  [
    'a URL of another kind',
    { servers: { a: { url: 'file:///etc' } } },
    'a has a url that is not one of http or https',
  ],
  ['arguments as text', { servers: { a: { command: 'x', args: '-y' } } }, 'args'],
  [
    'a variable that is not there',
    { servers: { a: { command: 'x', env: { K: '${NO_SUCH}' } } } },
    'a needs the environment variable NO_SUCH for env.K: set it',
  ],
  [
    'a misspelt overlay',
    { servers: { a: { command: 'x', overlay: { t: { alias: [] } } } } },
    'alias',
  ],
])('%s is an error that says what to write', (_title, mcp, message) => {
  expect(() => readServers(mcp)).toThrow(DefinitionError);
  expect(() => readServers(mcp)).toThrow(message);
});

test.each(['', 'no', '[]', '{"mcp":[]}', '{}'])('the text %j is an error', (text) => {
  expect(() => serversIn(text, 'c.json')).toThrow(DefinitionError);
});
