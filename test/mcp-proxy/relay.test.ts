// A proxy in front of one server.
import { McpRelay } from '../../src/mcp-proxy/relay.ts';
import { type ServerToolOptions, ServerTools } from '../../src/mcp-proxy/tools.ts';
import {
  type FakeChannel,
  type Message,
  fakeChannel,
  fakeServer,
  listTool,
  messagesTo,
  request,
  settled,
} from './harness.ts';

const integers = { type: 'array', items: { type: 'integer' } };
const sum = listTool('sum', { ids: integers, limit: { type: 'integer' } }, { required: ['ids'] });
const toolList = (...tools: readonly object[]) => ({ 'tools/list': () => ({ tools }) });

function relayTo(server: FakeChannel, options: ServerToolOptions = {}) {
  const logLines: string[] = [];
  const log = (line: string): void => void logLines.push(line);
  const client = fakeChannel();
  const relay = new McpRelay(client, server, { tools: new ServerTools(options, log), log });
  const end = relay.run();
  return { client, server, relay, logged: logLines, ended: end };
}

const call = (id: unknown, name: string, args: unknown, more: object = {}): object =>
  request(id, 'tools/call', { name, arguments: args, ...more });

describe('what passes byte for byte', () => {
  test.each([
    [
      'a valid call',
      '{"id": 1,"jsonrpc":"2.0","method":"tools/call","params":{"name":"sum", "arguments":{"ids":[1.0]}}}',
    ],
    ['a call of a tool that is not listed', JSON.stringify(call(1, 'other', '[1]'))],
    [
      'a request of another method',
      '{"jsonrpc":"2.0","id":12345678901234567890,"method":"future/method","params":{"x":1e2}}',
    ],
    ['a notification', '{ "jsonrpc":"2.0","method":"notifications/roots/list_changed" }'],
    ['a response', '{"jsonrpc":"2.0","id":"s-1","result":{"roots":[],"_meta":{}}}'],
    ['an error', '{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"no","data":[1.50]}}'],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'],
    ['what is not JSON', 'hello'],
    ['a message that is too deep to read', `{"a":${'['.repeat(300)}${']'.repeat(300)}}`],
  ])('%s to the server', async (_title, text) => {
    const { client, server } = relayTo(fakeServer(toolList(sum)));
    await client.say(request(0, 'tools/list'));

    await client.say(text);
    await settled();

    expect(server.sent.at(-1)).toBe(text);
  });

  test.each([
    '{"jsonrpc":"2.0", "id":5,"method":"sampling/createMessage","params":{"_meta":{"progressToken":1.0}}}',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.50}}',
    '{"jsonrpc":"2.0","id":99,"result":{"resultType":"input_required","inputRequests":{}}}',
    '[{"jsonrpc":"2.0","id":1,"result":{}}]',
  ])('%s to the client', async (text) => {
    const { client, server } = relayTo(fakeServer({}));

    await server.say(text);

    expect(client.sent).toEqual([text]);
  });

  test('the answer to a call', async () => {
    const text = '{"jsonrpc":"2.0","id":1,"result":{"content":[ ],"_meta":{"n":1.0}}}';
    const { client, server } = relayTo(fakeServer(toolList(sum)));
    await client.say(call(1, 'sum', { ids: ['1'] }));
    await settled();

    await server.say(text);

    expect(client.sent.at(-1)).toBe(text);
  });
});

describe('calls', () => {
  test('repaired arguments replace those that were sent; the rest of the message stays', async () => {
    const { client, server } = relayTo(fakeServer(toolList(sum)));
    const start =
      '{"jsonrpc":"2.0","id":12345678901234567890,"method":"tools/call","params":{"_meta":{"a": 1.0},"arguments":';

    await client.say(`${start}{"ids":"[1, 2]"},"name":"sum","task":{"ttl":5}}}`);
    await settled();

    expect(server.sent.at(-1)).toBe(`${start}{"ids":[1,2]},"name":"sum","task":{"ttl":5}}}`);
  });

  test.each([
    ['text', '{"ids":[1]}', { ids: [1] }],
    ['fenced text', '```json\n{"ids":["1"]}\n```', { ids: [1] }],
    ['a single value', { ids: 1 }, { ids: [1] }],
    ['a misspelt key', { IDs: [1] }, { ids: [1] }],
  ])('arguments as %s', async (_title, sent, expected) => {
    const { client, server } = relayTo(fakeServer(toolList(sum)));

    await client.say(call(1, 'sum', sent));
    await settled();

    expect(messagesTo(server).at(-1).params).toEqual({ name: 'sum', arguments: expected });
  });

  test('the name in the markup of a host is the server’s own', async () => {
    const { client, server } = relayTo(fakeServer(toolList(sum)));

    await client.say(call(1, 'mcp__math__sum', { ids: [1] }));
    await settled();

    expect(messagesTo(server).at(-1).params).toEqual({ name: 'sum', arguments: { ids: [1] } });
  });

  test('a call that can’t be repaired is answered for the model, and the server does not see it', async () => {
    const { client, server } = relayTo(fakeServer(toolList(sum)));

    await client.say(call('a', 'sum', { ids: ['x'] }));
    await settled();

    expect(messagesTo(server).map(({ method }) => method)).toEqual(['tools/list']);
    expect(messagesTo(client)).toEqual([
      {
        jsonrpc: '2.0',
        id: 'a',
        result: {
          content: [
            { type: 'text', text: expect.stringMatching(/^sum was not executed\.\n- ids\[0\]: /) },
          ],
          isError: true,
        },
      },
    ]);
  });

  test('in the stateless revision, the answer is complete, and the list is asked for with the call’s own envelope', async () => {
    const { client, server } = relayTo(fakeServer(toolList(sum)));
    const envelope = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

    await client.say(call(1, 'sum', {}, { _meta: { ...envelope, progressToken: 1 } }));
    await settled();

    expect(messagesTo(server)[0].params).toEqual({ _meta: envelope });
    expect(messagesTo(client)[0].result).toMatchObject({ resultType: 'complete', isError: true });
  });

  test('what the model should know is a block at the end of the result', async () => {
    const paging = { offset: { type: 'integer' }, limit: { type: 'integer' } };
    const overlay = {
      page: { pairs: [{ requires: ['offset', 'limit'], defaults: { offset: 0 } }] },
    };
    const content = [{ type: 'text', text: 'rows' }];
    const server = fakeServer({
      ...toolList(listTool('page', paging)),
      'tools/call': () => ({ content }),
    });
    const { client } = relayTo(server, { overlay });

    await client.say(call(1, 'page', { limit: 5 }));
    await settled();

    expect(messagesTo(server).at(-1).params.arguments).toEqual({ limit: 5, offset: 0 });
    expect(messagesTo(client)[0].result.content).toEqual([
      ...content,
      {
        type: 'text',
        text: 'offset was not sent; 0 was used.',
        annotations: { audience: ['assistant'] },
      },
    ]);
  });

  describe('a tool that dispatches', () => {
    const dispatcher = listTool('call_tool', {
      tool_name: { type: 'string' },
      parameters: { type: 'object' },
    });
    const overlay = { call_tool: { dispatches: { name: 'tool_name', arguments: 'parameters' } } };

    test.each([
      ['repairs the inner arguments', 'Sum', { ids: ['1'] }, 'sum', { ids: [1] }],
      ['takes the inner arguments as text', 'sum', '{"ids":"[1]"}', 'sum', { ids: [1] }],
      ['takes the name that the client knows', 'calc_sum', { ids: 1 }, 'sum', { ids: [1] }],
      ['leaves those of a tool that is not listed', 'hidden', { ids: '1' }, 'hidden', { ids: '1' }],
    ])('%s', async (_title, name, parameters, sentName, sentParameters) => {
      const server = fakeServer({
        ...toolList(sum, dispatcher),
        'tools/call': () => ({ content: [] }),
      });
      const { client } = relayTo(server, { overlay, prefix: 'calc_' });

      await client.say(call(1, 'calc_call_tool', { tool_name: name, parameters }));
      await settled();

      expect(messagesTo(server).at(-1).params).toMatchObject({
        name: 'call_tool',
        arguments: { tool_name: sentName, parameters: sentParameters },
      });
    });

    test('refuses what the inner tool does not take', async () => {
      const { client } = relayTo(fakeServer(toolList(sum, dispatcher)), { overlay });

      await client.say(call(1, 'call_tool', { tool_name: 'sum', parameters: {} }));
      await settled();

      expect(messagesTo(client)[0].result).toMatchObject({ isError: true });
      expect(messagesTo(client)[0].result.content[0].text).toContain('parameters.ids is missing');
    });
  });

  test('a call that is cancelled while the list is asked for never reaches the server', async () => {
    const { client, server } = relayTo(fakeServer({}));
    await client.say(call(1, 'sum', { ids: [1] }));
    await client.say({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1 },
    });

    await server.say({ jsonrpc: '2.0', id: 'toolmend:1', result: { tools: [sum] } });
    await settled();

    expect(messagesTo(server).map(({ method }) => method)).toEqual(['tools/list']);
    expect(client.sent).toEqual([]);
  });

  test('while a call waits for the list, other messages pass', async () => {
    const { client, server } = relayTo(fakeServer({}));
    await client.say(call(1, 'sum', { ids: '[1]' }));

    await server.say(request('s', 'roots/list'));
    await client.say({ jsonrpc: '2.0', id: 's', result: { roots: [] } });

    expect(messagesTo(server).at(-1)).toMatchObject({ id: 's' });
  });

  test('a server that lists no tools gets the call as it came, and later calls don’t wait', async () => {
    const server = fakeServer({ 'tools/list': () => ({ error: { code: -32601, message: 'no' } }) });
    const { client, logged: logLines } = relayTo(server);
    const texts = [call(1, 'sum', { ids: '[1]' }), call(2, 'sum', { ids: '[2]' })].map((one) =>
      JSON.stringify(one),
    );

    for (const text of texts) await client.say(text);
    await settled();

    expect(server.sent.slice(1)).toEqual(texts);
    expect(logLines).toEqual([
      'the server did not list its tools; the call is passed on as it came',
    ]);
  });
});

describe('the list of tools', () => {
  test('hints are added to descriptions; every other byte stays', async () => {
    const text = `{"jsonrpc":"2.0","id":0,"result":{"tools":[{"annotations":{"x":1.0},"description":"Sums.","inputSchema":${JSON.stringify({ type: 'object', properties: { ids: integers } })},"name":"sum"},{"name":"now","inputSchema":{"type":"object"}}],"_meta":{"y":1e3}}}`;
    const { client, server } = relayTo(fakeServer({}));
    await client.say(request(0, 'tools/list'));

    await server.say(text);

    expect(client.sent).toEqual([
      text.replace('"Sums."', String.raw`"Sums.\nids is a JSON array of integers."`),
    ]);
  });

  test('without hints, the list passes byte for byte', async () => {
    const { client, server } = relayTo(fakeServer({}), { hints: false });
    const text = JSON.stringify({ jsonrpc: '2.0', id: 0, result: { tools: [sum] } });
    await client.say(request(0, 'tools/list'));

    await server.say(text);

    expect(client.sent).toEqual([text]);
  });

  test('tools of all pages are known, and a changed list is read again', async () => {
    let tools: readonly object[][] = [[sum], [listTool('second', { ids: integers })]];
    const server = fakeServer({
      'tools/list': ({ params }: Message) => {
        const page = Number(params.cursor ?? 0);
        const cursor = page + 1 < tools.length ? { nextCursor: String(page + 1) } : {};
        return { tools: tools[page] ?? [], ...cursor };
      },
    });
    const { client } = relayTo(server);
    await client.say(call(1, 'second', { ids: '[1]' }));
    await settled();
    tools = [[listTool('second', { ids: { type: 'string' } })]];
    await server.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });

    await client.say(call(2, 'second', { ids: '[1]' }));
    await settled();

    const calls = messagesTo(server).filter(({ method }) => method === 'tools/call');
    expect(calls.map(({ params }) => params.arguments)).toEqual([{ ids: [1] }, { ids: '[1]' }]);
    expect(messagesTo(client)[0].method).toBe('notifications/tools/list_changed');
  });

  test('fixed arguments are not shown, and the server gets them', async () => {
    const tool = listTool(
      'find',
      { tenant: { type: 'string' }, q: { type: 'string' } },
      { required: ['tenant', 'q'] },
    );
    const { client, server } = relayTo(fakeServer(toolList(tool)), {
      overlay: {
        find: {
          name: 'search',
          fixed: { tenant: 'acme' },
          arguments: { q: { aliases: ['query'] } },
        },
      },
    });
    await client.say(request(0, 'tools/list'));
    await client.say(call(1, 'search', { query: 'x', tenant: 'other' }));
    await settled();

    const [shownTool] = messagesTo(client)[0].result.tools;
    expect(shownTool).toMatchObject({ name: 'search', inputSchema: { required: ['q'] } });
    expect(Object.keys(shownTool.inputSchema.properties)).toEqual(['q']);
    expect(JSON.stringify(shownTool)).not.toContain('x-toolmend');
    expect(messagesTo(server).at(-1).params).toEqual({
      name: 'find',
      arguments: { q: 'x', tenant: 'acme' },
    });
  });

  test('an overlay for a tool that is not listed is logged', async () => {
    const overlay = { summ: { fixed: { limit: 1 } }, sum: { hints: ['Sums.'] } };
    const { client, logged: logLines } = relayTo(fakeServer(toolList(sum)), { overlay });
    await client.say(request(0, 'tools/list'));

    expect(logLines).toEqual([
      "summ has an overlay, and the server doesn't list it: the overlay has no effect; the nearest name is sum",
    ]);
  });

  test('an overlay for an argument that is not there: its calls are refused, and the log says so', async () => {
    const overlay = { sum: { fixed: { limitt: 1 } } };
    const { client, server, logged: logLines } = relayTo(fakeServer(toolList(sum)), { overlay });
    await client.say(call(1, 'sum', { ids: [1] }));
    await settled();

    expect(logLines).toEqual([expect.stringMatching(/limitt.*: its calls are refused$/)]);
    expect(messagesTo(server).map(({ method }) => method)).toEqual(['tools/list']);
    expect(messagesTo(client)[0].result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('settings for it don’t fit its definition') }],
    });
  });

  test('with pins, a changed definition is not called', async () => {
    const pinnedTools = new ServerTools({}, () => undefined);
    const page = JSON.stringify({ tools: [sum] });
    pinnedTools.readPage(
      { tools: JSON.parse(JSON.stringify([sum])) },
      page,
      { start: 0, end: page.length },
      true,
    );
    const changedTool = { ...sum, description: 'Sums, and mails the ids.' };

    const same = relayTo(fakeServer(toolList(sum)), { pins: pinnedTools.digests() });
    const other = relayTo(fakeServer(toolList(changedTool)), { pins: pinnedTools.digests() });
    for (const { client } of [same, other]) await client.say(call(1, 'sum', { ids: [1] }));
    await settled();

    expect(messagesTo(same.server).at(-1).method).toBe('tools/call');
    expect(messagesTo(other.server).at(-1).method).toBe('tools/list');
    expect(messagesTo(other.client)[0].result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Its definition has changed') }],
    });
  });
});

describe('a message that can’t be read', () => {
  const deep = `${'['.repeat(300)}${']'.repeat(300)}`;
  const unreadableCalls = [
    [
      'a call that is nested too deeply',
      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"sum","arguments":{"ids":[1],"x":${deep}}}}`,
    ],
    [
      'a call with a key twice',
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"other","name":"sum","arguments":{"ids":[1]}}}',
    ],
    [
      'a batch with an element that is not a message',
      JSON.stringify([5, call(7, 'sum', { ids: [1] })]),
    ],
  ] as const;

  test.each(unreadableCalls)('%s passes as it is', async (_title, text) => {
    const { client, server } = relayTo(fakeServer(toolList(sum)));
    await client.say(text);
    await settled();
    expect(server.sent).toContain(text);
  });

  test.each(
    unreadableCalls.flatMap(([title, text]) => [
      [`${title}, with pins`, text, { pins: {} }] as const,
      [`${title}, with an overlay`, text, { overlay: { sum: { fixed: { limit: 1 } } } }] as const,
    ]),
  )('%s, does not reach the server', async (_title, text, options) => {
    const { client, server } = relayTo(fakeServer(toolList(sum)), options);
    await client.say(text);
    await settled();
    expect(messagesTo(server).map(({ method }) => method)).not.toContain('tools/call');
    expect(server.sent).not.toContain(text);
    expect(messagesTo(client).at(-1)).toMatchObject({
      error: { message: expect.stringContaining('it was not passed on') },
    });
  });
});

describe('bad input', () => {
  test.each([
    ['null', { id: null }],
    ['a list', { id: [1] }],
    ['nothing', {}],
  ])('a call with %s for its id does not reach the server', async (_title, id) => {
    const { client, server } = relayTo(fakeServer(toolList(sum)));
    const message = {
      jsonrpc: '2.0',
      method: 'tools/call',
      params: { name: 'sum', arguments: {} },
      ...id,
    };

    await client.say(message);
    await client.say([message]);
    await settled();

    expect(server.sent.filter((text) => text.includes('tools/call'))).toEqual([]);
    expect(messagesTo(client).map(({ error }) => error.code)).toEqual([-32600, -32600]);
  });

  test('a line of the server that is not JSON is left out and logged without its words', async () => {
    const { client, server, logged: logLines } = relayTo(fakeServer({}));

    await server.say('Server listens, token hush');

    expect(client.sent).toEqual([]);
    expect(logLines).toEqual(['the server wrote a line that is not a message; it is left out']);
  });

  test.each([
    ['is none', { type: 'object', properties: { ids: { type: 'integr' } } }],
    [
      'refers outside itself',
      { type: 'object', properties: { ids: { $ref: 'https://example.com/x.json' } } },
    ],
    ['is not that of an object', { type: 'string' }],
    ['is missing', undefined],
  ])(
    'a tool whose schema %s stays listed, and its calls pass as they are',
    async (_title, inputSchema) => {
      const {
        client,
        server,
        logged: logLines,
      } = relayTo(fakeServer(toolList({ name: 'odd', inputSchema })));
      const text = JSON.stringify(call(1, 'odd', { ids: '[1]' }));
      await client.say(request(0, 'tools/list'));

      await client.say(text);
      await settled();

      expect(messagesTo(client)[0].result.tools).toEqual([
        { name: 'odd', ...(inputSchema && { inputSchema }) },
      ]);
      expect(server.sent.at(-1)).toBe(text);
      expect(logLines).toHaveLength(1);
    },
  );

  test('500 tools are listed and called', async () => {
    const tools = Array.from({ length: 500 }, (_, index) =>
      listTool(`tool_${index}`, { ids: integers }),
    );
    const { client, server } = relayTo(fakeServer(toolList(...tools)));
    await client.say(request(0, 'tools/list'));

    await client.say(call(1, 'tool_499', { ids: '[1]' }));
    await settled();

    expect(messagesTo(client)[0].result.tools).toHaveLength(500);
    expect(messagesTo(server).at(-1).params.arguments).toEqual({ ids: [1] });
  });

  test.each([
    ['without a name', { arguments: {} }],
    ['whose name is a number', { name: 1, arguments: {} }],
    ['without parameters', undefined],
  ])('a call %s passes', async (_title, params) => {
    const { client, server } = relayTo(fakeServer(toolList(sum)));
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });

    await client.say(text);

    expect(server.sent).toEqual([text]);
  });

  test('a server that ends: requests without an answer get an error', async () => {
    const { client, server, relay, ended: end } = relayTo(fakeServer({}));
    await client.say(request(7, 'resources/list'));
    await client.say(call(8, 'sum', {}));
    server.end();

    expect(await end).toBe('server');
    await relay.fail('The server ended with exit code 3.');

    const error = { code: -32000, message: 'The server ended with exit code 3.' };
    expect(messagesTo(client)).toEqual([
      { jsonrpc: '2.0', id: 7, error },
      { jsonrpc: '2.0', id: 8, error },
    ]);
  });
});

describe('batches, which only revision 2025-03-26 has', () => {
  const batch = (...messages: readonly object[]): string => JSON.stringify(messages);

  test('a batch with valid calls passes byte for byte', async () => {
    const { client, server } = relayTo(fakeServer(toolList(sum)));
    await client.say(request(0, 'tools/list'));
    const text = ` [ ${JSON.stringify(call(1, 'sum', { ids: [1] }))} , ${JSON.stringify(request(2, 'ping'))} ]\n`;

    await client.say(text);

    expect(server.sent.at(-1)).toBe(text);
  });

  test('calls are repaired in the batch, and what can’t be repaired is answered', async () => {
    const { client, server } = relayTo(fakeServer(toolList(sum)));
    await client.say(request(0, 'tools/list'));

    await client.say(
      batch(
        call(1, 'sum', { ids: ['1'] }),
        request(2, 'ping'),
        call('3', 'sum', { limit: 'many' }),
      ),
    );

    expect(JSON.parse(server.sent.at(-1) ?? '')).toEqual([
      call(1, 'sum', { ids: [1] }),
      request(2, 'ping'),
    ]);
    expect(JSON.parse(client.sent.at(-1) ?? '')).toMatchObject({
      id: '3',
      result: { isError: true },
    });
  });

  test('the list is asked for before the first batch with a call', async () => {
    const { client, server } = relayTo(fakeServer(toolList(sum)));

    await client.say(batch(request(2, 'ping'), call(1, 'sum', '{"ids":[1]}')));
    await settled();

    expect(JSON.parse(server.sent.at(-1) ?? '')).toEqual([
      request(2, 'ping'),
      call(1, 'sum', { ids: [1] }),
    ]);
  });

  test('a call that is cancelled before the list is there is taken out of its batch', async () => {
    const { client, server } = relayTo(fakeServer(toolList(sum)));

    const delivery = client.say(batch(request(2, 'ping'), call(1, 'sum', { ids: ['1'] })));
    await client.say({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1 },
    });
    await delivery;
    await settled();

    expect(JSON.parse(server.sent.at(-1) ?? '')).toEqual([request(2, 'ping')]);
  });

  test('a list of tools in a batch of answers has hints, and is known', async () => {
    const { client, server } = relayTo(fakeServer({}));
    await client.say(batch(request(1, 'tools/list'), request(2, 'ping')));
    await server.say(
      batch(
        { jsonrpc: '2.0', id: 1, result: { tools: [sum] } },
        { jsonrpc: '2.0', id: 2, result: {} },
      ),
    );
    const [first] = JSON.parse(client.sent.at(-1) ?? '');
    await client.say(call(3, 'sum', { ids: ['1'] }));

    expect(first.result.tools[0].description).toContain('ids is a JSON array of integers');
    expect(JSON.parse(server.sent.at(-1) ?? '')).toEqual(call(3, 'sum', { ids: [1] }));
  });
});
