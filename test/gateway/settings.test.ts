// Security, keys, several upstreams, and what becomes of calls that can't be repaired.
import { DefinitionError } from 'toolmend';
import { checkedSettings, gatewayOptions, settingsIn } from '../../src/gateway/gateway-options.ts';
import { clientPath, upstreamPath } from '../../src/gateway/upstream.ts';
import {
  type ScriptedAnswer,
  KeptRecord,
  ask,
  startTestGateway,
  startUpstream,
} from './scripted-upstream.ts';
import { messageAnswer, chatAnswer, chatStream, offering } from './chat-answers.ts';

const json = (text: string): ScriptedAnswer => ({ type: 'application/json', chunks: [text] });

describe('access', () => {
  test.each([
    ['a Host that is not loopback', { host: 'evil.example' }, 403],
    ['a Host that only begins like loopback', { host: '127.0.0.1.evil.example' }, 403],
    ['a page of another site', { origin: 'https://evil.example' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
    ['loopback', { host: 'localhost:1234', origin: 'http://localhost:3000' }, 200],
  ])('%s', async (_title, headers, status) => {
    const upstream = await startUpstream(() => json('{}'));
    const { port } = await startTestGateway(upstream.origin);
    const answers = await Promise.all([
      ask(port, '/v1/chat/completions', { headers, body: '{}' }),
      ask(port, '/stats', { headers, method: 'GET' }),
      ask(port, '/v1/models', { headers, method: 'GET' }),
    ]);

    expect(answers.map((answer) => answer.status)).toEqual([status, status, status]);
  });

  test('hosts and origins of the configuration are let in', async () => {
    const upstream = await startUpstream(() => json('{}'));
    const settings = { allowedHosts: ['llm.internal'], allowedOrigins: ['https://chat.internal'] };
    const { port } = await startTestGateway(upstream.origin, settings);
    const headers = { host: 'llm.internal:80', origin: 'https://chat.internal' };

    expect((await ask(port, '/v1/chat/completions', { headers, body: '{}' })).status).toBe(200);
  });

  test('hosts and origins of the configuration may have capitals, a port and a slash', async () => {
    const upstream = await startUpstream(() => json('{}'));
    const settings = {
      allowedHosts: ['LLM.Internal:443'],
      allowedOrigins: ['https://Chat.Internal:443/', 'chrome-extension://abc/'],
    };
    const { port } = await startTestGateway(upstream.origin, settings);
    const statusWith = async (origin: string) =>
      (await ask(port, '/v1/models', { method: 'GET', headers: { host: 'llm.internal', origin } }))
        .status;

    expect(await statusWith('https://chat.internal')).toBe(200);
    expect(await statusWith('chrome-extension://abc')).toBe(200);
    expect(await statusWith('https://chat.internal:444')).toBe(403);
  });

  test('a page of an allowed origin may send requests with a token, and reads the answers', async () => {
    const upstream = await startUpstream(() => json('{}'));
    const settings = { allowedOrigins: ['https://chat.internal'], tokenFrom: 'TOKEN' };
    const { port } = await startTestGateway(upstream.origin, settings);
    const preflight = (origin: string) =>
      ask(port, '/v1/chat/completions', {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type',
        },
      });
    const allowed = await preflight('https://chat.internal');
    const headers = { origin: 'https://chat.internal', authorization: 'Bearer tok' };
    const answers = [
      await ask(port, '/v1/chat/completions', { body: '{}', headers }),
      await ask(port, '/stats', { method: 'GET', headers }),
      await ask(port, '/v1/chat/completions', { body: '{}', headers: { origin: headers.origin } }),
    ];

    expect(allowed.status).toBe(204);
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': 'https://chat.internal',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'authorization,content-type',
    });
    expect((await preflight('https://evil.example')).status).toBe(403);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401]);
    for (const answer of answers)
      expect(answer.headers['access-control-allow-origin']).toBe('https://chat.internal');
    expect(upstream.received).toHaveLength(1);
  });

  test('headers of the upstream about other origins win', async () => {
    const allow = { 'access-control-allow-origin': '*' };
    const upstream = await startUpstream(() => ({ ...json('{}'), headers: allow }));
    const { port } = await startTestGateway(upstream.origin);
    const headers = { origin: 'http://localhost:3000' };
    const answer = await ask(port, '/v1/models', { method: 'GET', headers });

    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });

  test('the token is needed, and is not passed on', async () => {
    const upstream = await startUpstream(() => json('{}'));
    const { port } = await startTestGateway(upstream.origin, { tokenFrom: 'TOKEN' });
    const basic = `Basic ${Buffer.from('me:tok').toString('base64')}`;
    const statusWith = async (headers: Readonly<Record<string, string>>) =>
      (await ask(port, '/v1/chat/completions', { headers, body: '{}' })).status;

    expect(await statusWith({})).toBe(401);
    expect(await statusWith({ authorization: 'Bearer no' })).toBe(401);
    expect(await statusWith({ authorization: 'Bearer tok' })).toBe(200);
    expect(await statusWith({ 'x-api-key': 'tok' })).toBe(200);
    expect(await statusWith({ 'x-toolmend-token': 'tok', authorization: 'Bearer sk' })).toBe(200);
    expect(await statusWith({ authorization: basic })).toBe(200);
    expect(upstream.received.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      undefined,
      'Bearer sk',
      undefined,
    ]);
    expect(JSON.stringify(upstream.received)).not.toContain('tok"');
  });

  test('a redirect is passed on, not followed', async () => {
    const other = await startUpstream(() => json('{"from":"other"}'));
    const upstream = await startUpstream(() => ({
      status: 307,
      headers: { location: `${other.origin}/v1` },
      chunks: [],
    }));
    const { port } = await startTestGateway(upstream.origin);
    const { status, headers } = await ask(port, '/v1/chat/completions', { body: '{}' });

    expect([status, headers.location]).toEqual([307, `${other.origin}/v1`]);
    expect(other.received).toEqual([]);
  });

  test('a request can’t name another server', async () => {
    const upstream = await startUpstream(() => json('{}'));
    const { port } = await startTestGateway(upstream.origin);
    const absolute = await ask(port, 'http://example.com/v1/models', { method: 'GET' });
    await ask(port, '//example.com/v1/models', { method: 'GET' });

    expect(absolute.status).toBe(400);
    expect(upstream.received.map(({ path }) => path)).toEqual(['//example.com/v1/models']);
  });
});

describe('upstreams', () => {
  test('models go to the upstream that names them, with its key', async () => {
    const [qwen, rest] = await Promise.all([
      startUpstream(() => json('{}')),
      startUpstream(() => json('{}')),
    ]);
    const upstreams = [
      { url: `${rest.origin}/api/v3` },
      { url: `${qwen.origin}/v1`, models: ['qwen*', 'glm-4.5'], keyFrom: 'KEY' },
    ];
    const { port } = await startTestGateway('', { upstreams });
    for (const model of ['qwen3:8b', 'gpt-4o', 'glm-4.5', 'glm-4x5'])
      await ask(port, '/v1/chat/completions', {
        body: JSON.stringify({ model }),
        headers: { authorization: 'Bearer mine' },
      });
    await ask(port, '/v1/messages', {
      body: '{"model":"qwen3"}',
      headers: { 'x-api-key': 'mine' },
    });

    expect(qwen.received.map(({ text }) => JSON.parse(text).model)).toEqual([
      'qwen3:8b',
      'glm-4.5',
      'qwen3',
    ]);
    expect(
      qwen.received.map(({ headers }) => headers.authorization ?? headers['x-api-key']),
    ).toEqual(['Bearer sk-up', 'Bearer sk-up', 'sk-up']);
    expect(rest.received.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/api/v3/chat/completions', 'Bearer mine'],
      ['/api/v3/chat/completions', 'Bearer mine'],
    ]);
  });

  test.each([
    ['http://h/v1', '/v1/chat/completions', '/v1/chat/completions', '/v1'],
    ['http://h/v1/', '/api/chat', '/api/chat', '/v1'],
    ['http://h/api/v1', '/v1/models?x=1', '/api/v1/models?x=1', '/v1'],
    ['http://h', '/v1/messages', '/v1/messages', ''],
    ['http://h/anthropic', '/v1/messages', '/anthropic/v1/messages', ''],
    ['http://h/v1beta/openai', '/chat/completions', '/v1beta/openai/chat/completions', ''],
  ])('%s and %s', (url, path, expected, base) => {
    expect(upstreamPath(new URL(url), path)).toBe(expected);
    expect(clientPath(new URL(url))).toBe(base);
  });
});

describe('configuration', () => {
  test('a file with every setting is read', () => {
    const text =
      '{"gateway":{"upstreams":[{"url":"http://h/v1","models":["a"]}],"port":4141,"hints":true},"mcp":{}}';

    expect(settingsIn(text)).toEqual({
      upstreams: [{ url: 'http://h/v1', models: ['a'] }],
      port: 4141,
      hints: true,
    });
  });

  test.each([
    ['{"gateway":{"upstream":[]}}', 'has no option "gateway.upstream": write upstreams'],
    [
      '{"gateway":{"upstreams":[{"ulr":"http://h"}]}}',
      'has no option "gateway.upstreams[0].ulr": write url',
    ],
    [
      '{"gateway":{"upstreams":[{"url":"h/v1"}]}}',
      'write a URL that begins with http:// or https://',
    ],
    ['{"gateway":{"port":"80"}}', 'has "80" for gateway.port: write a number from 0 to 65535'],
    ['{"gatway":{}}', 'has no option "gatway": write gateway'],
    ['{', 'is not JSON'],
  ])('%s', (text, message) => {
    expect(() => settingsIn(text)).toThrow(DefinitionError);
    expect(() => settingsIn(text)).toThrow(message);
  });

  test.each([
    [{}, 'has no upstream'],
    [{ upstreams: [{ url: 'http://h' }], host: '0.0.0.0' }, 'without a token'],
    [{ upstreams: [{ url: 'http://h', keyFrom: 'NONE' }] }, 'reads a key from NONE'],
    [
      { upstreams: [{ url: 'http://h' }], logContents: true },
      'has logContents without a log: set log',
    ],
    [{ upstreams: [{ url: 'http://h' }, { url: 'http://i' }] }, 'has two upstreams without models'],
    [
      {
        upstreams: [
          { url: 'http://h', models: ['a', 'b'] },
          { url: 'http://i', models: ['b'] },
        ],
      },
      'has the model "b" in two upstreams',
    ],
    [{ allowedHosts: ['https://gateway.example'] }, 'write a name without a scheme'],
    [{ allowedOrigins: ['chat.example'] }, 'write a scheme and a name'],
    [{ allowedOrigins: ['https://chat.example/page'] }, 'write a scheme and a name'],
    [{ allowedOrigins: ['*'] }, 'write a scheme and a name'],
    [
      { upstreams: [{ url: 'http://h/v1?key=s3cret' }] },
      'upstreams[0].url has a query: write the base',
    ],
  ])('%j', (settings, message) => {
    expect(() => gatewayOptions(checkedSettings('test', settings), {})).toThrow(message);
  });
});

test.each([
  'http://me:s3cret@h/v1',
  'h//me:s3cret@h',
  'ftp://me:s3cret@h',
  'http://h/v1?key=s3cret',
])('a refused URL is not printed: %s', (url) => {
  const messageOf = (): string => {
    try {
      checkedSettings('test', { upstreams: [{ url }] });
      return '';
    } catch (error) {
      return String(error);
    }
  };

  expect(messageOf()).toContain('upstreams[0].url');
  expect(messageOf()).not.toContain('s3cret');
});

describe('a call that can’t be repaired', () => {
  const wrong = '{"limit":"many"}';
  const right = '{"paths":"a"}';

  test('becomes an error with onInvalid reject', async () => {
    const upstream = await startUpstream((_received, index) =>
      index === 0 ? json(chatAnswer(wrong)) : { chunks: chatStream(wrong, 'Hm. ') },
    );
    const { port } = await startTestGateway(upstream.origin, { onInvalid: 'reject' });
    const whole = await ask(port, '/v1/chat/completions', { body: offering() });
    const streamed = await ask(port, '/v1/chat/completions', { body: offering({ stream: true }) });

    expect(whole.status).toBe(422);
    expect(JSON.parse(whole.bytes.toString())).toMatchObject({
      error: { code: 'invalid_tool_call' },
    });
    expect(whole.bytes.toString()).toContain('paths');
    const [text = '', error = ''] = streamed.bytes.toString().split('data: {"error"');
    expect(text).toBe(chatStream(wrong, 'Hm. ')[0]);
    expect(error).toContain('invalid_tool_call');
  });

  test('is asked for again, unseen by the client', async () => {
    const upstream = await startUpstream((_received, index) =>
      json(chatAnswer(index < 2 ? wrong : right)),
    );
    const record = new KeptRecord({ writeLine: undefined, contents: false });
    const { port } = await startTestGateway(upstream.origin, { retries: 3 }, record);
    const { bytes } = await ask(port, '/v1/chat/completions', { body: offering() });
    await record.added;

    expect(bytes.toString()).toBe(chatAnswer('{"paths":["a"]}'));
    expect(upstream.received).toHaveLength(3);
    const { messages } = JSON.parse(upstream.received[1]?.text ?? '');
    expect(messages).toMatchObject([
      { role: 'user' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'call_1', function: { name: 'read_files', arguments: wrong } }],
      },
      {
        role: 'tool',
        tool_call_id: 'call_1',
        content: expect.stringContaining('read_files was not executed.'),
      },
    ]);
    expect(record.ends).toMatchObject([
      { retries: 2, calls: [{}, {}, { verdict: { kind: 'repaired' } }] },
    ]);
  });

  test('is passed on as sent after the last retry', async () => {
    const upstream = await startUpstream(() => json(chatAnswer(wrong)));
    const { port } = await startTestGateway(upstream.origin, { retries: 1 });
    const { bytes } = await ask(port, '/v1/chat/completions', { body: offering() });

    expect(bytes.toString()).toBe(chatAnswer(wrong));
    expect(upstream.received).toHaveLength(2);
  });

  test('is asked for again in a stream, whose text goes on', async () => {
    const upstream = await startUpstream((_received, index) => ({
      chunks: chatStream(index === 0 ? wrong : right, index === 0 ? 'One. ' : 'Two. '),
    }));
    const { port } = await startTestGateway(upstream.origin, { retries: 1 });
    const { bytes } = await ask(port, '/v1/chat/completions', { body: offering({ stream: true }) });

    expect(bytes.toString()).toBe(
      [chatStream(wrong, 'One. ')[0], ...chatStream('{"paths":["a"]}', 'Two. ')].join(''),
    );
  });

  test('is asked for again in a stream of Messages, whose blocks are numbered on', async () => {
    const upstream = await startUpstream((_received, index) => ({
      chunks: messageAnswer(index === 0 ? wrong : right),
    }));
    const { port } = await startTestGateway(upstream.origin, { retries: 1 });
    const body = JSON.stringify({
      model: 'm',
      stream: true,
      messages: [{ role: 'user', content: 'Go.' }],
      tools: [
        {
          name: 'read_files',
          input_schema: {
            type: 'object',
            properties: { paths: { type: 'array', items: { type: 'string' } } },
            required: ['paths'],
          },
        },
      ],
    });
    const { bytes } = await ask(port, '/v1/messages', { body });
    const events = bytes
      .toString()
      .split('\n')
      .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));

    expect(
      events.map(({ type, index }) => (index === undefined ? type : `${type} ${index}`)),
    ).toEqual([
      'message_start',
      'content_block_start 0',
      'content_block_delta 0',
      'content_block_stop 0',
      'content_block_start 1',
      'content_block_delta 1',
      'content_block_stop 1',
      'content_block_start 2',
      'content_block_delta 2',
      'content_block_stop 2',
      'message_delta',
      'message_stop',
    ]);
    expect(events[8].delta.partial_json).toBe('{"paths":["a"]}');
  });
});

test('hints and schemas of a provider are added to tools if asked for', async () => {
  const upstream = await startUpstream(() => json(chatAnswer('{"paths":["a"],"limit":null}')));
  const { port } = await startTestGateway(upstream.origin, { hints: true, schemasFor: 'openai' });
  await ask(port, '/v1/chat/completions', { body: offering() });
  const [{ function: tool }] = JSON.parse(upstream.received[0]?.text ?? '').tools;

  expect(tool.description).toBe('paths is a JSON array of strings.');
  expect(tool.parameters.required).toEqual(['paths']);
});

test('arguments as the provider’s schema asks for them are not a mistake of the model', async () => {
  const sent = ['{"paths":["a"],"limit":null}', '{"paths":"a","limit":null}'];
  const upstream = await startUpstream((_received, index) => json(chatAnswer(sent[index] ?? '')));
  const record = new KeptRecord({ writeLine: undefined, contents: false });
  const { port } = await startTestGateway(upstream.origin, { schemasFor: 'openai-strict' }, record);
  const request = JSON.parse(offering());
  request.tools[0].function.parameters.additionalProperties = false;
  const body = JSON.stringify(request);
  const first = await ask(port, '/v1/chat/completions', { body });
  const second = await ask(port, '/v1/chat/completions', { body });
  while (record.ends.length < 2) await new Promise((resolve) => setImmediate(resolve));

  for (const { bytes } of [first, second])
    expect(bytes.toString()).toBe(chatAnswer('{"paths":["a"]}'));
  expect(record.stats().models[0]).toMatchObject({
    savedTurns: 1,
    tools: [{ statuses: { unchanged: 1, repaired: 1 } }],
  });
});
