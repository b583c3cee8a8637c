// How do tools work in Anthropic's Messages API? The SDK itself, against a loopback server.
import Anthropic from '@anthropic-ai/sdk';
import { resultPages, defineTool, interpret, ToolFailure, ToolRegistry, ToolResult } from 'toolmend';
import { anthropicMessages, MessageCollector } from 'toolmend/anthropic';
import { abortedAfter, type Body, startBodyServer } from '../body-server.ts';

const readFiles = defineTool({
  name: 'read_files',
  description: 'Reads.',
  inputSchema: {
    type: 'object',
    properties: {
      paths: { type: 'array', items: { type: 'string' } },
      $id: { type: ['integer', 'string'] },
      labels: { type: 'array', items: { type: 'number' } },
      extra: { type: 'object', properties: { 'the name': { type: 'string' } } },
    },
    required: ['paths'],
    additionalProperties: false,
  },
  execute: (values) => values,
});

const nothing = { type: 'object', properties: {}, additionalProperties: false } as const;

const tools = new ToolRegistry({
  hints: 'off',
  interceptors: [resultPages({ maxResultChars: 100 }).interceptor],
}).register(
  readFiles,
  defineTool({
    name: 'draw',
    description: 'Draws.',
    inputSchema: nothing,
    execute: () => ToolResult.of(1).text('a line').image('aGk=', 'image/png').image('aGk=', 'image/bmp'),
  }),
  defineTool({ name: 'empty', description: 'Says nothing.', inputSchema: nothing, execute: () => '' }),
  defineTool({
    name: 'long',
    description: 'Says much.',
    inputSchema: nothing,
    execute: () => 'word '.repeat(40),
  }),
  defineTool({
    name: 'fail',
    description: 'Fails.',
    inputSchema: nothing,
    execute: () => {
      throw new ToolFailure('The disk is full.');
    },
  }),
);

const servers: { close(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function clientOf(...bodies: readonly Body[]) {
  const server = await startBodyServer(...bodies);
  servers.push(server);
  return { server, client: new Anthropic({ apiKey: 'none', baseURL: server.origin, maxRetries: 0 }) };
}

const usage = { input_tokens: 1, output_tokens: 1 };
const message = (stop_reason: string | null, ...content: readonly (object | null)[]) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'scripted',
  stop_reason,
  stop_sequence: null,
  usage,
  content,
});

const use = (id: unknown, name: string, input: unknown) => ({ type: 'tool_use', id, name, input });
const question = {
  model: 'scripted',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'Go on.' }],
};

async function turnOf(stop: string | null, ...content: readonly (object | null)[]) {
  const { client } = await clientOf({ json: message(stop, ...content) });
  return anthropicMessages(tools).answer(await client.messages.create(question));
}

describe('the loop', () => {
  it('tools go out, calls come in, all results go back in one message, until the model is done', async () => {
    const thought = { type: 'thinking', thinking: 'Hm.', signature: 'abc' };
    const { client, server } = await clientOf(
      {
        json: message(
          'tool_use',
          thought,
          use('t1', 'read_files', { paths: 'a', _id: 7 }),
          use('t2', 'fail', {}),
        ),
      },
      { json: message('end_turn', { type: 'text', text: 'Done.', citations: null }) },
    );
    const claude = anthropicMessages(tools);
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Read a.' }];
    for (;;) {
      const answer = await client.messages.create({
        model: 'scripted',
        max_tokens: 100,
        messages,
        tools: claude.tools,
      });
      const turn = await claude.answer(answer);
      messages.push(...turn.messages);
      if (turn.outcomes.length === 0) break;
    }
    expect(messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [thought, use('t1', 'read_files', { paths: ['a'], _id: 7 }), use('t2', 'fail', {})],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 't1',
            content: [{ type: 'text', text: '{"paths":["a"],"$id":7}' }],
          },
          {
            type: 'tool_result',
            tool_use_id: 't2',
            content: [{ type: 'text', text: 'The disk is full.' }],
            is_error: true,
          },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Done.', citations: null }] },
    ]);
    expect(server.requests[0].tools[0]).toMatchObject({
      name: 'read_files',
      input_schema: {
        type: 'object',
        properties: { _id: { type: ['integer', 'string'] } },
        required: ['paths'],
      },
    });
  });

  it('strict: a forbidden key has another name, and its own for the tool', async () => {
    const { client } = await clientOf({
      json: message(
        'tool_use',
        use('t1', 'read_files', { paths: [], labels: ['1'], extra: { the_name: 'a' } }),
      ),
    });
    const claude = anthropicMessages(tools, { strict: true });
    const { messages, outcomes } = await claude.answer(await client.messages.create(question));
    expect(outcomes).toMatchObject([{ result: { paths: [], labels: [1], extra: { 'the name': 'a' } } }]);
    expect(messages[0]?.content).toEqual([
      use('t1', 'read_files', { paths: [], labels: [1], extra: { the_name: 'a' } }),
    ]);
    expect(claude.tools[0]).toMatchObject({ strict: true });
  });
});

describe('results', () => {
  const contentOf = async (name: string) => {
    const { messages } = await turnOf('tool_use', use('t1', name, {}));
    const [block] = messages[1]?.content ?? [];
    return typeof block === 'object' && block.type === 'tool_result' ? block : undefined;
  };

  it('images are blocks; one of a type that is not taken is told of', async () => {
    expect((await contentOf('draw'))?.content).toEqual([
      { type: 'text', text: 'a line' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
      { type: 'text', text: "An image of the type image/bmp, which can't be shown." },
    ]);
  });

  it('a note is a block of its own; an empty result has none', async () => {
    expect((await contentOf('long'))?.content).toEqual([
      { type: 'text', text: expect.stringMatching(/^word/) },
      { type: 'text', text: expect.stringContaining('part 1 of 2') },
    ]);
    expect(await contentOf('empty')).toEqual({ type: 'tool_result', tool_use_id: 't1' });
  });
});

describe('what comes', () => {
  it('no ids, one id twice, an unknown tool, input null', async () => {
    const { messages, outcomes } = await turnOf(
      'tool_use',
      use(undefined, 'empty', {}),
      use('t1', 'empty', null),
      use('t1', 'erase', {}),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['completed', 'completed', 'unknown_tool']);
    const [said, results] = messages.map(({ content }) => (typeof content === 'string' ? [] : content));
    const ids = said?.map((block) => (block.type === 'tool_use' ? block.id : ''));
    expect(ids).toEqual([expect.stringMatching(/^[a-z\d]{9}$/), 't1', 't1_2']);
    expect(results?.map((block) => (block.type === 'tool_result' ? block.tool_use_id : ''))).toEqual(ids);
  });

  it('at the limit: the last input may be half of what was meant, those before it are whole', async () => {
    const { outcomes } = await turnOf(
      'max_tokens',
      use('t1', 'read_files', { paths: ['a'] }),
      use('t2', 'read_files', { paths: ['a'] }),
    );
    expect(outcomes).toMatchObject([
      { status: 'completed' },
      {
        status: 'invalid_arguments',
        call: { finishReason: 'max_tokens' },
        interpretation: { issues: [{ keyword: 'truncated' }] },
      },
    ]);
  });

  it.each([
    ['refusal', 'refusal'],
    ['model_context_window_exceeded', 'model_context_window_exceeded'],
    // Its text was ended by a word of the program's, which may stand in an input.
    ['stop_sequence', 'incomplete'],
    // It is server tools that a paused message waits for: a call of ours as its last block is none that ended.
    ['pause_turn', 'incomplete'],
    ['a word of tomorrow', 'incomplete'],
    // The SDK says null of a stream that ended without a word.
    [null, 'incomplete'],
  ])('ended by %s in its last input, which may be half', async (reason, finishReason) => {
    const half = use('t2', 'read_files', { paths: ['a'] });
    const { outcomes } = await turnOf(reason, use('t1', 'empty', {}), half);
    expect(outcomes).toMatchObject([
      { status: 'completed' },
      {
        status: 'invalid_arguments',
        call: { finishReason },
        interpretation: { issues: [{ keyword: 'truncated' }] },
      },
    ]);
    const behind = await turnOf(reason, half, { type: 'text', text: 'So', citations: null });
    expect(behind.outcomes).toMatchObject([{ status: 'completed' }]);
  });

  it.each(['tool_use', 'end_turn', 'tool_calls', undefined])(
    'ended by %s behind its last input',
    async (reason) => {
      const { client } = await clientOf({
        json: { ...message('', use('t1', 'read_files', { paths: ['a'] })), stop_reason: reason },
      });
      const { outcomes } = await anthropicMessages(tools).answer(await client.messages.create(question));
      expect(outcomes).toMatchObject([{ status: 'completed', interpretation: { status: 'unchanged' } }]);
    },
  );

  it.each([null, undefined, {}, [null]])('a content that is %j has nothing in it', async (content) => {
    const { client } = await clientOf({ json: { ...message('end_turn'), content } });
    const turn = await anthropicMessages(tools).answer(await client.messages.create(question));
    expect(turn).toEqual({ messages: [], outcomes: [] });
  });

  it('names and ids that are no text', async () => {
    const { messages, outcomes } = await turnOf('tool_use', null, use(5, 'empty', {}), use({}, '', {}));
    expect(outcomes.map(({ status }) => status)).toEqual(['completed', 'unknown_tool']);
    expect(messages[0]?.content).toMatchObject([{ id: '5' }, { id: expect.stringMatching(/^[a-z\d]{9}$/) }]);
  });

  it('nothing at all', async () => {
    expect(await turnOf('end_turn')).toEqual({ messages: [], outcomes: [] });
    expect((await turnOf('end_turn', { type: 'text', text: '', citations: null })).messages).toEqual([]);
  });
});

describe('streamed', () => {
  const start = { type: 'message_start', message: message(null) };
  const block = (index: number, content_block: object | null) => ({
    type: 'content_block_start',
    index,
    content_block,
  });
  const delta = (index: number, change: object | null) => ({
    type: 'content_block_delta',
    index,
    delta: change,
  });
  const json = (index: number, partial_json: string) =>
    delta(index, { type: 'input_json_delta', partial_json });
  const stop = (index: number) => ({ type: 'content_block_stop', index });
  const end = (stop_reason: string) => [
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
  const read = block(0, use('t1', 'read_files', {}));

  async function streamOf(...events: readonly object[]) {
    const { client } = await clientOf({ events, end: 'silent' });
    return anthropicMessages(tools).answer(await client.messages.create({ ...question, stream: true }));
  }

  it('thinking, text and calls are put together', async () => {
    const { messages } = await streamOf(
      start,
      block(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'Hm.' }),
      delta(0, { type: 'signature_delta', signature: 'abc' }),
      stop(0),
      block(1, { type: 'text', text: '', citations: null }),
      delta(1, { type: 'text_delta', text: 'Let me ' }),
      delta(1, { type: 'text_delta', text: 'see.' }),
      stop(1),
      block(2, use('t1', 'read_files', {})),
      json(2, '{"paths":'),
      json(2, '["a"]}'),
      stop(2),
      block(3, use('t2', 'empty', {})),
      stop(3),
      ...end('tool_use'),
    );
    expect(messages[0]?.content).toEqual([
      { type: 'thinking', thinking: 'Hm.', signature: 'abc' },
      { type: 'text', text: 'Let me see.', citations: null },
      use('t1', 'read_files', { paths: ['a'] }),
      use('t2', 'empty', {}),
    ]);
  });

  it('a text of spaces alone does not go back: Claude refuses it', async () => {
    const { messages } = await streamOf(
      start,
      block(0, { type: 'text', text: '', citations: null }),
      delta(0, { type: 'text_delta', text: '\n\n' }),
      stop(0),
      block(1, use('t2', 'empty', {})),
      stop(1),
      ...end('tool_use'),
    );
    expect(messages[0]?.content).toEqual([use('t2', 'empty', {})]);
  });

  it('a call without arguments is valid as it is', async () => {
    const { outcomes } = await streamOf(start, block(0, use('t2', 'empty', {})), stop(0), ...end('tool_use'));
    expect(outcomes).toMatchObject([{ status: 'completed', interpretation: { status: 'unchanged' } }]);
  });

  it.each([
    null,
    { type: 'message_start', message: null },
    { type: 'ping' },
    block(1, null),
    delta(0, null),
    delta(0, { type: 'input_json_delta', partial_json: null }),
    { type: 'message_delta', delta: null },
  ])('%j says nothing', async (empty) => {
    const collector = new MessageCollector();
    const events = [read, json(0, '{"paths":'), empty, json(0, '["a"]}'), stop(0), ...end('tool_use')];
    for (const event of events) collector.add(JSON.parse(JSON.stringify(event)));
    const { outcomes } = await anthropicMessages(tools).answer(collector);
    expect(outcomes).toMatchObject([{ status: 'completed', result: { paths: ['a'] } }]);
  });

  it('the text of an input is there, with every digit', async () => {
    const big = '{"paths":[],"_id":12345678901234567890}';
    const collector = new MessageCollector();
    for (const event of [start, read, json(0, big), stop(0), ...end('tool_use')]) {
      collector.add(JSON.parse(JSON.stringify(event)));
    }
    const [call] = collector.end().calls;
    expect(call?.arguments).toBe(big);
    expect(
      interpret(readFiles, { arguments: call?.arguments }, { provider: 'anthropic', output: 'json' }),
    ).toMatchObject({
      text: '{"paths":[],"$id":12345678901234567890}',
    });
  });

  it('broken JSON is repaired, which the SDK alone would have lost', async () => {
    const { outcomes } = await streamOf(
      start,
      read,
      json(0, "{'paths': ['a',]}"),
      stop(0),
      ...end('tool_use'),
    );
    expect(outcomes).toMatchObject([{ status: 'completed', result: { paths: ['a'] } }]);
  });

  it('cut off at the limit, by the end of the stream, by a broken connection', async () => {
    const cut = [start, read, json(0, '{"paths":["a"')];
    const truncated = [
      { status: 'invalid_arguments', interpretation: { issues: [{ keyword: 'truncated' }] } },
    ];
    expect((await streamOf(...cut, stop(0), ...end('max_tokens'))).outcomes).toMatchObject(truncated);
    expect((await streamOf(...cut)).outcomes).toMatchObject(truncated);
    const { client } = await clientOf({ events: cut, end: 'break' });
    const claude = anthropicMessages(tools);
    await expect(
      claude.answer(await client.messages.create({ ...question, stream: true })),
    ).rejects.toThrow();
  });

  it('one that was aborted rejects, whatever had come', async () => {
    const events = [start, read, json(0, '{"paths":["a"]}'), stop(0)];
    const { client } = await clientOf({ events, end: 'open' });
    const stream = await client.messages.create({ ...question, stream: true });
    await expect(anthropicMessages(tools).answer(await abortedAfter(events.length, stream))).rejects.toThrow(
      'aborted',
    );
  });

  it.each(['refusal', 'max_tokens', null])('half an input at %s, which the SDK completes', async (reason) => {
    const ended = reason === null ? [{ type: 'message_stop' }] : end(reason);
    const { client } = await clientOf({
      events: [start, read, json(0, '{"paths":["a","b'), stop(0), ...ended],
      end: 'silent',
    });
    const claude = anthropicMessages(tools);
    const final = await client.messages.stream(question).finalMessage();
    expect(final.content).toMatchObject([{ input: { paths: expect.arrayContaining(['a']) } }]);
    const truncated = [
      { status: 'invalid_arguments', interpretation: { issues: [{ keyword: 'truncated' }] } },
    ];
    expect((await claude.answer(final)).outcomes).toMatchObject(truncated);
    expect((await claude.answer(client.messages.stream(question))).outcomes).toMatchObject(truncated);
  });

  it('the SDK’s own stream, read by the adapter or to its final message', async () => {
    const { client } = await clientOf({
      events: [start, read, json(0, '{"paths":["a"]}'), stop(0), ...end('tool_use')],
      end: 'silent',
    });
    const claude = anthropicMessages(tools);
    expect((await claude.answer(client.messages.stream(question))).outcomes).toMatchObject([
      { status: 'completed' },
    ]);
    const final = await client.messages.stream(question).finalMessage();
    expect((await claude.answer(final)).outcomes).toMatchObject([{ status: 'completed' }]);
    expect(claude.calls(final)).toMatchObject([
      { id: 't1', provider: 'anthropic', finishReason: 'tool_use' },
    ]);
  });
});
