// What is special about Anthropic's Messages API, with the SDK against a server on loopback. The
// rest is in turns.test.ts.
import Anthropic from '@anthropic-ai/sdk';
import { ToolRegistry } from 'toolmend';
import { anthropicMessages } from 'toolmend/anthropic';
import { closedTool, toolOf } from '../../tools.ts';
import { attachTexts, pagedTools } from '../sample-results.ts';
import { type Body, startBodyServer } from '../scripted-server.ts';
import {
  block,
  blockDelta as delta,
  goOn,
  messageEnd as end,
  messageOf as message,
  truncated,
} from '../wires.ts';

const renamed = closedTool(
  'rename',
  (values) => values,
  {
    paths: { type: 'array', items: { type: 'string' } },
    $id: { type: ['integer', 'string'] },
    labels: { type: 'array', items: { type: 'number' } },
    extra: { type: 'object', properties: { 'the name': { type: 'string' } } },
  },
  { required: ['paths'] },
);
const tools = pagedTools.register(renamed);

async function clientOf(...bodies: readonly Body[]) {
  const server = await startBodyServer(...bodies);
  return {
    server,
    client: new Anthropic({ apiKey: 'none', baseURL: server.origin, maxRetries: 0 }),
  };
}

const use = (id: unknown, name: string, input: unknown) => ({ type: 'tool_use', id, name, input });
const text = (said: string) => ({ type: 'text', text: said, citations: null });
const question = { model: 'scripted', max_tokens: 100, messages: goOn };

async function turnOf(stop: string | null, ...content: readonly (object | null)[]) {
  const { client } = await clientOf({ json: message(stop, ...content) });
  return anthropicMessages(tools).answer(await client.messages.create(question));
}

it('sends tools, takes calls and gives back all results in one message', async () => {
  const thought = { type: 'thinking', thinking: 'Hm.', signature: 'abc' };
  const broken = use('t2', 'fail', {});
  const { client, server } = await clientOf({
    json: message('tool_use', thought, use('t1', 'rename', { paths: 'a', _id: 7 }), broken),
  });
  const api = anthropicMessages(tools);
  const turn = await api.answer(await client.messages.create({ ...question, tools: api.tools }));
  const messages: readonly Anthropic.MessageParam[] = turn.messages;
  const said = (answer: string) => ({
    type: 'tool_result',
    content: [{ type: 'text', text: answer }],
  });
  const results = [
    { ...said('{"paths":["a"],"$id":7}'), tool_use_id: 't1' },
    { ...said('The disk is full.'), tool_use_id: 't2', is_error: true },
  ];
  expect(messages).toEqual([
    {
      role: 'assistant',
      content: [thought, use('t1', 'rename', { paths: ['a'], _id: 7 }), broken],
    },
    { role: 'user', content: results },
  ]);
  expect(server.requests[0].tools.at(-1)).toMatchObject({
    name: 'rename',
    input_schema: { properties: { _id: { type: ['integer', 'string'] } }, required: ['paths'] },
  });
});

it('strict: a forbidden key has another name in the schema and the history, and its own for the tool', async () => {
  const sent = { paths: [], labels: ['1'], extra: { the_name: 'a' } };
  const { client } = await clientOf({ json: message('tool_use', use('t1', 'rename', sent)) });
  const api = anthropicMessages(tools, { strict: true });
  const { messages, outcomes } = await api.answer(await client.messages.create(question));
  expect(outcomes).toMatchObject([
    { result: { paths: [], labels: [1], extra: { 'the name': 'a' } } },
  ]);
  expect(messages[0]?.content).toEqual([use('t1', 'rename', { ...sent, labels: [1] })]);
  expect(api.tools.at(-1)).toMatchObject({ name: 'rename', strict: true });
});

test('deferred tools are left to Claude’s tool search if the program asks for it', () => {
  const done = () => 'done';
  const rare = toolOf(done, { name: 'rare', deferred: true });
  const registry = new ToolRegistry().register(toolOf(done, { name: 'often' }), rare);
  const deferred = (deferLoading: boolean) =>
    anthropicMessages(registry, { deferLoading }).tools.map((tool) => [
      tool.name,
      tool.defer_loading,
    ]);
  expect(Object.fromEntries(deferred(true))).toEqual({ often: undefined, rare: true });
  expect(Object.fromEntries(deferred(false))).toEqual({ often: undefined, rare: undefined });
});

it('has the examples that the shown schema accepts as input_examples if inputExamples is true', () => {
  const number = { type: 'number' } as const;
  const examples = [{ a: 1, b: 2 }, { a: 3, c: 4 }, { b: 4 }, 'a: 5'];
  const properties = { a: number, b: number };
  const inputSchema = { type: 'object', properties, required: ['a'], examples } as const;
  const registry = new ToolRegistry().register(
    toolOf(() => 'done', { name: 'add', inputSchema }),
    toolOf(() => 'done', {
      name: 'refused',
      inputSchema: { ...inputSchema, examples: [{ b: 4 }] },
    }),
  );
  const shown = (options: object) => {
    const { tools: offered } = anthropicMessages(registry, options);
    return offered.map(({ input_examples, input_schema }) => [
      input_examples,
      input_schema['examples'],
    ]);
  };
  const refused = [undefined, [{ b: 4 }]];
  expect(shown({})).toEqual([[undefined, examples], refused]);
  expect(shown({ inputExamples: true })).toEqual([[examples.slice(0, 2), undefined], refused]);
  // In strict mode, objects are closed.
  expect(shown({ inputExamples: true, strict: true })[0]?.[0]).toEqual([{ a: 1, b: 2 }]);
});

describe('a result', () => {
  const resultOf = async (name: string) => {
    const { messages } = await turnOf('tool_use', use('t1', name, {}));
    const [result] = messages[1]?.content ?? [];
    return typeof result === 'object' && result.type === 'tool_result' ? result : undefined;
  };

  it('has images as blocks, and a text in the place of an image that the API does not take', async () => {
    expect((await resultOf('draw_bitmap'))?.content).toEqual([
      { type: 'text', text: 'a line' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
      { type: 'text', text: "An image of the type image/bmp, which can't be shown." },
    ]);
  });

  it('has PDF and text as documents, and texts in the places of other files and links', async () => {
    expect((await resultOf('attach'))?.content).toEqual([
      { type: 'text', text: 'See the files.' },
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' },
      },
      {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'a,b' },
        title: 'rows.csv',
      },
      ...attachTexts.map((line) => ({ type: 'text', text: line })),
    ]);
  });

  it('has notes as blocks, and no content if it is empty', async () => {
    expect((await resultOf('long'))?.content).toEqual([
      { type: 'text', text: expect.stringMatching(/^word/) },
      { type: 'text', text: expect.stringContaining('part 1 of 2') },
    ]);
    expect(await resultOf('empty')).toEqual({ type: 'tool_result', tool_use_id: 't1' });
  });
});

describe('a message', () => {
  it.each(['max_tokens', null])(
    'that ended by %s has whole inputs before its last block',
    async (reason) => {
      const turn = await turnOf(reason, use('t1', 'read_files', { paths: ['a'] }), text('So'));
      expect(turn.outcomes).toMatchObject([{ status: 'completed' }]);
    },
  );

  it('without calls goes back, if it has content', async () => {
    const said = [text('Hi.')];
    expect((await turnOf('end_turn', ...said)).messages).toEqual([
      { role: 'assistant', content: said },
    ]);
    expect(await turnOf('end_turn')).toEqual({ messages: [], outcomes: [] });
    expect((await turnOf('end_turn', text(''))).messages).toEqual([]);
  });
});

describe('a stream', () => {
  const start = { type: 'message_start', message: message(null) };
  const json = (at: number, partial_json: string) =>
    delta(at, { type: 'input_json_delta', partial_json });
  const stop = (index: number) => ({ type: 'content_block_stop', index });
  const read = block(0, use('t1', 'rename', {}));

  async function streamOf(...events: readonly object[]) {
    const { client } = await clientOf({ events, end: 'silent' });
    return anthropicMessages(tools).answer(
      await client.messages.create({ ...question, stream: true }),
    );
  }

  const search = { ...use('t3', 'web_search', {}), type: 'server_tool_use' };
  const citations = ['a', 'b'].map((cited_text) => ({ type: 'char_location', cited_text }));

  it('is put together: thinking, text with citations and calls, but no text of whitespace, which the API refuses', async () => {
    const { messages } = await streamOf(
      start,
      block(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'Hm.' }),
      delta(0, { type: 'signature_delta', signature: 'abc' }),
      stop(0),
      block(1, text('')),
      delta(1, { type: 'text_delta', text: 'Let me ' }),
      delta(1, { type: 'text_delta', text: 'see.' }),
      ...citations.map((citation) => delta(1, { type: 'citations_delta', citation })),
      stop(1),
      block(2, use('t1', 'read_files', {})),
      json(2, '{"paths":'),
      json(2, '["a"]}'),
      stop(2),
      block(3, text('')),
      delta(3, { type: 'text_delta', text: '\n\n' }),
      stop(3),
      block(4, use('t2', 'empty', {})),
      stop(4),
      block(5, search),
      json(5, '{"query":"a"}'),
      stop(5),
      ...end('tool_use'),
    );
    expect(messages[0]?.content).toEqual([
      { type: 'thinking', thinking: 'Hm.', signature: 'abc' },
      { ...text('Let me see.'), citations },
      use('t1', 'read_files', { paths: ['a'] }),
      use('t2', 'empty', {}),
      { ...search, input: { query: 'a' } },
    ]);
  });

  it.each(['refusal', 'max_tokens', null])(
    'that ended by %s is cut off, also in a message that the SDK has completed',
    async (reason) => {
      const ended = reason === null ? [{ type: 'message_stop' }] : end(reason);
      const { client } = await clientOf({
        events: [start, read, json(0, '{"paths":["a","b'), stop(0), ...ended],
        end: 'silent',
      });
      const final = await client.messages.stream(question).finalMessage();
      expect(final.content).toMatchObject([{ input: { paths: expect.arrayContaining(['a']) } }]);
      for (const source of [final, client.messages.stream(question)])
        expect((await anthropicMessages(tools).answer(source)).outcomes).toMatchObject([truncated]);
    },
  );
});
