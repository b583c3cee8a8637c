// Calls that a server left in the text, with --calls-in-text.
import type { GatewaySettings } from '../../src/gateway/gateway-options.ts';
import { GatewayRecord } from '../../src/gateway/gateway-record.ts';
import { chatAnswer, offering, pieces, responseStream } from './chat-answers.ts';
import { type ScriptedAnswer, ask, startTestGateway, startUpstream } from './scripted-upstream.ts';

const markup = '<tool_call>\n{"name": "read_files", "arguments": {"paths": "a"}}\n</tool_call>';

const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

const streamOf = (text: string): readonly string[] => [
  ...pieces(text).map((content) => chunk({ content })),
  chunk({}, 'stop'),
  'data: [DONE]\n\n',
];

async function passed(
  answer: ScriptedAnswer,
  {
    path = '/v1/chat/completions',
    body = offering(),
    settings = { callsInText: 'all' },
  }: { readonly path?: string; readonly body?: string; readonly settings?: GatewaySettings } = {},
) {
  const upstream = await startUpstream(() => answer);
  const { port } = await startTestGateway(upstream.origin, settings);
  return (await ask(port, path, { body })).bytes.toString();
}

// eslint-disable-next-line typescript/no-explicit-any -- only tests read what a program sends
type Sent = any;

const eventsIn = (text: string): readonly Sent[] =>
  text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));

test('text without a call passes byte for byte, streamed and not', async () => {
  const text =
    'Use `<tool_call>` tags, as in:\n```\n<tool_call>{"name":"read_files","arguments":{"paths":["a"]}}</tool_call>\n```\nDone – é.';
  const whole = JSON.stringify({
    choices: [{ message: { content: text }, finish_reason: 'stop' }],
  });

  expect(await passed({ chunks: streamOf(text) })).toBe(streamOf(text).join(''));
  expect(await passed({ type: 'application/json', chunks: [whole] })).toBe(whole);
});

test('nothing is read if it is not asked for', async () => {
  const chunks = streamOf(`So. ${markup}`);

  expect(await passed({ chunks }, { settings: {} })).toBe(chunks.join(''));
});

test('a call in a stream becomes a call, and the text around it stays', async () => {
  const events = eventsIn(await passed({ chunks: streamOf(`I'll read it. ${markup}`) }));
  const choices = events.map(({ choices: [choice] }) => choice);

  expect(
    choices
      .map(({ delta }) => delta.content ?? '')
      .join('')
      .trim(),
  ).toBe("I'll read it.");
  expect(choices.flatMap(({ delta }) => delta.tool_calls ?? [])).toEqual([
    {
      index: 0,
      id: expect.stringMatching(/^call_/),
      type: 'function',
      function: { name: 'read_files', arguments: '{"paths":["a"]}' },
    },
  ]);
  expect(choices.at(-1).finish_reason).toBe('tool_calls');
});

test('the log says in which notation a call was written', async () => {
  const lines: string[] = [];
  const record = new GatewayRecord({ writeLine: (line) => lines.push(line), contents: false });
  const upstream = await startUpstream(() => ({ chunks: streamOf(markup) }));
  const { port } = await startTestGateway(upstream.origin, { callsInText: true }, record);
  await ask(port, '/v1/chat/completions', { body: offering() });
  while (lines.length === 0) await new Promise((resolve) => setImmediate(resolve));

  expect(JSON.parse(lines.join(''))).toMatchObject({
    tool: 'read_files',
    status: 'repaired',
    notation: 'json_in_tags',
  });
});

test('a call in a whole answer becomes a call', async () => {
  const whole = JSON.stringify({
    n: 1.5,
    choices: [{ message: { content: markup, tool_calls: [] }, finish_reason: 'stop' }],
  });
  const answer = JSON.parse(await passed({ type: 'application/json', chunks: [whole] }));

  expect(answer.choices[0]).toMatchObject({
    message: {
      content: '',
      tool_calls: [
        { type: 'function', function: { name: 'read_files', arguments: '{"paths":["a"]}' } },
      ],
    },
    finish_reason: 'tool_calls',
  });
});

test('a call in markup that can’t be repaired is a call, so that the model reads what is wrong', async () => {
  const wrong = '<tool_call>{"name":"read_files","arguments":{"limit":"many"}}</tool_call>';
  const [event] = eventsIn(await passed({ chunks: streamOf(wrong) })).flatMap(
    ({ choices: [choice] }) => choice.delta.tool_calls ?? [],
  );

  expect(event.function).toEqual({ name: 'read_files', arguments: '{"limit":"many"}' });
});

test('--retry asks the model again for such a call', async () => {
  const wrong = markup.replace('{"paths": "a"}', '{"limit": "many"}');
  const upstream = await startUpstream((_request, index) => ({
    chunks: streamOf(index === 0 ? wrong : markup),
  }));
  const { port } = await startTestGateway(upstream.origin, { callsInText: true, retries: 1 });
  const { bytes } = await ask(port, '/v1/chat/completions', { body: offering({ stream: true }) });

  expect(upstream.received).toHaveLength(2);
  expect(bytes.toString()).toContain(String.raw`{\"paths\":[\"a\"]}`);
  expect(bytes.toString()).not.toContain('many');
});

test.each([
  ['no object', '<tool_call>{"name":"read_files","arguments":"many of them"}</tool_call>'],
  ['refused without markup', '{"name":"read_files","arguments":{"limit":"many"}}'],
])('a call whose arguments are %s stays text', async (_what, text) => {
  const chunks = streamOf(text);

  expect(await passed({ chunks })).toBe(chunks.join(''));
});

const isRead = async (text: string, settings: GatewaySettings, tool: object = {}) => {
  const request = JSON.parse(offering());
  const body = JSON.stringify({ ...request, tools: [{ ...request.tools[0], ...tool }] });
  return (await passed({ chunks: streamOf(text) }, { settings, body })).includes('tool_calls');
};

describe('a call behind a question', () => {
  const text = `Shall I read it?\n${markup}`;

  test.each<{
    readonly what: string;
    readonly settings: GatewaySettings;
    readonly tool?: object;
    readonly expected: boolean;
  }>([
    { what: 'is read', settings: { callsInText: 'all' }, expected: true },
    { what: 'is read with the old setting', settings: { callsInText: true }, expected: true },
    {
      what: 'of a tool with unknown effects is not read with marked',
      settings: { callsInText: 'marked' },
      expected: false,
    },
    {
      what: 'of a tool that only reads is read with marked',
      settings: { callsInText: 'marked' },
      tool: { annotations: { readOnlyHint: true } },
      expected: true,
    },
    {
      what: 'of a tool that the request calls destructive is not read',
      settings: { callsInText: 'all' },
      tool: { effects: 'destructive' },
      expected: false,
    },
    {
      what: 'of a tool with a destructive hint is not read',
      settings: { callsInText: 'all' },
      tool: { annotations: { destructiveHint: true } },
      expected: false,
    },
    {
      what: 'of a tool that the settings call destructive is not read',
      settings: { callsInText: 'all', effects: { 'read_*': 'destructive' } },
      tool: { effects: 'read' },
      expected: false,
    },
    {
      what: 'of a tool that only reads by the settings is read with marked',
      settings: { callsInText: 'marked', effects: { write: 'write', '*': 'read' } },
      expected: true,
    },
  ])('$what', async ({ settings, tool, expected }) => {
    expect(await isRead(text, settings, tool)).toBe(expected);
  });
});

test('a destructive tool’s native call isn’t repaired as far as others are', async () => {
  const answer = chatAnswer('{"paths":["a"');
  const passedWith = (settings: GatewaySettings) =>
    passed({ type: 'application/json', chunks: [answer] }, { settings });

  expect(await passedWith({})).not.toBe(answer);
  expect(await passedWith({ effects: { read_files: 'destructive' } })).toBe(answer);
});

test('Ollama: broken JSON in the text is repaired, although its arguments are a value', async () => {
  const broken = markup.replace('{"paths": "a"}', '{"paths": ["a",]}');
  const whole = JSON.stringify({ message: { content: broken }, done: true, done_reason: 'stop' });
  const answer = await passed({ type: 'application/json', chunks: [whole] }, { path: '/api/chat' });

  expect(JSON.parse(answer).message).toEqual({
    content: '',
    tool_calls: [{ function: { name: 'read_files', arguments: { paths: ['a'] } } }],
  });
});

test('a call whose markup is cut off stays text', async () => {
  const chunks = [
    ...pieces(markup.slice(0, 60)).map((content) => chunk({ content })),
    chunk({}, 'length'),
  ];

  expect(await passed({ chunks })).toBe(chunks.join(''));
});

test('an answer with a call of the server is as it was', async () => {
  const answer = chatAnswer('{"paths":["a"]}');

  expect(await passed({ type: 'application/json', chunks: [answer] })).toBe(answer);
});

test('a stream that breaks off keeps all of its bytes', async () => {
  const chunks = pieces(markup.slice(0, 40)).map((content) => chunk({ content }));

  expect(await passed({ chunks, end: 'break' })).toBe(chunks.join(''));
});

test('Ollama, streamed', async () => {
  const line = (content: string, rest: object = { done: false }): string =>
    `${JSON.stringify({ model: 'm', created_at: 't', message: { role: 'assistant', content }, ...rest })}\n`;
  const chunks = [
    ...pieces(`So. ${markup}`).map((content) => line(content)),
    line('', { done: true, done_reason: 'stop' }),
  ];
  const text = await passed({ type: 'application/x-ndjson', chunks }, { path: '/api/chat' });
  const lines: readonly Sent[] = text
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each));

  expect(
    lines
      .map(({ message }) => message.content)
      .join('')
      .trim(),
  ).toBe('So.');
  expect(lines.at(-2)).toMatchObject({
    model: 'm',
    message: { tool_calls: [{ function: { name: 'read_files', arguments: { paths: ['a'] } } }] },
    done: false,
  });
});

test('Messages, streamed', async () => {
  const events = [
    { type: 'message_start', message: { id: 'msg', model: 'm', content: [] } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...pieces(`So. ${markup}`).map((text) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ];
  const chunks = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  const {
    tools: [tool],
  } = JSON.parse(offering());
  const body = JSON.stringify({
    model: 'm',
    messages: [],
    tools: [{ name: 'read_files', input_schema: tool.function.parameters }],
  });
  const sent = eventsIn(await passed({ chunks }, { path: '/v1/messages', body }));

  expect(
    sent
      .map(({ delta }) => delta?.text ?? '')
      .join('')
      .trim(),
  ).toBe('So.');
  expect(sent.slice(-5)).toMatchObject([
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', name: 'read_files' },
    },
    { type: 'content_block_delta', index: 1, delta: { partial_json: '{"paths":["a"]}' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ]);
});

const messagesOptions = {
  path: '/v1/messages',
  body: JSON.stringify({
    messages: [],
    tools: JSON.parse(offering()).tools.map(({ function: { name, parameters } }: Sent) => ({
      name,
      input_schema: parameters,
    })),
  }),
};

const thought = { type: 'thinking', thinking: 'Hm.', signature: 's' };

describe.each([
  ['only a call', [thought, markup], ['thinking', 'tool_use']],
  ['only two calls', [thought, `${markup}\n${markup}\n`], ['thinking', 'tool_use', 'tool_use']],
  ['only a call before another block', [markup, thought], ['thinking', 'tool_use']],
  ['text and a call', ['So.', markup], ['text', 'tool_use']],
  ['a call behind text', [thought, `So.\n${markup}`], ['thinking', 'text', 'tool_use']],
])('Messages: a block of %s', (_what, blocks, types) => {
  const content = blocks.map((block) =>
    typeof block === 'string' ? { type: 'text', text: block } : block,
  );
  const head = { type: 'message', role: 'assistant' };

  test('whole', async () => {
    const chunks = [JSON.stringify({ ...head, content, stop_reason: 'end_turn' })];
    const answer = JSON.parse(await passed({ type: 'application/json', chunks }, messagesOptions));

    expect(answer.content.map(({ type }: Sent) => type)).toEqual(types);
    expect(answer.content.every(({ text = 'x' }: Sent) => text.trim() !== '')).toBe(true);
  });

  test('streamed', async () => {
    const events = content.flatMap((block: Sent, index): object[] => {
      const isText = block.type === 'text';
      const deltas = isText
        ? pieces(block.text).map((text) => ({ type: 'text_delta', text }))
        : [{ type: 'thinking_delta', thinking: block.thinking }];
      const content_block = isText
        ? { type: 'text', text: '' }
        : { type: 'thinking', thinking: '' };
      return [
        { type: 'content_block_start', index, content_block },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ];
    });
    const all = [
      { type: 'message_start', message: { ...head, content: [] } },
      ...events,
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ];
    const chunks = all.map((event) => `data: ${JSON.stringify(event)}\n\n`);
    const sent = eventsIn(await passed({ chunks }, messagesOptions));
    const begun = sent.filter(({ type }) => type === 'content_block_start');

    expect(begun.map(({ index, content_block: { type } }) => [index, type])).toEqual([
      ...types.entries(),
    ]);
    for (const type of ['content_block_stop', 'content_block_start'])
      expect(sent.filter((event) => event.type === type).map(({ index }) => index)).toEqual([
        ...types.keys(),
      ]);
    expect(new Set(sent.flatMap(({ index }) => index ?? []))).toEqual(new Set(types.keys()));
  });
});

test('Messages: a block of text without text passes as it came', async () => {
  const events = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'So.' } },
  ];
  const chunks = events.map((event) => `data: ${JSON.stringify(event)}\n\n`);

  expect(await passed({ chunks }, messagesOptions)).toBe(chunks.join(''));
});

const responsesRequest = JSON.stringify({
  model: 'm',
  input: 'Go.',
  tools: JSON.parse(offering()).tools.map(({ function: tool }: Sent) => ({
    type: 'function',
    ...tool,
  })),
});

const responsesOptions = { path: '/v1/responses', body: responsesRequest };

test('Responses, streamed: text without a call passes byte for byte', async () => {
  const chunks = responseStream(
    'Write `<tool_call>`, as in <tool_call>{"name":"other"}</tool_call>.',
  );

  expect(await passed({ chunks }, responsesOptions)).toBe(chunks.join(''));
});

test('Responses, streamed: a call is an item behind the message, whose text is without it in every event', async () => {
  const sent = eventsIn(
    await passed({ chunks: responseStream(`So.\n${markup}`) }, responsesOptions),
  );
  const call = { type: 'function_call', name: 'read_files', arguments: '{"paths":["a"]}' };
  const [done, completed] = [sent.at(-2), sent.at(-1)];

  expect(sent.map(({ sequence_number }) => sequence_number)).toEqual([...sent.keys()]);
  expect(sent.slice(-5).map(({ type }) => type)).toEqual([
    'response.output_item.added',
    'response.function_call_arguments.delta',
    'response.function_call_arguments.done',
    'response.output_item.done',
    'response.completed',
  ]);
  expect(done).toMatchObject({ output_index: 1, item: call });
  expect(completed.response.output).toEqual([
    expect.objectContaining({ type: 'message' }),
    { ...done.item, ...call, status: 'completed' },
  ]);
  expect(JSON.stringify(sent)).not.toContain('tool_call>');
  expect(completed.response.output[0].content[0].text.trim()).toBe('So.');
  expect(sent.find(({ type }) => type === 'response.output_text.done').text.trim()).toBe('So.');
});

test('Responses, not streamed', async () => {
  const item = { id: 'item', type: 'message', content: [{ type: 'output_text', text: markup }] };
  const whole = JSON.stringify({ id: 'resp', status: 'completed', output: [item] });
  const answer = JSON.parse(
    await passed({ type: 'application/json', chunks: [whole] }, responsesOptions),
  );

  expect(answer.output).toMatchObject([
    { type: 'message', content: [{ text: '' }] },
    {
      type: 'function_call',
      call_id: expect.stringMatching(/^call_/),
      name: 'read_files',
      arguments: '{"paths":["a"]}',
    },
  ]);
});

test('Responses: a call in the reasoning of an answer without text', async () => {
  const chunks = responseStream(`I'll read it.\n${markup}`, 'reasoning');
  const text = await passed({ chunks }, responsesOptions);

  expect(text).toContain(chunks.slice(0, -1).join(''));
  expect(eventsIn(text).at(-2)).toMatchObject({
    type: 'response.output_item.done',
    output_index: 1,
    item: { name: 'read_files', arguments: '{"paths":["a"]}' },
  });
});

const reasoned = (
  reasoning: string,
  { key = 'reasoning_content', content = '', reason = 'stop' } = {},
): readonly string[] => [
  ...pieces(reasoning).map((text) => chunk({ [key]: text })),
  ...(content === '' ? [] : [chunk({ content })]),
  chunk({}, reason),
  'data: [DONE]\n\n',
];

test.each(['reasoning_content', 'reasoning'])(
  'a call at the end of %s is a call, and the thoughts pass as they are',
  async (key) => {
    const chunks = reasoned(`I'll read it.\n${markup}\n`, { key });
    const text = await passed({ chunks });

    expect(text).toContain(chunks.slice(0, -2).join(''));
    expect(eventsIn(text).slice(-2)).toMatchObject([
      { choices: [{ delta: { tool_calls: [{ function: { arguments: '{"paths":["a"]}' } }] } }] },
      { choices: [{ finish_reason: 'tool_calls' }] },
    ]);
  },
);

test.each([
  ['text follows', reasoned(markup, { content: 'It is done.' })],
  ['the thoughts go on', reasoned(`${markup}\nNo, I ask first.`)],
  ['the model thought of another call behind it', reasoned(`${markup}\nNo, rather not.`)],
  ['the answer was cut off', reasoned(markup, { reason: 'length' })],
  ['the call is in a code fence', reasoned(`Like this:\n\`\`\`\n${markup}\n\`\`\``)],
  ['the tool is unknown', reasoned(markup.replace('read_files', 'other'))],
  ['the markup is not complete', reasoned(markup.slice(0, -6))],
])('a call in the reasoning stays a thought if %s', async (_why, chunks) => {
  expect(await passed({ chunks })).toBe(chunks.join(''));
});

test.each(['STOP', 'COMPLETE', 'eos', 'function_call'])(
  'an answer that ends with %s may have its call in the reasoning',
  async (reason) => {
    const [last] = eventsIn(await passed({ chunks: reasoned(markup, { reason }) })).slice(-1);

    expect(last.choices[0].finish_reason).toBe('tool_calls');
  },
);

test('a call in the reasoning of an answer with a call of the API stays a thought', async () => {
  const call = {
    index: 0,
    id: 'c1',
    type: 'function',
    function: { name: 'read_files', arguments: '{"paths":["b"]}' },
  };
  const chunks = [
    ...pieces(markup).map((reasoning) => chunk({ reasoning })),
    chunk({ tool_calls: [call] }),
    chunk({}, 'tool_calls'),
  ];

  expect(await passed({ chunks })).toBe(chunks.join(''));
});

test('calls in the reasoning of whole answers', async () => {
  const chat = {
    message: { content: null, reasoning_content: `So.\n${markup}` },
    finish_reason: 'stop',
  };
  const thinking = { type: 'thinking', thinking: `So.\n${markup}`, signature: 's' };
  const ollama = { message: { content: '', thinking: markup }, done: true, done_reason: 'stop' };
  const json = async (answer: object, options: object = {}) =>
    JSON.parse(
      await passed({ type: 'application/json', chunks: [JSON.stringify(answer)] }, options),
    );
  const {
    tools: [tool],
  } = JSON.parse(offering());
  const body = JSON.stringify({
    tools: [{ name: 'read_files', input_schema: tool.function.parameters }],
  });

  expect(await json({ choices: [chat] })).toMatchObject({
    choices: [
      {
        message: { ...chat.message, tool_calls: [{ function: { arguments: '{"paths":["a"]}' } }] },
        finish_reason: 'tool_calls',
      },
    ],
  });
  expect(
    await json({ content: [thinking], stop_reason: 'end_turn' }, { path: '/v1/messages', body }),
  ).toMatchObject({
    content: [thinking, { type: 'tool_use', name: 'read_files', input: { paths: ['a'] } }],
    stop_reason: 'tool_use',
  });
  expect(await json(ollama, { path: '/api/chat' })).toMatchObject({
    message: { thinking: markup, tool_calls: [{ function: { arguments: { paths: ['a'] } } }] },
  });
});

test.each([
  { tool_choice: 'none' },
  { tool_choice: { type: 'none' } },
  { response_format: { type: 'json_object' } },
  { response_format: { type: 'json_schema', json_schema: {} } },
  { format: 'json' },
])('a request with %j wants no calls', async (rest) => {
  const chunks = streamOf(`So.\n${markup}`);

  expect(await passed({ chunks }, { body: offering(rest) })).toBe(chunks.join(''));
});

test.each(['auto', 'required'])(
  'a request with the tool choice %s has calls in text',
  async (tool_choice) => {
    const text = await passed({ chunks: streamOf(markup) }, { body: offering({ tool_choice }) });

    expect(text).toContain('"finish_reason":"tool_calls"');
  },
);

test('an answer that was cut off behind a call still says so', async () => {
  const whole = JSON.stringify({
    choices: [{ message: { content: `${markup}\nAnd` }, finish_reason: 'length' }],
  });
  const text = await passed({ type: 'application/json', chunks: [whole] });

  expect(JSON.parse(text).choices[0].finish_reason).toBe('length');
});
