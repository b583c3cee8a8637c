// Streams of servers that number, mix or end their calls as few others do.
import { request } from 'node:http';
import { offering } from './chat-answers.ts';
import { ask, startTestGateway, startUpstream } from './scripted-upstream.ts';

// eslint-disable-next-line typescript/no-explicit-any -- only tests read what a program sends
type Sent = any;

interface Event {
  readonly type: string;
  readonly [member: string]: unknown;
}

const eventText = (event: Event): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

const [tool]: readonly Sent[] = JSON.parse(offering()).tools;
const bodies: Readonly<Record<string, object>> = {
  '/v1/responses': { input: 'Go.', tools: [{ type: 'function', ...tool.function }] },
  '/v1/messages': {
    messages: [],
    tools: [{ name: 'read_files', input_schema: tool.function.parameters }],
  },
  '/v1/chat/completions': JSON.parse(offering()),
  '/api/chat': JSON.parse(offering()),
};

async function sentBy(path: string, chunks: readonly string[], settings: object = {}) {
  const type = path === '/api/chat' ? 'application/x-ndjson' : 'text/event-stream';
  const upstream = await startUpstream(() => ({ type, chunks }));
  const { port } = await startTestGateway(upstream.origin, settings);
  const { bytes } = await ask(port, path, {
    body: JSON.stringify({ model: 'm', ...bodies[path] }),
  });
  const text = bytes.toString();
  const datas = path === '/api/chat' ? text.split('\n') : text.split('\n\n').map(dataOf);
  const events: readonly Sent[] = datas.flatMap((data) =>
    data.startsWith('{') ? [JSON.parse(data)] : [],
  );
  return { text, events };
}

/** The data lines of a server-sent event. */
const dataOf = (event: string): string =>
  event
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []))
    .join('\n');

/** A response with these calls, each in its own item. */
function responseWith(calls: readonly { readonly call_id?: string; readonly arguments: string }[]) {
  const items = calls.map((call, at) => ({
    id: `fc_${at}`,
    type: 'function_call',
    name: 'read_files',
    status: 'completed',
    ...call,
  }));
  const events = items.flatMap((item, output_index): readonly Event[] => [
    { type: 'response.output_item.added', output_index, item: { ...item, arguments: '' } },
    { type: 'response.function_call_arguments.delta', output_index, delta: item.arguments },
    { type: 'response.function_call_arguments.done', output_index, arguments: item.arguments },
    { type: 'response.output_item.done', output_index, item },
  ]);
  const response = { id: 'r', status: 'completed', output: items };
  return [...events, { type: 'response.completed', response }].map(eventText);
}

test.each([
  ['of one id', 'c0'],
  ['with empty ids', ''],
  ['without ids', undefined],
])('Responses: two calls %s keep their own arguments', async (_title, call_id) => {
  const id = call_id === undefined ? {} : { call_id };
  const { events } = await sentBy(
    '/v1/responses',
    responseWith([
      { ...id, arguments: '{"paths":"DELETE"}' },
      { ...id, arguments: '{"paths":["keep"]}' },
    ]),
  );
  const items = events.flatMap(({ type, item, response }) =>
    type === 'response.output_item.done' ? [item] : (response?.output ?? []),
  );

  expect(items.map((item) => item.arguments)).toEqual([
    '{"paths":["DELETE"]}',
    '{"paths":["keep"]}',
    '{"paths":["DELETE"]}',
    '{"paths":["keep"]}',
  ]);
});

const chatChunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

const chatCall = (index: number, text: string): object => ({
  tool_calls: [
    {
      index,
      id: `call_${index}`,
      type: 'function',
      function: { name: 'read_files', arguments: text },
    },
  ],
});

const chatArguments = (events: readonly Sent[]): readonly string[] =>
  events.flatMap(({ choices: [choice] }) =>
    (choice.delta.tool_calls ?? []).map((call: Sent) => call.function.arguments),
  );

test('Chat Completions: a call behind the end of its choice is repaired too', async () => {
  const { events } = await sentBy('/v1/chat/completions', [
    chatChunk(chatCall(0, '{"paths":"a"}')),
    chatChunk({}, 'tool_calls'),
    chatChunk(chatCall(1, '{"paths":"b"}'), 'tool_calls'),
    'data: [DONE]\n\n',
  ]);

  expect(chatArguments(events)).toEqual(['{"paths":["a"]}', '{"paths":["b"]}']);
});

test('Messages: blocks whose events are mixed are calls of their own', async () => {
  const start = (index: number): Event => ({
    type: 'content_block_start',
    index,
    content_block: { type: 'tool_use', id: `t${index}`, name: 'read_files', input: {} },
  });
  const delta = (index: number, partial_json: string): Event => ({
    type: 'content_block_delta',
    index,
    delta: { type: 'input_json_delta', partial_json },
  });
  const events = [
    start(0),
    start(1),
    delta(0, '{"paths":'),
    delta(1, '{"paths":"b"}'),
    delta(0, '["a"]}'),
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ];
  const { events: sent } = await sentBy('/v1/messages', events.map(eventText), {
    onInvalid: 'reject',
  });

  expect(sent).toEqual(
    events.map((event) =>
      'delta' in event && event.index === 1 ? delta(1, '{"paths":["b"]}') : event,
    ),
  );
});

test.each([
  ['a whole call', `{'paths':'a'}`, '{"paths":["a"]}'],
  ['a call that was cut off', `{'paths':'a`, `{'paths':'a`],
])(
  'Chat Completions: %s of a stream that ends without a reason',
  async (_title, text, expected) => {
    const { events } = await sentBy('/v1/chat/completions', [
      chatChunk(chatCall(0, text)),
      'data: [DONE]\n\n',
    ]);

    expect(chatArguments(events)).toEqual([expected]);
  },
);

test('Ollama: arguments as text are repaired in a stream too', async () => {
  const line = (rest: object): string =>
    `${JSON.stringify({ model: 'm', message: { role: 'assistant', content: '' }, ...rest })}\n`;
  const called = { function: { name: 'read_files', arguments: `{'paths':'a'}` } };
  const { events } = await sentBy('/api/chat', [
    line({ message: { role: 'assistant', content: '', tool_calls: [called] }, done: false }),
    line({ done: true, done_reason: 'stop' }),
  ]);

  expect(events[0].message.tool_calls[0].function.arguments).toEqual({ paths: ['a'] });
});

test('Ollama: arguments as text are repaired in a stream as in a whole answer', async () => {
  const line = (rest: object): string =>
    `${JSON.stringify({ model: 'm', message: { role: 'assistant', content: '' }, ...rest })}\n`;
  const called = { function: { name: 'read_files', arguments: '{"paths":["a"]' } };
  const { events } = await sentBy('/api/chat', [
    line({ message: { role: 'assistant', content: '', tool_calls: [called] }, done: false }),
    line({ done: true, done_reason: 'stop' }),
  ]);

  expect(events[0].message.tool_calls[0].function.arguments).toEqual({ paths: ['a'] });
});

test.each([
  ['without arguments', { name: 'stop' }],
  ['with an empty object', { name: 'stop', arguments: {} }],
])('Ollama: a call %s in the midst of a stream is whole', async (_what, called) => {
  const line = (message: object, rest: object): string =>
    `${JSON.stringify({ message, ...rest })}\n`;
  const chunks = [
    line({ role: 'assistant', content: '', tool_calls: [{ function: called }] }, { done: false }),
    line({ role: 'assistant', content: '' }, { done: true, done_reason: 'stop' }),
  ];
  const upstream = await startUpstream(() => ({ type: 'application/x-ndjson', chunks }));
  const { port } = await startTestGateway(upstream.origin, { onInvalid: 'reject' });
  const tools = [{ type: 'function', function: { name: 'stop', parameters: { type: 'object' } } }];
  const { bytes } = await ask(port, '/api/chat', {
    body: JSON.stringify({ model: 'm', messages: [], tools }),
  });

  expect(bytes.toString()).not.toContain('error');
});

test('Chat Completions: an event in several data lines keeps them around a repaired call', async () => {
  const chunk = { id: 'c', choices: [{ index: 0, delta: chatCall(0, '{"paths":"a"}') }] };
  const lines = JSON.stringify(chunk, undefined, 1).split('\n');
  const { text, events } = await sentBy('/v1/chat/completions', [
    `${lines.map((line) => `data: ${line}\n`).join('')}\n`,
    chatChunk({}, 'tool_calls'),
  ]);

  expect(text.split('\n').filter((line) => line.startsWith('data: '))).toHaveLength(
    lines.length + 1,
  );
  expect(chatArguments(events)).toEqual(['{"paths":["a"]}']);
});

test('Messages: counts of tokens in the midst of a call don’t end it', async () => {
  const piece = (partial_json: string): Event => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'input_json_delta', partial_json },
  });
  const call = { type: 'tool_use', id: 't', name: 'read_files', input: {} };
  const { events } = await sentBy(
    '/v1/messages',
    [
      { type: 'content_block_start', index: 0, content_block: call },
      piece('{"paths":'),
      { type: 'message_delta', delta: {}, usage: { output_tokens: 5 } },
      piece('"a"}'),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
      { type: 'message_stop' },
    ].map(eventText),
  );
  const sentArguments = events.map(({ delta }) => delta?.partial_json ?? '').join('');

  expect(JSON.parse(sentArguments)).toEqual({ paths: ['a'] });
});

test('an event without an end passes when it is too long to wait for', async () => {
  const part = Buffer.alloc(8 * 1024 * 1024, 'a');
  const upstream = await startUpstream(() => ({
    chunks: ['data: ', ...Array.from({ length: 9 }, () => part)],
    end: 'open',
  }));
  const { port } = await startTestGateway(upstream.origin);
  const received = Promise.withResolvers<number>();
  let size = 0;
  const sent = request(
    { host: '127.0.0.1', port, path: '/v1/chat/completions', method: 'POST' },
    (answer) => {
      answer.on('data', (bytes: Buffer) => {
        size += bytes.length;
        if (size === 6 + 9 * part.length) received.resolve(size);
      });
      answer.on('error', () => undefined);
    },
  );
  sent.end(offering());

  expect(await received.promise).toBe(6 + 9 * part.length);
  sent.destroy();
});

test('a piece of a call whose bytes are not UTF-8 is read as clients read it', async () => {
  const part = (called: object): Buffer =>
    Buffer.from(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: called }] } }] })}\n\n`,
      'latin1',
    );
  const upstream = await startUpstream(() => ({
    chunks: [
      part({ name: 'read_files', arguments: '{"paths":["a"' }),
      part({ arguments: ',"b\u00e9"' }),
      part({ arguments: '],"limit":"3"}' }),
      'data: [DONE]\n\n',
    ],
  }));
  const { port } = await startTestGateway(upstream.origin);
  const { bytes } = await ask(port, '/v1/chat/completions', { body: offering() });
  const text = bytes
    .toString()
    .split('\n')
    .flatMap((each) => (each.startsWith('data: {') ? [JSON.parse(each.slice(6))] : []))
    .map((event: Sent) => event.choices[0].delta.tool_calls[0].function.arguments)
    .join('');

  expect(text).toBe('{"paths":["a","b\uFFFD"],"limit":3}');
});
