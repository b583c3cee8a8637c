// What is special about the Responses API, with the SDK against a server on loopback. The rest is
// in turns.test.ts.
import OpenAI from 'openai';
import { type OpenAiOptions, ResponseCollector, responses } from 'toolmend/openai';
import { attachTexts, pagedTools as tools } from '../sample-results.ts';
import { type Body, startBodyServer } from '../scripted-server.ts';
import { event, functionCall, response, truncated } from '../wires.ts';

async function clientOf(...bodies: readonly Body[]) {
  const server = await startBodyServer(...bodies);
  return { server, client: new OpenAI({ apiKey: 'none', baseURL: server.baseURL, maxRetries: 0 }) };
}

const called = (id: unknown, name: string, args: unknown, rest: object = {}) =>
  functionCall({ id, name, arguments: args }, { id: 'fc_1', status: 'completed', ...rest });

const text = (said: string) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: said, annotations: [] }],
});

const question = { model: 'scripted', input: 'Go on.' };
const whole = called('call_1', 'read_files', '{"paths":["a"]}');

async function turnOf(body: object, options?: OpenAiOptions) {
  const { client } = await clientOf({ json: body });
  return responses(tools, options).answer(await client.responses.create(question));
}

it('sends tools, and reasoning back with its calls', async () => {
  const thought = { type: 'reasoning', id: 'rs_1', summary: [] };
  const body = response('completed', thought, called('call_1', 'read_files', '{"paths":"a"}'));
  const { client, server } = await clientOf({ json: body });
  const api = responses(tools);
  const turn = await api.answer(await client.responses.create({ ...question, tools: api.tools }));
  const input: readonly OpenAI.Responses.ResponseInputItem[] = turn.items;
  const output = { type: 'function_call_output', call_id: 'call_1', output: '{"paths":["a"]}' };
  expect(input).toEqual([thought, whole, output]);
  expect(server.requests[0].tools[0]).toMatchObject({
    type: 'function',
    name: 'read_files',
    strict: false,
  });
});

it('sends nothing back that the SDK’s helpers have added', async () => {
  const { client } = await clientOf({ json: response('completed', text('Wait.'), whole) });
  const parsed = await client.responses.parse(question);
  expect(JSON.stringify(parsed.output)).toMatch(/"parsed":null.*"parsed_arguments":null/);
  const { items } = await responses(tools).answer(parsed);
  expect(items.slice(0, 2)).toEqual([text('Wait.'), whole]);
});

it('strict, with the outputs alone for a request that names the previous response', async () => {
  const sent = '{"paths":["a"],"limit":null,"labels":null}';
  const body = response('completed', called('call_1', 'read_files', sent));
  const { items, outputs } = await turnOf(body, { strict: true });
  expect(outputs).toEqual([
    { type: 'function_call_output', call_id: 'call_1', output: '{"paths":["a"]}' },
  ]);
  expect(items[0]).toMatchObject({ arguments: sent });
});

it('leaves no call of a custom tool without an output', async () => {
  const custom = { type: 'custom_tool_call', call_id: 'call_2', name: 'grep', input: 'x' };
  const { items, outputs, outcomes } = await turnOf(response('completed', whole, custom));
  const answered = {
    type: 'custom_tool_call_output',
    call_id: 'call_2',
    output: 'grep was not executed.\nOnly function tools can be called here.',
  };
  expect(outcomes).toHaveLength(1);
  expect(items.slice(0, 2)).toEqual([whole, custom]);
  expect(items.at(-1)).toEqual(answered);
  expect(outputs.at(-1)).toEqual(answered);
});

it('gives images and notes as parts of their own, or notes in a message', async () => {
  const body = response(
    'completed',
    called('call_1', 'draw', '{}'),
    called('call_2', 'long', '{}'),
  );
  const { outputs } = await turnOf(body);
  const image = { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,aGk=' };
  expect(outputs).toMatchObject([
    { output: [{ type: 'input_text', text: 'a line' }, image] },
    {
      output: [
        { text: expect.stringMatching(/^word/) },
        { text: expect.stringContaining('part 1 of 2') },
      ],
    },
  ]);
  const apart = await turnOf(body, { notes: 'message' });
  expect(apart.outputs.slice(1)).toMatchObject([
    { call_id: 'call_2', output: expect.stringMatching(/^word/) },
    { role: 'user', content: expect.stringMatching(/^On call_2: .*part 1 of 2/) },
  ]);
});

it('gives documents as files, and texts in the places of other files and links', async () => {
  const { outputs } = await turnOf(response('completed', called('call_1', 'attach', '{}')));
  expect(outputs).toMatchObject([
    {
      output: [
        { type: 'input_text', text: 'See the files.' },
        {
          type: 'input_file',
          filename: 'a_b.pdf',
          file_data: 'data:application/pdf;base64,JVBERg==',
        },
        { type: 'input_file', filename: 'rows.csv', file_data: 'data:text/csv;base64,YSxi' },
        ...attachTexts.map((line) => ({ type: 'input_text', text: line })),
      ],
    },
  ]);
});

it('takes the id of the item for a call without one', async () => {
  const { items, outcomes } = await turnOf(response('completed', called({}, 'draw', '{}')));
  expect(outcomes).toMatchObject([{ status: 'completed' }]);
  expect(items).toMatchObject([{ call_id: 'fc_1' }, { call_id: 'fc_1' }]);
});

it.each([undefined, 'incomplete'])(
  'believes a call that says itself how it ended: %s',
  async (status) => {
    const half = called('call_2', 'read_files', { paths: ['half'] }, { status });
    const { outcomes } = await turnOf(response('incomplete', whole, half));
    expect(outcomes).toMatchObject([{ status: 'completed' }, truncated]);
  },
);

it('ends a call in progress with its response', async () => {
  const begun = called('call_1', 'read_files', '{"paths":["a"', { status: 'in_progress' });
  const { items, outcomes } = await turnOf(response('completed', begun));
  expect(outcomes).toMatchObject([{ status: 'completed', result: { paths: ['a'] } }]);
  expect(items[0]).toMatchObject({ status: 'completed' });
  const open = await turnOf(response('in_progress', begun));
  expect(open.outcomes).toMatchObject([truncated]);
  expect(open.items[0]).toMatchObject({ status: 'incomplete' });
});

describe('a stream', () => {
  const added = (item: object) => event('output_item.added', { output_index: 0, item });
  const delta = (part: string) =>
    event('function_call_arguments.delta', { output_index: 0, item_id: 'fc_1', delta: part });
  const item = called('call_1', 'read_files', '', { status: 'in_progress' });

  function answerOf(...events: readonly object[]) {
    const collector = new ResponseCollector();
    for (const one of events) collector.add(JSON.parse(JSON.stringify(one)));
    return responses(tools).answer(collector);
  }

  it('ends with the whole response, which counts', async () => {
    const end = event('completed', { response: response('completed', whole) });
    const turn = await answerOf(added(item), delta('{"paths":'), end);
    expect(turn.outcomes).toMatchObject([
      { status: 'completed', call: { id: 'call_1', model: 'scripted' } },
    ]);
    expect(turn.items[0]).toEqual(whole);
  });

  const empties = [null, {}, { output: [] }, { output: null }];

  it.each(empties)('may end with the response %j: what has come is the answer', async (empty) => {
    const end = event('completed', { response: empty });
    const { outcomes } = await answerOf(added(item), delta('{"paths":["a"'), end);
    expect(outcomes).toMatchObject([{ status: 'completed', result: { paths: ['a'] } }]);
  });

  it.each([undefined, null, {}])('may begin a call with the arguments %j', async (empty) => {
    const end = event('completed', { response: null });
    const { items } = await answerOf(
      added({ ...item, arguments: empty }),
      delta('{"paths":["a"]}'),
      end,
    );
    expect(items[0]).toEqual(whole);
  });

  it('cuts off a call that has not ended, even if its text is whole', async () => {
    expect((await answerOf(added(item), delta('{"paths":["a"'))).outcomes).toMatchObject([
      truncated,
    ]);
  });
});
