// How is a call read whose model was shown the tools in a provider's form? Names, keys, nulls, pairs and JSON text are undone
// inside interpretation, exactly, and nothing of that is a repair. Expectations written by hand.
import {
  CallMemory,
  defineTool,
  fromRecord,
  interpret,
  type JsonValue,
  type SchemaObject,
  type ToolCall,
  toRecord,
  ToolRegistry,
} from 'toolmend';

/** As of a server: its names are its own. */
const tool = (inputSchema: SchemaObject, name = 'find_orders') => ({
  ...defineTool({
    name: 'find_orders',
    description: 'Finds orders.',
    inputSchema,
    execute: (values) => values,
  }),
  name,
});

const orders: SchemaObject = {
  type: 'object',
  properties: {
    $filter: { type: 'string', minLength: 2 },
    limit: { type: 'integer', minimum: 1 },
    parent: { type: ['string', 'null'] },
    labels: { type: 'object', additionalProperties: { type: 'number' } },
    where: {
      type: 'object',
      properties: { city: { type: 'string' }, zip: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
    note: true,
  },
  required: ['$filter'],
  additionalProperties: false,
};

const anthropic = { provider: 'anthropic' } as const;

const registry = (schema = orders, name?: string) =>
  new ToolRegistry({ hints: 'off' }).register(tool(schema, name));

const interpreted = (sent: unknown, provider: 'openai-strict' | 'anthropic' = 'openai-strict') =>
  interpret(tool(orders), { arguments: sent, finishReason: 'tool_calls' }, { provider });

/** The value and the rules that acted, or the issues. */
function read(sent: unknown, provider?: 'openai-strict' | 'anthropic') {
  const result = interpreted(sent, provider);
  return result.status === 'rejected'
    ? result.issues.map(({ keyword, path }) => `${keyword} ${path}`)
    : { value: result.value, rules: result.repairs.map(({ rule, path }) => `${rule} ${path}`) };
}

const asShown = (others: { [key: string]: JsonValue }) => ({
  $filter: 'ab',
  limit: null,
  parent: null,
  labels: null,
  where: null,
  note: null,
  ...others,
});

describe('a valid call in the form that was shown is unchanged', () => {
  it.each<[string, { [key: string]: JsonValue }, unknown]>([
    ['null is left out, but stays where it is a value', {}, { $filter: 'ab', parent: null }],
    [
      'a list of pairs is a map',
      { labels: [{ key: 'a', value: 1 }] },
      { $filter: 'ab', parent: null, labels: { a: 1 } },
    ],
    ['an empty list of pairs is an empty map', { labels: [] }, { $filter: 'ab', parent: null, labels: {} }],
    [
      'keys like __proto__ are data',
      { labels: [{ key: '__proto__', value: 1 }] },
      { $filter: 'ab', parent: null, labels: JSON.parse('{"__proto__":1}') },
    ],
    [
      'nulls inside',
      { where: { city: 'Ulm', zip: null } },
      { $filter: 'ab', parent: null, where: { city: 'Ulm' } },
    ],
    [
      'JSON text is a value',
      { note: '[1,{"a":null}]' },
      { $filter: 'ab', parent: null, note: [1, { a: null }] },
    ],
    [
      'what is no JSON text is text',
      { note: 'call back' },
      { $filter: 'ab', parent: null, note: 'call back' },
    ],
  ])('%s', (_what, sent, value) => {
    expect(read(asShown(sent))).toEqual({ value, rules: [] });
    expect(read(JSON.stringify(asShown(sent)))).toEqual({ value, rules: [] });
  });

  it('the tool’s own form is taken as well', () => {
    const own = { $filter: 'ab', labels: { a: 1 }, note: [2] };
    expect(read(own)).toEqual({ value: own, rules: [] });
  });

  it('a key that a provider forbids', () => {
    expect(read({ _filter: 'ab' }, 'anthropic')).toEqual({ value: { $filter: 'ab' }, rules: [] });
  });
});

describe('a near-miss of that form is repaired, and recorded', () => {
  it.each<[string, unknown, unknown, string[]]>([
    [
      'a list of pairs as text',
      asShown({ labels: '[{"key":"a","value":1}]' }),
      { $filter: 'ab', parent: null, labels: { a: 1 } },
      ['json_text_to_object /labels'],
    ],
    [
      'a value in a pair',
      asShown({ labels: [{ key: 'a', value: '1' }] }),
      { $filter: 'ab', parent: null, labels: { a: 1 } },
      ['text_to_number /labels/a'],
    ],
    [
      'one pair alone',
      asShown({ labels: { key: 'a', value: 1 } }),
      { $filter: 'ab', parent: null, labels: { a: 1 } },
      ['wrap_in_array /labels'],
    ],
    [
      'an object as text, with nulls in it',
      asShown({ where: '{"city":"Ulm","zip":null}' }),
      { $filter: 'ab', parent: null, where: { city: 'Ulm' } },
      ['json_text_to_object /where'],
    ],
    [
      'everything in an envelope',
      { arguments: asShown({ labels: [{ key: 'a', value: 1 }] }) },
      { $filter: 'ab', parent: null, labels: { a: 1 } },
      ['unwrap_envelope '],
    ],
    [
      'a misspelt key',
      { $filter: 'ab', Labels: [{ key: 'a', value: 1 }] },
      { $filter: 'ab', labels: { a: 1 } },
      ['rename_key /Labels'],
    ],
    [
      'text that is broken JSON',
      `{'$filter': 'ab', 'labels': [{'key': 'a', 'value': 1}], 'limit': None}`,
      { $filter: 'ab', labels: { a: 1 } },
      ['loose_json '],
    ],
  ])('%s', (_what, sent, value, rules) => {
    expect(read(sent)).toEqual({ value, rules });
  });

  it('one pair alone is recorded as what it became', () => {
    expect(interpreted(asShown({ labels: { key: 'a', value: 1 } }))).toMatchObject({
      status: 'repaired',
      repairs: [
        {
          rule: 'wrap_in_array',
          path: '/labels',
          was: 'one pair of key and value',
          tell: false,
          operations: [{ op: 'replace', path: '/labels', value: { a: 1 } }],
        },
      ],
      notes: [],
    });
  });

  it('one key with two values has no reading', () => {
    const twice = [
      { key: 'a', value: 1 },
      { key: 'a', value: 2 },
    ];
    expect(read(asShown({ labels: twice }))).toEqual(['type /labels']);
  });
});

describe('digits', () => {
  const big = '12345678901234567890';
  const sent = `{"$filter":"ab","limit":null,"parent":null,"labels":[{"key":"a","value":${big}},{"key":"b","value":1.50}],"where":null,"note":"[${big}]"}`;

  it('passed on, every number is spelled as it was, also out of pairs and JSON text', () => {
    const result = interpret(
      tool(orders),
      { arguments: sent },
      { provider: 'openai-strict', output: 'json' },
    );
    expect(result).toMatchObject({
      status: 'unchanged',
      text: `{"$filter":"ab","parent":null,"labels":{"a":${big},"b":1.50},"note":[${big}]}`,
    });
  });

  it('for a handler, a number that loses digits is refused where a number is declared', () => {
    expect(read(sent)).toEqual(['unsafe_number /labels/a']);
  });
});

describe('what the model reads is in the form that it knows', () => {
  it('shape, example and whole schema', () => {
    const wrong = asShown({ $filter: 'a', labels: [{ key: 'a', value: 'x' }] });
    const result = interpreted(wrong);
    expect(result.status).toBe('rejected');
    if (result.status !== 'rejected') return;
    expect(result.issues.map(({ path }) => path)).toEqual(['/$filter', '/labels/a']);
    const memory = new CallMemory();
    const tools = registry();
    const call = { id: '1', name: 'find_orders', arguments: wrong };
    tools.interpret(call, { provider: 'openai-strict', memory });
    const again = tools.interpret(call, { provider: 'openai-strict', memory });
    if (again.status !== 'invalid_arguments') throw new Error('accepted');
    expect(again.message).toContain('"labels":{"type":["array","null"]');
  });

  it('a place that is the same in that form is shown alone', () => {
    const flat: SchemaObject = {
      type: 'object',
      properties: { a: { type: 'string', minLength: 2 } },
      required: ['a'],
    };
    const schema: SchemaObject = { ...orders, properties: { ...orders.properties, flat } };
    const result = interpret(tool(schema), { arguments: { _filter: 'ab', flat: { a: 'x' } } }, anthropic);
    expect(Reflect.get(result, 'message')).toBe(
      [
        'find_orders was not executed.',
        '- flat.a: expected at least 2 characters, got the text "x".',
        'Expected at flat: { a: text }',
        'For example at flat: {"a":"example"}',
        'Send the whole call again with corrected arguments.',
      ].join('\n'),
    );
  });

  it('the call that a destructive tool asks to have confirmed', () => {
    const destructive = { ...tool(orders), effects: 'destructive', repair: 'lossless' } as const;
    const confirm = (sent: object, options: object): unknown =>
      String(Reflect.get(interpret(destructive, { arguments: sent }, options), 'message'))
        .split('\n')
        .at(-1);
    const sent = { Limit: 5, where: { city: 'Ulm' } };
    expect(confirm({ _filter: 'ab', ...sent }, anthropic)).toBe(
      'If this is what you mean, send exactly: {"_filter":"ab","where":{"city":"Ulm"},"limit":5}',
    );
    expect(confirm({ $filter: 'ab', ...sent }, {})).toBe(
      'If this is what you mean, send exactly: {"$filter":"ab","where":{"city":"Ulm"},"limit":5}',
    );
  });

  it('a missing argument: the form is shown as a whole, with an example in it', () => {
    const schema: SchemaObject = {
      type: 'object',
      properties: {
        labels: { type: 'object', additionalProperties: { type: 'number' } },
        limit: { type: 'integer' },
      },
      required: ['labels'],
      additionalProperties: false,
    };
    const result = interpret(tool(schema), { arguments: { limit: null } }, { provider: 'openai-strict' });
    if (result.status !== 'rejected') throw new Error('accepted');
    expect(result.message).toContain('For example: {"labels":[{"key":"key","value":1}],"limit":null}');
    expect(result.message).toContain('- labels is missing');
    expect(result.message).toContain(
      'Expected: { labels: [{ key: text, value: number }], limit: whole number or null }',
    );
  });

  it('keys and names that are shown', () => {
    const tools = registry(orders, 'find.orders');
    const [shown] = tools.schemas('anthropic');
    expect(shown?.name).toBe('find_orders');
    const refused = tools.interpret(
      { id: '1', name: 'find_orders', arguments: { _filter: 'a' } },
      { provider: 'anthropic' },
    );
    expect(refused).toMatchObject({ status: 'invalid_arguments', tool: 'find.orders' });
    if (refused.status !== 'invalid_arguments') return;
    expect(refused.message).toMatch(/^find_orders was not executed\.\n- _filter/);
    expect(
      tools.interpret({ id: '1', name: 'lookup', arguments: {} }, { provider: 'anthropic' }),
    ).toMatchObject({
      status: 'unknown_tool',
      message: expect.stringContaining('The tools are: find_orders.'),
    });
  });
});

test('a key that came twice in JSON text is on record, though the text says something else in the own form', () => {
  const where = '{"city": "Rome", "city": "Rome", "zip": null}';
  const result = interpreted(asShown({ where }));
  expect(result).toMatchObject({ status: 'repaired', value: { where: { city: 'Rome' } } });
  expect(result.repairs.map(({ rule, path, was }) => [rule, path, was])).toEqual([
    ['json_text_to_object', '/where', `the text ${JSON.stringify(where)}`],
    ['duplicate_key', '/where', 'city'],
  ]);
  expect(read(asShown({ where: '{"city": "Rome", "zip": null}' }))).toMatchObject({
    rules: ['json_text_to_object /where'],
  });
});

describe('a key that is unknown', () => {
  it('the nearest one is told as it is shown', () => {
    const asked = (sent: object) => {
      const result = interpreted(sent, 'anthropic');
      return result.status === 'rejected' ? result.message : result.status;
    };
    expect(asked({ _filter: 'ab', filters: 'x' })).toContain('filters is unknown; did you mean "_filter"?');
    expect(asked({ filte: 'ab' })).toContain('- filte is unknown; did you mean "_filter"?');
    expect(asked({ _filter: 'ab', data: { limit: 1 } })).toContain(
      '- data is unknown; send its keys without it.',
    );
    expect(asked({ _filter: 'ab', limit: 1, Limit: 2 })).toContain('- Limit is unknown; send "limit" once.');
    expect(asked({ _filter: 'ab', limt: 1 })).toContain('limt is unknown; did you mean "limit"?');
    expect(asked({ _filter: 'ab', where: { city: 'Rome', zipp: 1 } })).toContain('did you mean "zip"?');
  });
});

describe('what was expected is said in the form that was shown', () => {
  const node: SchemaObject = {
    type: 'object',
    properties: { 'the name': { type: 'string' }, kids: { type: 'array', items: { $ref: '#/$defs/node' } } },
    required: ['the name'],
    additionalProperties: false,
  };
  const schema: SchemaObject = {
    type: 'object',
    properties: {
      tree: { $ref: '#/$defs/node' },
      labels: { type: ['object', 'null'], additionalProperties: { type: 'number' } },
      weights: { type: 'object', additionalProperties: { type: 'number' } },
    },
    required: ['weights'],
    $defs: { node },
  };
  const refusal = (sent: unknown, provider: 'openai-strict' | 'anthropic-strict' | 'anthropic'): string => {
    const result = interpret(tool(schema), { arguments: sent }, { provider });
    return result.status === 'rejected' ? result.message : result.status;
  };

  it('pairs', () => {
    const twice = [
      { key: 'a', value: 1 },
      { key: 'a', value: 2 },
    ];
    expect(refusal({ weights: twice, labels: 'a=1', tree: null }, 'openai-strict')).toContain(
      [
        '- labels: expected a list of { key, value }, each key once, or null, got the text "a=1".',
        '- weights: expected a list of { key, value }, each key once, got a list of 2.',
      ].join('\n'),
    );
    expect(refusal({}, 'anthropic-strict')).toContain(
      '- weights is missing: expected a list of { key, value }, each key once.',
    );
    expect(refusal({}, 'anthropic')).toContain('- weights is missing: expected an object.');
  });

  it('JSON text', () => {
    const tree = { the_name: 'a', kids: ['{"the_name": "b"'] };
    expect(refusal({ weights: [], tree }, 'anthropic-strict')).toContain(
      '- tree.kids[0]: expected the JSON text of an object, got the text',
    );
  });

  it('a key inside a schema that contains itself', () => {
    const tree = { the_name: 'a', kids: [{ the_name: 'b', kids: [{ the_name: 'c', thename: 'd' }] }] };
    expect(refusal({ weights: {}, tree }, 'anthropic')).toContain(
      '- tree.kids[0].kids[0].thename is unknown; send "the_name" once.',
    );
    const open: SchemaObject = { ...schema, properties: { 'the name': { type: 'string' } }, required: [] };
    const twice = { the_name: 'a', thename: 'b' };
    const result = interpret(tool(open), { arguments: twice }, { provider: 'anthropic' });
    expect(result).toMatchObject({
      status: 'rejected',
      message: expect.stringContaining('send "the_name" once'),
    });
  });
});

describe('conversation', () => {
  it('a call, its record and its history', async () => {
    const tools = registry(orders, 'find.orders');
    const sent = {
      id: '1',
      name: 'find_orders',
      arguments: JSON.stringify(asShown({ limit: '3', labels: [{ key: 'a', value: 1 }] })),
    };
    const outcome = await tools.call(sent, { provider: 'openai-strict' });
    expect(outcome).toMatchObject({
      status: 'completed',
      result: { $filter: 'ab', limit: 3, labels: { a: 1 } },
      interpretation: { status: 'repaired', repairs: [{ rule: 'text_to_integer' }] },
    });
    if (outcome.status !== 'completed') return;
    const inHistory = {
      id: '1',
      name: 'find_orders',
      arguments:
        '{"$filter":"ab","limit":3,"parent":null,"labels":[{"key":"a","value":1}],"where":null,"note":null}',
    };
    expect(tools.history(outcome)).toEqual(inHistory);
    const record = toRecord(outcome);
    expect(record).toMatchObject({
      tool: 'find.orders',
      arguments: '{"$filter":"ab","limit":3,"parent":null,"labels":{"a":1}}',
    });
    expect(record).not.toHaveProperty('requested');
    // A record is in the tool's own form, whoever asked for the call.
    const again = await tools.call(fromRecord(record));
    expect(again).toMatchObject({ status: 'completed', interpretation: { status: 'unchanged' } });
    expect(tools.history(again, { provider: 'openai-strict' })).toEqual(inHistory);
  });

  it('digits stay in the history too', () => {
    const tools = registry();
    const labels = { type: 'object', additionalProperties: { type: ['number', 'string'] } } as const;
    tools.replace(tool({ type: 'object', properties: { labels }, additionalProperties: false }));
    const call = { id: '1', name: 'find_orders', arguments: '{"labels":[{"key":"a","value":0.10}]}' };
    const accepted = tools.interpret(call, { provider: 'openai-strict' });
    expect(tools.history(accepted).arguments).toBe('{"labels":[{"key":"a","value":0.1}]}');
  });

  it('a refused call stands in it as it came', () => {
    const tools = registry(orders, 'find.orders');
    const call = { id: '1', name: 'find_orders', arguments: '{"_filter":"a"}' };
    const refused = tools.interpret(call, { provider: 'anthropic' });
    expect(tools.history(refused)).toEqual({ id: '1', name: 'find_orders', arguments: '{"_filter":"a"}' });
  });

  it('callAll and a provider on the call itself; a mapped name is no repair', async () => {
    const events: string[] = [];
    const tools = new ToolRegistry({
      hints: 'off',
      listeners: [{ onEvent: ({ type }) => void events.push(type) }],
    }).register(tool(orders, 'find.orders'));
    const call = { id: '1', name: 'find_orders', arguments: { _filter: 'ab' } };
    const outcomes = await tools.callAll([call, { ...call, id: '2' }], { provider: 'anthropic' });
    expect(outcomes.map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect((await tools.call({ ...call, provider: 'anthropic' })).status).toBe('completed');
    expect(new Set(events)).toEqual(new Set(['tool_executed']));
  });

  it('a provider that there is not is a mistake of the program', async () => {
    const call: ToolCall = JSON.parse('{"id":"1","name":"find_orders","arguments":"{}","provider":"nobody"}');
    await expect(registry().call(call)).rejects.toThrow(/has no provider "nobody"/);
  });
});
