// Clients and upstreams that do what they shouldn't, and requests that are unusual.
import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { chatAnswer, chatStream, offering } from './chat-answers.ts';
import {
  KeptRecord,
  type ScriptedAnswer,
  ask,
  startTestGateway,
  startUpstream,
} from './scripted-upstream.ts';

const json = (text: string): ScriptedAnswer => ({ type: 'application/json', chunks: [text] });
const near = '{"paths":"a"}';
const repaired = '{"paths":["a"]}';

test('a request with 500 tools', async () => {
  const upstream = await startUpstream(() => json(chatAnswer(near)));
  const { port } = await startTestGateway(upstream.origin);
  const {
    tools: [tool],
  } = JSON.parse(offering());
  const named = Array.from({ length: 499 }, (_, at) => ({
    ...tool,
    function: { ...tool.function, name: `tool_${at}` },
  }));
  const body = offering({ tools: [...named, tool] });

  expect((await ask(port, '/v1/chat/completions', { body })).bytes.toString()).toBe(
    chatAnswer(repaired),
  );
  expect(upstream.received[0]?.text).toBe(body);
});

test('a tool whose schema changes between the requests of a conversation is read anew', async () => {
  const upstream = await startUpstream(() => json(chatAnswer(near)));
  const { port } = await startTestGateway(upstream.origin);
  const text = { type: 'object', properties: { paths: { type: 'string' } } };
  const changed = { type: 'function', function: { name: 'read_files', parameters: text } };
  const bodies = [offering(), offering({ tools: [changed] }), offering()];
  const answers = [];
  for (const body of bodies)
    answers.push((await ask(port, '/v1/chat/completions', { body })).bytes.toString());

  expect(answers).toEqual([chatAnswer(repaired), chatAnswer(near), chatAnswer(repaired)]);
});

test.each([
  ['tools that are no list', { tools: { a: 1 } }],
  [
    'tools that are no tools',
    { tools: [null, 7, {}, { function: {} }, { function: { name: 7 } }] },
  ],
  [
    'messages that are none',
    { messages: [null, 'x', { tool_calls: 7 }, { tool_calls: [null, {}] }] },
  ],
])('%s pass', async (_title, rest) => {
  const upstream = await startUpstream(() =>
    json('{"choices":[null,{"message":{"tool_calls":[null,{}]}}]}'),
  );
  const { port } = await startTestGateway(upstream.origin);
  const body = offering(rest);
  const { status, bytes } = await ask(port, '/v1/chat/completions', { body });

  expect([status, bytes.toString()]).toEqual([
    200,
    '{"choices":[null,{"message":{"tool_calls":[null,{}]}}]}',
  ]);
  expect(upstream.received[0]?.text).toBe(body);
});

test('an unknown tool passes as sent, and another spelling of a name gets the name', async () => {
  const upstream = await startUpstream((_received, index) =>
    json(chatAnswer(near).replace('read_files', index === 0 ? 'delete_all' : 'ReadFiles')),
  );
  const { port } = await startTestGateway(upstream.origin);
  const unknown = await ask(port, '/v1/chat/completions', { body: offering() });
  const spelled = await ask(port, '/v1/chat/completions', { body: offering() });

  expect(unknown.bytes.toString()).toBe(chatAnswer(near).replace('read_files', 'delete_all'));
  expect(unknown.headers['x-toolmend-calls']).toBe('unknown_tool=1');
  expect(spelled.bytes.toString()).toBe(chatAnswer(repaired));
});

test('calls of a tool that the provider knows by its name are left alone, also with reject', async () => {
  const use = {
    type: 'tool_use',
    id: 'toolu_1',
    name: 'bash',
    input: { command: 'ls', restart: 'no' },
  };
  const answer = JSON.stringify({ content: [use], stop_reason: 'tool_use' });
  const upstream = await startUpstream(() => json(answer));
  const { port } = await startTestGateway(upstream.origin, { onInvalid: 'reject' });
  const body = JSON.stringify({
    model: 'm',
    tools: [{ type: 'bash_20250124', name: 'bash' }],
    messages: [],
  });
  const { bytes, headers } = await ask(port, '/v1/messages', { body });

  expect([bytes.toString(), headers['x-toolmend-calls']]).toEqual([answer, undefined]);
});

test('Responses: tools of a namespace, and those that a search found, are known', async () => {
  const fn = (name: string): object => ({
    type: 'function',
    name,
    parameters: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  });
  const call = (name: string, text: string): object => ({
    type: 'function_call',
    call_id: name,
    name,
    arguments: text,
  });
  const answer = (text: string): string =>
    JSON.stringify({ status: 'completed', output: [call('inner', text), call('found', text)] });
  const upstream = await startUpstream(() => json(answer('{"n":"1"}')));
  const { port } = await startTestGateway(upstream.origin);
  const body = JSON.stringify({
    model: 'm',
    input: [{ type: 'tool_search_output', tools: [fn('found')] }],
    tools: [{ type: 'namespace', name: 'space', tools: [fn('inner')] }],
  });

  expect((await ask(port, '/v1/responses', { body })).bytes.toString()).toBe(answer('{"n":1}'));
});

test('two tools of one name with different schemas are left alone', async () => {
  const {
    tools: [tool],
  } = JSON.parse(offering());
  const other = {
    ...tool,
    function: { name: 'read_files', parameters: { type: 'object', properties: {} } },
  };
  const upstream = await startUpstream(() => json(chatAnswer(near)));
  const { port } = await startTestGateway(upstream.origin, { onInvalid: 'reject' });
  const { bytes } = await ask(port, '/v1/chat/completions', {
    body: offering({ tools: [tool, other] }),
  });

  expect(bytes.toString()).toBe(chatAnswer(near));
});

test('a compressed answer passes as it came', async () => {
  const upstream = await startUpstream(() => ({
    ...json('\u001F\u008Bzip'),
    headers: { 'content-encoding': 'gzip' },
  }));
  const { port } = await startTestGateway(upstream.origin);
  const { bytes, headers } = await ask(port, '/v1/chat/completions', { body: offering() });

  expect([bytes.toString(), headers['content-encoding']]).toEqual(['\u001F\u008Bzip', 'gzip']);
});

test('a request of more than 64 MiB is refused', async () => {
  const upstream = await startUpstream(() => json('{}'));
  const { port } = await startTestGateway(upstream.origin);
  const { status } = await ask(port, '/v1/chat/completions', {
    body: 'x'.repeat(64 * 1024 * 1024 + 1),
  });

  expect(status).toBe(413);
  expect(upstream.received).toEqual([]);
});

test('a client that leaves ends the request to the upstream', async () => {
  const record = new KeptRecord({ writeLine: undefined, contents: false });
  const upstream = await startUpstream(() => ({
    chunks: [chatStream(near, 'Hm.')[0] ?? ''],
    end: 'open',
  }));
  const { port } = await startTestGateway(upstream.origin, {}, record);
  const sent = request({ host: '127.0.0.1', port, path: '/v1/chat/completions', method: 'POST' });
  sent.on('error', () => undefined);
  sent.end(offering());
  await once(sent, 'response');
  sent.destroy();
  await record.added;

  expect(record.ends).toMatchObject([{ end: 'client_closed' }]);
});

test('a stalled upstream keeps the client waiting, with all that it sent before a call', async () => {
  const chunks = chatStream(near, 'Hm.').slice(0, 2);
  const upstream = await startUpstream(() => ({ chunks, end: 'open' }));
  const { port } = await startTestGateway(upstream.origin);
  const sent = request({ host: '127.0.0.1', port, path: '/v1/chat/completions', method: 'POST' });
  sent.on('error', () => undefined);
  sent.end(offering());
  const [response] = await once(sent, 'response');
  const received: string[] = [];
  response.setEncoding('utf8').on('data', (text: string) => received.push(text));
  while (received.join('').length < (chunks[0] ?? '').length) await pause(5);
  await pause(30);
  sent.destroy();

  expect(received.join('')).toBe(chunks[0]);
});

test('a client that reads slowly gets every byte of a large answer', async () => {
  const text = JSON.stringify({ paths: ['x'.repeat(1_000_000)] });
  const chunks = chatStream(text, 'y'.repeat(1_000_000));
  const upstream = await startUpstream(() => ({ chunks }));
  const { port } = await startTestGateway(upstream.origin);
  const sent = request({ host: '127.0.0.1', port, path: '/v1/chat/completions', method: 'POST' });
  sent.end(offering());
  const [response] = await once(sent, 'response');
  await pause(30);
  let received = '';
  for await (const bytes of response.setEncoding('utf8')) {
    received += String(bytes);
    if (received.length < 300_000) await pause(2);
  }

  expect(received === chunks.join('')).toBe(true);
});

test('40 streams at once keep their bytes apart', async () => {
  const upstream = await startUpstream(({ text }) => ({
    chunks: chatStream(`{"paths":"${JSON.parse(text).user}"}`, 'Hm.'),
  }));
  const { port } = await startTestGateway(upstream.origin);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      ask(port, '/v1/chat/completions', { body: offering({ user: `u${at}` }) }),
    ),
  );

  expect(answers.map(({ bytes }) => bytes.toString())).toEqual(
    answers.map((_answer, at) => chatStream(`{"paths":["u${at}"]}`, 'Hm.').join('')),
  );
});
