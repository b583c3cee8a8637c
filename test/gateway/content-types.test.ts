// Answers whose content type does not say how they are written.
import { gzipSync } from 'node:zlib';
import { chatAnswer, chatStream, offering } from './chat-answers.ts';
import { type Api, type GatewayCase, streamedApis, textApis, valueApis } from './exchanges.ts';
import { KeptRecord, ask, startTestGateway, startUpstream } from './scripted-upstream.ts';

const recorded: GatewayCase = {
  id: 'case',
  tool: 'read_file',
  schema: {
    type: 'object',
    properties: { path: { type: 'string' }, line: { type: 'integer' } },
    required: ['path'],
  },
  expect: { outcome: 'repaired' },
  text: '{"path":"a","line":"3"}',
  finishReason: undefined,
};
const repaired = '{"path":"a","line":3}';

type Chunks = readonly (string | Uint8Array)[];

async function passed(path: string, body: object, type: string, chunks: Chunks, more: object = {}) {
  const upstream = await startUpstream(() => ({ type, chunks, ...more }));
  const record = new KeptRecord({ writeLine: undefined, contents: false });
  const problems: string[] = [];
  const { port } = await startTestGateway(upstream.origin, {}, record, ({ what }) =>
    problems.push(what),
  );
  const { bytes, headers } = await ask(port, path, { body: JSON.stringify(body) });
  await record.added;
  return { bytes, headers, problems, exchanges: record.stats().exchanges };
}

const wantedTypes = (api: Api): readonly string[] =>
  ['text/plain', 'application/json', 'application/octet-stream', '', 'text/event-stream'].filter(
    (type) => !api.type.startsWith(type) || type === '',
  );

describe.each(streamedApis)('$name', (api) => {
  test.each(wantedTypes(api))('a stream under the content type "%s" is read', async (type) => {
    const body = { ...api.request(recorded), stream: true };
    const { bytes, headers, problems } = await passed(api.path, body, type, [api.answer(recorded)]);

    expect(api.argumentsIn(bytes.toString())).toBe(repaired);
    expect(headers['content-type'] ?? '').toBe(type);
    expect(problems).toEqual([]);
  });

  test('a stream passes as it comes, whatever its chunks', async () => {
    const valid = { ...recorded, text: repaired };
    const answer = Buffer.from(`\r\n${api.answer(valid)}`);
    const chunks = [...answer].map((byte) => Buffer.from([byte]));
    const body = { ...api.request(recorded), stream: true };
    const { bytes, exchanges } = await passed(api.path, body, 'text/plain', chunks);

    expect(bytes).toEqual(answer);
    expect(exchanges).toMatchObject([{ end: 'complete' }]);
  });
});

const wholeApis = [...textApis, ...valueApis].filter((api) => !streamedApis.includes(api));

describe.each(wholeApis)('$name', (api) => {
  test.each([
    ['text/plain', false],
    ['', false],
    ['text/plain', true],
    ['application/json', true],
  ])('JSON under the content type "%s" is read (stream: %s)', async (type, stream) => {
    const body = { ...api.request(recorded), stream };
    const answer = JSON.stringify(JSON.parse(api.answer(recorded)), null, 2);
    const { bytes, problems } = await passed(api.path, body, type, [answer]);

    expect(api.argumentsIn(JSON.stringify(JSON.parse(bytes.toString())))).toBe(repaired);
    expect(problems).toEqual([]);
  });
});

describe('an answer that is written in no known way passes as it came, and is reported', () => {
  const body = { ...JSON.parse(offering()), stream: true };
  const zipped = gzipSync(chatAnswer('{"paths":"a"}'));

  test.each<[string, string, Chunks, object, string]>([
    ['a page', 'text/html', ['<!doctype html><p>Hello</p>'], {}, 'text/html'],
    ['bytes', '', [Buffer.from([0, 255, 254, 10, 13])], {}, 'no content type'],
    ['JSON that is not an object', 'application/json', ['["data: "]'], {}, 'application/json'],
    [
      'compressed JSON',
      'application/json',
      [zipped],
      { headers: { 'content-encoding': 'gzip' } },
      'application/json, gzip',
    ],
  ])('%s', async (_title, type, chunks, more, shown) => {
    const { bytes, problems, exchanges } = await passed(
      '/v1/chat/completions',
      body,
      type,
      chunks,
      more,
    );

    expect(bytes).toEqual(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))));
    expect(problems).toEqual([
      `answered with ${shown}, neither a stream nor JSON: its calls passed unread`,
    ]);
    expect(exchanges).toEqual([{ protocol: 'chat_completions', end: 'unread', count: 1 }]);
  });

  test.each([
    ['no bytes', []],
    ['blanks', ['\n']],
  ])('but not %s', async (_title, chunks) => {
    const { bytes, problems, exchanges } = await passed(
      '/v1/chat/completions',
      body,
      'text/plain',
      chunks,
    );

    expect(bytes.toString()).toBe(chunks.join(''));
    expect(problems).toEqual([]);
    expect(exchanges).toMatchObject([{ end: 'complete' }]);
  });
});

test.each([
  ['within its first bytes', 'da'],
  ['behind its first bytes', 'data: {"choices":['],
])('an answer that breaks off %s breaks off for the client', async (_title, text) => {
  const upstream = await startUpstream(() => ({
    type: 'text/plain',
    chunks: [text],
    end: 'break',
  }));
  const { port } = await startTestGateway(upstream.origin);
  const { bytes, isBroken } = await ask(port, '/v1/chat/completions', {
    body: JSON.stringify({ ...JSON.parse(offering()), stream: true }),
  });

  expect(bytes.toString()).toBe(text);
  expect(isBroken).toBe(true);
});

test('a stream that the model sends when it is asked again may have another content type', async () => {
  const upstream = await startUpstream((_received, index) =>
    index === 0
      ? { chunks: chatStream('{"limit":1}', 'So. ') }
      : { type: 'text/plain', chunks: chatStream('{"paths":["b"]}', 'So. ') },
  );
  const { port } = await startTestGateway(upstream.origin, { retries: 1 });
  const { bytes } = await ask(port, '/v1/chat/completions', { body: offering({ stream: true }) });

  expect(bytes.toString()).toContain(JSON.stringify('{"paths":["b"]}').slice(1, -1));
  expect(bytes.toString()).not.toContain('limit');
});
