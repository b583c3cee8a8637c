// Calls that stay in the text of an answer are counted, because the client doesn't see them as calls.
import { GatewayRecord } from '../../src/gateway/gateway-record.ts';
import { offering } from './chat-answers.ts';
import { ask, startTestGateway, startUpstream } from './scripted-upstream.ts';

const call = '<tool_call>\n{"name":"read_files","arguments":{"paths":["a"]}}\n</tool_call>';
const path = '/v1/chat/completions';

const whole = (content: string) => ({
  type: 'application/json',
  chunks: [
    JSON.stringify({
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    }),
  ],
});

const chunk = (delta: object, reason: string | null = null): string =>
  `data: ${JSON.stringify({ model: 'm', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;

const streamed = (content: string, reasoning: string) => ({
  chunks: [
    ...(reasoning === '' ? [] : [chunk({ reasoning })]),
    ...(content.match(/[^]{1,7}/g) ?? []).map((piece) => chunk({ content: piece })),
    chunk({}, 'stop'),
    'data: [DONE]\n\n',
  ],
});

/** What is counted for an answer with this text, and the line of the log. */
async function counted(
  content: string,
  { stream = false, callsInText = false, reasoning = '', request = {} } = {},
) {
  const lines: string[] = [];
  const record = new GatewayRecord({ writeLine: (line) => lines.push(line), contents: false });
  const answer = stream ? streamed(content, reasoning) : whole(content);
  const upstream = await startUpstream(() => answer);
  const { port } = await startTestGateway(upstream.origin, { callsInText }, record);
  const { bytes } = await ask(port, path, {
    body: offering({ ...(stream ? { stream } : {}), ...request }),
  });
  while (record.stats().exchanges.length === 0) await new Promise((go) => setImmediate(go));
  return {
    isSame: bytes.toString() === answer.chunks.join(''),
    statuses: record.stats().models.map(({ tools }) => tools.map(({ statuses }) => statuses)),
    lines: lines.map((line) => JSON.parse(line)),
  };
}

test.each([false, true])('text without a call counts nothing; stream: %s', async (stream) => {
  for (const content of ['Hello.', 'read_files reads files.', `So:\n\`\`\`\n${call}\n\`\`\``]) {
    const { isSame, statuses, lines } = await counted(content, { stream });

    expect([isSame, statuses, lines]).toEqual([true, [], []]);
  }
});

test.each([false, true])('a call that stays is counted; stream: %s', async (stream) => {
  const { isSame, statuses, lines } = await counted(`Let me look.\n${call}`, { stream });

  expect(isSame).toBe(true);
  expect(statuses).toEqual([[{ left_in_text: 1 }]]);
  expect(lines).toMatchObject([
    {
      protocol: 'chat_completions',
      tool: 'read_files',
      status: 'left_in_text',
      notation: 'json_in_tags',
      reason: 'not_read',
    },
  ]);
});

test('the name of a tool in another spelling is that tool', async () => {
  const { statuses } = await counted(call.replace('read_files', 'readFiles'));

  expect(statuses).toEqual([[{ left_in_text: 1 }]]);
});

test.each([false, true])(
  'a call with which reasoning ends; callsInText: %s',
  async (callsInText) => {
    const { statuses } = await counted('', {
      stream: true,
      callsInText,
      reasoning: `So.\n${call}`,
    });

    expect(statuses).toEqual([[callsInText ? { unchanged: 1 } : { left_in_text: 1 }]]);
  },
);

test('a draft in reasoning in front of text is not counted', async () => {
  const { statuses } = await counted('Shall I?', { stream: true, reasoning: call });

  expect(statuses).toEqual([]);
});

test('a client that wants JSON gets no calls, and none is counted', async () => {
  const { statuses } = await counted(call, {
    request: { response_format: { type: 'json_object' } },
  });

  expect(statuses).toEqual([]);
});

test.each([false, true])('one that is read is not left; stream: %s', async (stream) => {
  const { isSame, statuses } = await counted(call, { stream, callsInText: true });

  expect(isSame).toBe(false);
  expect(statuses).toEqual([[{ unchanged: 1 }]]);
});

test.each([
  ['unreadable', call.slice(0, 60)],
  ['refused', '{"name":"read_files","arguments":{"limit":"many"}}'],
  ['refused', call.replace('{"paths":["a"]}', '"many of them"')],
  ['uncertain', `I would send:\n{"name":"read_files","arguments":{"paths":["a"]}}`],
])('one that is %s is left, although calls are read', async (reason, content) => {
  const { isSame, statuses, lines } = await counted(content, { callsInText: true });

  expect(isSame).toBe(true);
  expect(statuses).toEqual([[{ left_in_text: 1 }]]);
  expect(lines).toMatchObject([{ status: 'left_in_text', reason }]);
});

test.each([false, true])('/stats and /metrics count them; callsInText: %s', async (callsInText) => {
  const upstream = await startUpstream(() => whole(call.slice(0, 60)));
  const { port } = await startTestGateway(upstream.origin, { callsInText });
  await ask(port, path, { body: offering() });
  const pages = ['/stats', '/metrics'].map((page) => ask(port, page, { method: 'GET' }));
  const [stats, metrics] = await Promise.all(pages);

  expect(JSON.parse(String(stats?.bytes)).models).toMatchObject([
    { tools: [{ tool: 'read_files', statuses: { left_in_text: 1 } }] },
  ]);
  expect(String(metrics?.bytes)).toContain(
    'toolmend_gateway_calls_total{model="m",tool="read_files",status="left_in_text"} 1',
  );
});
