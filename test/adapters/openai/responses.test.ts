// How do tools work in the Responses API? The SDK itself, against a loopback server.
import OpenAI from 'openai';
import { defineTool, ToolRegistry, ToolResult } from 'toolmend';
import { ResponseCollector, responses } from 'toolmend/openai';
import { abortedAfter, type Body, startBodyServer } from '../body-server.ts';

const tools = new ToolRegistry({ hints: 'off' }).register(
  defineTool({
    name: 'read_files',
    description: 'Reads.',
    inputSchema: {
      type: 'object',
      properties: { paths: { type: 'array', items: { type: 'string' } }, limit: { type: 'integer' } },
      required: ['paths'],
      additionalProperties: false,
    },
    execute: (values) => values,
  }),
  defineTool({
    name: 'draw',
    description: 'Draws.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    execute: () => ToolResult.of(1).text('a line').image('aGk=', 'image/png'),
  }),
);

const servers: { close(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function clientOf(...bodies: readonly Body[]) {
  const server = await startBodyServer(...bodies);
  servers.push(server);
  const client = new OpenAI({ apiKey: 'none', baseURL: `${server.origin}/v1`, maxRetries: 0 });
  return { server, client };
}

const response = (status: string, ...output: readonly object[]) => ({
  id: 'resp_1',
  object: 'response',
  model: 'scripted',
  status,
  output,
});

const called = (call_id: unknown, name: string, args: unknown, rest: object = {}) => ({
  type: 'function_call',
  id: 'fc_1',
  call_id,
  name,
  arguments: args,
  status: 'completed',
  ...rest,
});

const question = { model: 'scripted', input: 'Go on.' };

async function turnOf(body: object, strict = false) {
  const { client } = await clientOf({ json: body });
  return responses(tools, { strict }).answer(await client.responses.create(question));
}

it('a conversation: reasoning goes back with the calls that came of it', async () => {
  const thought = { type: 'reasoning', id: 'rs_1', summary: [] };
  const said = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
  };
  const { client, server } = await clientOf(
    { json: response('completed', thought, called('call_1', 'read_files', '{"paths":"a"}')) },
    { json: response('completed', said) },
  );
  const offered = responses(tools);
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'Read a.' }];
  for (;;) {
    const answer = await client.responses.create({ model: 'scripted', input, tools: offered.tools });
    const turn = await offered.answer(answer);
    input.push(...turn.items);
    if (turn.outcomes.length === 0) break;
  }
  expect(input.slice(1)).toEqual([
    thought,
    called('call_1', 'read_files', '{"paths":["a"]}'),
    { type: 'function_call_output', call_id: 'call_1', output: '{"paths":["a"]}' },
    said,
  ]);
  expect(server.requests[0].tools[0]).toMatchObject({ type: 'function', name: 'read_files', strict: false });
});

it('what the SDK’s helpers have read out of a response does not go back', async () => {
  const said = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'Wait.', annotations: [] }],
  };
  const call = called('call_1', 'read_files', '{"paths":["a"]}');
  const { client } = await clientOf({ json: response('completed', said, call) });
  const parsed = await client.responses.parse(question);
  expect(JSON.stringify(parsed.output)).toMatch(/"parsed":null.*"parsed_arguments":null/);
  const { items } = await responses(tools).answer(parsed);
  expect(items.slice(0, 2)).toEqual([said, call]);
});

it('strict, with the outputs alone for a request that names the response before', async () => {
  const { items, outputs } = await turnOf(
    response('completed', called('call_1', 'read_files', '{"paths":["a"],"limit":null}')),
    true,
  );
  expect(outputs).toEqual([{ type: 'function_call_output', call_id: 'call_1', output: '{"paths":["a"]}' }]);
  expect(items[0]).toMatchObject({ arguments: '{"paths":["a"],"limit":null}' });
});

it('images and notes are parts of their own', async () => {
  const { outputs } = await turnOf(response('completed', called('call_1', 'draw', '{}')));
  expect(outputs).toEqual([
    {
      type: 'function_call_output',
      call_id: 'call_1',
      output: [
        { type: 'input_text', text: 'a line' },
        { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,aGk=' },
      ],
    },
  ]);
});

it('what servers send: no id, one id twice, arguments as an object, null', async () => {
  const { items, outcomes } = await turnOf(
    response(
      'completed',
      called(undefined, 'draw', null, { id: undefined }),
      called('call_1', 'read_files', { paths: ['a'] }),
      called('call_1', 'draw', undefined),
      called('call_2', 'erase', '{}'),
    ),
  );
  expect(outcomes.map(({ status }) => status)).toEqual([
    'completed',
    'completed',
    'completed',
    'unknown_tool',
  ]);
  const ids = items.map((item) => ('call_id' in item ? item.call_id : ''));
  expect(ids.slice(0, 4)).toEqual(ids.slice(4));
  expect(ids.slice(0, 4)).toEqual([expect.stringMatching(/^[a-z\d]{9}$/), 'call_1', 'call_1_2', 'call_2']);
});

it('a response that ended at its limit: the calls that ended before it run', async () => {
  const { outcomes } = await turnOf(
    response(
      'incomplete',
      called('call_1', 'read_files', '{"paths":["a"]}'),
      called('call_2', 'read_files', '{"paths":["a"', { status: 'incomplete' }),
    ),
  );
  expect(outcomes).toMatchObject([
    { status: 'completed' },
    { status: 'invalid_arguments', interpretation: { issues: [{ keyword: 'truncated' }] } },
  ]);
});

it.each([
  ['incomplete', undefined],
  ['failed', undefined],
  ['cancelled', undefined],
  ['incomplete', 'incomplete'],
])('values in a response that is %s: the last may be half', async (status, ofItem) => {
  const { outcomes } = await turnOf(
    response(
      status,
      called('call_1', 'draw', {}, { status: undefined }),
      called('call_2', 'read_files', { paths: ['half'] }, { status: ofItem }),
    ),
  );
  expect(outcomes).toMatchObject([
    { status: 'completed' },
    { status: 'invalid_arguments', interpretation: { issues: [{ keyword: 'truncated' }] } },
  ]);
});

it.each([null, undefined, {}, [null]])('an output that is %j has nothing in it', async (output) => {
  // The SDK itself would throw at it; a program may have the response from elsewhere.
  const said = JSON.parse(JSON.stringify({ ...response('completed'), output }));
  expect(responses(tools).calls(said)).toEqual([]);
  const turn = await responses(tools).answer(said);
  expect(turn).toEqual({ items: [], outputs: [], outcomes: [] });
});

it('a call that is still in progress in a completed response has ended with it', async () => {
  const begun = called('call_1', 'read_files', '{"paths":["a"', { status: 'in_progress' });
  const { items, outcomes } = await turnOf(response('completed', begun));
  expect(outcomes).toMatchObject([{ status: 'completed', result: { paths: ['a'] } }]);
  expect(items[0]).toMatchObject({ status: 'completed' });
  const open = await turnOf(response('in_progress', begun));
  expect(open.outcomes).toMatchObject([{ interpretation: { issues: [{ keyword: 'truncated' }] } }]);
  expect(open.items[0]).toMatchObject({ status: 'incomplete' });
});

it('names and ids that are no text', async () => {
  const { outcomes, items } = await turnOf(
    response('completed', called(7, 'draw', '{}'), called({}, 'draw', '{}'), { type: 'function_call' }),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['completed', 'completed', 'unknown_tool']);
  expect(items.slice(0, 2)).toMatchObject([{ call_id: '7' }, { call_id: 'fc_1' }]);
});

describe('streamed', () => {
  const event = (type: string, rest: object) => ({ type: `response.${type}`, sequence_number: 0, ...rest });
  const begun = event('created', { response: response('in_progress') });
  const added = (output_index: number, item: object) => event('output_item.added', { output_index, item });
  const delta = (output_index: number, text: string) =>
    event('function_call_arguments.delta', { output_index, item_id: 'fc_1', delta: text });
  const item = called('call_1', 'read_files', '', { status: 'in_progress' });
  const whole = called('call_1', 'read_files', '{"paths":["a"]}');

  it('to its end', async () => {
    const { client } = await clientOf({
      events: [
        begun,
        added(0, item),
        delta(0, '{"paths":'),
        delta(0, '["a"]}'),
        event('output_item.done', { output_index: 0, item: whole }),
        event('completed', { response: response('completed', whole) }),
      ],
    });
    const turn = await responses(tools).answer(await client.responses.create({ ...question, stream: true }));
    expect(turn.outcomes).toMatchObject([{ status: 'completed', call: { id: 'call_1', model: 'scripted' } }]);
    expect(turn.items[0]).toEqual(whole);
  });

  it.each([undefined, null, {}])('a call that begins with the arguments %j', async (empty) => {
    const collector = new ResponseCollector();
    for (const one of [
      null,
      event('created', { response: null }),
      event('output_item.added', { output_index: 1, item: null }),
      added(0, { ...item, arguments: empty }),
      delta(0, '{"paths":'),
      event('function_call_arguments.delta', { output_index: 0, delta: null }),
      delta(0, '["a"]}'),
      event('completed', { response: { output: null, model: 'scripted' } }),
    ]) {
      collector.add(JSON.parse(JSON.stringify(one)));
    }
    const { items, outcomes } = await responses(tools).answer(collector);
    expect(outcomes).toMatchObject([{ status: 'completed', result: { paths: ['a'] } }]);
    expect(items[0]).toEqual(whole);
  });

  it.each([null, {}, { output: [] }])(
    'completed by the response %j: what came is what was said',
    async (empty) => {
      const collector = new ResponseCollector();
      for (const one of [
        begun,
        added(0, item),
        delta(0, '{"paths":["a"'),
        event('completed', { response: empty }),
      ]) {
        collector.add(JSON.parse(JSON.stringify(one)));
      }
      expect((await responses(tools).answer(collector)).outcomes).toMatchObject([
        { status: 'completed', result: { paths: ['a'] } },
      ]);
    },
  );

  it('aborted: it rejects, whatever had come', async () => {
    const done = event('output_item.done', {
      output_index: 0,
      item: { ...item, arguments: '{"paths":["a"]}', status: 'completed' },
    });
    const { client } = await clientOf({ events: [begun, added(0, item), done], end: 'open' });
    const stream = await client.responses.create({ ...question, stream: true });
    await expect(responses(tools).answer(await abortedAfter(3, stream))).rejects.toThrow('aborted');
  });

  it('broken off: what has not ended was cut off, whole or not', async () => {
    const { client } = await clientOf({
      events: [begun, added(0, item), delta(0, '{"paths":["a"')],
      end: 'break',
    });
    const collector = new ResponseCollector();
    const stream = await client.responses.create({ ...question, stream: true });
    await expect(
      (async () => {
        for await (const one of stream) collector.add(one);
      })(),
    ).rejects.toThrow();
    expect((await responses(tools).answer(collector)).outcomes).toMatchObject([
      { status: 'invalid_arguments', interpretation: { issues: [{ keyword: 'truncated' }] } },
    ]);
  });
});
