// The time that many calls take grows with their number, not with its square.
import { offering } from './chat-answers.ts';
import { type RawAnswer, ask, startTestGateway, startUpstream } from './scripted-upstream.ts';

const count = 4_000;
const call = '{"paths":"a"}';
const many = (one: string): string => Array.from({ length: count }, () => one).join(',');

const [tool] = JSON.parse(offering()).tools;
const offeringFor: Readonly<Record<string, string>> = {
  '/v1/chat/completions': offering(),
  '/api/chat': offering({ stream: false }),
  '/v1/messages': JSON.stringify({
    model: 'm',
    messages: [],
    tools: [{ name: 'read_files', input_schema: tool.function.parameters }],
  }),
};

const chatCalls = (sent: string): string =>
  many(`{"id":"","type":"function","function":{"name":"read_files","arguments":${sent}}}`);
const chat = (sent: string): string =>
  `{"choices":[{"index":0,"message":{"tool_calls":[${chatCalls(sent)}]},"finish_reason":"tool_calls"}]}`;

async function timeOf(path: string, answer: string, request = offeringFor[path]) {
  const upstream = await startUpstream(() => ({ type: 'application/json', chunks: [answer] }));
  const { port } = await startTestGateway(upstream.origin);
  const begun = performance.now();
  const answered: RawAnswer = await ask(port, path, { body: request ?? '' });
  const milliseconds = performance.now() - begun;
  return { milliseconds, answered, received: upstream.received[0]?.text ?? '' };
}

/**
 * The arguments are text there, so that no value has to be found in the answer. The first answers
 * are slower, because their code is not compiled yet.
 */
async function ofTexts() {
  await timeOf('/v1/chat/completions', chat(JSON.stringify(call)));
  return timeOf('/v1/chat/completions', chat(JSON.stringify(call)));
}

test.each([
  ['Chat Completions', '/v1/chat/completions', chat(call), /\\"paths\\":\[\\"a\\"\]/g],
  [
    'Ollama',
    '/api/chat',
    `{"message":{"tool_calls":[${many(`{"function":{"name":"read_files","arguments":${call}}}`)}]},"done":true}`,
    /"arguments":\{"paths":\["a"\]\}/g,
  ],
  [
    'Messages',
    '/v1/messages',
    `{"content":[${many(`{"type":"tool_use","id":"","name":"read_files","input":${call}}`)}],"stop_reason":"tool_use"}`,
    /"input":\{"paths":\["a"\]\}/g,
  ],
])('%s: arguments that are values take as long as text', async (_name, path, answer, repaired) => {
  const texts = await ofTexts();
  const values = await timeOf(path, answer);

  expect(values.answered.bytes.toString().match(repaired)).toHaveLength(count);
  expect(values.milliseconds / texts.milliseconds).toBeLessThan(8);
});

test('so do those of earlier calls', async () => {
  const messages = `[{"role":"assistant","tool_calls":[${chatCalls('{"paths":["a"]}')}]}]`;
  const request = offering().replace(/"messages":\[.*?\]/, () => `"messages":${messages}`);
  const texts = await ofTexts();
  const history = await timeOf('/v1/chat/completions', chat(JSON.stringify(call)), request);

  expect(history.received.match(/\\"paths\\":\[\\"a\\"\]/g)).toHaveLength(count);
  expect(history.milliseconds / texts.milliseconds).toBeLessThan(8);
});
