// A model that is asked again must call the tool that failed: a server with a grammar then makes the
// arguments valid.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../checks/temporary-folder.ts';
import { runToolmend } from '../cli/run-toolmend.ts';
import { chatAnswer, chatStream, offering } from './chat-answers.ts';
import { type Api, type GatewayCase, textApis, valueApis } from './exchanges.ts';
import {
  KeptRecord,
  type Received,
  type ScriptedAnswer,
  ask,
  startTestGateway,
  startUpstream,
} from './scripted-upstream.ts';

const recorded = (text: string): GatewayCase => ({
  id: 'paths',
  tool: 'read_files',
  schema: JSON.parse(offering()).tools[0].function.parameters,
  text,
  finishReason: undefined,
  expect: { outcome: 'repaired' },
});
const wrong = recorded('{"limit":"many"}');
const right = recorded('{"paths":["a"]}');

const bodyOf = ({ text }: Received) => JSON.parse(text);
const choices = (received: readonly Received[]): readonly unknown[] =>
  received.map((request) => bodyOf(request).tool_choice);
const json = (text: string, status = 200): ScriptedAnswer => ({
  status,
  type: 'application/json',
  chunks: [text],
});

/** The client's request, the answers of the server, and what both got. */
async function exchange(
  body: string,
  answer: (received: Received, index: number) => ScriptedAnswer,
  { path = '/v1/chat/completions', retries = 1, asks = 1 } = {},
) {
  const upstream = await startUpstream(answer);
  const { port } = await startTestGateway(upstream.origin, { retries });
  const texts: string[] = [];
  for (let at = 0; at < asks; at += 1)
    texts.push((await ask(port, path, { body })).bytes.toString());
  return { received: upstream.received, text: texts.at(-1) ?? '' };
}

const named: Readonly<Record<string, unknown>> = {
  '/v1/chat/completions': { type: 'function', function: { name: 'read_files' } },
  '/v1/responses': { type: 'function', name: 'read_files' },
  '/v1/messages': { type: 'tool', name: 'read_files' },
  // Ollama's API has no choice of tools: https://github.com/ollama/ollama/blob/main/docs/api.md
  '/api/chat': undefined,
};

test.each([...textApis, ...valueApis].map((api) => [api.name, api] as const))(
  '%s: the second request names the tool',
  async (_name, api: Api) => {
    const { received, text } = await exchange(
      JSON.stringify(api.request(wrong)),
      (_received, index) => ({
        type: api.type,
        chunks: [api.answer(index === 0 ? wrong : right)],
      }),
      { path: api.path },
    );

    expect(JSON.parse(api.argumentsIn(text))).toEqual({ paths: ['a'] });
    expect(choices(received)).toEqual([undefined, named[api.path]]);
  },
);

test('a turn that is right when the model was asked again is counted, in the log and in a report', async () => {
  const lines: string[] = [];
  const record = new KeptRecord({ writeLine: (line) => lines.push(line), contents: false });
  const upstream = await startUpstream((_received, index) =>
    json(chatAnswer(index % 2 === 0 ? wrong.text : index === 1 ? right.text : wrong.text)),
  );
  const { port } = await startTestGateway(upstream.origin, { retries: 1 }, record);
  for (let at = 0; at < 2; at += 1) await ask(port, '/v1/chat/completions', { body: offering() });
  while (record.ends.length < 2) await new Promise((resolve) => setImmediate(resolve));
  const file = join(temporaryFolder(), 'calls.jsonl');
  writeFileSync(file, lines.join(''));
  const report = await runToolmend('report', file, '--json');
  const counts = { retriedTurns: 1, tools: [{ statuses: { rejected: 3, unchanged: 1 } }] };

  expect(record.stats().models).toMatchObject([counts]);
  expect(JSON.parse(report.stdout).models).toMatchObject([counts]);
});

const answers = (_received: Received, index: number): ScriptedAnswer =>
  json(chatAnswer(index === 0 ? wrong.text : right.text));

test.each([
  ['another tool', { type: 'function', function: { name: 'other' } }],
  ['some tools', { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } }],
])('a client that chose %s keeps its choice', async (_what, tool_choice) => {
  const { received } = await exchange(offering({ tool_choice }), answers);

  expect(choices(received)).toEqual([tool_choice, tool_choice]);
});

test.each([['auto'], ['required'], [null]])('a choice of %j is replaced', async (tool_choice) => {
  const { received } = await exchange(offering({ tool_choice }), answers);

  expect(choices(received)).toEqual([tool_choice, named['/v1/chat/completions']]);
});

test('none of several calls is named, because the model has to repeat them all', async () => {
  const two = JSON.parse(chatAnswer(wrong.text));
  const { message } = two.choices[0];
  const [call] = message.tool_calls;
  message.tool_calls = [call, { ...call, id: 'call_2' }];
  const { received } = await exchange(offering(), (_received, index) =>
    json(index === 0 ? JSON.stringify(two) : chatAnswer(right.text)),
  );

  expect(choices(received)).toEqual([undefined, undefined]);
});

test('a tool that nobody offers is not named', async () => {
  const { received } = await exchange(offering(), (_received, index) =>
    json(
      index === 0
        ? chatAnswer(right.text).replace('read_files', 'fly_to_the_moon')
        : chatAnswer(right.text),
    ),
  );

  expect(choices(received)).toEqual([undefined, undefined]);
});

test.each([
  ['enabled', undefined],
  ['adaptive', undefined],
  ['disabled', named['/v1/messages']],
])('Messages: a model with thinking %s', async (type, choice) => {
  const api = textApis.concat(valueApis).find(({ path }) => path === '/v1/messages');
  if (api === undefined) throw new Error('Messages is not among the APIs.');
  const { received } = await exchange(
    JSON.stringify({ ...api.request(wrong), thinking: { type } }),
    (_received, index) => ({ type: api.type, chunks: [api.answer(index === 0 ? wrong : right)] }),
    { path: api.path },
  );

  expect(choices(received)).toEqual([undefined, choice]);
});

/** https://github.com/BerriAI/litellm/pull/37470 has what DeepSeek answers. */
test('a server that refuses a named tool is asked without it, from then on', async () => {
  const { received, text } = await exchange(
    offering(),
    (request) => {
      const { tool_choice, messages } = bodyOf(request);
      if (tool_choice !== undefined)
        return json('{"error":{"message":"Thinking mode does not support this tool_choice"}}', 400);
      return json(chatAnswer(messages.length === 1 ? wrong.text : right.text));
    },
    { asks: 2 },
  );

  expect(choices(received).map((choice) => choice !== undefined)).toEqual([
    false,
    true,
    false,
    false,
    false,
  ]);
  expect(text).toBe(chatAnswer(right.text));
});

/** https://github.com/vllm-project/vllm/pull/25054 has what OpenAI and vLLM answer. */
test('an answer that ends with stop, because a tool was named, ends as a call for the client', async () => {
  const { text } = await exchange(offering(), (_received, index) =>
    json(
      index === 0
        ? chatAnswer(wrong.text)
        : chatAnswer(right.text).replace('"finish_reason":"tool_calls"', '"finish_reason":"stop"'),
    ),
  );

  expect(text).toBe(chatAnswer(right.text));
});

test('so does a stream, and an answer without a call ends as it ended', async () => {
  const stream = (text: string): ScriptedAnswer => ({ chunks: chatStream(text, '') });
  const stopped = chatStream(right.text, '').map((event) =>
    event.replace('"finish_reason":"tool_calls"', '"finish_reason":"stop"'),
  );
  const called = await exchange(offering({ stream: true }), (_received, index) =>
    index === 0 ? stream(wrong.text) : { chunks: stopped },
  );
  const answered = await exchange(offering(), (_received, index) =>
    json(
      index === 0
        ? chatAnswer(wrong.text)
        : '{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"No."}}]}',
    ),
  );

  expect(called.text).toContain('"finish_reason":"tool_calls"');
  expect(called.text).not.toContain('"finish_reason":"stop"');
  expect(answered.text).toContain('"finish_reason":"stop"');
});
