// Are the parts of a streamed answer put together as they were meant, and is what broke off never taken for a call?
import { fc } from '../seeded-fast-check.ts';
import {
  DefinitionError,
  defineTool,
  interpretArguments,
  type ToolCall,
  ToolCallCollector,
  type ToolCallDelta,
  ToolmendError,
  ToolRegistry,
} from 'toolmend';
import { closedOf, objectOf, text, whole } from '../repair/sample-schemas.ts';

const collected = (deltas: readonly ToolCallDelta[], finishReason: string | null = 'tool_calls') => {
  const collector = new ToolCallCollector({ model: 'qwen3' });
  for (const delta of deltas) collector.add(delta);
  return collector.end(finishReason);
};

const short = (calls: readonly ToolCall[]): unknown =>
  calls.map(({ id, name, arguments: sent }) => [id, name, sent]);
const bytesOf = (written: string): Uint8Array => new TextEncoder().encode(written);

describe('one call', () => {
  test('the first part names it, the others have its index alone', () => {
    expect(
      collected([
        { index: 0, id: 'a', name: 'read_file', arguments: '' },
        { index: 0, arguments: '{"pa' },
        { index: 0, id: null, name: null, arguments: 'th": "x"}' },
        { index: 0, id: '', name: '' },
      ]),
    ).toEqual([
      { id: 'a', name: 'read_file', arguments: '{"path": "x"}', model: 'qwen3', finishReason: 'tool_calls' },
    ]);
  });

  test('its index need not be 0', () => {
    const deltas = [
      { index: 1, id: 'a', name: 'f', arguments: {} },
      { index: 1, arguments: '{"a":' },
      { index: 1, arguments: ' 1}' },
    ];
    expect(short(collected(deltas))).toEqual([['a', 'f', '{"a": 1}']]);
  });

  test.each<[string, readonly string[], string]>([
    ['in parts', ['read', '_file'], 'read_file'],
    ['again with every part', ['read_file', 'read_file', 'read_file'], 'read_file'],
  ])('its name comes %s', (_title, names, name) => {
    const deltas = names.map((part) => ({ index: 0, id: 'a', name: part, arguments: '' }));
    expect(short(collected([...deltas, { index: 0, arguments: '{}' }]))).toEqual([['a', name, '{}']]);
  });

  test('the id changes with every part', () => {
    const deltas = [
      { index: 0, id: 'a', name: 'f', arguments: '{' },
      { index: 0, id: 'b', arguments: '}' },
    ];
    expect(short(collected(deltas))).toEqual([['a', 'f', '{}']]);
  });

  test('neither index nor id: the last call goes on', () => {
    const deltas = [
      { name: 'f', arguments: '{"a"' },
      { name: 'f', arguments: ': 1}' },
    ];
    expect(collected(deltas)).toMatchObject([
      { id: expect.stringMatching(/^[a-z\d]{9}$/), name: 'f', arguments: '{"a": 1}' },
    ]);
  });

  test.each<[string, unknown]>([
    ['an object', { a: 1 }],
    ['null in it', { a: null }],
    ['a list, which no tool takes', [1]],
    ['an empty list', []],
    ['a number', 5],
  ])('a value that came whole stays that: %s', (_title, sent) => {
    expect(collected([{ id: 'a', name: 'f', arguments: sent }])[0]?.arguments).toBe(sent);
  });

  test.each<[string, readonly ToolCallDelta[], readonly (readonly [string, string])[]]>([
    [
      'null and empty text are no arguments',
      [
        { id: 'a', name: 'f', arguments: null },
        { id: 'a', arguments: '' },
        { id: 'a', arguments: '{}' },
      ],
      [['f', '{}']],
    ],
    [
      'a character that is cut in two is one again',
      [
        { id: 'a', name: 'f', arguments: '{"a": "\ud83d' },
        { id: 'a', arguments: '\ude00"}' },
      ],
      [['f', '{"a": "\u{1f600}"}']],
    ],
    [
      'blanks behind whole arguments are theirs where no name comes with them',
      [{ name: 'f', arguments: '{}' }, { arguments: '\n' }],
      [['f', '{}\n']],
    ],
    ['a name may come behind its arguments', [{ arguments: '{}' }, { name: 'f' }], [['f', '{}']]],
    [
      'an empty id is none',
      [
        { id: '', name: 'f', arguments: '{' },
        { id: '', arguments: '}' },
      ],
      [['f', '{}']],
    ],
    [
      'an empty id is not that of a call that has none',
      [
        { index: 0, id: 'a', name: 'f', arguments: '{"n"' },
        { index: 1, name: 'g', arguments: '{' },
        { index: 0, id: '', arguments: ': 1}' },
        { index: 1, arguments: '}' },
      ],
      [
        ['f', '{"n": 1}'],
        ['g', '{}'],
      ],
    ],
  ])('%s', (_title, deltas, calls) => {
    expect(collected(deltas).map(({ name, arguments: sent }) => [name, sent])).toEqual(calls);
  });

  test.each([undefined, null, ''])('without a reason, %j, its end is none', (reason) => {
    const [call] = new ToolCallCollector().add({ name: 'f', arguments: '{}' }).end(reason);
    expect(call).toMatchObject({ name: 'f', arguments: '{}', finishReason: 'incomplete' });
    expect(call).not.toHaveProperty('model');
  });

  test('values that contradict each other, or text beside them, are no arguments', () => {
    const schema = objectOf({ a: whole });
    for (const second of [{ a: 2 }, '{"a": 2}']) {
      const [call] = collected([
        { id: 'a', name: 'f', arguments: { a: 1 } },
        { id: 'a', arguments: second },
      ]);
      expect(call?.arguments).toEqual([{ a: 1 }, second]);
      expect(interpretArguments(schema, { value: call?.arguments }).status).toBe('rejected');
    }
  });
});

describe('several calls', () => {
  test('interleaved by index', () => {
    expect(
      short(
        collected([
          { index: 0, id: 'a', name: 'f', arguments: '{"n"' },
          { index: 1, id: 'b', name: 'g', arguments: '{"n"' },
          { index: 0, arguments: ': 1}' },
          { index: 1, arguments: ': 2}' },
        ]),
      ),
    ).toEqual([
      ['a', 'f', '{"n": 1}'],
      ['b', 'g', '{"n": 2}'],
    ]);
  });

  test('interleaved by id', () => {
    const deltas = [
      { id: 'a', name: 'f', arguments: '{"n"' },
      { id: 'b', name: 'f', arguments: '{"n"' },
      { id: 'a', arguments: ': 1}' },
      { id: 'b', arguments: ': 2}' },
    ];
    expect(short(collected(deltas))).toEqual([
      ['a', 'f', '{"n": 1}'],
      ['b', 'f', '{"n": 2}'],
    ]);
  });

  test('a server that counts every call as 0', () => {
    const deltas = [
      { index: 0, id: 'a', name: 'f', arguments: '{"n": 1}' },
      { index: 0, id: 'b', name: 'f', arguments: '{"n"' },
      { index: 0, arguments: ': 2}' },
      { index: 0, name: 'g', arguments: '{}' },
    ];
    expect(collected(deltas)).toMatchObject([
      { id: 'a', arguments: '{"n": 1}' },
      { id: 'b', arguments: '{"n": 2}' },
      { name: 'g', arguments: '{}' },
    ]);
  });

  test('one id for all, told apart by their index', () => {
    const deltas = [
      { index: 0, id: 'a', name: 'f', arguments: '{"n"' },
      { index: 1, id: 'a', name: 'f', arguments: '{"n"' },
      { index: 0, id: 'a', arguments: ': 1}' },
      { index: 1, id: 'a', arguments: ': 2}' },
    ];
    expect(short(collected(deltas))).toEqual([
      ['a', 'f', '{"n": 1}'],
      ['a', 'f', '{"n": 2}'],
    ]);
  });

  test('whole calls without index and id', () => {
    const deltas = [
      { name: 'f', arguments: {} },
      { name: 'g', arguments: '{"n": 1}' },
      { name: 'g', arguments: '{"n": 2}' },
    ];
    const calls = collected(deltas);
    expect(calls.map(({ name, arguments: sent }) => [name, sent])).toEqual([
      ['f', {}],
      ['g', '{"n": 1}'],
      ['g', '{"n": 2}'],
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
  });

  test('law: however the parts are cut and interleaved, the calls are the same', () => {
    const pieces = fc.array(fc.string({ maxLength: 4 }), { maxLength: 5 });
    fc.assert(
      fc.property(
        fc.array(pieces, { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(fc.nat()),
        (calls, choices) => {
          const waiting = calls.map((parts, index) => [
            { index, id: `id${index}`, name: 'f' },
            ...parts.map((part) => ({ index, arguments: part })),
          ]);
          const deltas: ToolCallDelta[] = waiting.map((parts) => parts.shift() ?? {});
          for (const choice of choices) {
            const open = waiting.filter((parts) => parts.length > 0);
            if (open.length === 0) break;
            deltas.push(open[choice % open.length]?.shift() ?? {});
          }
          expect(short(collected(deltas))).toEqual(
            calls.map((parts, index) => [`id${index}`, 'f', parts.join('')]),
          );
        },
      ),
    );
  });
});

describe('a last part that says nothing new begins no call', () => {
  const whole = { index: 0, id: 'a', name: 'f', arguments: '{"n": 1}' };

  test.each<[string, readonly ToolCallDelta[]]>([
    ['it is empty', [whole, {}]],
    ['it has an index of its own', [whole, { index: 1, id: '', name: null, arguments: '' }]],
    ['it has an id of its own', [whole, { id: 'b', arguments: '' }]],
    [
      'it repeats the name',
      [
        { ...whole, index: null, id: null },
        { name: 'f', arguments: '' },
      ],
    ],
    ['it repeats the name of a value', [{ name: 'f', arguments: { n: 1 } }, { name: 'f' }]],
  ])('%s', (_title, deltas) => {
    expect(collected(deltas)).toHaveLength(1);
  });

  test.each<[string, readonly ToolCallDelta[]]>([
    ['an index and a name', [whole, { index: 1, name: 'f', arguments: '' }]],
    ['an id and a name', [whole, { id: 'b', name: 'f' }]],
    ['another name', [{ name: 'f', arguments: '{}' }, { name: 'g' }]],
    [
      'the same name, and arguments later',
      [{ name: 'f', arguments: '{}' }, { name: 'f' }, { arguments: '{}' }],
    ],
  ])('a call with %s is one', (_title, deltas) => {
    expect(collected(deltas)).toHaveLength(2);
  });

  test('the only call is one, whatever it lacks', () => {
    expect(collected([{ id: 'a' }])).toHaveLength(1);
    expect(collected([{ name: 'f' }])).toHaveLength(1);
  });
});

describe('arguments that are whole, in parts that all have the name', () => {
  test.each(['{"a": "}\\""}', '"{\\"a\\": 1}"', '[{}]', 'null', ' {} ', '5'])('%s', (sent) => {
    const pieces = [...sent].map((piece) => ({ name: 'f', arguments: piece }));
    const names = sent.trim().length === 1 ? pieces : [{ name: 'f', arguments: sent }];
    const calls = collected([...names, { name: 'f', arguments: '{}' }]);
    expect(calls.map((call) => call.arguments)).toEqual([sent, '{}']);
  });

  test('cut anywhere, an object is one call', () => {
    const sent = '{"a": "}]\\"{", "b": [{}]}';
    const pieces = [...sent].map((piece) => ({ name: 'f', arguments: piece }));
    expect(short(collected(pieces))).toMatchObject([[expect.any(String), 'f', sent]]);
  });

  test('what is no JSON goes on', () => {
    const deltas = ['{}}', '{', "{'a'}"].map((piece) => ({ name: 'f', arguments: piece }));
    expect(collected(deltas)).toHaveLength(1);
  });
});

test('the time grows with the parts', () => {
  const timeOf = (parts: number): number => {
    const start = performance.now();
    const named = new ToolCallCollector();
    named.add({ name: 'f', arguments: '{"a": [' });
    for (let at = 0; at < parts; at += 1) named.add({ name: 'f', arguments: '[1], ' });
    named.end('stop');
    const numbered = new ToolCallCollector();
    for (let at = 0; at < parts; at += 1) {
      numbered.add({ id: `id${at}`, name: 'f', arguments: '{}' });
      expect(numbered.lastIndex).toBe(at);
    }
    expect(numbered.end('stop')).toHaveLength(parts);
    return performance.now() - start;
  };
  timeOf(2_000);
  expect(timeOf(40_000)).toBeLessThan(20 * Math.max(timeOf(4_000), 20));
});

test('which call a part was of, for what a server says beside it', () => {
  const collector = new ToolCallCollector();
  const places = [
    { index: 0, id: 'a', name: 'f' },
    { index: 1, id: 'b', name: 'g', arguments: '{' },
    { index: 0, arguments: '{}' },
    { index: 1, arguments: '}' },
    { index: 1, id: 'c', name: 'h', arguments: '{}' },
  ].map((delta) => collector.add(delta).lastIndex);
  expect(new ToolCallCollector().lastIndex).toBe(-1);
  expect(places).toEqual([0, 1, 0, 1, 2]);
  expect(collector.end('tool_calls').map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

describe('a part or a call that is nested as its provider sends it', () => {
  const says = (act: () => unknown): unknown => {
    try {
      return act();
    } catch (error) {
      return error instanceof DefinitionError ? error.message : error;
    }
  };

  test('a part that says nothing, or whose name comes beside an object, is none', () => {
    const signed = { index: 0, id: 'a', name: 'f', arguments: '', extra: { signature: 'x' } };
    expect(short(collected([{ index: 0 }, signed, { index: 0, function: undefined }]))).toEqual([
      ['a', 'f', ''],
    ]);
  });

  test('OpenAI: no type lets it pass, and what to pass is said', () => {
    const delta = { index: 0, id: 'a', function: { name: 'w', arguments: '{}' } };
    const isPart: typeof delta extends ToolCallDelta ? 'yes' : 'no' = 'no';
    expect(isPart).toBe('no');
    const passed: ToolCallDelta = JSON.parse(JSON.stringify(delta));
    expect(says(() => new ToolCallCollector().add(passed))).toBe(
      'ToolCallCollector.add was given a part that has its name and arguments inside "function": pass { index: ' +
        'part.index, id: part.id, ...part.function }.',
    );
  });

  test('Anthropic: an event is no part', () => {
    const event = { index: 1, type: 'content_block_delta', delta: { partial_json: '{' } };
    expect(says(() => new ToolCallCollector().add(event))).toBe(
      'ToolCallCollector.add was given a part that has its name and arguments inside "delta": pass { index, id, name, ' +
        'arguments }, read from part.delta.',
    );
  });

  test.each<[string, object | null, string]>([
    [
      'nested',
      { id: 'a', type: 'function', function: { name: 'w', arguments: '{}' } },
      'was given a call that has its name and arguments inside "function": pass { id: call.id, ...call.function }.',
    ],
    [
      'with another key for its name',
      { toolCallId: 'a', toolName: 'w' },
      'was given a call whose name is not a string: pass { id, name, arguments }.',
    ],
    [
      'with its arguments as input, as Anthropic sends them',
      { type: 'tool_use', id: 'a', name: 'w', input: {} },
      'was given a call that has its arguments as "input": pass { id: call.id, name: call.name, arguments: call.input }.',
    ],
    ['null', null, 'was given no call: pass { id, name, arguments }.'],
  ])('a call %s', async (_title, raw, message) => {
    const tools = new ToolRegistry();
    const passed: ToolCall = JSON.parse(JSON.stringify(raw));
    expect(says(() => tools.interpret(passed))).toBe(`ToolRegistry ${message}`);
    await expect(tools.call(passed)).rejects.toThrow(`ToolRegistry ${message}`);
    await expect(tools.call(passed)).rejects.toBeInstanceOf(DefinitionError);
  });
});

describe('bytes', () => {
  const schema = closedOf({ path: text }, ['path']);
  const written = '{"path": "a\u00e9\u20ac\u{1f600}b"}';
  const value = { path: 'a\u00e9\u20ac\u{1f600}b' };

  test('every way to cut them in two or three gives the same call', () => {
    const bytes = bytesOf(written);
    for (let first = 0; first <= bytes.length; first += 1) {
      for (let second = first; second <= bytes.length; second += 3) {
        const parts = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
        const [call] = collected(parts.map((part) => ({ index: 0, arguments: part })));
        expect(interpretArguments(schema, { text: String(call?.arguments) })).toMatchObject({
          status: 'unchanged',
          value,
        });
      }
    }
  });

  test('a byte order mark is no part of them, and text among them is text', () => {
    const parts = [new Uint8Array([0xef, 0xbb]), new Uint8Array([0xbf]), '{"path": ', bytesOf('"x"}')];
    const [call] = collected(parts.map((part) => ({ index: 0, arguments: part })));
    expect(interpretArguments(schema, { text: String(call?.arguments) })).toMatchObject({
      status: 'unchanged',
      value: { path: 'x' },
    });
  });

  test('the call has text, unless the bytes are none', () => {
    const half = Math.floor(written.length / 2);
    const parts = [bytesOf(written).subarray(0, half), bytesOf(written).subarray(half)];
    const [call] = collected(parts.map((part) => ({ index: 0, arguments: part })));
    expect(call?.arguments).toBe(written);
    const bad = new Uint8Array([0x7b, 0xff]);
    const [refused] = collected([{ index: 0, arguments: bad }]);
    expect(refused?.arguments).toEqual(bad);
  });

  test.each<[string, readonly number[]]>([
    ['a byte that starts nothing', [0xff]],
    ['a character that is cut by another', [0xf0, 0x9f, 0x61]],
    ['half of a pair of surrogates', [0xed, 0xa0, 0x80]],
    ['a longer form than needed', [0xc0, 0xaf]],
  ])('%s is refused, not replaced', (_title, bad) => {
    const bytes = new Uint8Array([...bytesOf('{"path": "'), ...bad, ...bytesOf('"}')]);
    expect(interpretArguments(schema, { value: bytes })).toMatchObject({
      status: 'rejected',
      issues: [{ keyword: 'invalid_utf8', path: '' }],
      message: expect.stringContaining('- The arguments are not valid UTF-8.'),
    });
  });

  test('bytes that end inside a character were cut off', () => {
    const bytes = bytesOf('{"path": "\u20ac').subarray(0, -1);
    expect(interpretArguments(schema, { value: bytes })).toMatchObject({
      issues: [{ keyword: 'truncated' }],
    });
  });

  test('too many are refused before they are read', () => {
    const bytes = new Uint8Array(13 * 1024 * 1024);
    expect(interpretArguments(schema, { value: bytes })).toMatchObject({
      issues: [{ keyword: 'too_large' }],
    });
  });
});

describe('a stream that broke off', () => {
  const tools = new ToolRegistry().register(
    defineTool({
      name: 'delete_all',
      description: 'Deletes everything, or what is named.',
      inputSchema: closedOf({ name: text, count: whole }),
      execute: () => 'deleted',
    }),
  );
  const outcomeOf = (deltas: readonly ToolCallDelta[], finishReason?: string | null) => {
    const [call] = collected([{ index: 0, id: 'a', name: 'delete_all' }, ...deltas], finishReason);
    return tools.interpret(call ?? { id: '', name: '', arguments: '' });
  };
  const cut = { status: 'invalid_arguments', interpretation: { issues: [{ keyword: 'truncated' }] } };

  test.each<[string, readonly ToolCallDelta[]]>([
    ['no arguments yet', []],
    ['empty text', [{ index: 0, arguments: '' }]],
    ['the value that a call starts with', [{ index: 0, arguments: {} }]],
    ['the text that a call starts with', [{ index: 0, arguments: '{}' }]],
    ['bytes of it', [{ index: 0, arguments: bytesOf(' {} ') }]],
  ])('%s: never a call without arguments', (_title, deltas) => {
    for (const reason of [null, '', 'length', 'max_tokens', 'incomplete', 'content_filter']) {
      expect(outcomeOf(deltas, reason)).toMatchObject(cut);
    }
    expect(outcomeOf(deltas, 'tool_calls')).toMatchObject({
      status: 'accepted',
      interpretation: { value: {} },
    });
  });

  test('at every character: rejected as cut off until the arguments are whole', () => {
    const written = '{"name": "a", "count": 12}';
    for (let length = 0; length < written.length; length += 1) {
      expect(outcomeOf([{ index: 0, arguments: written.slice(0, length) }], null)).toMatchObject(cut);
    }
    expect(outcomeOf([{ index: 0, arguments: written }], null)).toMatchObject({
      status: 'accepted',
      interpretation: { status: 'unchanged', value: { name: 'a', count: 12 } },
    });
  });

  test('calls that were whole before are calls', () => {
    const calls = collected(
      [
        { index: 0, id: 'a', name: 'delete_all', arguments: '{"name": "a"}' },
        { index: 1, id: 'b', name: 'delete_all', arguments: '{"name": "b' },
      ],
      null,
    );
    expect(calls.map((call) => tools.interpret(call).status)).toEqual(['accepted', 'invalid_arguments']);
  });
});

test('what is too large is not kept, and refused', () => {
  const collector = new ToolCallCollector();
  const piece = 'x'.repeat(1024 * 1024);
  for (let count = 0; count < 40; count += 1) collector.add({ index: 0, arguments: piece });
  const [call] = collector.end('stop');
  expect(String(call?.arguments).length).toBeLessThan(15 * 1024 * 1024);
  expect(interpretArguments(objectOf({}), { text: String(call?.arguments) })).toMatchObject({
    issues: [{ keyword: 'too_large' }],
  });
});

test('after the end nothing is added; asked again, it says the same; without parts there are no calls', () => {
  const collector = new ToolCallCollector().add({ name: 'f' });
  const calls = collector.end('stop');
  expect(collector.end('length')).toBe(calls);
  const late = (): unknown => collector.add({ name: 'g' });
  expect(late).toThrow(ToolmendError);
  expect(late).toThrow(expect.objectContaining({ code: 'stream_ended' }));
  expect(late).toThrow('add was called after end: collect each answer with a new collector.');
  expect(new ToolCallCollector().end('stop')).toEqual([]);
});
