// The gateway between a client and a scripted server on loopback.
import {
  KeptRecord,
  type ScriptedAnswer,
  ask,
  startTestGateway,
  startUpstream,
} from './scripted-upstream.ts';

const tool = {
  type: 'function',
  function: {
    name: 'read_files',
    parameters: {
      type: 'object',
      properties: {
        paths: { type: 'array', items: { type: 'string' } },
        limit: { type: 'integer' },
      },
      required: ['paths'],
    },
  },
};

const body = (rest: object = {}): string =>
  JSON.stringify({ model: 'm', messages: [], tools: [tool], ...rest });

const chunk = (delta: object, finish_reason: string | null = null, index = 0): string =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index, delta, finish_reason }] })}\n\n`;

const part = (index: number, text: string, head: object = {}): object => ({
  tool_calls: [
    {
      index,
      ...head,
      function: { ...('id' in head ? { name: 'read_files' } : {}), arguments: text },
    },
  ],
});

const near = '{"paths":"[\\"a\\"]"}';

async function exchange(answer: ScriptedAnswer, sent: string = body()) {
  const record = new KeptRecord({ writeLine: undefined, contents: false });
  const { ends } = record;
  const upstream = await startUpstream(() => answer);
  const gateway = await startTestGateway(upstream.origin, {}, record);
  const received = await ask(gateway.port, '/v1/chat/completions', { body: sent });
  await record.added;
  return { ...received, text: received.bytes.toString(), ends, sent: upstream.received };
}

const whole = (call: object, rest: object = {}): string =>
  JSON.stringify({
    id: 'c',
    choices: [{ index: 0, finish_reason: 'tool_calls', message: { tool_calls: [call] } }],
    ...rest,
  });

test('a request is passed on byte for byte, with its headers', async () => {
  const sent = ` ${body({ seed: 12345678901234567890n.toString(), temperature: 0.1 })}\n`;
  const upstream = await startUpstream(() => ({ type: 'application/json', chunks: ['{}'] }));
  const gateway = await startTestGateway(upstream.origin);
  await ask(gateway.port, '/v1/chat/completions?a=%20b', {
    body: sent,
    headers: { 'X-Own': 'a  b', authorization: 'Bearer sk' },
  });

  const [received] = upstream.received;
  expect(received?.text).toBe(sent);
  expect(received?.path).toBe('/v1/chat/completions?a=%20b');
  expect(received?.headers).toMatchObject({
    authorization: 'Bearer sk',
    'x-own': 'a  b',
    'accept-encoding': 'identity',
  });
});

test('a valid answer is passed on byte for byte, without a header of the gateway', async () => {
  const answer = `${whole({ id: '1', function: { name: 'read_files', arguments: '{"paths":["a"]}' } })}  \n`;
  const { text, headers, ends } = await exchange({
    type: 'application/json',
    chunks: [answer],
    headers: { 'x-request-id': '7' },
  });

  expect(text).toBe(answer);
  expect(headers).toMatchObject({ 'x-request-id': '7', 'content-length': String(answer.length) });
  expect(headers['x-toolmend-calls']).toBeUndefined();
  expect(ends).toMatchObject([
    { status: 200, end: 'complete', calls: [{ verdict: { kind: 'unchanged' } }] },
  ]);
});

test('a repaired answer says so in a header', async () => {
  const { text, headers } = await exchange({
    type: 'application/json',
    chunks: [
      whole(
        { id: '1', function: { name: 'functions.read_files', arguments: near } },
        { usage: { n: 1.5 } },
      ),
    ],
  });

  expect(text).toBe(
    whole(
      { id: '1', function: { name: 'read_files', arguments: '{"paths":["a"]}' } },
      { usage: { n: 1.5 } },
    ),
  );
  expect(headers['x-toolmend-calls']).toBe('repaired=1');
});

test('a call that can’t be repaired is passed on as sent and marked', async () => {
  const answer = whole({ id: '1', function: { name: 'read_files', arguments: '{}' } });
  const { text, headers } = await exchange({ type: 'application/json', chunks: [answer] });

  expect(text).toBe(answer);
  expect(headers['x-toolmend-calls']).toBe('rejected=1');
});

test('arguments that came as an object are written as the text that clients expect', async () => {
  const { text } = await exchange({
    type: 'application/json',
    chunks: [
      '{"choices":[{"message":{"tool_calls":[{"function":{"name":"read_files","arguments":{"paths":["a"],"limit":1.0}}}]},"finish_reason":"tool_calls"}]}',
    ],
  });

  expect(JSON.parse(text).choices[0].message.tool_calls[0].function.arguments).toBe(
    '{"paths":["a"],"limit":1.0}',
  );
});

test('interleaved parts of parallel calls are repaired each for itself', async () => {
  const chunks = [
    chunk({ content: 'Both.' }),
    chunk(part(0, '', { id: 'a' })),
    chunk(part(1, '', { id: 'b' })),
    chunk(part(0, '{"paths":"[\\"a')),
    chunk(part(1, '{"paths":[')),
    chunk(part(0, '\\"]"}')),
    chunk(part(1, '"b"]}')),
    chunk({}, 'tool_calls'),
    'data: [DONE]\n\n',
  ];
  const { text, ends } = await exchange({ chunks });
  const expected = [...chunks];
  expected[3] = chunk(part(0, '{"paths":["a"]}'));
  expected[5] = chunk(part(0, ''));

  expect(text).toBe(expected.join(''));
  expect(ends[0]?.calls.map(({ verdict }) => verdict.kind)).toEqual(['repaired', 'unchanged']);
});

test('the calls of two choices are told apart', async () => {
  const chunks = [
    chunk(part(0, near, { id: 'a' }), null, 0),
    chunk(part(0, '{"paths":["b"]}', { id: 'b' }), null, 1),
    chunk({}, 'tool_calls', 1),
    chunk({}, 'tool_calls', 0),
  ];
  const { text } = await exchange({ chunks }, body({ n: 2, stream: true }));

  expect(text).toBe(
    [chunk(part(0, '{"paths":["a"]}', { id: 'a' }), null, 0), ...chunks.slice(1)].join(''),
  );
});

test('a call that is cut off is passed on as it is', async () => {
  const chunks = [
    chunk(part(0, '{"paths":["a"', { id: 'a' })),
    chunk({}, 'length'),
    'data: [DONE]\n\n',
  ];
  const { text, ends } = await exchange({ chunks });

  expect(text).toBe(chunks.join(''));
  expect(ends[0]?.calls).toMatchObject([{ verdict: { kind: 'rejected' } }]);
});

test('text passes while a call is not there yet', async () => {
  const upstream = await startUpstream(() => ({
    chunks: [chunk({ content: 'First.' })],
    end: 'open',
  }));
  const gateway = await startTestGateway(upstream.origin);
  const answer = await fetch(`${gateway.url}/chat/completions`, { method: 'POST', body: body() });
  const first = await answer.body?.getReader().read();

  expect(new TextDecoder().decode(first?.value)).toBe(chunk({ content: 'First.' }));
});

test('comments, carriage returns, several data lines and unknown events pass as they are', async () => {
  const answer = [
    ': comment\r\n\r\n',
    'id: 4\r\nevent: future\r\ndata: {"choices":\r\ndata: [{"index":0,"delta":{"content":"é"}}]}\r\n\r\n',
    'retry: 10\n\n\n',
    'data: not json\n\ndata\n\n',
    'data: {"future":true}\r\rdata: [DONE]\n\n',
    'data: {"no end":1}',
  ].join('');
  const { text } = await exchange({ chunks: [answer] });

  expect(text).toBe(answer);
});

test('a repaired call keeps the other lines of its event', async () => {
  const call = part(0, near, { id: 'a' });
  const json = JSON.stringify({
    choices: [{ index: 0, delta: call, finish_reason: 'tool_calls' }],
  });
  const head = ': note\r\nid: 1\r\n';
  const [before = '', after = ''] = json.split(',"finish_reason"');
  const sent = `${head}data: ${before}\r\ndata: ,"finish_reason"${after}\r\n\r\n`;
  const { text } = await exchange({ chunks: [sent] });

  expect(text).toBe(sent.replace(JSON.stringify(near), JSON.stringify('{"paths":["a"]}')));
});

test('an upstream that breaks off in a call breaks off for the client, after all of its bytes', async () => {
  const chunks = [
    chunk({ content: 'x' }),
    chunk(part(0, '{"paths":"[', { id: 'a' })),
    'data: {"half',
  ];
  const { text, isBroken, ends } = await exchange({ chunks, end: 'break' });

  expect(text).toBe(chunks.join(''));
  expect(isBroken).toBe(true);
  expect(ends).toMatchObject([{ end: 'upstream_closed' }]);
});

test('garbage passes as it came', async () => {
  const garbage = Uint8Array.from({ length: 2_000 }, (_, at) => (at * 7_919) % 256);
  const { bytes } = await exchange({ chunks: [garbage] });
  const { bytes: json } = await exchange({ chunks: [garbage], type: 'application/json' });

  expect(bytes.equals(garbage)).toBe(true);
  expect(json.equals(garbage)).toBe(true);
});

test('an error of the upstream passes as it came', async () => {
  const chunks = ['{"error":{"message":"slow down"}}'];
  const { status, text, headers } = await exchange({
    status: 429,
    type: 'application/json',
    chunks,
    headers: { 'retry-after': '3' },
  });

  expect([status, text, headers['retry-after']]).toEqual([429, chunks[0], '3']);
});

test('an upstream that can’t be reached is an error in the shape of the API', async () => {
  const gateway = await startTestGateway('http://127.0.0.1:9');
  const chat = await ask(gateway.port, '/v1/chat/completions', { body: body() });
  const messages = await ask(gateway.port, '/v1/messages', { body: body() });

  expect(chat.status).toBe(502);
  expect(JSON.parse(chat.bytes.toString())).toMatchObject({
    error: { code: 'upstream_unreachable' },
  });
  expect(JSON.parse(messages.bytes.toString())).toMatchObject({
    type: 'error',
    error: { type: 'api_error' },
  });
});

test('a request that is no JSON, and one without tools, are passed on with their answers', async () => {
  const answer = whole({ id: '1', function: { name: 'read_files', arguments: near } });
  const bad = await exchange({ type: 'application/json', chunks: [answer] }, '{"tools": [');
  const bare = await exchange(
    { type: 'application/json', chunks: [answer] },
    '{"model":"m","messages":[]}',
  );

  expect([bad.text, bad.sent[0]?.text]).toEqual([answer, '{"tools": [']);
  expect(bare.text).toBe(answer);
});

test('a tool whose schema is none is left alone, and does not stop the others', async () => {
  const odd = {
    type: 'function',
    function: { name: 'odd', parameters: { type: 'object', properties: 7 } },
  };
  const calls = [
    { id: '1', function: { name: 'odd', arguments: '{"x":"1"}' } },
    { id: '2', function: { name: 'read_files', arguments: near } },
  ];
  const answer = (list: readonly object[]): string =>
    JSON.stringify({ choices: [{ message: { tool_calls: list }, finish_reason: 'tool_calls' }] });
  const { text } = await exchange(
    { type: 'application/json', chunks: [answer(calls)] },
    body({ tools: [odd, tool] }),
  );

  expect(text).toBe(
    answer([
      calls[0] ?? {},
      { id: '2', function: { name: 'read_files', arguments: '{"paths":["a"]}' } },
    ]),
  );
});

test('earlier calls whose arguments are not JSON of an object are made valid, and nothing else', async () => {
  const past = (text: string): object => ({
    role: 'assistant',
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'read_files', arguments: text } }],
  });
  const result = { role: 'tool', tool_call_id: 'c', content: '{"paths":' };
  const messages = (first: string, second: string): object => ({
    messages: [past(first), result, past(second), past('{"paths":"a"}')],
  });
  const { sent } = await exchange(
    { type: 'application/json', chunks: ['{}'] },
    body(messages('{"paths":["a"],}', '{"paths":')),
  );

  expect(sent[0]?.text).toBe(
    body(messages('{"paths":["a"]}', '{"unreadable_arguments":"{\\"paths\\":"}')),
  );
});

test('legacy function calls are repaired', async () => {
  const message = (text: string): string =>
    JSON.stringify({
      choices: [
        {
          message: { function_call: { name: 'read_files', arguments: text } },
          finish_reason: 'function_call',
        },
      ],
    });
  const sent = JSON.stringify({ model: 'm', messages: [], functions: [tool.function] });
  const { text } = await exchange({ type: 'application/json', chunks: [message(near)] }, sent);

  expect(text).toBe(message('{"paths":["a"]}'));
});
