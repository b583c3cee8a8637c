// `--strict`: tools say `strict: true`, as far as the server takes it. The servers are scripted by
// what they document or answer:
// - vLLM constrains only strict tools if the model chooses: https://docs.vllm.ai/en/latest/features/tool_calling/
// - llama.cpp ignores the member, and refuses schemas that it can't make a grammar of:
//   https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
// - Ollama's own API has no such member: https://github.com/ollama/ollama/blob/main/docs/api.md
// - SGLang constrains strict tools: https://docs.sglang.ai/advanced_features/tool_parser.html
// - LM Studio takes OpenAI's form: https://lmstudio.ai/docs/app/api/tools
// - servers that check the members of a request refuse those that they don't know.
import { chatAnswer, offering } from './chat-answers.ts';
import { type Api, type GatewayCase, textApis, valueApis } from './exchanges.ts';
import {
  KeptRecord,
  type Received,
  type ScriptedAnswer,
  ask,
  startTestGateway,
  startUpstream,
} from './scripted-upstream.ts';

const valid = '{"paths":["a"]}';
const json = (text: string, status = 200): ScriptedAnswer => ({
  status,
  type: 'application/json',
  chunks: [text],
});
const refusal = (message: string, status = 400): ScriptedAnswer =>
  json(JSON.stringify({ error: { message, type: 'invalid_request_error' } }), status);

const bodyOf = ({ text }: Received) => JSON.parse(text);
const isStrict = (received: Received): boolean =>
  bodyOf(received).tools[0].function.strict === true;

interface Script {
  readonly answer: (received: Received, index: number) => ScriptedAnswer;
  readonly settings?: object;
  readonly bodies?: readonly string[];
}

/** What the upstream got for each of the client's requests, and what the client got for the last. */
async function exchange({ answer, settings, bodies = [offering()] }: Script) {
  const upstream = await startUpstream(answer);
  const problems: string[] = [];
  const record = new KeptRecord({ writeLine: undefined, contents: false });
  const { port } = await startTestGateway(
    upstream.origin,
    { strict: true, ...settings },
    record,
    ({ what }) => problems.push(what),
  );
  const answers = [];
  for (const body of bodies) answers.push(await ask(port, '/v1/chat/completions', { body }));
  const { status, bytes } = answers.at(-1) ?? {};
  return { received: upstream.received, status, text: bytes?.toString(), problems, record };
}

test('a request without --strict has the bytes of the client', async () => {
  const { received } = await exchange({
    answer: () => json(chatAnswer(valid)),
    settings: { strict: false },
  });

  expect(received.map(({ text }) => text)).toEqual([offering()]);
});

test('vLLM, SGLang, LM Studio: tools are strict, whatever the client said, and nothing else changes', async () => {
  const [tool] = JSON.parse(offering()).tools;
  const notStrict = { ...tool, function: { ...tool.function, name: 'other', strict: false } };
  const body = offering({ tools: [tool, notStrict] });
  const { received, problems } = await exchange({
    answer: () => json(chatAnswer(valid)),
    bodies: [body],
  });

  expect(received.map(bodyOf)).toEqual([
    {
      ...JSON.parse(body),
      tools: [
        { ...tool, function: { ...tool.function, strict: true } },
        { ...notStrict, function: { ...notStrict.function, strict: true } },
      ],
    },
  ]);
  expect(problems).toEqual([]);
});

test('valid calls of strict tools are counted, and calls of a server that refused are not', async () => {
  const answers = [valid, '{"paths":"a"}', valid];
  const bodies = [offering(), offering(), offering({ model: 'old' })];
  const { record } = await exchange({
    answer: (request, index) =>
      isStrict(request) && bodyOf(request).model === 'old'
        ? refusal('no strict')
        : json(chatAnswer(answers[index] ?? valid)),
    bodies,
  });
  while (record.ends.length < 3) await new Promise((resolve) => setImmediate(resolve));

  expect(record.stats().models).toMatchObject([
    { model: 'm', calls: 2, strictCalls: 1, retriedTurns: 0 },
    { model: 'old', calls: 1, strictCalls: 0, retriedTurns: 0 },
  ]);
});

test.each([
  ['an unknown member', 'Unrecognized request argument supplied: strict'],
  ['a grammar that can’t be made', 'Failed to initialize samplers: failed to parse grammar'],
  ['a schema that strict mode lacks', "Invalid schema for function 'read_files'"],
])(
  'a server that refuses %s is asked without it, and remembered for the model',
  async (_what, message) => {
    const { received, status, text, problems } = await exchange({
      answer: (request) => (isStrict(request) ? refusal(message) : json(chatAnswer(valid))),
      bodies: [offering(), offering(), offering({ model: 'another' })],
    });

    expect(received.map((request) => [bodyOf(request).model, isStrict(request)])).toEqual([
      ['m', true],
      ['m', false],
      ['m', false],
      ['another', true],
      ['another', false],
    ]);
    expect([status, text]).toEqual([200, chatAnswer(valid)]);
    expect(problems.filter((what) => what.includes('strict'))).toEqual([
      'answered 400 to strict, and answered without it: it is left out for the model "m"',
      'answered 400 to strict, and answered without it: it is left out for the model "another"',
    ]);
  },
);

test('a request that is wrong without strict too is answered as ever, and nothing is remembered', async () => {
  const { received, status, text } = await exchange({
    answer: () => refusal('messages: at least one is required', 422),
    bodies: [offering(), offering()],
  });

  expect(received.map(isStrict)).toEqual([true, false, true, false]);
  expect(status).toBe(422);
  expect(text).toContain('at least one is required');
});

test('an error about the call of the model refuses nothing', async () => {
  const error = { message: 'Failed to call a function.', failed_generation: '<function=x>' };
  const { received, status } = await exchange({
    answer: () => json(JSON.stringify({ error }), 400),
    bodies: [offering(), offering()],
  });

  expect(received.map(isStrict)).toEqual([true, true]);
  expect(status).toBe(400);
});

test('with schemas of a strict mode, only tools that it can express are strict', async () => {
  const [tool] = JSON.parse(offering()).tools;
  const map = { type: 'object', additionalProperties: { type: 'string' } };
  const open = { type: 'function', function: { name: 'open', parameters: map } };
  const { received } = await exchange({
    answer: () => json(chatAnswer(valid)),
    bodies: [offering({ tools: [tool, open] })],
    settings: { schemasFor: 'openai-strict' },
  });

  expect(
    received.map((request) =>
      bodyOf(request).tools.map((one: { function: object }) => 'strict' in one.function),
    ),
  ).toEqual([[true, false]]);
});

const recorded: GatewayCase = {
  id: 'paths',
  tool: 'read_files',
  schema: JSON.parse(offering()).tools[0].function.parameters,
  text: valid,
  finishReason: undefined,
  expect: { outcome: 'unchanged' },
};

test.each([...textApis, ...valueApis].map((api) => [api.name, api] as const))(
  '%s: the place of strict, or none for Ollama',
  async (_name, api: Api) => {
    const upstream = await startUpstream(() => ({
      type: api.type,
      chunks: [api.answer(recorded)],
    }));
    const { port } = await startTestGateway(upstream.origin, { strict: true });
    await ask(port, api.path, { body: JSON.stringify(api.request(recorded)) });
    const [tool] = JSON.parse(upstream.received[0]?.text ?? '').tools;

    expect(tool.strict ?? tool.function?.strict).toBe(api.path === '/api/chat' ? undefined : true);
  },
);
