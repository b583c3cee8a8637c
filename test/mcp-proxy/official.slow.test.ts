// The official servers, installed from the registry, through `toolmend mcp`.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { patient } from '../adapters/mcp/connections.ts';
import { projectFolder } from '../checks/project-folder.ts';
import { temporaryFolder } from '../checks/temporary-folder.ts';

const run = promisify(execFile);
const command = process.execPath;
const toolmend = join(projectFolder, 'src/cli/toolmend.ts');
const scope = '@modelcontextprotocol';
const packages = [
  `${scope}/server-filesystem@2026.8.31`,
  `${scope}/server-everything@2026.8.31`,
  `${scope}/server-memory@2026.8.31`,
  `${scope}/inspector@2.12.0`,
];

const folder = temporaryFolder({ 'package.json': '{"private":true}', 'files/a.txt': 'hello\n' });
const program = (name: string): string => join(folder, 'node_modules/.bin', name);

beforeAll(async () => {
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await run('npm', ['install', ...flags, ...packages], { cwd: folder });
});

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function connect(args: readonly string[], messages: unknown[] = []): Promise<Client> {
  const capabilities = { sampling: {}, elicitation: {}, roots: {} };
  const client = new Client({ name: 'tests', version: '1.0.0' }, { capabilities });
  client.setRequestHandler('sampling/createMessage', ({ params }) => ({
    model: 'm',
    role: 'assistant',
    content: { type: 'text', text: `sampled ${params.messages.length}` },
  }));
  client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }));
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: `file://${folder}/files` }] }));
  clients.push(client);
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    cwd: folder,
    stderr: 'ignore',
  });
  await client.connect(transport, patient);
  const { onmessage: handler } = transport;
  const onmessage = (message: Parameters<NonNullable<typeof handler>>[0]): void => {
    messages.push(message);
    handler?.(message);
  };
  Object.assign(transport, { onmessage });
  return client;
}

/** The same server without and with the proxy. */
async function both(server: readonly string[]) {
  return {
    direct: await connect(server),
    proxied: await connect([toolmend, 'mcp', '--', command, ...server]),
  };
}

/** A failed call is one that the server refuses because of its arguments. */
async function outcomes(
  { direct, proxied }: { direct: Client; proxied: Client },
  name: string,
  args: Record<string, unknown>,
) {
  const directResult = await direct.callTool({ name, arguments: args });
  const result = await proxied.callTool({ name, arguments: args });
  return { refusedWithout: directResult.isError === true, result };
}

const nearMisses: readonly (readonly [
  server: string,
  tool: string,
  args: Record<string, unknown>,
  says: string,
])[] = [
  ['filesystem', 'read_multiple_files', { paths: `["${folder}/files/a.txt"]` }, 'hello'],
  ['filesystem', 'read_text_file', { path: `${folder}/files/a.txt`, head: '1' }, 'hello'],
  [
    'filesystem',
    'edit_file',
    {
      path: `${folder}/files/a.txt`,
      edits: '[{"oldText":"hello","newText":"hi"}]',
      dryRun: 'true',
    },
    '+hi',
  ],
  ['everything', 'get-sum', { a: '2', b: '3' }, 'The sum of 2 and 3 is 5.'],
  ['everything', 'trigger-sampling-request', { prompt: 'x', maxTokens: '5' }, 'sampled 1'],
  ['everything', 'get-structured-content', { location: 'new york' }, 'temperature'],
  [
    'memory',
    'create_entities',
    { entities: '[{"name":"a","entityType":"t","observations":"one"}]' },
    String.raw`"observations\": [`,
  ],
];

const servers = {
  filesystem: [program('mcp-server-filesystem'), join(folder, 'files')],
  everything: [program('mcp-server-everything'), 'stdio'],
  memory: [program('mcp-server-memory')],
};

test.each(Object.entries(servers))(
  '%s: lists and capabilities are the same, but for hints; near misses work',
  async (name, server) => {
    const pair = await both(server);
    const lists = async (client: Client) => ({
      capabilities: client.getServerCapabilities(),
      version: client.getServerVersion(),
      prompts: client.getServerCapabilities()?.prompts && (await client.listPrompts()),
      resources: client.getServerCapabilities()?.resources && (await client.listResources()),
      tools: (await client.listTools()).tools.map(({ description: _hinted, ...tool }) => tool),
    });

    expect(await lists(pair.proxied)).toEqual(await lists(pair.direct));
    for (const [owner, tool, args, says] of nearMisses.filter(([of]) => of === name)) {
      const { refusedWithout, result } = await outcomes(pair, tool, args);
      expect({ owner, tool, refusedWithout, isError: result.isError ?? false }).toEqual({
        owner,
        tool,
        refusedWithout: true,
        isError: false,
      });
      expect(JSON.stringify(result.content)).toContain(says);
    }
  },
);

test('everything: progress, elicitation and roots pass', async () => {
  // The client drops an update that it reads together with the result.
  const messages: unknown[] = [];
  const proxied = await connect([toolmend, 'mcp', '--', command, ...servers.everything], messages);

  const long = { name: 'trigger-long-running-operation', arguments: { duration: '1', steps: 2 } };
  await proxied.callTool(long, { onprogress: () => undefined });
  const declined = await proxied.callTool({ name: 'trigger-elicitation-request', arguments: {} });
  const roots = await proxied.callTool({ name: 'get-roots-list', arguments: {} });

  expect(messages).toContainEqual(
    expect.objectContaining({
      method: 'notifications/progress',
      params: expect.objectContaining({ progress: 1, total: 2 }),
    }),
  );
  expect(JSON.stringify(declined)).toContain('declined');
  expect(JSON.stringify(roots)).toContain(`file://${folder}/files`);
});

test('the inspector’s command line lists and calls tools through the proxy', async () => {
  const server = [program('mcp-server-filesystem'), join(folder, 'files')];
  const config = {
    mcpServers: {
      direct: { command, args: server },
      proxied: { command, args: [toolmend, 'mcp', '--', command, ...server] },
    },
  };
  const file = join(temporaryFolder({ 'mcp.json': JSON.stringify(config) }), 'mcp.json');
  const env = { ...process.env, MCP_INSPECTOR_SECRET_STORE: 'memory' };
  const inspect = async (name: string, ...args: readonly string[]) => {
    const options = ['--cli', '--config', file, '--server', name, ...args];
    const { stdout } = await run(command, [program('mcp-inspector'), ...options], { env }).catch(
      (error: { readonly stdout: string }) => error,
    );
    return JSON.parse(stdout);
  };
  // The inspector parses an array that is given as text, but does not make one of a single element.
  const paths = `${folder}/files/a.txt`;
  const call = [
    '--method',
    'tools/call',
    '--tool-name',
    'read_multiple_files',
    '--tool-arg',
    `paths=${paths}`,
  ];
  const { tools } = await inspect('proxied', '--method', 'tools/list');
  const [directOutput, proxiedOutput] = [
    await inspect('direct', ...call),
    await inspect('proxied', ...call),
  ];

  expect(
    tools.find(({ name }: { readonly name: string }) => name === 'read_multiple_files').description,
  ).toContain('paths is a JSON array of strings');
  expect(JSON.stringify(directOutput)).toContain('Invalid');
  expect(JSON.stringify(proxiedOutput)).toContain('hello');
});
