// Streams of Messages and Responses whose blocks or items share an index, or have none.
import { offering } from './chat-answers.ts';
import { KeptRecord, ask, startTestGateway, startUpstream } from './scripted-upstream.ts';

// eslint-disable-next-line typescript/no-explicit-any -- only tests read what a program sends
type Sent = any;

interface Event {
  readonly type: string;
  readonly [member: string]: unknown;
}

const [tool]: readonly Sent[] = JSON.parse(offering()).tools;
const bodies: Readonly<Record<string, object>> = {
  '/v1/responses': { input: 'Go.', tools: [{ type: 'function', ...tool.function }] },
  '/v1/messages': {
    messages: [],
    tools: [{ name: 'read_files', input_schema: tool.function.parameters }],
  },
};

async function passed(path: string, events: readonly Event[], settings: object = {}) {
  const chunks = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  const upstream = await startUpstream(() => ({ chunks }));
  const record = new KeptRecord({ writeLine: undefined, contents: false });
  const { port } = await startTestGateway(upstream.origin, settings, record);
  const body = JSON.stringify({ model: 'm', stream: true, ...bodies[path] });
  const { bytes } = await ask(port, path, { body });
  await record.added;
  const text = bytes.toString();
  const sent: readonly Sent[] = text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));
  const [counts] = record.stats().models.flatMap(({ tools }) => tools);
  return { isSame: text === chunks.join(''), sent, counts };
}

const a = '{"paths":["a"]}';
const b = '{"paths":["b"]}';

describe('Messages', () => {
  const at = (index: number | undefined): object => (index === undefined ? {} : { index });
  const text = (index: number | undefined, said: string): readonly Event[] => [
    { type: 'content_block_start', ...at(index), content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', ...at(index), delta: { type: 'text_delta', text: said } },
    { type: 'content_block_stop', ...at(index) },
  ];
  const begun = (index: number | undefined, id: string, input: string): readonly Event[] => [
    {
      type: 'content_block_start',
      ...at(index),
      content_block: { type: 'tool_use', id, name: 'read_files', input: {} },
    },
    ...(input.match(/[^]{1,6}/g) ?? []).map((partial_json) => ({
      type: 'content_block_delta',
      ...at(index),
      delta: { type: 'input_json_delta', partial_json },
    })),
  ];
  const use = (index: number | undefined, id: string, input: string): readonly Event[] => [
    ...begun(index, id, input),
    { type: 'content_block_stop', ...at(index) },
  ];
  const end: readonly Event[] = [
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ];

  /** What a client collects that adds a block for each start, and parts to the block at an index. */
  const blocksOf = (events: readonly Sent[]): readonly string[] => {
    const blocks: { readonly head: string; said: string }[] = [];
    for (const { type, index, content_block: block, delta } of events) {
      if (type === 'content_block_start') blocks.push({ head: block.id ?? block.type, said: '' });
      if (type !== 'content_block_delta') continue;
      const found = blocks[index];
      if (found === undefined) throw new Error(`no block has the index ${String(index)}`);
      found.said += delta.partial_json ?? delta.text;
    }
    return blocks.map(({ head, said }) => `${head} ${said}`);
  };

  test.each<[string, readonly Event[], readonly string[], number]>([
    ['of one index', [...use(0, 'x', a), ...use(0, 'y', b)], [`x ${a}`, `y ${b}`], 1],
    [
      'without an index',
      [...text(undefined, 'So.'), ...use(undefined, 'x', a), ...use(undefined, 'y', b)],
      ['text So.', `x ${a}`, `y ${b}`],
      2,
    ],
    [
      'of one index, without an end',
      [...begun(0, 'x', a), ...begun(0, 'y', b)],
      [`x ${a}`, `y ${b}`],
      1,
    ],
    [
      'with the index of the text',
      [...text(0, 'So.'), ...use(0, 'x', a), ...use(1, 'y', b)],
      ['text So.', `x ${a}`, `y ${b}`],
      2,
    ],
  ])('a client gets the blocks %s', async (_title, events, blocks, separated) => {
    const { sent, counts } = await passed('/v1/messages', [...events, ...end]);

    expect(blocksOf(sent)).toEqual(blocks);
    expect(counts?.rules).toEqual({ separate_calls: separated });
  });

  test('calls are repaired too', async () => {
    const events = [...use(0, 'x', '{"paths":"a"}'), ...use(0, 'y', '{"paths":"b"}'), ...end];
    const { sent, counts } = await passed('/v1/messages', events);

    expect(blocksOf(sent)).toEqual([`x ${a}`, `y ${b}`]);
    expect(counts).toMatchObject({
      statuses: { repaired: 2 },
      rules: { wrap_in_array: 2, separate_calls: 1 },
    });
  });

  test('a stream that has an index for each block passes as it came', async () => {
    const events = [...text(1, 'So.'), ...use(3, 'x', a), ...use(2, 'y', b), ...end];

    expect((await passed('/v1/messages', events)).isSame).toBe(true);
  });
});

describe('Responses', () => {
  interface Item {
    readonly index: number | undefined;
    readonly id: string;
    readonly text: string;
  }
  const at = ({ index }: Item): object => (index === undefined ? {} : { output_index: index });
  const itemOf = ({ id, text }: Item): object => ({
    id: `fc_${id}`,
    type: 'function_call',
    call_id: id,
    name: 'read_files',
    arguments: text,
    status: 'completed',
  });
  const begun = (call: Item): Event => ({
    type: 'response.output_item.added',
    ...at(call),
    item: { ...itemOf(call), arguments: '' },
  });
  const pieces = (call: Item): readonly Event[] =>
    (call.text.match(/[^]{1,6}/g) ?? []).map((delta) => ({
      type: 'response.function_call_arguments.delta',
      ...at(call),
      item_id: `fc_${call.id}`,
      delta,
    }));
  const done = (call: Item): readonly Event[] => [
    {
      type: 'response.function_call_arguments.done',
      ...at(call),
      item_id: `fc_${call.id}`,
      arguments: call.text,
    },
    { type: 'response.output_item.done', ...at(call), item: itemOf(call) },
  ];
  const whole = (call: Item): readonly Event[] => [begun(call), ...pieces(call), ...done(call)];
  const endOf = (...calls: readonly Item[]): Event => ({
    type: 'response.completed',
    response: { id: 'r', status: 'completed', output: calls.map(itemOf) },
  });

  /** What a client collects that keeps items by their index: by the pieces, and by the ends. */
  const itemsOf = (events: readonly Sent[]): readonly string[] => {
    const items = new Map<number, { id: string; text: string; end: string }>();
    for (const { type, output_index: index, item, delta } of events) {
      if (type === 'response.output_item.added')
        items.set(index, { id: item.call_id, text: '', end: '' });
      const found = items.get(index);
      if (type === 'response.function_call_arguments.delta' && found) found.text += delta;
      if (type === 'response.output_item.done' && found) found.end = item.arguments;
    }
    return [...items].map(([index, { id, text, end }]) => `${index} ${id} ${text} ${end}`);
  };

  const call = (index: number | undefined, id: string, text: string): Item => ({ index, id, text });
  const both: readonly string[] = [`0 x ${a} ${a}`, `1 y ${b} ${b}`];

  test.each<[string, readonly Event[]]>([
    ['of one index', [call(0, 'x', a), call(0, 'y', b)].flatMap(whole)],
    ['without an index', [call(undefined, 'x', a), call(undefined, 'y', b)].flatMap(whole)],
    [
      'of one index, whose events are mixed',
      [
        begun(call(0, 'x', a)),
        begun(call(0, 'y', b)),
        ...pieces(call(0, 'y', b)),
        ...pieces(call(0, 'x', a)),
        ...done(call(0, 'x', a)),
        ...done(call(0, 'y', b)),
      ],
    ],
  ])('a client gets the items %s', async (_title, events) => {
    const end = endOf(call(0, 'x', a), call(1, 'y', b));
    const { sent, counts } = await passed('/v1/responses', [...events, end]);

    expect(itemsOf(sent)).toEqual(both);
    expect(counts?.rules['separate_calls']).toBeGreaterThan(0);
  });

  test('calls are repaired too', async () => {
    const calls = [call(0, 'x', '{"paths":"a"}'), call(0, 'y', '{"paths":"b"}')];
    const { sent, counts } = await passed('/v1/responses', [
      ...calls.flatMap(whole),
      endOf(...calls),
    ]);

    expect(itemsOf(sent)).toEqual(both);
    expect(sent.at(-1).response.output.map((item: Sent) => item.arguments)).toEqual([a, b]);
    expect(counts).toMatchObject({ statuses: { repaired: 2 }, rules: { separate_calls: 1 } });
  });

  test('the model is asked again with both', async () => {
    const calls = [call(0, 'x', a), call(0, 'y', '{"limit":1}')];
    const events = [...calls.flatMap(whole), endOf(...calls)];
    const chunks = events.map(
      (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
    );
    const upstream = await startUpstream(() => ({ chunks }));
    const { port } = await startTestGateway(upstream.origin, { retries: 1 });
    const body = JSON.stringify({ model: 'm', stream: true, ...bodies['/v1/responses'] });
    await ask(port, '/v1/responses', { body });
    const { input } = JSON.parse(upstream.received[1]?.text ?? '{}');

    expect(input.map((item: Sent) => `${item.type} ${item.call_id}`).slice(1)).toEqual([
      'function_call x',
      'function_call y',
      'function_call_output x',
      'function_call_output y',
    ]);
  });

  test.each<[string, readonly Event[]]>([
    ['an index for each item', [call(1, 'x', a), call(0, 'y', b)].flatMap(whole)],
    [
      'another id in each event of an item',
      [
        begun(call(0, 'x', a)),
        ...pieces(call(0, 'p', a)),
        ...done(call(0, 'z', a)),
        ...whole(call(1, 'y', b)),
      ],
    ],
  ])('a stream that has %s passes as it came', async (_title, events) => {
    expect((await passed('/v1/responses', events)).isSame).toBe(true);
  });
});
