// Streams whose blocks or items share an index, or have none: each call is collected.
import { MessageCollector } from 'toolmend/anthropic';
import { ConverseCollector } from 'toolmend/bedrock';
import { ResponseCollector } from 'toolmend/openai';

interface Collected {
  readonly calls: readonly { readonly id: string; readonly arguments: unknown }[];
}

const a = '{"paths":["a"]}';
const b = '{"paths":["b"]}';
const half = a.length / 2;

const indexed = (key: string, index: number | undefined): object =>
  index === undefined ? {} : { [key]: index };

function messageEvents(id: string, text: string, index: number | undefined): readonly object[] {
  const at = indexed('index', index);
  const delta = (partial_json: string): object => ({
    type: 'content_block_delta',
    ...at,
    delta: { type: 'input_json_delta', partial_json },
  });
  return [
    {
      type: 'content_block_start',
      ...at,
      content_block: { type: 'tool_use', id, name: 'read', input: {} },
    },
    delta(text.slice(0, half)),
    delta(text.slice(half)),
    { type: 'content_block_stop', ...at },
  ];
}

function converseEvents(id: string, text: string, index: number | undefined): readonly object[] {
  const at = indexed('contentBlockIndex', index);
  const delta = (input: string): object => ({
    contentBlockDelta: { ...at, delta: { toolUse: { input } } },
  });
  return [
    { contentBlockStart: { ...at, start: { toolUse: { toolUseId: id, name: 'read' } } } },
    delta(text.slice(0, half)),
    delta(text.slice(half)),
    { contentBlockStop: at },
  ];
}

function responseEvents(id: string, text: string, index: number | undefined): readonly object[] {
  const at = indexed('output_index', index);
  const item = { type: 'function_call', id: `fc_${id}`, call_id: id, name: 'read' };
  const delta = (piece: string): object => ({
    type: 'response.function_call_arguments.delta',
    ...at,
    item_id: item.id,
    delta: piece,
  });
  return [
    { type: 'response.output_item.added', ...at, item: { ...item, arguments: '' } },
    delta(text.slice(0, half)),
    delta(text.slice(half)),
    { type: 'response.output_item.done', ...at, item: { ...item, arguments: text } },
  ];
}

// eslint-disable-next-line typescript/no-explicit-any -- servers send what they like
type Sent = any;

const collect = (add: (event: Sent) => unknown, events: readonly object[]): void => {
  for (const event of events) add(JSON.parse(JSON.stringify(event)));
};

const apis = [
  {
    name: 'Messages',
    eventsOf: messageEvents,
    end: { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    begin: () => new MessageCollector(),
  },
  {
    name: 'Converse',
    eventsOf: converseEvents,
    end: { messageStop: { stopReason: 'tool_use' } },
    begin: () => new ConverseCollector(),
  },
  {
    name: 'Responses',
    eventsOf: responseEvents,
    end: { type: 'response.completed', response: { status: 'completed' } },
    begin: () => new ResponseCollector(),
  },
];

const callsOf = ({ calls }: Collected): readonly string[] =>
  calls.map(
    ({ id, arguments: sent }) => `${id} ${typeof sent === 'string' ? sent : JSON.stringify(sent)}`,
  );

describe.each(apis)('$name', ({ eventsOf, end, begin }) => {
  const collected = (events: readonly object[]): readonly string[] => {
    const collector = begin();
    collect((event) => collector.add(event), [...events, end]);
    return callsOf(collector.end());
  };

  test.each<[string, number | undefined, number | undefined]>([
    ['indexes of their own', 0, 1],
    ['one index', 0, 0],
    ['no index', undefined, undefined],
  ])('calls with %s', (_title, first, second) => {
    const events = [...eventsOf('x', a, first), ...eventsOf('y', b, second)];

    expect(collected(events)).toEqual([`x ${a}`, `y ${b}`]);
  });

  test('calls that begin in another order than that of their indexes', () => {
    expect(collected([...eventsOf('y', b, 1), ...eventsOf('x', a, 0)])).toEqual([
      `x ${a}`,
      `y ${b}`,
    ]);
  });

  test('a call with the index of another one that follows it', () => {
    const events = [...eventsOf('x', a, 0), ...eventsOf('y', b, 0), ...eventsOf('z', a, 1)];

    expect(collected(events)).toEqual([`x ${a}`, `y ${b}`, `z ${a}`]);
  });
});

test('Converse: text and reasoning with the index of a call', () => {
  const collector = new ConverseCollector();
  const delta = (said: object): object => ({
    contentBlockDelta: { contentBlockIndex: 0, delta: said },
  });
  collect(
    (event) => collector.add(event),
    [
      delta({ reasoningContent: { text: 'Hm.' } }),
      delta({ text: 'So. ' }),
      ...converseEvents('x', a, 0),
      delta({ text: 'Done.' }),
      { messageStop: { stopReason: 'tool_use' } },
    ],
  );
  const { content } = collector.end();

  expect(content).toEqual([
    { reasoningContent: { reasoningText: { text: 'Hm.' } } },
    { text: 'So. ' },
    { toolUse: { toolUseId: 'x', name: 'read', input: { paths: ['a'] } } },
    { text: 'Done.' },
  ]);
});

test.each([
  ['one index', 0],
  ['no index', undefined],
])('Responses: items without an event that begins them, with %s', (_title, index) => {
  const collector = new ResponseCollector();
  const events = [
    ...responseEvents('x', a, index).slice(-1),
    ...responseEvents('y', b, index).slice(-1),
    { type: 'response.completed' },
  ];
  collect((event) => collector.add(event), events);

  expect(callsOf(collector.end())).toEqual([`x ${a}`, `y ${b}`]);
});
