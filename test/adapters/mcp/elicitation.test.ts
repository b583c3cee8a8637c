// Questions of served tools, which the users of MCP clients answer.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { McpServer as FirstServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { McpServer } from '@modelcontextprotocol/server';
import { ToolRegistry } from 'toolmend';
import { serveTools } from 'toolmend/mcp';
import { toolOf } from '../../tools.ts';
import { overHttp } from './connections.ts';
import { inMemory, inMemoryOfFirstSdk } from './in-memory.ts';

const info = { name: 'orders', version: '1.0.0' };
const schema = {
  type: 'object',
  properties: { size: { enum: ['S', 'M'] }, count: { type: 'integer', minimum: 1 } },
  required: ['size'],
} as const;

const orders = (answerSchema: object = schema): ToolRegistry =>
  new ToolRegistry().register(
    toolOf(
      async (_values, context) => {
        const { size } = await context.ask<{ size: string }>({
          question: 'Which size?',
          schema: answerSchema,
        });
        return `ordered ${size}`;
      },
      { name: 'order' },
    ),
  );

const answers = (...contents: readonly object[]) => {
  const asked: unknown[] = [];
  const left = [...contents];
  const answer = async (request: { readonly params: unknown }) => {
    asked.push(request.params);
    const content = left.shift();
    return content === undefined
      ? ({ action: 'decline' } as const)
      : ({ action: 'accept', content: { ...content } } as const);
  };
  return { asked, answer };
};

const elicitation = { capabilities: { elicitation: {} } } as const;

type Answer = ReturnType<typeof answers>['answer'];

const secondSdk = async (tools: ToolRegistry, answer: Answer, era: 'legacy' | 'modern') => {
  const connect = async (client: Client) => {
    client.setRequestHandler('elicitation/create', answer);
    return client;
  };
  if (era === 'legacy') {
    const client = await connect(
      new Client(info, { ...elicitation, versionNegotiation: { mode: 'legacy' } }),
    );
    const [near, far] = InMemoryTransport.createLinkedPair();
    await serveTools(new McpServer(info), tools).connect(far);
    await client.connect(near);
    return { call: () => client.callTool({ name: 'order' }), close: () => client.close() };
  }
  const versionNegotiation = { mode: { pin: '2026-07-28' } } as const;
  const client = await connect(new Client(info, { ...elicitation, versionNegotiation }));
  const { close } = await overHttp(
    () => serveTools(new McpServer(info), tools),
    'modern',
    {},
    client,
  );
  return { call: () => client.callTool({ name: 'order' }), close };
};

const firstSdk = async (tools: ToolRegistry, answer: Answer) => {
  const client = new FirstClient(info, elicitation);
  client.setRequestHandler(ElicitRequestSchema, answer);
  await inMemoryOfFirstSdk(serveTools(new FirstServer(info), tools), client);
  return {
    call: () => client.callTool({ name: 'order', arguments: {} }),
    close: () => client.close(),
  };
};

describe.each([
  ['SDK 1', firstSdk],
  [
    'SDK 2, an older client',
    (tools: ToolRegistry, answer: Answer) => secondSdk(tools, answer, 'legacy'),
  ],
  ['SDK 2', (tools: ToolRegistry, answer: Answer) => secondSdk(tools, answer, 'modern')],
])('%s', (_sdk, connect) => {
  test('the user answers, after an answer that does not match', async () => {
    const { asked, answer } = answers({ size: 'XL' }, { size: 'm' });
    const { call, close } = await connect(orders(), answer);

    const result = await call();
    await close();

    expect(result.content).toEqual([{ type: 'text', text: 'ordered M' }]);
    const problem = expect.stringMatching(/^Which size\?\n\nThe answer was not accepted\./);
    expect(asked).toMatchObject([{ message: 'Which size?' }, { message: problem }]);
    expect(asked[0]).toMatchObject({
      message: 'Which size?',
      requestedSchema: {
        type: 'object',
        properties: {
          size: { type: 'string', enum: ['S', 'M'] },
          count: { type: 'integer', minimum: 1 },
        },
        required: ['size'],
      },
    });
  });

  test('the user declines', async () => {
    const { call, close } = await connect(orders(), answers().answer);

    const result = await call();
    await close();

    expect(result).toMatchObject({
      isError: true,
      content: [{ text: 'The person did not want to answer: Which size?' }],
    });
  });

  test('an answer that no form can have stays a text', async () => {
    const nested = { type: 'object', properties: { size: { type: 'array' } } };
    const { asked, answer } = answers({ size: 'S' });
    const { call, close } = await connect(orders(nested), answer);

    const result = await call();
    await close();

    expect(result).toMatchObject({ content: [{ text: expect.stringContaining('Which size?') }] });
    expect(asked).toEqual([]);
  });
});

test('a client without the capability reads that the call waits', async () => {
  const tools = orders();
  const client = await inMemory(serveTools(new McpServer(info), tools));

  const result = await client.callTool({ name: 'order' });
  await client.close();

  expect(result).not.toHaveProperty('isError');
  expect(result).toMatchObject({
    content: [{ text: expect.stringMatching(/^order has not finished. It has asked a person/) }],
  });
});
