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

test.each([
  [
    'an MCP call of the provider',
    '/v1/responses',
    '{"input":[{"type":"mcp_call","id":"m","name":"f","arguments":""}]}',
  ],
  [
    'a call of a custom tool',
    '/v1/chat/completions',
    '{"messages":[{"role":"assistant","tool_calls":[{"id":"c","type":"custom","custom":{"name":"f","input":""}}]}]}',
  ],
  [
    'a call of a tool that the provider runs',
    '/v1/messages',
    '{"messages":[{"role":"assistant","content":[{"type":"server_tool_use","id":"s","name":"f","input":""}]}]}',
  ],
])('%s stays as it is', async (_what, path, body) => {
  expect(await received(path, body)).toBe(body);
});

test('a call of the old form gets arguments that are JSON', async () => {
  const request = (sent: string) =>
    `{"messages":[{"role":"assistant","function_call":{"name":"f","arguments":${sent}}}]}`;

  expect(await received('/v1/chat/completions', request('""'))).toBe(request('"{}"'));
});
