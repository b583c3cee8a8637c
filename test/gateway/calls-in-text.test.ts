// Calls that a server left in the text, with --calls-in-text.
import { GatewayRecord } from '../../src/gateway/gateway-record.ts';
import { chatAnswer, offering } from './chat-answers.ts';
import { type ScriptedAnswer, ask, startTestGateway, startUpstream } from './scripted-upstream.ts';

const markup = '<tool_call>\n{"name": "read_files", "arguments": {"paths": "a"}}\n</tool_call>';

const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

/** The text in pieces of a few characters, as models send it. */
const pieces = (text: string): readonly string[] => text.match(/[^]{1,5}/g) ?? [];

const streamOf = (text: string): readonly string[] => [
  ...pieces(text).map((content) => chunk({ content })),
  chunk({}, 'stop'),
  'data: [DONE]\n\n',
];

async function passed(
  answer: ScriptedAnswer,
  { path = '/v1/chat/completions', body = offering(), isOn = true } = {},
) {
  const upstream = await startUpstream(() => answer);
  const { port } = await startTestGateway(upstream.origin, { callsInText: isOn });
  return (await ask(port, path, { body })).bytes.toString();
}

// eslint-disable-next-line typescript/no-explicit-any -- only tests read what a program sends
type Sent = any;

const eventsIn = (text: string): readonly Sent[] =>
  text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));

test('text without a call passes byte for byte, streamed and not', async () => {
  const text =
    'Use `<tool_call>` tags, as in:\n```\n<tool_call>{"name":"read_files","arguments":{"paths":["a"]}}</tool_call>\n```\nDone – é.';
  const whole = JSON.stringify({ choices: [{ message: { content: text }, finish_reason: 'stop' }] });

  expect(await passed({ chunks: streamOf(text) })).toBe(streamOf(text).join(''));
  expect(await passed({ type: 'application/json', chunks: [whole] })).toBe(whole);
});

test('nothing is read if it is not asked for', async () => {
  const chunks = streamOf(`So. ${markup}`);

  expect(await passed({ chunks }, { isOn: false })).toBe(chunks.join(''));
});

test('a call in a stream becomes a call, and the text around it stays', async () => {
  const events = eventsIn(await passed({ chunks: streamOf(`I read it. ${markup}`) }));
  const choices = events.map(({ choices: [choice] }) => choice);

  expect(
    choices
      .map(({ delta }) => delta.content ?? '')
      .join('')
      .trim(),
  ).toBe('I read it.');
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
      tool_calls: [{ type: 'function', function: { name: 'read_files', arguments: '{"paths":["a"]}' } }],
    },
    finish_reason: 'tool_calls',
  });
});

test('a call that can’t be repaired stays text', async () => {
  const chunks = streamOf('<tool_call>{"name":"read_files","arguments":{"limit":"many"}}</tool_call>');

  expect(await passed({ chunks })).toBe(chunks.join(''));
});

test('a call whose markup is cut off stays text', async () => {
  const chunks = [...pieces(markup.slice(0, 60)).map((content) => chunk({ content })), chunk({}, 'length')];

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
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', name: 'read_files' } },
    { type: 'content_block_delta', index: 1, delta: { partial_json: '{"paths":["a"]}' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ]);
});
