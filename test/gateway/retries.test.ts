// A call that can't be repaired, in each API: the model is asked again, unseen by the client.
import { type Api, type GatewayCase, streamedApis, textApis, valueApis } from './exchanges.ts';
import { type ScriptedAnswer, ask, startTestGateway, startUpstream } from './scripted-upstream.ts';

const recorded = (text: string): GatewayCase => ({
  id: 'paths',
  tool: 'read_files',
  schema: {
    type: 'object',
    properties: { paths: { type: 'array', items: { type: 'string' } } },
    required: ['paths'],
  },
  text,
  finishReason: undefined,
  expect: { outcome: 'repaired' },
});

const wrong = recorded('{"limit":"many"}');
const right = recorded('{"paths":"a"}');

const apis = [...textApis, ...valueApis].map((api) => [api.name, api] as const);

async function exchange(api: Api, settings: object) {
  const upstream = await startUpstream((_received, index) => ({
    type: api.type,
    chunks: [api.answer(index === 0 ? wrong : right)],
  }));
  const { port } = await startTestGateway(upstream.origin, settings);
  const { status, bytes } = await ask(port, api.path, { body: JSON.stringify(api.request(wrong)) });
  return {
    status,
    text: bytes.toString(),
    sent: upstream.received.map(({ text }) => JSON.parse(text)),
  };
}

test.each(apis)('%s: the client gets the second call', async (_name, api) => {
  const { text, sent } = await exchange(api, { retries: 1 });

  expect(text).not.toContain('many');
  expect(JSON.parse(api.argumentsIn(text))).toEqual({ paths: ['a'] });
  expect(sent).toHaveLength(2);
  expect(JSON.stringify(sent[1])).toContain('read_files was not executed.');
  expect(JSON.stringify(sent[1])).toContain('many');
  expect(sent[1].tools).toEqual(sent[0].tools);
});

test('Responses: the input that was text is the first item, and events are numbered on', async () => {
  const api = streamedApis.find(({ name }) => name.startsWith('Responses')) ?? streamedApis[0];
  if (api === undefined) throw new Error('there is no such API');
  const { text, sent } = await exchange(api, { retries: 1 });
  const events = text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));

  expect(sent[1].input).toMatchObject([
    { role: 'user', content: 'Go on.' },
    { type: 'function_call', call_id: 'call_1', name: 'read_files', arguments: '{"limit":"many"}' },
    { type: 'function_call_output', call_id: 'call_1' },
  ]);
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(
    events.map((_event, at) => at),
  );
  expect(events.filter(({ type }) => type === 'response.created')).toHaveLength(1);
});

test.each(apis)('%s: with reject, the client gets an error', async (_name, api) => {
  const { status, text } = await exchange(api, { onInvalid: 'reject' });

  expect(text).toMatch(/"error"/);
  expect(text).toContain('read_files was not executed.');
  expect(text).not.toContain('many');
  expect(status).toBe(streamedApis.includes(api) ? 200 : 422);
});

/** Second answers that are of no use, for any API. */
const badAnswers: readonly (readonly [string, Partial<ScriptedAnswer>])[] = [
  ['a page', { type: 'text/html', chunks: ['<h1>Busy</h1>'] }],
  ['a refusal', { status: 429, chunks: ['{"error":{"message":"slow down"}}'] }],
  ['nothing', { chunks: [] }],
  ['a body that breaks off', { chunks: ['{"id":', '1'], end: 'break' }],
];

/** How each API reports an error with the status 200. */
const errorsOf = (api: Api): readonly string[] => {
  if (!streamedApis.includes(api))
    return ['{"error":{"message":"overloaded"}}', '{"error":"overloaded"}'];
  if (api.path === '/api/chat') return ['{"error":"overloaded"}\n'];
  return [
    'data: {"error":{"message":"overloaded"}}\n\n',
    'event: error\ndata: {"type":"error","error":{"message":"overloaded"}}\n\n',
    'data: {"type":"response.failed","response":{"id":"r","error":{"message":"overloaded"}}}\n\n',
  ];
};

/** An answer that ends before its end, in one event that is whole. */
const brokenOff = (api: Api): string => {
  const text = api.answer(right);
  return streamedApis.includes(api)
    ? text.slice(0, text.indexOf('\n', text.indexOf('{')) + 2)
    : text.slice(0, -9);
};

test.each(
  apis.flatMap(([name, api]) => [
    ...badAnswers.map(([what, next]) => [name, what, api, next] as const),
    ...errorsOf(api).map((text) => [name, text.trim(), api, { chunks: [text] }] as const),
    [name, 'half an answer', api, { chunks: [brokenOff(api), ' '], end: 'break' }] as const,
  ]),
)(
  '%s: if the second answer is %s, the client gets the first one',
  async (_name, _what, api, next) => {
    const first = { type: api.type, chunks: [api.answer(wrong)] };
    const upstream = await startUpstream((_received, index) =>
      index === 0 ? first : { ...first, ...next },
    );
    const { port } = await startTestGateway(upstream.origin, { retries: 1 });
    const { status, bytes } = await ask(port, api.path, {
      body: JSON.stringify(api.request(wrong)),
    });

    expect(status).toBe(200);
    expect(bytes.toString()).toBe(api.answer(wrong));
    expect(upstream.received).toHaveLength(2);
  },
);

describe('Responses, whose second answer has ids of its own', () => {
  interface Item {
    readonly id: string;
    readonly type: string;
    readonly [member: string]: unknown;
  }

  const message = (id: string, text: string): Item => ({
    type: 'message',
    id,
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  });

  const call = (id: string, text: string): Item => ({
    type: 'function_call',
    id,
    call_id: `call_${id}`,
    name: 'read_files',
    arguments: text,
    status: 'completed',
  });

  /** The events of a response with these items. */
  const streamOf = (id: string, output: readonly Item[]): readonly string[] => {
    const head = {
      id,
      object: 'response',
      created_at: 1,
      model: 'm',
      status: 'in_progress',
      output: [],
    };
    const itemEvents = output.flatMap((item, output_index): object[] => {
      const own = { output_index, item_id: item.id };
      const added = { ...item, ...(item.type === 'message' ? { content: [] } : { arguments: '' }) };
      const pieces =
        item.type === 'message'
          ? []
          : [
              { type: 'response.function_call_arguments.delta', ...own, delta: item.arguments },
              { type: 'response.function_call_arguments.done', ...own, arguments: item.arguments },
            ];
      return [
        { type: 'response.output_item.added', output_index, item: added },
        ...pieces,
        { type: 'response.output_item.done', output_index, item },
      ];
    });
    const list = [
      { type: 'response.created', response: head },
      ...itemEvents,
      { type: 'response.completed', response: { ...head, status: 'completed', output } },
    ];
    return list.map(
      (event, sequence_number) => `data: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
    );
  };

  test('events have the id of the first response, and its items come first in the output', async () => {
    const first = streamOf('resp_1', [message('msg_0', 'One.'), call('fc_1', '{"limit":"many"}')]);
    const second = streamOf('resp_2', [message('msg_0', 'Two.'), call('fc_1', '{"paths":"a"}')]);
    const upstream = await startUpstream((_received, index) => ({
      chunks: index === 0 ? first : second,
    }));
    const { port } = await startTestGateway(upstream.origin, { retries: 1 });
    const api = streamedApis.find(({ name }) => name.startsWith('Responses'));
    const { bytes } = await ask(port, '/v1/responses', {
      body: JSON.stringify(api?.request(wrong)),
    });
    const events = bytes
      .toString()
      .split('\n')
      .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));

    expect(events.flatMap(({ response }) => response?.id ?? [])).toEqual(['resp_1', 'resp_1']);
    const done = events.filter(({ type }) => type === 'response.output_item.done');
    expect(done.map(({ output_index, item }) => [output_index, item.id])).toEqual([
      [0, 'msg_0'],
      [1, 'msg_0_2'],
      [2, 'fc_1'],
    ]);
    expect(events.at(-1).response.output).toEqual(done.map(({ item }) => item));
    expect(done.at(-1).item.arguments).toBe('{"paths":["a"]}');
    expect(events.flatMap(({ item_id }) => item_id ?? [])).toEqual(['fc_1', 'fc_1']);
  });
});
