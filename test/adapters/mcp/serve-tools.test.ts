// A registry as an MCP server.
import { McpServer } from '@modelcontextprotocol/server';
import { ToolFailure, type ToolOutcome, ToolRegistry, ToolResult } from 'toolmend';
import { serveTools, type ServeOptions } from 'toolmend/mcp';
import { thrower, toolOf } from '../../tools.ts';
import { overHttp, serveOverHttp } from './connections.ts';
import { inMemory } from './in-memory.ts';
import { sampleTools } from './sample-tools.ts';
import { describeServedTools } from './served-tools.ts';

const identity = { name: 'samples', version: '1.0.0' };

for (const era of ['legacy', 'modern'] as const)
  describeServedTools('HTTP', era, () => serveOverHttp(sampleTools(), era));

test('options of a call come from its request', async () => {
  const updates: unknown[] = [];
  const whose = toolOf(
    (_values, { values, progress, call }) => {
      progress('heard');
      return `${JSON.stringify(values['tenant'])} ${typeof call.id}`;
    },
    { name: 'whose' },
  );
  const tools = new ToolRegistry().register(whose);
  const callOptions: ServeOptions['callOptions'] = ({ http }) => ({
    context: { tenant: http?.req?.headers.get('host')?.split(':')[0] },
    progress: (update) => updates.push(update),
  });
  const serve = (): McpServer => serveTools(new McpServer(identity), tools, { callOptions });
  const { client, close } = await overHttp(serve, 'modern');

  const result = await client.callTool({ name: 'whose' });
  await close();

  expect(result.content).toEqual([{ type: 'text', text: '"127.0.0.1" string' }]);
  expect(updates).toEqual(['heard']);
});

test('the application gets each outcome with its request, and the approval of a call that requires one', async () => {
  const pay = toolOf(() => 'paid', { name: 'pay', effects: 'destructive' });
  const tools = new ToolRegistry({ approval: {} }).register(pay);
  const outcomes: ToolOutcome[] = [];
  const methods: string[] = [];
  const server = serveTools(new McpServer(identity), tools, {
    onOutcome: async (outcome, { mcpReq }) => {
      outcomes.push(outcome);
      methods.push(mcpReq.method);
      throw new Error('no log');
    },
  });
  const client = await inMemory(server);

  const waiting = await client.callTool({ name: 'pay', arguments: { amount: 5 } });
  await client.callTool({ name: 'play' }).catch(() => undefined);
  await client.close();

  expect(waiting).toMatchObject({ isError: true });
  expect(outcomes.map(({ status }) => status)).toEqual(['approval_required', 'unknown_tool']);
  expect(methods).toEqual(['tools/call', 'tools/call']);
  const [asked] = outcomes;
  const approval: unknown = asked?.status === 'approval_required' ? asked.approval : undefined;
  expect(await tools.resolveApproval(approval, { decision: 'approve' })).toMatchObject({
    result: 'paid',
  });
});

test.each([
  ['is logged', (): void => undefined],
  ['stays hidden if the log throws', thrower(new Error('hunter3'))],
])(
  'the text of a ToolFailure from callOptions is the answer; another exception %s',
  async (_title, then) => {
    const errors: Error[] = [];
    const thrown: unknown[] = [new ToolFailure('Sign in first.'), new Error('hunter2')];
    const callOptions = (): never => {
      throw thrown.shift();
    };
    const onerror = (error: Error): void => {
      errors.push(error);
      then();
    };
    const server = serveTools(new McpServer(identity), sampleTools(), { callOptions });
    Object.assign(server.server, { onerror });
    const client = await inMemory(server);

    const refused = await client.callTool({ name: 'draw' });
    const broken = await client.callTool({ name: 'draw' }).catch((error: unknown) => error);
    await client.close();

    expect(refused).toMatchObject({ isError: true, content: [{ text: 'Sign in first.' }] });
    expect(broken).toMatchObject({
      code: -32603,
      message: expect.stringContaining('internal error (error '),
    });
    expect(broken).toMatchObject({ message: expect.not.stringMatching(/hunter/) });
    expect(errors).toMatchObject([{ cause: new Error('hunter2') }]);
  },
);

test('progress always grows: a number is the progress, and anything else the message', async () => {
  const more = [
    { step: 'a' },
    [8],
    { progress: 2, message: 7 },
    { progress: 9, total: 'all', message: 'end' },
  ];
  const updates = ['started', 3, undefined, Number.NaN, ...more];
  const report = toolOf((_values, { progress }) => updates.forEach((update) => progress(update)));
  const client = await inMemory(
    serveTools(new McpServer(identity), new ToolRegistry().register(report)),
  );
  const seen: unknown[] = [];
  await client.callTool({ name: 'work' }, { onprogress: (update) => seen.push(update) });
  await client.close();
  const messages = [
    'started',
    undefined,
    undefined,
    'null',
    '{"step":"a"}',
    '[8]',
    undefined,
    'end',
  ];
  const steps = [1, 3, 4, 5, 6, 7, 8, 9];
  expect(seen).toEqual(messages.map((message, at) => ({ progress: steps[at], message })));
});

test('a result without a text is an empty text, or its images alone', async () => {
  const results = ['', ToolResult.of().image('iVA=', 'image/png')];
  const tools = new ToolRegistry().register(toolOf(() => results.shift()));
  const client = await inMemory(serveTools(new McpServer(identity), tools));
  const contents = [
    await client.callTool({ name: 'work' }),
    await client.callTool({ name: 'work' }),
  ];
  await client.close();
  const image = { type: 'image', data: 'iVA=', mimeType: 'image/png' };
  expect(contents.map(({ content }) => content)).toEqual([[{ type: 'text', text: '' }], [image]]);
});

test('files are audio, resources and links; text is text', async () => {
  const result = ToolResult.of()
    .file('UklGRg==', 'audio/wav')
    .file('aGk=', 'text/markdown', { name: 'a b.md' })
    .file('/w==', 'text/plain', { uri: 'file:///latin.txt' })
    .link('https://a.test/c', { name: 'c', mediaType: 'text/html', size: 9 });
  const tools = new ToolRegistry().register(toolOf(() => result));
  const client = await inMemory(serveTools(new McpServer(identity), tools));
  const { content } = await client.callTool({ name: 'work' });
  await client.close();
  const [markdown, latin] = [
    { uri: 'attachment:a%20b.md', mimeType: 'text/markdown', text: 'hi' },
    { uri: 'file:///latin.txt', mimeType: 'text/plain', blob: '/w==' },
  ];
  expect(content).toEqual([
    { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
    { type: 'resource', resource: markdown },
    { type: 'resource', resource: latin },
    { type: 'resource_link', uri: 'https://a.test/c', name: 'c', mimeType: 'text/html', size: 9 },
  ]);
});

test('a low-level server can serve a selection', async () => {
  const tools = sampleTools().select({ filter: ({ name }) => name === 'draw' });
  const client = await inMemory(serveTools(new McpServer(identity).server, tools));
  const listed = await client.listTools();
  await client.close();
  expect(listed.tools.map(({ name }) => name)).toEqual(['draw']);
});

test('a server of the SDK’s types for CommonJS, which are other classes, is one of SDK 2', async () => {
  const mcpServer = new McpServer(identity);
  const server: Pick<McpServer['server'], 'projectCallToolResult'> = mcpServer.server;
  const tenantOf: ServeOptions['callOptions'] = ({ http }) => ({
    tenant: http?.authInfo?.clientId ?? '',
  });
  serveTools(server, sampleTools(), { callOptions: tenantOf });
  const client = await inMemory(mcpServer);
  const listed = await client.listTools();
  await client.close();
  expect(listed.tools.map(({ name }) => name)).toContain('draw');
});

test('a server with tools of its own is refused', () => {
  const server = new McpServer(identity);
  server.registerTool('own', {}, () => ({ content: [] }));
  expect(() => serveTools(server, sampleTools())).toThrow(
    'serveTools was given a server that has tools of its own: register those tools with the registry too',
  );
});
