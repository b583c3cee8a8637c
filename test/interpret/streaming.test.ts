import { costOf } from '../cost.ts';
import { fc } from '../seeded-fast-check.ts';
import {
  type ToolCall,
  type ToolCallDelta,
  DefinitionError,
  ToolCallCollector,
  ToolmendError,
  ToolRegistry,
} from 'toolmend';
import { read, readValue, rejectedFor, unchanged } from '../read.ts';
import { closedOf, objectOf, text, whole } from '../schemas.ts';
import { toolOf } from '../tools.ts';

const collected = (
  deltas: readonly ToolCallDelta[],
  finishReason: string | null = 'tool_calls',
) => {
  const collector = new ToolCallCollector({ model: 'qwen3' });
  for (const delta of deltas) collector.add(delta);
  return collector.end(finishReason);
};
const partsOf = (parts: readonly ToolCallDelta['arguments'][]) =>
  collected(parts.map((part) => ({ index: 0, arguments: part })))[0]?.arguments;
const bytesOf = (written: string): Uint8Array => new TextEncoder().encode(written);

/**
 * Deltas written as `index|id|name|arguments`; an empty member is absent, and arguments after `=`
 * are JSON of a value.
 */
const deltasOf = (written: readonly string[]): readonly ToolCallDelta[] =>
  written.map((delta) => {
    const [, index, id, name, sent = ''] = /^(.*?)\|(.*?)\|(.*?)\|([^]*)$/.exec(delta) ?? [];
    return {
      ...(index ? { index: Number(index) } : {}),
      ...(id ? { id: id === "''" ? '' : id } : {}),
      ...(name ? { name } : {}),
      ...(sent ? { arguments: sent.startsWith('=') ? JSON.parse(sent.slice(1)) : sent } : {}),
    };
  });

/** Calls written as `id|name|arguments`; `*` is an id that was made. */
const shown = (calls: readonly ToolCall[]): readonly string[] =>
  calls.map(({ id, name, arguments: sent }) => {
    const shownId = /^[a-z\d]{9}$/.test(id) ? '*' : id;
    return `${shownId}|${name}|${typeof sent === 'string' ? sent : `=${JSON.stringify(sent)}`}`;
  });

test('a collected call has the id, name, model and finish reason of its answer', () => {
  const deltas = [
    { index: 0, id: 'a', name: 'read_file', arguments: '' },
    { index: 0, arguments: '{"pa' },
    { index: 0, id: null, name: null, arguments: 'th": "x"}' },
    { index: 0, id: '', name: '' },
  ];
  expect(collected(deltas)).toEqual([
    {
      id: 'a',
      name: 'read_file',
      arguments: '{"path": "x"}',
      model: 'qwen3',
      finishReason: 'tool_calls',
    },
  ]);
});

test.each<[string, readonly string[], readonly string[]]>([
  ['an index that is not 0', ['1|a|f|={}', '1|||{"a":', '1||| 1}'], ['a|f|{"a": 1}']],
  ['a name in parts', ['0|a|read|=""', '0|a|_file|=""', '0|||{}'], ['a|read_file|{}']],
  ['the name with every part', ['0|a|f|=""', '0|a|f|{}'], ['a|f|{}']],
  ['a name after its arguments', ['|||{}', '||f|'], ['*|f|{}']],
  ['an id that comes later', ['0||f|{', '0|b|f|}'], ['b|f|{}']],
  ['an id in the first part', ['0|a|f|{', '0||f|}'], ['a|f|{}']],
  ['values of one tool', ['||f|={"n":1}', '||f|={"n":2}'], ['*|f|={"n":1}', '*|f|={"n":2}']],
  ['an id behind two calls', ['0|a|f|{}', '1|b|g|{}', '|c||'], ['a|f|{}', 'b|g|{}']],
  ['an id that changes', ['0|a|f|{', '0|b||}'], ['a|f|{}']],
  ['neither index nor id', ['||f|{"a"', '||f|: 1}'], ['*|f|{"a": 1}']],
  ['an empty id', ["|''|f|{", "|''||}"], ['*|f|{}']],
  ['null and empty text', ['|a|f|=null', '|a||=""', '|a||{}'], ['a|f|{}']],
  ['a character cut in two', ['|a|f|"\ud83d', '|a||\ude00"'], ['a|f|"\u{1f600}"']],
  ['blanks after whole arguments', ['||f|{}', '|||\n'], ['*|f|{}\n']],
  [
    'interleaved by index',
    ['0|a|f|{"n"', '1|b|g|{', '0|||: 1}', '1|||}'],
    ['a|f|{"n": 1}', 'b|g|{}'],
  ],
  ['interleaved by id', ['|a|f|{"n"', '|b|f|{', '|a||: 1}', '|b||}'], ['a|f|{"n": 1}', 'b|f|{}']],
  [
    'one id for two indexes',
    ['0|a|f|{"n"', '1|a|f|{', '0|a||: 1}', '1|a||}'],
    ['a|f|{"n": 1}', 'a|f|{}'],
  ],
  [
    'an empty id beside none',
    ['0|a|f|{"n"', '1||g|{', "0|''||: 1}", '1|||}'],
    ['a|f|{"n": 1}', '*|g|{}'],
  ],
  [
    'always index 0',
    ['0|a|f|{}', '0|b|f|{"n"', '0|||: 2}', '0||g|{}'],
    ['a|f|{}', 'b|f|{"n": 2}', '*|g|{}'],
  ],
  [
    'always index 0 without an id',
    ['0||f|{"n": 1}', '0||f|{"n": 2}'],
    ['*|f|{"n": 1}', '*|f|{"n": 2}'],
  ],
  [
    'always index 0, the name first',
    ['0||f|', '0|||{}', '0||f|', '0|||{"n": 2}'],
    ['*|f|{}', '*|f|{"n": 2}'],
  ],
  [
    'always index 0, as models write objects',
    ["0||f|{'n': 1}", "0||f|{'n': 2}"],
    ["*|f|{'n': 1}", "*|f|{'n': 2}"],
  ],
  ['always one id', ['|a|f|{"n": 1}', '|a|f|{"n": 2}'], ['a|f|{"n": 1}', 'a|f|{"n": 2}']],
  ['one call twice', ['0|a|f|{}', '0|a|f|{}'], ['a|f|{}{}']],
  ['an empty object first', ['0|a|f|={}', '0|a|f|{"n": 1}'], ['a|f|{"n": 1}']],
  ['a new id with each part', ['0|a|f|{"n"', '0|b|f|: {', '0|c|f|}}'], ['a|f|{"n": {}}']],
  [
    'text behind whole arguments',
    ['0|a|f|{}', '0|a|f|', '0|||</tool_call>'],
    ['a|f|{}</tool_call>'],
  ],
  ['always index 0, as values', ['0||f|={}', '0||g|={"n":1}'], ['*|f|={}', '*|g|={"n":1}']],
  [
    'whole calls',
    ['||f|={}', '||g|{"n": 1}', '||g|{"n": 2}'],
    ['*|f|={}', '*|g|{"n": 1}', '*|g|{"n": 2}'],
  ],
])('parts are put together: %s', (_title, deltas, calls) => {
  const made = collected(deltasOf(deltas));
  expect(shown(made)).toEqual(calls);
  if (calls[0]?.startsWith('*')) expect(new Set(made.map(({ id }) => id)).size).toBe(calls.length);
});

test.each<[string, unknown]>([
  ['an object', { a: 1 }],
  ['null in it', { a: null }],
  ['an array', [1]],
  ['an empty array', []],
  ['a number', 5],
])('arguments that came as a value stay that value: %s', (_title, sent) => {
  expect(collected([{ id: 'a', name: 'f', arguments: sent }])[0]?.arguments).toBe(sent);
});

test.each([undefined, null, ''])('without a finish reason, %j, a call is incomplete', (reason) => {
  const [call] = new ToolCallCollector().add({ name: 'f', arguments: '{}' }).end(reason);
  expect(call).toMatchObject({ name: 'f', arguments: '{}', finishReason: 'incomplete' });
  expect(call).not.toHaveProperty('model');
});

test('a value with another value or text beside it is rejected', () => {
  for (const second of [{ a: 2 }, '{"a": 2}']) {
    const sent = partsOf([{ a: 1 }, second]);
    expect(sent).toEqual([{ a: 1 }, second]);
    expect(readValue(objectOf({ a: whole }), sent).status).toBe('rejected');
  }
});

test('however parts are cut and interleaved, the calls are the same', () => {
  const pieces = fc.array(fc.string({ maxLength: 4 }), { maxLength: 5 });
  const sample = fc.array(pieces, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(sample, fc.infiniteStream(fc.nat()), (calls, choices) => {
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
      expect(collected(deltas)).toMatchObject(
        calls.map((parts, index) => ({ id: `id${index}`, name: 'f', arguments: parts.join('') })),
      );
    }),
  );
});

test('lastIndex is the call that the last part belongs to', () => {
  const collector = new ToolCallCollector();
  expect(collector.lastIndex).toBe(-1);
  const deltas = ['0|a|f|', '1|b|g|{', '0|||{}', '1|||}', '1|c|h|{}'];
  expect(deltasOf(deltas).map((delta) => collector.add(delta).lastIndex)).toEqual([0, 1, 0, 1, 2]);
  expect(collector.end('tool_calls').map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

describe('a last part that says nothing new', () => {
  const complete = '0|a|f|{"n": 1}';

  test.each<[string, readonly string[]]>([
    ['it is empty', [complete, '|||']],
    ['it is empty, and the first', ['|||', complete]],
    ['it has an index of its own', [complete, '1|\'\'||=""']],
    ['it has an id of its own', [complete, '|b||=""']],
    ['it repeats the name', ['||f|{"n": 1}', '||f|=""']],
    ['it repeats the name of a value', ['||f|={"n":1}', '||f|']],
    ['it is the only one, with an id', ['|a||']],
    ['it is the only one, with a name', ['||f|']],
  ])('begins no call: %s', (_title, deltas) => {
    expect(collected(deltasOf(deltas))).toHaveLength(1);
  });

  test.each<[string, readonly string[]]>([
    ['an index and a name', [complete, '1||f|=""']],
    ['an id and a name', [complete, '|b|f|']],
    ['another name', ['||f|{}', '||g|']],
    ['the same name, and arguments later', ['||f|{}', '||f|', '|||{}']],
  ])('begins a call with %s', (_title, deltas) => {
    expect(collected(deltasOf(deltas))).toHaveLength(2);
  });
});

describe('parts that all have the name', () => {
  const named = (pieces: readonly string[]) =>
    pieces.map((piece) => ({ name: 'f', arguments: piece }));

  test.each(['{"a": "}\\""}', '"{\\"a\\": 1}"', '""', '[{}]', 'false', ' {}       ', '5'])(
    'end with whole JSON: %s',
    (sent) => {
      expect(collected(named([sent, '{}'])).map((call) => call.arguments)).toEqual([sent, '{}']);
    },
  );

  test('are one call until an object is whole, and if it is not JSON', () => {
    const sent = '{"a": "}]\\"{", "b": [{}]}';
    expect(shown(collected(named(sent.split(''))))).toEqual([`*|f|${sent}`]);
    expect(collected(named(['{}}', '{', "{'a'}"]))).toHaveLength(1);
    expect(collected(named(["{'a'}", '{}']))).toHaveLength(1);
    expect(collected([{ name: 'f', arguments: bytesOf('{}') }, ...named(['{}'])])).toHaveLength(2);
  });

  test('take a time that grows with their number', () => {
    const collect = (parts: number): void => {
      const one = new ToolCallCollector().add({ name: 'f', arguments: '{"a": [' });
      for (let at = 0; at < parts; at += 1) one.add({ name: 'f', arguments: '[1], ' });
      one.end('stop');
      const many = new ToolCallCollector();
      for (let at = 0; at < parts; at += 1) {
        many.add({ id: `id${at}`, name: 'f', arguments: '{}' });
        if (many.lastIndex !== at) throw new Error(`${many.lastIndex} is not ${at}`);
      }
      expect(many.end('stop')).toHaveLength(parts);
    };
    collect(2_000);
    const few = costOf(() => collect(4_000)).cost;
    expect(costOf(() => collect(40_000)).cost).toBeLessThan(50 * Math.max(few, 1));
  });
});

describe('a provider’s nested shape', () => {
  test('is told from a part that says nothing, or has an object beside its name', () => {
    const extra = { signature: 'x' };
    const signed = [
      { index: 0, id: 'a', name: 'f', extra },
      { index: 0, arguments: '', extra },
    ];
    const calls = collected([{ index: 0 }, ...signed, { index: 0, function: undefined }]);
    expect(calls).toMatchObject([{ id: 'a', name: 'f', arguments: '' }]);
  });

  const hasInside = 'that has its name and arguments inside';
  test.each<[string, unknown, string]>([
    [
      'OpenAI',
      { index: 0, id: 'a', function: { name: 'w', arguments: '{}' } },
      `a part ${hasInside} "function": pass { index: part.index, id: part.id, ...part.function }.`,
    ],
    [
      'Anthropic',
      { index: 1, type: 'content_block_delta', delta: { partial_json: '{' } },
      `a part ${hasInside} "delta": pass { index, id, name, arguments }, read from part.delta.`,
    ],
    ['nothing', null, 'no part of a call: pass { index, id, name, arguments }.'],
    ['text', '{}', 'no part of a call: pass { index, id, name, arguments }.'],
  ])('of a part is a definition error: %s', (_title, delta, message) => {
    const nested: ToolCallDelta = JSON.parse(JSON.stringify(delta));
    const add = (): unknown => new ToolCallCollector().add(nested);
    expect(add).toThrow(DefinitionError);
    expect(add).toThrow(`ToolCallCollector.add was given ${message}`);
  });

  const noString = (what: string) =>
    `a call whose ${what} is not a string: pass { id, name, arguments }.`;
  const sdkCall = { type: 'tool-call', toolCallId: 'a', toolName: 'w', input: { city: 'Oslo' } };
  const ofTheAiSdk =
    'a call that has its name as toolName and its id as toolCallId: pass { id: call.toolCallId, name: call.toolName, arguments: call.input }.';

  test('of a part does not compile', () => {
    type Nested = { index: number; function: { name: string } };
    const isPart: Nested extends ToolCallDelta ? 'yes' : 'no' = 'no';
    expect(isPart).toBe('no');
  });

  test.each<[string, unknown, string]>([
    [
      'nested',
      { id: 'a', type: 'function', function: { name: 'w', arguments: '{}' } },
      `a call ${hasInside} "function": pass { id: call.id, ...call.function }.`,
    ],
    [
      'nested under another key',
      { toolUse: { name: 'w', input: {} } },
      `a call ${hasInside} "toolUse": pass { id, name, arguments }, read from call.toolUse.`,
    ],
    ['without a name', { id: 'a', name: null, toolName: null, list: [1] }, noString('name')],
    ['with other keys for its name and id, as in the AI SDK', sdkCall, ofTheAiSdk],
    ['with such keys, without arguments', { toolCallId: 'a', toolName: 'w' }, ofTheAiSdk],
    [
      'with its arguments as args',
      { id: 'a', name: 'w', args: {} },
      'a call that has its arguments as "args": pass { id: call.id, name: call.name, arguments: call.args }.',
    ],
    ['text', 'w', 'no call: pass { id, name, arguments }.'],
    ['in a list', [{ id: 'a', name: 'w', arguments: {} }], 'an array: write tools.callAll(calls).'],
    [
      'as an item of OpenAI’s Responses, with an id of its own',
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'w', arguments: '{}' },
      'a call that has its id as call_id: pass { id: call.call_id, name: call.name, arguments: call.arguments }.',
    ],
    ['without an id', { name: 'w', arguments: {} }, noString('id')],
    [
      'with its arguments as input, as Anthropic sends them',
      { type: 'tool_use', id: 'a', name: 'w', input: {} },
      'a call that has its arguments as "input": pass { id: call.id, name: call.name, arguments: call.input }.',
    ],
    ['null', null, 'no call: pass { id, name, arguments }.'],
  ])('of a call is a definition error: %s', async (_title, raw, message) => {
    const tools = new ToolRegistry();
    const passed: ToolCall = JSON.parse(JSON.stringify(raw));
    expect(() => tools.interpret(passed)).toThrow(`ToolRegistry was given ${message}`);
    await expect(tools.call(passed)).rejects.toThrow(`ToolRegistry was given ${message}`);
    await expect(tools.call(passed)).rejects.toBeInstanceOf(DefinitionError);
  });

  test.each([
    { id: '', name: 'w', arguments: {} },
    { id: 'a', name: 'w', arguments: undefined },
    { type: 'function_call', id: 'call_1', call_id: 'call_1', name: 'w', arguments: '{}' },
  ])('of a call is right: %j', async (call) => {
    expect((await new ToolRegistry().call(call)).status).toBe('unknown_tool');
  });
});

describe('bytes', () => {
  const schema = closedOf({ path: text }, ['path']);
  const written = '{"path": "a\u00e9\u20ac\u{1f600}b"}';
  const bytes = bytesOf(written);

  test('give the same call however they are cut', () => {
    for (let first = 0; first <= bytes.length; first += 1)
      for (let second = first; second <= bytes.length; second += 3)
        expect(
          partsOf([
            bytes.subarray(0, first),
            bytes.subarray(first, second),
            bytes.subarray(second),
          ]),
        ).toBe(written);
  });

  test('can have a byte order mark, and text between them', () => {
    const parts = [
      new Uint8Array([0xef, 0xbb]),
      new Uint8Array([0xbf]),
      '{"path": ',
      bytesOf('"x"}'),
    ];
    expect(read(schema, String(partsOf(parts)))).toMatchObject(unchanged({ path: 'x' }));
  });

  test.each<[string, readonly number[]]>([
    ['a byte that starts nothing', [0xff]],
    ['a character that is cut by another', [0xf0, 0x9f, 0x61]],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
    ['an overlong form', [0xc0, 0xaf]],
  ])('that are not UTF-8 are kept and rejected: %s', (_title, bad) => {
    const sent = new Uint8Array([...bytesOf('{"path": "'), ...bad, ...bytesOf('"}')]);
    expect(partsOf([sent])).toEqual(sent);
    expect(readValue(schema, sent)).toMatchObject({
      ...rejectedFor('invalid_utf8'),
      message: expect.stringContaining('- The arguments are not valid UTF-8.'),
    });
  });
});

describe('a stream that broke off', () => {
  const inputSchema = closedOf({ name: text, count: whole });
  const tools = new ToolRegistry().register(
    toolOf(() => 'deleted', { name: 'delete_all', inputSchema }),
  );
  const outcomeOf = (parts: readonly unknown[], finishReason?: string | null) => {
    const deltas = parts.map((part) => ({ index: 0, arguments: part }));
    const [call] = collected([{ index: 0, id: 'a', name: 'delete_all' }, ...deltas], finishReason);
    return tools.interpret(call ?? { id: '', name: '', arguments: '' });
  };
  const cut = {
    status: 'invalid_arguments',
    interpretation: { issues: [{ keyword: 'truncated' }] },
  };

  test.each<[string, readonly unknown[]]>([
    ['no arguments yet', []],
    ['empty text', ['']],
    ['an empty object', [{}]],
    ['an empty object as text', ['{}']],
    ['its bytes', [bytesOf(' {} ')]],
  ])('is never a call without arguments: %s', (_title, parts) => {
    for (const reason of [null, '', 'length', 'max_tokens', 'incomplete', 'content_filter'])
      expect(outcomeOf(parts, reason)).toMatchObject(cut);
    expect(outcomeOf(parts, 'tool_calls')).toMatchObject({ interpretation: { value: {} } });
  });

  test('keeps the calls that were whole before', () => {
    const deltas = ['0|a|delete_all|{"name": "a"}', '1|b|delete_all|{"name": "b'];
    const statuses = collected(deltasOf(deltas), null).map((call) => tools.interpret(call).status);
    expect(statuses).toEqual(['accepted', 'invalid_arguments']);
  });
});

test('arguments that are too large are not kept, and rejected', () => {
  const sent = String(partsOf(Array.from({ length: 40 }, () => 'x'.repeat(1024 * 1024))));
  expect(sent.length).toBeLessThan(15 * 1024 * 1024);
  expect(read(objectOf({}), sent)).toMatchObject(rejectedFor('too_large'));
});

test('a collector that has ended takes no more parts', () => {
  const collector = new ToolCallCollector().add({ name: 'f' });
  const calls = collector.end('stop');
  expect(collector.end('length')).toBe(calls);
  const late = (): unknown => collector.add({ name: 'g' });
  expect(late).toThrow(ToolmendError);
  expect(late).toThrow(expect.objectContaining({ code: 'stream_ended' }));
  expect(late).toThrow('add was called after end: collect each answer with a new collector.');
  expect(new ToolCallCollector().end('stop')).toEqual([]);
});
