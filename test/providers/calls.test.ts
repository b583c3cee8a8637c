// Calls by a provider's schema: names, keys and nulls are undone before validation, and none of that is a repair.
import {
  defineTool,
  fromRecord,
  interpret,
  type JsonValue,
  type SchemaObject,
  type ToolCall,
  toRecord,
  ToolRegistry,
} from 'toolmend';

/** `name`: any, as tools of MCP servers have it. */
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
    total: { type: 'number' },
    parent: { type: ['string', 'null'] },
    where: {
      type: 'object',
      properties: { city: { type: 'string' }, zip: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
  },
  required: ['$filter'],
  additionalProperties: false,
};

/** A map keeps a tool out of strict mode. */
const withMap: SchemaObject = {
  ...orders,
  properties: { ...orders.properties, labels: { type: 'object', additionalProperties: { type: 'number' } } },
};

const anthropic = { provider: 'anthropic' } as const;
const strict = { provider: 'openai-strict' } as const;

const registry = (schema = orders, name?: string) =>
  new ToolRegistry({ hints: 'off' }).register(tool(schema, name));

/** The value and the rules that acted, or the issues. */
function read(sent: unknown, provider: 'openai-strict' | 'anthropic' = 'openai-strict', schema = orders) {
  const result = interpret(tool(schema), { arguments: sent, finishReason: 'tool_calls' }, { provider });
  return result.status === 'rejected'
    ? result.issues.map(({ keyword, path }) => `${keyword} ${path}`)
    : { value: result.value, rules: result.repairs.map(({ rule, path }) => `${rule} ${path}`) };
}

const asShown = (others: { [key: string]: JsonValue } = {}) => ({
  $filter: 'ab',
  limit: null,
  total: null,
  parent: null,
  where: null,
  ...others,
});

describe('a valid call by the schema that was shown is unchanged', () => {
  it.each<[string, { [key: string]: JsonValue }, unknown]>([
    ['null leaves out, but stays if it is a value', {}, { $filter: 'ab', parent: null }],
    [
      'null inside an object',
      { where: { city: 'Ulm', zip: null } },
      { $filter: 'ab', parent: null, where: { city: 'Ulm' } },
    ],
  ])('%s', (_what, sent, value) => {
    expect(read(asShown(sent))).toEqual({ value, rules: [] });
    expect(read(JSON.stringify(asShown(sent)))).toEqual({ value, rules: [] });
  });

  it('null leaves out what every branch of a union that the value may be meant for leaves out', () => {
    const branch = (kind: string, note: SchemaObject): SchemaObject => ({
      type: 'object',
      properties: { kind: { const: kind }, note },
      required: ['kind'],
      additionalProperties: false,
    });
    const schema: SchemaObject = {
      type: 'object',
      properties: {
        at: { anyOf: [branch('a', { type: 'string' }), branch('b', { type: ['string', 'null'] })] },
      },
      required: ['at'],
      additionalProperties: false,
    };
    const reads = (at: JsonValue) => read({ at }, 'openai-strict', schema);
    expect(reads({ kind: 'a', note: null })).toEqual({ value: { at: { kind: 'a' } }, rules: [] });
    expect(reads({ kind: 'b', note: null })).toEqual({ value: { at: { kind: 'b', note: null } }, rules: [] });
  });

  it('null deep inside a union that contains itself, whose branches look alike', () => {
    const branch = (key: string): SchemaObject => ({
      type: 'object',
      properties: { [key]: { type: 'string' }, inner: { $ref: '#/$defs/node', description: key } },
      additionalProperties: false,
    });
    const schema: SchemaObject = {
      type: 'object',
      properties: { at: { $ref: '#/$defs/node' } },
      required: ['at'],
      additionalProperties: false,
      $defs: { node: { anyOf: [branch('a'), branch('b'), branch('c')] } },
    };
    const nested = (depth: number, leaf: JsonValue): JsonValue =>
      depth === 0 ? leaf : { inner: nested(depth - 1, leaf) };
    expect(read({ at: nested(40, { inner: null }) }, 'openai-strict', schema)).toEqual({
      value: { at: nested(40, {}) },
      rules: [],
    });
  });

  it('the tool’s own arguments are accepted as well', () => {
    const own = { $filter: 'ab', where: { city: 'Ulm' } };
    expect(read(own)).toEqual({ value: own, rules: [] });
    expect(read(own, 'anthropic')).toEqual({ value: own, rules: [] });
  });

  it('a key that a provider forbids', () => {
    expect(read({ _filter: 'ab' }, 'anthropic')).toEqual({ value: { $filter: 'ab' }, rules: [] });
  });

  it('a key of a map keeps its name, though a declared key is shown under that name', () => {
    const schema: SchemaObject = {
      type: 'object',
      properties: {
        $filter: { type: 'string' },
        labels: { type: 'object', additionalProperties: { type: 'number' } },
      },
    };
    const sent = { _filter: 'ab', labels: { _filter: 1, $filter: 2 } };
    expect(read(sent, 'anthropic', schema)).toEqual({
      value: { $filter: 'ab', labels: { _filter: 1, $filter: 2 } },
      rules: [],
    });
  });
});

describe('a tool that strict mode can’t express is read as it is shown, without strict mode', () => {
  it('a map is an object, and null is repaired like any other null', () => {
    expect(read({ $filter: 'ab', labels: { a: 1 } }, 'openai-strict', withMap)).toEqual({
      value: { $filter: 'ab', labels: { a: 1 } },
      rules: [],
    });
    expect(read({ $filter: 'ab', limit: null }, 'openai-strict', withMap)).toEqual({
      value: { $filter: 'ab' },
      rules: ['drop_null /limit'],
    });
  });
});

describe('a near-miss is repaired, and recorded', () => {
  const value = { $filter: 'ab', parent: null, where: { city: 'Ulm' } };

  it.each<[string, unknown, unknown, string[]]>([
    [
      'an object as text, with nulls in it',
      asShown({ where: '{"city":"Ulm","zip":null}' }),
      value,
      ['json_text_to_object /where'],
    ],
    [
      'everything in an envelope',
      { arguments: asShown({ where: { city: 'Ulm', zip: null } }) },
      value,
      ['unwrap_envelope '],
    ],
    [
      'an array of the only object',
      asShown({ where: [{ city: 'Ulm', zip: null }] }),
      value,
      ['unwrap_single /where'],
    ],
    [
      'a misspelt key',
      { $filter: 'ab', Where: { city: 'Ulm', zip: null } },
      { $filter: 'ab', where: { city: 'Ulm' } },
      ['rename_key /Where'],
    ],
  ])('%s', (_what, sent, repaired, rules) => {
    expect(read(sent)).toEqual({ value: repaired, rules });
  });

  it('a key with another name inside text', () => {
    const schema: SchemaObject = {
      type: 'object',
      properties: {
        query: { type: 'object', properties: { $top: { type: 'integer' } }, required: ['$top'] },
      },
    };
    expect(read({ query: '{"_top":3}' }, 'anthropic', schema)).toEqual({
      value: { query: { $top: 3 } },
      rules: ['json_text_to_object /query'],
    });
  });

  it('a key that came twice in text is on record, though the text has nulls in it', () => {
    expect(read(asShown({ where: '{"city": "Rome", "city": "Rome", "zip": null}' }))).toMatchObject({
      value: { where: { city: 'Rome' } },
      rules: ['json_text_to_object /where', 'duplicate_key /where'],
    });
  });
});

describe('digits', () => {
  it('keep their spelling beside a key with another name', () => {
    const sent = '{"_filter":"ab","total":12345678901234567890}';
    const json = interpret(tool(orders), { arguments: sent }, { ...anthropic, output: 'json' });
    expect(json).toMatchObject({
      status: 'unchanged',
      text: '{"$filter":"ab","total":12345678901234567890}',
    });
    expect(read(sent, 'anthropic')).toEqual(['unsafe_number /total']);
  });
});

describe('what the model reads speaks of the schema that it was shown', () => {
  const message = (schema: SchemaObject, sent: unknown, options: object): string =>
    String(Reflect.get(interpret(tool(schema), { arguments: sent }, options), 'message'));

  it('the shape and the example at the failing place', () => {
    const flat: SchemaObject = {
      type: 'object',
      properties: { $a: { type: 'string', minLength: 2 }, b: { type: 'string' } },
      required: ['$a'],
    };
    const schema: SchemaObject = { ...orders, properties: { ...orders.properties, flat } };
    expect(message(schema, { _filter: 'ab', flat: { _a: 'x' } }, anthropic)).toBe(
      [
        'find_orders was not executed.',
        '- flat._a: expected a string of at least 2 characters, got "x".',
        'Expected at flat: { _a: string, b?: string }',
        'Example at flat: {"_a":"example"}',
        'Send the whole call again with corrected arguments.',
      ].join('\n'),
    );
  });

  it('null for what may be left out', () => {
    expect(message(orders, { limit: null }, strict)).toMatch(
      /\$filter is missing[^]*limit: integer \| null[^]*Example: \{"\$filter":"[^"]+","limit":null,"total":null,"parent":null,"where":null\}/,
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

  it('names of tools', () => {
    const tools = registry(orders, 'find.orders');
    expect(tools.schemas('anthropic')[0]?.name).toBe('find_orders');
    expect(
      tools.interpret({ id: '1', name: 'find_orders', arguments: { _filter: 'a' } }, anthropic),
    ).toMatchObject({
      status: 'invalid_arguments',
      tool: 'find.orders',
      message: expect.stringMatching(/^find_orders was not executed\.\n- _filter/),
    });
    expect(tools.interpret({ id: '1', name: 'lookup', arguments: {} }, anthropic)).toMatchObject({
      status: 'unknown_tool',
      message: expect.stringContaining('The tools are: find_orders.'),
    });
  });

  it('the nearest key to an unknown one', () => {
    const asked = (sent: object) => message(orders, sent, anthropic);
    expect(asked({ _filter: 'ab', filters: 'x' })).toContain(
      'filters is not a known property; did you mean "_filter"?',
    );
    expect(asked({ filte: 'ab' })).toContain('- filte is not a known property; did you mean "_filter"?');
    expect(asked({ _filter: 'ab', data: { limit: 1 } })).toContain(
      '- data is not a known property; send the properties inside it directly.',
    );
    expect(asked({ _filter: 'ab', where: { city: 'Rome', zipp: 1 } })).toContain('did you mean "zip"?');
  });

  it('a key inside a schema that contains itself', () => {
    const node: SchemaObject = {
      type: 'object',
      properties: {
        'the name': { type: 'string' },
        kids: { type: 'array', items: { $ref: '#/$defs/node' } },
      },
      required: ['the name'],
      additionalProperties: false,
    };
    const schema: SchemaObject = {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/node' } },
      $defs: { node },
    };
    const tree = { the_name: 'a', kids: [{ the_name: 'b', kids: [{ the_name: 'c', thename: 'd' }] }] };
    expect(message(schema, { tree }, anthropic)).toContain(
      '- tree.kids[0].kids[0].thename is not a known property; send "the_name" once.',
    );
  });
});

describe('a conversation', () => {
  it('a call, its record and its history', async () => {
    const tools = registry(orders, 'find.orders');
    const sent = { id: '1', name: 'find_orders', arguments: JSON.stringify(asShown({ limit: '3' })) };
    const outcome = await tools.call(sent, strict);
    expect(outcome).toMatchObject({
      status: 'completed',
      result: { $filter: 'ab', limit: 3 },
      interpretation: { status: 'repaired', repairs: [{ rule: 'text_to_integer' }] },
    });
    if (outcome.status !== 'completed') return;
    const inHistory = {
      id: '1',
      name: 'find_orders',
      arguments: '{"$filter":"ab","limit":3,"parent":null,"total":null,"where":null}',
    };
    expect(tools.history(outcome)).toEqual(inHistory);
    const record = toRecord(outcome);
    expect(record).toMatchObject({
      tool: 'find.orders',
      arguments: '{"$filter":"ab","limit":3,"parent":null}',
    });
    expect(record).not.toHaveProperty('requested');
    // A record has the tool's own arguments, for calls by any provider's schema.
    const again = await tools.call(fromRecord(record));
    expect(again).toMatchObject({ status: 'completed', interpretation: { status: 'unchanged' } });
    expect(tools.history(again, strict)).toEqual(inHistory);
  });

  it('a refused call is in the history as it came', () => {
    const tools = registry(orders, 'find.orders');
    const call = { id: '1', name: 'find_orders', arguments: '{"_filter":"a"}' };
    expect(tools.history(tools.interpret(call, anthropic))).toEqual(call);
  });

  it('callAll, and a provider on the call itself; a mapped name is no repair', async () => {
    const events: string[] = [];
    const tools = new ToolRegistry({
      hints: 'off',
      listeners: [{ onEvent: ({ type }) => void events.push(type) }],
    }).register(tool(orders, 'find.orders'));
    const call = { id: '1', name: 'find_orders', arguments: { _filter: 'ab' } };
    const outcomes = await tools.callAll([call, { ...call, id: '2' }], anthropic);
    expect(outcomes.map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect((await tools.call({ ...call, ...anthropic })).status).toBe('completed');
    expect(new Set(events)).toEqual(new Set(['tool_executed']));
  });

  it('an unknown provider is an error of the program', async () => {
    const call: ToolCall = JSON.parse('{"id":"1","name":"find_orders","arguments":"{}","provider":"nobody"}');
    await expect(registry().call(call)).rejects.toThrow(/has no provider "nobody"/);
  });
});
