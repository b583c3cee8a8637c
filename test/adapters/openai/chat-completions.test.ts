// How do tools work in Chat Completions, with what OpenAI and servers like it send? The SDK itself, against a loopback server.
import OpenAI from 'openai';
import { resultPages, defineTool, ToolRegistry, ToolResult } from 'toolmend';
import { ChatCollector, chatCompletions, type OpenAiOptions } from 'toolmend/openai';
import { abortedAfter, type Body, startBodyServer } from '../body-server.ts';

const tools = new ToolRegistry({ hints: 'off' }).register(
  defineTool({
    name: 'read_files',
    description: 'Reads.',
    inputSchema: {
      type: 'object',
      properties: {
        paths: { type: 'array', items: { type: 'string' } },
        limit: { type: 'integer' },
        labels: { type: 'array', items: { type: 'number' } },
      },
      required: ['paths'],
      additionalProperties: false,
    },
    execute: (values) => values,
  }),
  defineTool({
    name: 'now',
    description: 'Tells the time.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    execute: () => 'noon',
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

const completion = (message: object, reason: string | null = 'tool_calls'): Body => ({
  json: {
    model: 'scripted',
    choices: [{ index: 0, finish_reason: reason, message: { role: 'assistant', content: null, ...message } }],
  },
});

const chunk = (delta: object, reason: string | null = null) => ({
  model: 'scripted',
  choices: [{ index: 0, delta, finish_reason: reason }],
});

const called = (id: unknown, name: unknown, args: unknown) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});

const question = { model: 'scripted', messages: [{ role: 'user' as const, content: 'Go on.' }] };

/** What goes back for the tool calls of one message. */
async function turnOf(message: object, reason?: string | null, options?: OpenAiOptions) {
  const { client } = await clientOf(completion(message, reason));
  const chat = chatCompletions(tools, options);
  return chat.answer(await client.chat.completions.create({ ...question, tools: chat.tools }));
}

/** The same of a streamed one, read by the adapter. */
async function streamed(...events: readonly object[]) {
  const { client } = await clientOf({ events });
  const chat = chatCompletions(tools);
  return chat.answer(await client.chat.completions.create({ ...question, tools: chat.tools, stream: true }));
}

describe('the loop', () => {
  it('tools go out, calls come in, results go back, until the model is done', async () => {
    const { client, server } = await clientOf(
      completion({ content: 'Let me see.', tool_calls: [called('call_1', 'read_files', '{"paths":["a"]}')] }),
      completion({ content: 'Done.' }, 'stop'),
    );
    const chat = chatCompletions(tools);
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Read a.' }];
    for (;;) {
      const answer = await client.chat.completions.create({ model: 'scripted', messages, tools: chat.tools });
      const turn = await chat.answer(answer);
      messages.push(...turn.messages);
      if (turn.outcomes.length === 0) break;
    }
    expect(messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: 'Let me see.',
        tool_calls: [called('call_1', 'read_files', '{"paths":["a"]}')],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '{"paths":["a"]}' },
      { role: 'assistant', content: 'Done.' },
    ]);
    expect(server.requests[0].tools[0].function).toMatchObject({ name: 'read_files', strict: false });
    expect(server.requests[1].messages).toEqual(messages.slice(0, 3));
  });

  it('strict: null is left out for the tool, and stays in the history', async () => {
    const sent = '{"paths":["a"],"limit":null,"labels":["1"]}';
    const { messages, outcomes } = await turnOf(
      { tool_calls: [called('call_1', 'read_files', sent)] },
      'stop',
      {
        strict: true,
      },
    );
    expect(outcomes[0]).toMatchObject({ status: 'completed', result: { paths: ['a'], labels: [1] } });
    expect(messages).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [called('call_1', 'read_files', '{"paths":["a"],"labels":[1],"limit":null}')],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '{"paths":["a"],"labels":[1]}' },
    ]);
    expect(chatCompletions(tools, { strict: true }).tools[0]?.function).toMatchObject({ strict: true });
  });

  it('calls can be run by the program itself; they carry their provider, model and end', async () => {
    const { client } = await clientOf(completion({ tool_calls: [called('call_1', 'now', '{}')] }));
    const chat = chatCompletions(tools, { strict: true });
    expect(chat.calls(await client.chat.completions.create(question))).toEqual([
      {
        id: 'call_1',
        name: 'now',
        arguments: '{}',
        model: 'scripted',
        finishReason: 'tool_calls',
        provider: 'openai-strict',
      },
    ]);
  });
});

describe('results', () => {
  const near = { tool_calls: [called('call_1', 'draw', '{}'), called('call_2', 'now', '{}')] };

  it('images stand in a message behind all results', async () => {
    const { messages } = await turnOf(near);
    expect(messages.slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'call_1', content: 'a line' },
      { role: 'tool', tool_call_id: 'call_2', content: 'noon' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Images of the result of call_1:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
        ],
      },
    ]);
  });

  it('notes stand in a part of their own, or in a message for servers that take only text', async () => {
    const paged = new ToolRegistry({
      hints: 'off',
      interceptors: [resultPages({ maxResultChars: 100 }).interceptor],
    }).register(
      defineTool({
        name: 'long',
        description: 'Says much.',
        inputSchema: { type: 'object', properties: {}, additionalProperties: false },
        execute: () => 'word '.repeat(40),
      }),
    );
    const { client } = await clientOf(completion({ tool_calls: [called('call_1', 'long', '{}')] }));
    const answer = await client.chat.completions.create(question);
    const parts = await chatCompletions(paged).answer(answer);
    expect(parts.messages[1]).toEqual({
      role: 'tool',
      tool_call_id: 'call_1',
      content: [
        { type: 'text', text: expect.stringMatching(/^word/) },
        { type: 'text', text: expect.stringContaining('part 1 of 2') },
      ],
    });
    const apart = await chatCompletions(paged, { notes: 'message' }).answer(answer);
    expect(apart.messages[1]).toMatchObject({ role: 'tool', content: expect.stringMatching(/^word/) });
    expect(apart.messages[2]).toMatchObject({
      role: 'user',
      content: [{ type: 'text', text: expect.stringMatching(/^On call_1: /) }],
    });
  });
});

describe('what servers send', () => {
  const texts = (messages: readonly OpenAI.ChatCompletionMessageParam[]) =>
    messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));

  it('no ids, and one id twice: each call has its own, on both sides', async () => {
    const { messages } = await turnOf({
      tool_calls: [
        called(undefined, 'now', '{}'),
        called('call_1', 'now', '{}'),
        called('call_1', 'read_files', '{"paths":[]}'),
        called('', 'now', '{}'),
      ],
    });
    const [said, ...results] = messages;
    const ids = said?.role === 'assistant' ? (said.tool_calls ?? []).map(({ id }) => id) : [];
    expect(ids).toEqual([
      expect.stringMatching(/^[a-z\d]{9}$/),
      'call_1',
      'call_1_2',
      expect.stringMatching(/^[a-z\d]{9}$/),
    ]);
    expect(results.map((result) => (result.role === 'tool' ? result.tool_call_id : ''))).toEqual(ids);
    expect(texts(messages)).toEqual(['noon', 'noon', '{"paths":[]}', 'noon']);
  });

  it('arguments as an object, as null, or not at all', async () => {
    const { messages, outcomes } = await turnOf({
      tool_calls: [
        called('1', 'read_files', { paths: 'a' }),
        called('2', 'now', null),
        called('3', 'now', undefined),
        called('4', 'read_files', null),
      ],
    });
    expect(outcomes.map(({ status }) => status)).toEqual([
      'completed',
      'completed',
      'completed',
      'invalid_arguments',
    ]);
    expect(texts(messages).slice(0, 3)).toEqual(['{"paths":["a"]}', 'noon', 'noon']);
    expect(messages[0]).toMatchObject({
      tool_calls: [
        called('1', 'read_files', '{"paths":["a"]}'),
        called('2', 'now', '{}'),
        called('3', 'now', '{}'),
        // Servers refuse a conversation with text that is no object.
        called('4', 'read_files', expect.stringMatching(/^\{/)),
      ],
    });
  });

  it('two calls glued in one text are refused, and the model is told', async () => {
    const { messages, outcomes } = await turnOf({
      tool_calls: [called('1', 'read_files', '{"paths":["a"]}{"paths":["b"]}')],
    });
    expect(outcomes[0]?.status).toBe('invalid_arguments');
    expect(texts(messages)[0]).toContain('read_files was not executed');
  });

  it('no name, an unknown tool, no kind of call', async () => {
    const { messages } = await turnOf({
      tool_calls: [
        called('1', undefined, '{}'),
        called('2', 'write', '{}'),
        { id: '3', function: { name: 'now' } },
      ],
    });
    expect(texts(messages)).toEqual([
      expect.stringContaining('"" was not executed.'),
      expect.stringContaining('write was not executed.'),
      'noon',
    ]);
    expect(messages[0]).toMatchObject({ tool_calls: [{ function: { name: 'unknown' } }, {}, {}] });
  });

  it('a finish reason that says nothing, and an answer that was cut off', async () => {
    const cut = [called('1', 'read_files', '{"paths":["a","b')];
    expect((await turnOf({ tool_calls: cut }, 'length')).outcomes[0]).toMatchObject({
      interpretation: { issues: [{ keyword: 'truncated' }] },
    });
    expect((await turnOf({ tool_calls: cut }, null)).outcomes[0]?.status).toBe('invalid_arguments');
    expect((await turnOf({ tool_calls: [called('1', 'now', '{}')] }, null)).outcomes[0]?.status).toBe(
      'completed',
    );
  });

  it.each(['length', 'content_filter', 'error'])('values at %s: the last may be half', async (reason) => {
    const { outcomes } = await turnOf(
      { tool_calls: [called('1', 'now', {}), called('2', 'read_files', { paths: ['half'] })] },
      reason,
    );
    expect(outcomes).toMatchObject([
      { status: 'completed' },
      { status: 'invalid_arguments', interpretation: { issues: [{ keyword: 'truncated' }] } },
    ]);
    // Text shows that it is whole.
    const whole = await turnOf({ tool_calls: [called('1', 'read_files', '{"paths":["a"]}')] }, reason);
    expect(whole.outcomes).toMatchObject([{ status: 'completed' }]);
  });

  const none = { messages: [], outcomes: [] };

  it.each([{}, { choices: null }, { choices: [null] }, { choices: [{ index: 0, message: null }] }])(
    '%j says nothing',
    async (json) => {
      const { client } = await clientOf({ json });
      const answer = await client.chat.completions.create(question);
      expect(await chatCompletions(tools).answer(answer)).toEqual(none);
      expect(chatCompletions(tools).calls(answer)).toEqual([]);
    },
  );

  it.each([null, {}, [null], [undefined, 'now']])(
    'a list of calls that is %j has none',
    async (tool_calls) => {
      expect((await turnOf({ content: 'Hi.', tool_calls }, 'stop')).outcomes).toEqual([]);
    },
  );

  it('calls without a function, names and ids that are no text', async () => {
    const { messages, outcomes } = await turnOf({
      tool_calls: [null, { id: '1', function: null }, called(5, 'now', '{}'), called({}, 7, '{}')],
    });
    expect(outcomes.map(({ status }) => status)).toEqual(['unknown_tool', 'completed', 'unknown_tool']);
    const [said, ...results] = messages;
    const ids = said?.role === 'assistant' ? (said.tool_calls ?? []).map(({ id }) => id) : [];
    expect(ids).toEqual(['1', '5', expect.stringMatching(/^[a-z\d]{9}$/)]);
    expect(results.map((result) => (result.role === 'tool' ? result.tool_call_id : ''))).toEqual(ids);
  });

  it('of several choices the first is answered', async () => {
    const choice = (index: number, name: string) => ({
      index,
      finish_reason: 'tool_calls',
      message: { role: 'assistant', content: null, tool_calls: [called(`call_${index}`, name, '{}')] },
    });
    const { client } = await clientOf({
      json: { model: 'scripted', choices: [choice(1, 'draw'), choice(0, 'now')] },
    });
    const { outcomes } = await chatCompletions(tools).answer(await client.chat.completions.create(question));
    expect(outcomes).toMatchObject([{ tool: 'now', call: { id: 'call_0' } }]);
  });

  it('an empty list of calls, no choice at all, calls of custom tools', async () => {
    expect((await turnOf({ content: 'Hi.', tool_calls: [] }, 'stop')).messages).toEqual([
      { role: 'assistant', content: 'Hi.' },
    ]);
    expect(await chatCompletions(tools).answer({ choices: [], model: 'scripted' })).toEqual(none);
    const custom = { id: '1', type: 'custom', custom: { name: 'grep', input: 'x' } };
    const turn = await turnOf({ tool_calls: [custom, called('2', 'now', '{}')] });
    expect(turn.outcomes).toHaveLength(1);
    expect(turn.messages[0]).toMatchObject({ tool_calls: [called('2', 'now', '{}'), custom] });
  });
});

describe('streamed', () => {
  const parts = (index: number, id: string | undefined, name: string, ...texts: readonly string[]) => [
    chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    ...texts.map((text) => chunk({ tool_calls: [{ index, function: { arguments: text } }] })),
  ];

  it('text and parallel calls', async () => {
    const { messages } = await streamed(
      chunk({ role: 'assistant', content: 'Let me ' }),
      chunk({ content: 'see.' }),
      ...parts(0, 'call_1', 'read_files', '{"paths":', '["a"]', ',"limit":"2"}'),
      ...parts(1, 'call_2', 'now', '{}'),
      chunk({}, 'tool_calls'),
    );
    expect(messages).toEqual([
      {
        role: 'assistant',
        content: 'Let me see.',
        refusal: null,
        tool_calls: [
          called('call_1', 'read_files', '{"paths":["a"],"limit":2}'),
          called('call_2', 'now', '{}'),
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '{"paths":["a"],"limit":2}' },
      { role: 'tool', tool_call_id: 'call_2', content: 'noon' },
    ]);
  });

  it('of several choices the first is collected, numbered or not', async () => {
    const of = (index: number, delta: object, reason: string | null = null) => ({
      model: 'scripted',
      choices: [{ index, delta, finish_reason: reason }],
    });
    const call = (id: string, path: string) => ({
      tool_calls: [{ index: 0, ...called(id, 'read_files', `{"paths":["${path}"]}`) }],
    });
    const { messages, outcomes } = await streamed(
      of(1, { content: 'No.' }),
      of(0, { content: 'Yes.' }),
      of(1, call('call_2', 'other')),
      of(0, call('call_1', 'a')),
      of(1, {}, 'length'),
      of(0, {}, 'tool_calls'),
    );
    expect(outcomes).toMatchObject([
      { status: 'completed', result: { paths: ['a'] }, call: { id: 'call_1', finishReason: 'tool_calls' } },
    ]);
    expect(messages[0]).toMatchObject({ content: 'Yes.' });
    const unnumbered = { model: 'scripted', choices: [{ delta: call('call_1', 'a') }] };
    expect((await streamed(unnumbered, of(0, {}, 'stop'))).outcomes).toHaveLength(1);
  });

  it.each([
    null,
    {},
    { choices: null },
    { choices: [null] },
    { choices: [{ index: 0, delta: null }] },
    chunk({ tool_calls: [null] }),
    chunk({ tool_calls: {}, content: null }),
    chunk({ tool_calls: [{ index: 0, function: null }] }),
    { ...chunk({}), model: null },
  ])('%j in the middle says nothing', async (empty) => {
    const collector = new ChatCollector();
    for (const one of [...parts(0, 'call_1', 'now', '{'), empty, chunk({}), ...parts(0, '', '', '}')]) {
      collector.add(JSON.parse(JSON.stringify(one)));
    }
    const { outcomes } = await chatCompletions(tools).answer(
      collector.add(JSON.parse(JSON.stringify(chunk({}, 'stop')))),
    );
    expect(outcomes).toMatchObject([{ status: 'completed', call: { arguments: '{}', model: 'scripted' } }]);
  });

  it('text in parts is their text', async () => {
    const { messages } = await streamed(
      chunk({ content: [{ type: 'thinking', thinking: [] }, { type: 'text', text: 'Hel' }, null] }),
      chunk({ content: 'lo.' }, 'stop'),
    );
    expect(messages).toMatchObject([{ content: 'Hello.' }]);
  });

  it('two calls under one number are two calls', async () => {
    const { outcomes } = await streamed(
      ...parts(0, 'call_1', 'read_files', '{"paths":["a"]}'),
      ...parts(0, 'call_2', 'read_files', '{"paths":["b"]}'),
      chunk({}, 'stop'),
    );
    expect(outcomes).toMatchObject([{ result: { paths: ['a'] } }, { result: { paths: ['b'] } }]);
  });

  it('an end without a word cuts off what is not whole, and runs what is', async () => {
    const { outcomes } = await streamed(
      ...parts(0, 'call_1', 'now', '{}'),
      ...parts(1, 'call_2', 'read_files', '{"paths":["a"]}'),
      ...parts(2, 'call_3', 'read_files', '{"paths":["a"'),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      'invalid_arguments',
      'completed',
      'invalid_arguments',
    ]);
    expect(outcomes[2]).toMatchObject({ interpretation: { issues: [{ keyword: 'truncated' }] } });
  });

  it('a connection that breaks rejects, and nothing has run; what was collected can be answered', async () => {
    const { client } = await clientOf({
      events: parts(0, 'call_1', 'read_files', '{"paths":["a"'),
      end: 'break',
    });
    const chat = chatCompletions(tools);
    const stream = await client.chat.completions.create({ ...question, stream: true });
    const collector = new ChatCollector();
    await expect(
      (async () => {
        for await (const one of stream) collector.add(one);
      })(),
    ).rejects.toThrow();
    expect((await chat.answer(collector)).outcomes).toMatchObject([{ status: 'invalid_arguments' }]);
    const again = await client.chat.completions.create({ ...question, stream: true });
    await expect(chat.answer(again)).rejects.toThrow();
  });

  it('one that was aborted rejects, whatever had come, and nothing has run', async () => {
    const events = [...parts(0, 'call_1', 'read_files', '{"paths":[]}'), ...parts(1, 'call_2', 'now')];
    const { client } = await clientOf({ events, end: 'open' });
    const stream = await client.chat.completions.create({ ...question, stream: true });
    const aborted = await abortedAfter(events.length, stream);
    const ran: unknown[] = [];
    const listening = new ToolRegistry({
      listeners: [{ onEvent: ({ type }) => ran.push(type) }],
    }).register(...tools.contracts());
    ran.length = 0;
    await expect(chatCompletions(listening).answer(aborted)).rejects.toThrow('aborted');
    expect(ran).toEqual([]);
  });

  it('the SDK’s own stream, read by the adapter or to its final completion', async () => {
    const events = [
      chunk({ role: 'assistant' }),
      ...parts(0, 'call_1', 'now', '{}'),
      chunk({}, 'tool_calls'),
    ].map((one) => ({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      ...one,
    }));
    const { client } = await clientOf({ events });
    const chat = chatCompletions(tools);
    const { outcomes } = await chat.answer(client.chat.completions.stream(question));
    expect(outcomes).toMatchObject([{ status: 'completed', call: { id: 'call_1' } }]);
    const final = await client.chat.completions.stream(question).finalChatCompletion();
    expect((await chat.answer(final)).outcomes).toMatchObject([{ status: 'completed' }]);
  });
});

describe('what servers want back', () => {
  const signature = { google: { thought_signature: 'c2ln' } };
  const signed = { ...called('call_1', 'now', '{}'), extra_content: signature };

  it('thoughts of a message, and signatures of its calls', async () => {
    const details = [{ type: 'reasoning.encrypted', data: 'eA==', id: 'r1' }];
    const { messages } = await turnOf({
      reasoning_content: 'It asks for the time.',
      reasoning_details: details,
      tool_calls: [signed, called('call_2', 'now', '{}')],
    });
    expect(messages[0]).toEqual({
      role: 'assistant',
      content: null,
      reasoning_content: 'It asks for the time.',
      reasoning_details: details,
      tool_calls: [signed, called('call_2', 'now', '{}')],
    });
  });

  it('the same of a stream, put together', async () => {
    const { messages } = await streamed(
      chunk({ role: 'assistant', content: '', reasoning_content: 'It asks ' }),
      chunk({ reasoning_content: 'for the time.', reasoning: null }),
      chunk({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'It ', signature: null }] }),
      chunk({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'asks.', signature: 'c2ln' }] }),
      chunk({ reasoning_details: [{ type: 'reasoning.encrypted', index: 0, data: 'eA==' }] }),
      chunk({ reasoning_details: [{ type: 'reasoning.encrypted', index: 0, data: 'eQ==' }] }),
      chunk({ tool_calls: [{ ...signed, index: 0, function: { name: 'now', arguments: '{' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '}' } }] }),
      chunk({ tool_calls: [{ ...called('call_2', 'now', '{}'), index: 1 }] }),
      chunk({}, 'tool_calls'),
    );
    expect(messages[0]).toEqual({
      role: 'assistant',
      content: null,
      refusal: null,
      reasoning_content: 'It asks for the time.',
      reasoning_details: [
        { type: 'reasoning.text', index: 0, text: 'It asks.', signature: 'c2ln' },
        { type: 'reasoning.encrypted', index: 0, data: 'eA==' },
        { type: 'reasoning.encrypted', index: 0, data: 'eQ==' },
      ],
      tool_calls: [signed, called('call_2', 'now', '{}')],
    });
  });

  it('nothing that the SDK’s helpers have read out of an answer', async () => {
    const { client } = await clientOf(
      completion({ content: 'Wait.', audio: { id: 'a1', data: 'eA==' }, tool_calls: [signed] }),
    );
    const chat = chatCompletions(tools);
    const parsed = await client.chat.completions.parse(question);
    expect(parsed.choices[0]?.message).toHaveProperty('parsed');
    const { messages } = await chat.answer(parsed);
    expect(messages[0]).toEqual({
      role: 'assistant',
      content: 'Wait.',
      audio: { id: 'a1' },
      tool_calls: [signed],
    });
  });
});
