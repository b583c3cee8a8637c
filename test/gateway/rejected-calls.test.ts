// Rejected calls whose JSON can be read: the client gets the JSON, so that its own message is about
// what is wrong with the arguments.
import { chatAnswer, chatStream, offering } from './chat-answers.ts';
import { type Api, type GatewayCase, textApis, valueApis } from './exchanges.ts';
import { passed } from './passed-answer.ts';
import { KeptRecord, ask, startTestGateway, startUpstream } from './scripted-upstream.ts';

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    line: { type: 'integer', maximum: 9007199254740991 },
    id: { type: 'number' },
  },
  required: ['path'],
  additionalProperties: false,
};

const recorded = (text: string, rest: Partial<GatewayCase> = {}): GatewayCase => ({
  id: 'case',
  tool: 'read_file',
  schema,
  expect: { outcome: 'rejected' },
  text,
  finishReason: undefined,
  ...rest,
});

const given = (api: Api, call: GatewayCase): { readonly answer: string; readonly sent: string } => {
  const answer = api.answer(call);
  return { answer, sent: passed(api, call, [Buffer.from(answer)]) };
};

const fence = (text: string): string => '```json\n' + text + '\n```';

describe.each(textApis)('$name: a client gets the JSON', (api) => {
  test.each<[string, string, string]>([
    ['of a fence', fence('{"line": 3}'), '{"line":3}'],
    ['of a fence behind words', `Here it is:\n${fence('{"line": 3}')}`, '{"line":3}'],
    ['behind words', 'I will read it: {"line": 3}', '{"line":3}'],
    ['in JSON text', '"{\\"line\\": 3}"', '{"line":3}'],
    ['that is written as Python', "{'line': 3, 'path': None}", '{"line":3,"path":null}'],
    ['with all digits', fence('{"id": 1.00000000000000000001}'), '{"id":1.00000000000000000001}'],
  ])('%s', (_title, text, expected) => {
    expect(api.argumentsIn(given(api, recorded(text)).sent)).toBe(expected);
  });
});

describe.each(textApis)('$name: a rejected call passes as it came', (api) => {
  test.each<[string, GatewayCase]>([
    ['that is JSON', recorded('{ "line": 3 }')],
    ['with two objects', recorded('{"line":3}{"line":4}')],
    ['with two fences', recorded(`${fence('{"line":3}')}\n${fence('{"line":4}')}`)],
    ['with two values of one key', recorded(fence('{"line":3,"line":4}'))],
    ['that is not JSON', recorded(fence('line: 3'))],
    ['that was cut off', recorded('```json\n{"line":3}', { finishReason: 'length' })],
  ])('%s', (_title, call) => {
    const { answer, sent } = given(api, call);

    expect(sent).toBe(answer);
  });
});

test.each(valueApis)('$name: text of JSON becomes the value', (api) => {
  const texts = ['{"line": 3}', fence('{"line": 3}')].map((text) => JSON.stringify(text));
  const sent = texts.map((text) => api.argumentsIn(given(api, recorded(text)).sent));

  expect(sent).toEqual(['{"line":3}', '{"line":3}']);
});

test('an empty object of an answer that was cut off stays text', () => {
  const [messages] = valueApis;
  if (messages === undefined) throw new Error('there is no such API');
  const call = recorded('"{}"', { schema: { type: 'object' }, finishReason: 'max_tokens' });
  const { answer, sent } = given(messages, call);

  expect(sent).toBe(answer);
});

const rejected = fence('{"limit": 3}');

test.each([
  ['whole', 'application/json', [chatAnswer(rejected)]],
  ['streamed', 'text/event-stream', chatStream(rejected, 'So. ')],
])('%s: the call is counted as rejected', async (_title, type, chunks) => {
  const upstream = await startUpstream(() => ({ type, chunks }));
  const record = new KeptRecord({ writeLine: undefined, contents: false });
  const { port } = await startTestGateway(upstream.origin, {}, record);
  const { bytes } = await ask(port, '/v1/chat/completions', { body: offering() });
  await record.added;

  expect(bytes.toString()).toContain(JSON.stringify('{"limit":3}').slice(1, -1));
  expect(record.stats().models[0]?.tools[0]).toMatchObject({
    statuses: { rejected: 1 },
    rules: {},
  });
});

test('a model that is asked again reads its JSON', async () => {
  const upstream = await startUpstream(() => ({
    type: 'application/json',
    chunks: [chatAnswer(rejected)],
  }));
  const { port } = await startTestGateway(upstream.origin, { retries: 1 });
  await ask(port, '/v1/chat/completions', { body: offering() });
  const { messages } = JSON.parse(upstream.received[1]?.text ?? '{}');

  expect(messages[1].tool_calls[0].function.arguments).toBe('{"limit":3}');
});
