// The time that many calls take grows with their number, not with its square.
import { offering } from './chat-answers.ts';
import { leastProcessorTime } from './least-processor-time.ts';
import { ask, startTestGateway, startUpstream } from './scripted-upstream.ts';

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
  const { results, milliseconds } = await leastProcessorTime(() =>
    ask(port, path, { body: request ?? '' }),
  );
  const answers = results.map(({ bytes }) => bytes.toString());
  return { milliseconds, answers, requests: upstream.received.map(({ text }) => text) };
}

let texts: ReturnType<typeof timeOf> | undefined;

/** The arguments are text there, so that no value has to be found in the answer. Measured once. */
const ofTexts = () => (texts ??= timeOf('/v1/chat/completions', chat(JSON.stringify(call))));

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
  const reference = await ofTexts();
  const values = await timeOf(path, answer);

  for (const one of values.answers) expect(one.match(repaired)).toHaveLength(count);
  expect(values.milliseconds / reference.milliseconds).toBeLessThan(8);
});

test('so do those of earlier calls', async () => {
  const messages = `[{"role":"assistant","tool_calls":[${chatCalls('{"paths":["a"]}')}]}]`;
  const request = offering().replace(/"messages":\[.*?\]/, () => `"messages":${messages}`);
  const reference = await ofTexts();
  const history = await timeOf('/v1/chat/completions', chat(JSON.stringify(call)), request);

  for (const one of history.requests)
    expect(one.match(/\\"paths\\":\[\\"a\\"\]/g)).toHaveLength(count);
  expect(history.milliseconds / reference.milliseconds).toBeLessThan(8);
});
