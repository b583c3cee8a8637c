// Servers that answer with an error because they can't read their own model's call.
import { offering } from './chat-answers.ts';
import {
  type ScriptedAnswer,
  KeptRecord,
  ask,
  startTestGateway,
  startUpstream,
} from './scripted-upstream.ts';

// eslint-disable-next-line typescript/no-explicit-any -- only tests read what a program sends
type Sent = any;

const note = {
  type: 'function',
  function: {
    name: 'note',
    parameters: {
      type: 'object',
      properties: { content: { type: 'string' }, folder: { type: 'string' } },
      required: ['content'],
    },
  },
};

/** A request that offers two tools. */
const request = (rest: object = {}): string =>
  JSON.stringify({
    ...JSON.parse(offering()),
    tools: [...JSON.parse(offering()).tools, note],
    ...rest,
  });

/** https://github.com/ollama/ollama/issues/12064: the model's call is between quotes. */
const ollamaMessage = (raw: string): string =>
  `error parsing tool call: raw='${raw}', err=invalid character ']' after object key:value pair`;

/** https://github.com/ggml-org/llama.cpp/issues/22072: the model's call is not in it. */
const llamaMessage =
  'Failed to parse tool call arguments as JSON: [json.exception.parse_error.101] parse error at line 1, column 131';

const failed = (body: object, status = 500): ScriptedAnswer => ({
  status,
  type: 'application/json',
  chunks: [JSON.stringify(body)],
});

const openAiError = (message: string): ScriptedAnswer =>
  failed({ error: { message, type: 'api_error', param: null, code: null } });

async function exchange(
  path: string,
  body: string,
  answers: readonly ScriptedAnswer[],
  settings: object = {},
) {
  const upstream = await startUpstream(
    (_received, index) => answers[index] ?? answers.at(-1) ?? { chunks: [] },
  );
  const record = new KeptRecord({ writeLine: undefined, contents: false });
  const { port } = await startTestGateway(upstream.origin, settings, record);
  const { status, headers, bytes } = await ask(port, path, { body });
  await record.added;
  const [counts] = record.stats().models.flatMap(({ tools }) => tools);
  return {
    status,
    headers,
    text: bytes.toString(),
    sent: upstream.received.map(({ text }): Sent => JSON.parse(text)),
    statuses: counts?.statuses,
  };
}

const chat = '/v1/chat/completions';
const raw = '{"paths":["a","b"]}]';
const repaired = '{"paths":["a","b"]}';

test('Chat Completions: the call in the message is answered', async () => {
  const { status, headers, text, statuses } = await exchange(chat, request(), [
    openAiError(ollamaMessage(raw)),
  ]);
  const { model, choices } = JSON.parse(text);

  expect(status).toBe(200);
  expect(headers['content-type']).toContain('application/json');
  expect(model).toBe('m');
  expect(choices).toMatchObject([
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [{ type: 'function', function: { name: 'read_files', arguments: repaired } }],
      },
    },
  ]);
  expect(statuses).toEqual({ recovered: 1 });
});

test('Chat Completions, streamed: the call in the message is a stream', async () => {
  const { status, headers, text } = await exchange(chat, request({ stream: true }), [
    openAiError(ollamaMessage(raw)),
  ]);
  const events: readonly Sent[] = text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));

  expect(status).toBe(200);
  expect(headers['content-type']).toContain('text/event-stream');
  expect(events.flatMap(({ choices }) => choices[0].delta.tool_calls ?? [])).toMatchObject([
    { index: 0, function: { name: 'read_files', arguments: repaired } },
  ]);
  expect(events.at(-1)?.choices[0].finish_reason).toBe('tool_calls');
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
});

describe('Chat Completions: an error event behind another call', () => {
  const part = (tool_calls: readonly object[], finish_reason: string | null = null): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls }, finish_reason }] })}\n\n`;
  const first = (text: string): string =>
    part([{ index: 0, id: 'c1', type: 'function', function: { name: 'note', arguments: text } }]);
  const error = `data: ${JSON.stringify({ error: { message: ollamaMessage(raw) } })}\n\n`;
  const end = `${part([], 'stop')}data: [DONE]\n\n`;
  const stream = (text: string): readonly ScriptedAnswer[] => [
    { chunks: [first(text), error, end] },
  ];

  test.each([{}, { callsInText: true }])(
    'a whole one: the call in the message has an index of its own, and ends the answer, with %j',
    async (settings) => {
      const body = request({ stream: true });
      const { text, statuses } = await exchange(chat, body, stream('{"content":"x"}'), settings);
      const events: readonly Sent[] = text
        .split('\n')
        .flatMap((each) => (each.startsWith('data: {') ? [JSON.parse(each.slice(6))] : []));
      const calls = events.flatMap(({ choices }) => choices[0].delta.tool_calls ?? []);

      expect(calls.map(({ index, function: called }) => [index, called])).toEqual([
        [0, { name: 'note', arguments: '{"content":"x"}' }],
        [1, { name: 'read_files', arguments: repaired }],
      ]);
      expect(events.at(-1)?.choices[0].finish_reason).toBe('tool_calls');
      expect(text.match(/\[DONE\]/g)).toHaveLength(1);
      expect(statuses).toEqual({ unchanged: 1 });
    },
  );

  test('one that was cut off: the error passes', async () => {
    const cut = stream('{"content":"x');
    const { text, statuses } = await exchange(chat, request({ stream: true }), cut);

    expect(text).toBe(cut[0]?.chunks.join(''));
    expect(statuses).toEqual({ rejected: 1 });
  });
});

test('Ollama: the call in the message is answered', async () => {
  const { status, text } = await exchange('/api/chat', request({ stream: false }), [
    failed({ error: ollamaMessage(raw) }),
  ]);

  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({
    model: 'm',
    done: true,
    message: {
      role: 'assistant',
      tool_calls: [{ function: { name: 'read_files', arguments: { paths: ['a', 'b'] } } }],
    },
  });
});

const line = (value: object): string => `${JSON.stringify({ model: 'm', ...value })}\n`;
const thinking = line({
  message: { role: 'assistant', content: '', thinking: 'Hm.' },
  done: false,
});

test('Ollama, streamed: the call of an error line is a line with a call', async () => {
  const { text, statuses } = await exchange('/api/chat', request(), [
    { type: 'application/x-ndjson', chunks: [thinking, line({ error: ollamaMessage(raw) })] },
  ]);
  const lines: readonly Sent[] = text
    .trimEnd()
    .split('\n')
    .map((each) => JSON.parse(each));

  expect(`${JSON.stringify(lines[0])}\n`).toBe(thinking);
  expect(lines[1].message.tool_calls).toEqual([
    { function: { name: 'read_files', arguments: { paths: ['a', 'b'] } } },
  ]);
  expect(lines.at(-1)).toMatchObject({ done: true, done_reason: 'stop' });
  expect(text).not.toContain('error parsing');
  expect(statuses).toEqual({ recovered: 1 });
});

test.each<[string, string]>([
  ['that two tools may take', '{"folder":"a","content":"b","paths":["a"]}'],
  ['whose keys no tool has', '{"name_of_it":"a"}'],
  ['that is not an object', 'ls -R\n'],
  ['that was cut off', '{"paths":["a","b'],
  ['that a tool does not take', '{"limit":1}'],
])('a call %s passes as the error', async (_what, sent) => {
  const answer = openAiError(ollamaMessage(sent));
  const { status, text } = await exchange(chat, request(), [answer]);

  expect(status).toBe(500);
  expect(text).toBe(answer.chunks.join(''));
});

test.each([
  ['another error', openAiError('model runner has unexpectedly stopped')],
  ['an error about the history', openAiError('Value is not callable: raw=')],
])('%s passes as it came, and the model is not asked again', async (_what, answer) => {
  const { status, text, sent } = await exchange(chat, request(), [answer], { retries: 2 });

  expect(status).toBe(500);
  expect(text).toBe(answer.chunks.join(''));
  expect(sent).toHaveLength(1);
});

const stream: ScriptedAnswer = {
  chunks: [
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Done.' } }] })}\n\n`,
    'data: [DONE]\n\n',
  ],
};

test('with retries, the model is asked again', async () => {
  const { status, text, sent } = await exchange(
    chat,
    request({ stream: true }),
    [openAiError(llamaMessage), stream],
    { retries: 1 },
  );

  expect(status).toBe(200);
  expect(text).toBe(stream.chunks.join(''));
  expect(sent).toHaveLength(2);
  expect(sent[1].messages.slice(1)).toEqual([
    {
      role: 'user',
      content: 'Your tool call was malformed and was not executed. Send the whole call again.',
    },
  ]);
});

test('as often as wanted, then the error passes', async () => {
  const answer = openAiError(llamaMessage);
  const { status, text, sent, statuses } = await exchange(chat, request(), [answer], {
    retries: 2,
  });

  expect(status).toBe(500);
  expect(text).toBe(answer.chunks.join(''));
  expect(sent).toHaveLength(3);
  expect(statuses).toEqual({ server_error: 3 });
});

test('without retries, the error passes and is counted', async () => {
  const { status, statuses } = await exchange(chat, request(), [openAiError(llamaMessage)]);

  expect(status).toBe(500);
  expect(statuses).toEqual({ server_error: 1 });
});
