import { join } from 'node:path';
import { type SchemaObject, ToolRegistry } from 'toolmend';
import { serveOverHttp } from '../adapters/mcp/connections.ts';
import { projectFolder } from '../checks/project-folder.ts';
import { temporaryFolder } from '../checks/temporary-folder.ts';
import { toolOf } from '../tools.ts';
import { runToolmend } from './run-toolmend.ts';

const object = (properties: NonNullable<SchemaObject['properties']>) =>
  ({ type: 'object', properties, additionalProperties: false }) as const;
const search = { name: 'search', inputSchema: object({ query: { type: 'string' } }) };
const open = { name: 'call api', inputSchema: { type: 'object', additionalProperties: true } };

const fileOf = (name: string, text: string): string =>
  join(temporaryFolder({ [name]: text }), name);
describe('a file', () => {
  test('of tools without findings', async () => {
    const file = fileOf('tools.json', JSON.stringify({ tools: [search] }));
    const { status, stdout } = await runToolmend('check', file, '--for', 'anthropic');
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: '1 tool\nanthropic: accepts all tools\n',
    });
  });

  test('with a line that isn’t JSON: the line is reported, and the others are checked', async () => {
    const lines = [JSON.stringify(search), '', '{"name": "half', JSON.stringify(open)].join('\n');
    const { status, stdout } = await runToolmend(
      'check',
      fileOf('tools.jsonl', lines),
      '--for',
      'ollama',
    );
    expect(status).toBe(1);
    expect(stdout).toMatch(/^2 tools\nline 3 is not JSON\.\n/);
    const pretty = await runToolmend(
      'check',
      fileOf('tools.json', '{\n"a": {},\n'),
      '--for',
      'ollama',
    );
    expect(pretty.status).toBe(2);
    expect(pretty.stderr).toContain('is not a JSON file of tools');
  });

  test('with findings: each names the provider, the level, the rule, the tool and what to do', async () => {
    const tools = [search, search, open].map((tool) => JSON.stringify(tool)).join('\n');
    const file = fileOf('tools.jsonl', tools);
    const { status, stdout } = await runToolmend('check', file, '--for', 'anthropic,openai-strict');
    expect(status).toBe(1);
    expect(stdout).toContain(
      'anthropic: refused [same-name]: search has the name of another tool: give one of them another name, or a prefix.\n',
    );
    expect(stdout).toMatch(
      /openai-strict: not-strict \[open-object\]: call api [^\n]+, or declare the keys, [^\n]+\.\n/,
    );
    expect(stdout).toContain('anthropic adapted tool-name: 1\n');
  });

  test('as JSON: adapted tools are listed too', async () => {
    const file = fileOf('tools.json', JSON.stringify([open, { name: 'no schema' }]));
    const { status, stdout } = await runToolmend('check', file, '--for', 'openai-strict', '--json');
    expect(status).toBe(1);
    const adapted = {
      provider: 'openai-strict',
      level: 'adapted',
      tool: 'call api',
      place: '',
      rule: 'tool-name',
    };
    const [what, fix] = ['is shown as call_api', 'nothing to do'].map((sentence) =>
      expect.stringContaining(sentence),
    );
    const findings = expect.arrayContaining([{ ...adapted, what, fix }]);
    const brokenEntries = ['entry 2 is not a tool: it has no schema.'];
    expect(JSON.parse(stdout)).toMatchObject({ tools: 1, broken: brokenEntries, findings });
  });

  test.each([
    ['that doesn’t exist', () => 'gone.json', 'toolmend: there is no file gone.json\n'],
    ['of a module that doesn’t exist', () => 'gone.mjs', 'toolmend: there is no file gone.mjs\n'],
    ['that is a folder', () => temporaryFolder({}), 'is a folder, not a file'],
    ['that isn’t JSON', () => fileOf('tools.json', 'tools:'), 'is not a JSON file of tools'],
    ['that isn’t compiled', () => 'tools.ts', 'is TypeScript: compile it first'],
  ])('%s', async (_, file, message) => {
    const { status, stderr } = await runToolmend('check', file(), '--for', 'anthropic');
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  test('a provider that is adapted to accepts all tools', async () => {
    const tools = fileOf('tools.json', JSON.stringify([search, { ...search, name: 'look up' }]));
    const { stdout } = await runToolmend('check', tools, '--for', 'anthropic,openai');
    expect(stdout).toBe(
      '2 tools\nanthropic: accepts all tools\nopenai: accepts all tools\nanthropic adapted tool-name: 1\nopenai adapted tool-name: 1\n',
    );
  });

  test('all providers are asked if none is named', async () => {
    const { stdout } = await runToolmend('check', fileOf('tools.json', JSON.stringify([search])));
    for (const provider of ['anthropic', 'openai', 'openai-strict', 'gemini', 'bedrock', 'mcp'])
      expect(stdout).toContain(`${provider}: accepts all tools\n`);
    expect(stdout).not.toContain('neutral');
  });

  test('an unknown provider is named, with the nearest one', async () => {
    const { status, stderr } = await runToolmend('check', 'a.json', '--for', 'anthropic,opneai');
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /^toolmend: there is no provider "opneai"\ndid you mean openai\?\n--for takes some of neutral,openai,/,
    );
    const far = await runToolmend('check', 'a.json', '--for', 'nothing-like-it');
    expect(far.stderr).toMatch(
      /^toolmend: there is no provider "nothing-like-it"\n--for takes some of /,
    );
  });

  test('exactly one file, URL or command is needed', async () => {
    const message = 'check needs one file or URL, or the command of a server behind --';
    expect((await runToolmend('check', '--for', 'anthropic')).stderr).toContain(message);
    expect((await runToolmend('check', 'a.json', 'b.json', '--for', 'anthropic')).stderr).toContain(
      message,
    );
    expect(
      (await runToolmend('check', 'a.json', '--for', 'anthropic', '--', 'node')).stderr,
    ).toContain(message);
    expect((await runToolmend('check', 'a.json', '--for', '')).stderr).toContain(
      '--for names no provider\n--for takes some of neutral,openai,',
    );
  });
});

/** Servers on standard streams without an SDK. `answer` has the method and the parameters. */
const serverProgram = (answer: string): string => `
  import { createInterface } from 'node:readline';
  const tool = (name) => ({ name, inputSchema: { type: 'object', properties: {} } });
  const noMethod = { error: { code: -32601, message: 'Method not found' } };
  const answer = ${answer};
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line);
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer(method, params) }));
  }`;

const initialized = `{ result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } }`;
const plainServer = serverProgram(`(method, { cursor }) => {
    if (method === 'initialize') return ${initialized};
    if (method !== 'tools/list') return noMethod;
    const second = process.env.TOOLMEND_TEST_KEY === undefined ? [tool('b')] : [tool('b'), tool('c')];
    return { result: cursor === 'p2' ? { tools: second } : { tools: [tool('a')], nextCursor: 'p2' } };
  }`);
const statelessServer = serverProgram(`(method, params) =>
    method === 'tools/list' && params._meta?.['io.modelcontextprotocol/protocolVersion'] === '2026-07-28'
      ? { result: { resultType: 'complete', tools: [tool('a')] } }
      : noMethod`);
const serverWithoutTools = serverProgram(
  `(method) => (method === 'initialize' ? ${initialized} : noMethod)`,
);

const checkServer = (...command: readonly string[]) =>
  runToolmend('check', '--for', 'openai-strict', '--json', '--', ...command);

describe('a running server', () => {
  test('on the standard streams of a command', async () => {
    const program = join(projectFolder, 'test/adapters/mcp/stdio-program.ts');
    const { status, stdout } = await checkServer(process.execPath, program);
    const { tools, findings }: { tools: number; findings: readonly { tool: string }[] } =
      JSON.parse(stdout);
    expect(status).toBe(0);
    expect(tools).toBeGreaterThan(3);
    expect(findings.map(({ tool }) => tool)).toContain('read_files');
  });

  test.each([
    ['behind a URL', {}],
    ['that knows only the newer protocol', { legacy: 'reject' }],
  ] as const)('%s', async (_what, options) => {
    const tools = new ToolRegistry().register(toolOf(() => '', search));
    const server = await serveOverHttp(tools, 'modern', options);
    const { status, stdout } = await runToolmend('check', server.url, '--for', 'anthropic');
    await server.close();
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: '1 tool\nanthropic: accepts all tools\n',
    });
  });

  test('that lists an invalid tool: it is reported, and the others are checked', async () => {
    const program = join(projectFolder, 'test/adapters/mcp/plain-program.ts');
    const { status, stdout } = await checkServer(process.execPath, program);
    expect(status).toBe(1);
    const brokenEntries = ['entry 4 is not a tool: it has no schema.'];
    expect(JSON.parse(stdout)).toMatchObject({ tools: 3, broken: brokenEntries });
  });

  test('that the MCP proxy takes: nothing else is installed, and only some variables are passed on', async () => {
    const program = join(temporaryFolder({ 'server.mjs': plainServer }), 'server.mjs');
    process.env['TOOLMEND_TEST_KEY'] = 'k1';
    const command = ['--', process.execPath, program] as const;
    const withoutKey = await runToolmend('check', '--json', ...command);
    const withKey = await runToolmend('check', '--json', '--env', 'TOOLMEND_TEST_KEY', ...command);
    delete process.env['TOOLMEND_TEST_KEY'];
    expect(JSON.parse(withoutKey.stdout)).toMatchObject({ tools: 2, broken: [] });
    expect(JSON.parse(withKey.stdout)).toMatchObject({ tools: 3, broken: [] });
  });

  test('that knows only the stateless revision', async () => {
    const program = join(temporaryFolder({ 'server.mjs': statelessServer }), 'server.mjs');
    const { status, stdout } = await checkServer(process.execPath, program);
    expect({ status, stdout }).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('"tools": 1'),
    });
  });

  test('that lists no tools: its own words are passed on', async () => {
    const program = join(temporaryFolder({ 'server.mjs': serverWithoutTools }), 'server.mjs');
    const { status, stderr } = await checkServer(process.execPath, program);
    expect(stderr).toBe(
      "toolmend: the server can't be asked for its tools: it answered tools/list with an error: Method not found\n",
    );
    expect(status).toBe(2);
  });

  test.each([
    [['--env', 'PATH', 'a.json'], '--env has an effect only with a command behind --'],
    [['--header', 'a: b', 'a.json'], '--header has an effect only with a URL'],
    [['--env', 'NO_SUCH_NAME', '--', 'node'], 'NO_SUCH_NAME: the environment has no such variable'],
  ])('with options that don’t fit: %j', async (args, why) => {
    const { status, stderr } = await runToolmend('check', ...args);
    expect(stderr).toContain(why);
    expect(status).toBe(2);
  });

  test('that dies, doesn’t exist, or isn’t a server', async () => {
    const dying = await checkServer(process.execPath, '-e', 'process.exit(1)');
    const report = await checkServer('no-such-command');
    const silent = await runToolmend('check', 'http://127.0.0.1:9/mcp', '--for', 'mcp');
    for (const { status, stderr } of [dying, report, silent]) {
      expect(status).toBe(2);
      expect(stderr).toMatch(/^toolmend: the server can't be asked for its tools: [^\n]+\n$/);
    }
  });
});

describe('with --cost', () => {
  const tools = [search, { ...open, name: 'call_api' }].map((tool) => ({
    ...tool,
    description: 'Works.',
  }));
  const file = fileOf('tools.json', JSON.stringify({ tools }));

  test('a line for each tool, hint and field, and the whole in the form of each provider', async () => {
    const { status, stdout } = await runToolmend('check', file, '--for', 'openai,mcp', '--cost');
    expect(status).toBe(0);
    const bytes = Number(/^mcp: \d+ tokens, (\d+) bytes in each request/m.exec(stdout)?.[1]);
    const definitions = new ToolRegistry()
      .register(...tools.map((tool) => toolOf(() => '', tool)))
      .schemas('mcp');
    expect(bytes).toBe(JSON.stringify(definitions).length);
    expect(stdout).toMatch(
      /^ {2}search: \d+ tokens, \d+ bytes\n {4}description: 2 tokens, 6 bytes\n {4}query: /m,
    );
  });

  test('without --for in the form of openai', async () => {
    const { stdout } = await runToolmend('check', file, '--cost', '--json');
    expect(JSON.parse(stdout).costs).toMatchObject([
      { provider: 'openai', tools: [{ tool: 'search' }, { tool: 'call_api' }] },
    ]);
  });

  test('a budget that is exceeded fails, and one that is kept doesn’t', async () => {
    const exceeded = await runToolmend('check', file, '--for', 'mcp', '--budget', '10');
    expect(exceeded.status).toBe(1);
    expect(exceeded.stdout).toMatch(/\nmcp: the tools cost \d+ tokens, and the budget is 10\.\n$/);
    const { status, stdout } = await runToolmend('check', file, '--for', 'mcp', '--budget', '9000');
    expect(status).toBe(0);
    expect(stdout).not.toContain('budget');
    const unusable = await runToolmend('check', file, '--budget', '1.5');
    expect(unusable).toMatchObject({ status: 2, stderr: expect.stringContaining('--budget') });
  });
});
