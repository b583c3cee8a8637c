// Earlier calls in a request, as the server gets them.
import { ask, startTestGateway, startUpstream } from './scripted-upstream.ts';

const long = 'x'.repeat(3_000);

/** The body that the server gets. */
async function received(path: string, body: string): Promise<string> {
  const upstream = await startUpstream(() => ({ type: 'application/json', chunks: ['{}'] }));
  const { port } = await startTestGateway(upstream.origin);
  await ask(port, path, { body });
  return upstream.received[0]?.text ?? '';
}

/** A request without tools whose only earlier call has these arguments, as JSON. */
const requests: Readonly<Record<string, (sent: string) => string>> = {
  '/v1/chat/completions': (sent) =>
    `{"messages":[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":${sent}}}]}]}`,
  '/v1/responses': (sent) =>
    `{"input":[{"type":"function_call","call_id":"c","name":"f","arguments":${sent}}]}`,
  '/v1/messages': (sent) =>
    `{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":${sent}}]}]}`,
  '/api/chat': (sent) =>
    `{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":${sent}}}]}]}`,
};

const text = JSON.stringify('{"a":1.50}');
const value = '{"a":1.50,"n":12345678901234567890}';

test.each([
  ['/v1/chat/completions', text, text],
  ['/v1/messages', value, value],
  ['/v1/chat/completions', '""', '"{}"'],
  ['/v1/chat/completions', 'null', '"{}"'],
  ['/v1/chat/completions', value, JSON.stringify(value)],
  ['/v1/responses', '""', '"{}"'],
  ['/v1/responses', value, JSON.stringify(value)],
  ['/v1/messages', text, '{"a":1.50}'],
  ['/v1/messages', '""', '{}'],
  ['/api/chat', text, '{"a":1.50}'],
  ['/api/chat', 'null', '{}'],
  [
    '/v1/chat/completions',
    JSON.stringify(`{'path':'p','content':'${long}END'}`),
    JSON.stringify(JSON.stringify({ path: 'p', content: `${long}END` })),
  ],
])('%s: %.60s', async (path, sent, expected) => {
  const request = requests[path] ?? String;

  expect(await received(path, request(sent))).toBe(request(expected));
});
