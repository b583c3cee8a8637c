// Calls by a provider's schema: names, keys and nulls are mapped back before validation, which is
// not a repair.
import {
  type JsonValue,
  type SchemaObject,
  type ToolCall,
  fromRecord,
  interpret,
  toRecord,
  ToolRegistry,
} from 'toolmend';
import { messageOf } from '../read.ts';
import { anyOf, closedOf, listOf, mapOf, number, objectOf, text, whole } from '../schemas.ts';
import { toolOf } from '../tools.ts';

/** `name`: any, as tools of MCP servers have it. */
const tool = (inputSchema: SchemaObject, name = 'find_orders') => ({
  ...toolOf((values) => values, { name: 'find_orders', inputSchema }),
  name,
});

const fields = {
  $filter: { ...text, minLength: 2 },
  limit: { ...whole, minimum: 1 },
  total: number,
  parent: { type: ['string', 'null'] },
  where: closedOf({ city: text, zip: text }, ['city']),
} as const;
const orders = closedOf(fields, ['$filter']);
/** A map keeps a tool out of strict mode. */
const withMap = closedOf({ ...fields, labels: mapOf(number) }, ['$filter']);

const anthropic = { provider: 'anthropic' } as const;
const strict = { provider: 'openai-strict' } as const;

const registry = (schema = orders, name?: string) =>
  new ToolRegistry({ hints: 'off' }).register(tool(schema, name));

/** The value and the rules that acted, or the issues. */
function readCall(
  sent: unknown,
  provider: 'openai-strict' | 'anthropic' = 'openai-strict',
  schema = orders,
) {
  const result = interpret(
    tool(schema),
    { arguments: sent, finishReason: 'tool_calls' },
    { provider },
  );
  return result.status === 'rejected'
    ? result.issues.map(({ keyword, path }) => `${keyword} ${path}`)
    : { value: result.value, rules: result.repairs.map(({ rule, path }) => `${rule} ${path}`) };
}

const ulm = { city: 'Ulm', zip: null };
const unchangedResult = (value: unknown) => ({ value, rules: [] });
const allShown = { $filter: 'ab', limit: null, total: null, parent: null, where: null };
const asShown = (others: { readonly [key: string]: JsonValue } = {}) => ({
  ...allShown,
  ...others,
});

describe('a valid call by the provider’s schema is unchanged', () => {
  it.each<[string, { [key: string]: JsonValue }, unknown]>([
    ['null means absent, unless null is a value', {}, { $filter: 'ab', parent: null }],
    ['null in it', { where: ulm }, { $filter: 'ab', parent: null, where: { city: 'Ulm' } }],
  ])('%s', (_what, sent, value) => {
    expect(readCall(asShown(sent))).toEqual(unchangedResult(value));
    expect(readCall(JSON.stringify(asShown(sent)))).toEqual(unchangedResult(value));
  });

  it('null means absent in the branch of a union that the value is for', () => {
    const branch = (kind: string, note: SchemaObject) =>
      closedOf({ kind: { const: kind }, note }, ['kind']);
    const at = anyOf(branch('a', text), branch('b', { type: ['string', 'null'] }));
    const reads = (value: JsonValue) =>
      readCall({ at: value }, 'openai-strict', closedOf({ at }, ['at']));
    expect(reads({ kind: 'a', note: null })).toEqual(unchangedResult({ at: { kind: 'a' } }));
    expect(reads({ kind: 'b', note: null })).toEqual(
      unchangedResult({ at: { kind: 'b', note: null } }),
    );
  });

  it('null deep inside a union that contains itself', () => {
    const inner = { $ref: '#/$defs/node' };
    const schemaWith = (key: string) =>
      closedOf({ [key]: text, inner: { ...inner, description: key } });
    const node = anyOf(schemaWith('a'), schemaWith('b'), schemaWith('c'));
    const schema: SchemaObject = { ...closedOf({ at: inner }, ['at']), $defs: { node } };
    const nestedValue = (depth: number, leaf: JsonValue): JsonValue =>
      depth === 0 ? leaf : { inner: nestedValue(depth - 1, leaf) };
    const args = { at: nestedValue(40, { inner: null }) };
    expect(readCall(args, 'openai-strict', schema)).toEqual(
      unchangedResult({ at: nestedValue(40, {}) }),
    );
  });

  it('the tool’s own arguments are accepted as well', () => {
    const toolArguments = { $filter: 'ab', where: { city: 'Ulm' } };
    expect(readCall(toolArguments)).toEqual(unchangedResult(toolArguments));
    expect(readCall(toolArguments, 'anthropic')).toEqual(unchangedResult(toolArguments));
  });

  it('a forbidden key has another name, but not among the keys of a map', () => {
    expect(readCall({ _filter: 'ab' }, 'anthropic')).toEqual(unchangedResult({ $filter: 'ab' }));
    const labels = { _filter: 1, $filter: 2 };
    const schema = objectOf({ $filter: text, labels: mapOf(number) });
    expect(readCall({ _filter: 'ab', labels }, 'anthropic', schema)).toEqual(
      unchangedResult({ $filter: 'ab', labels }),
    );
  });
});

it('a tool that strict mode can’t express is read without strict mode', () => {
  const args = { $filter: 'ab', labels: { a: 1 } };
  expect(readCall(args, 'openai-strict', withMap)).toEqual(unchangedResult(args));
  const nulled = readCall({ $filter: 'ab', limit: null }, 'openai-strict', withMap);
  expect(nulled).toEqual({ value: { $filter: 'ab' }, rules: ['drop_null /limit'] });
});

describe('a near-miss is repaired, and recorded', () => {
  const twice = '{"city": "Ulm", "city": "Ulm", "zip": null}';
  const rulesOfTwice = ['json_text_to_object /where', 'duplicate_key /where'];
  const value = { $filter: 'ab', parent: null, where: { city: 'Ulm' } };
  const { parent: _parent, ...withoutParent } = value;

  it.each<[string, unknown, unknown, string[]]>([
    [
      'an object as text',
      asShown({ where: JSON.stringify(ulm) }),
      value,
      ['json_text_to_object /where'],
    ],
    ['an envelope', { arguments: asShown({ where: ulm }) }, value, ['unwrap_envelope ']],
    ['an array of the only object', asShown({ where: [ulm] }), value, ['unwrap_single /where']],
    ['a misspelt key', { $filter: 'ab', Where: ulm }, withoutParent, ['rename_key /Where']],
    ['a duplicate key in text with nulls', asShown({ where: twice }), value, rulesOfTwice],
  ])('%s', (_what, sent, repaired, rules) => {
    expect(readCall(sent)).toEqual({ value: repaired, rules });
  });

  it('a key with another name inside text', () => {
    const schema = objectOf({ query: objectOf({ $top: whole }, ['$top']) });
    const reading = { value: { query: { $top: 3 } }, rules: ['json_text_to_object /query'] };
    expect(readCall({ query: '{"_top":3}' }, 'anthropic', schema)).toEqual(reading);
  });
});

it('digits are kept beside a key with another name', () => {
  const argumentsText = '{"_filter":"ab","total":12345678901234567890}';
  const json = interpret(
    tool(orders),
    { arguments: argumentsText },
    { ...anthropic, output: 'json' },
  );
  const exact = '{"$filter":"ab","total":12345678901234567890}';
  expect(json).toMatchObject({ status: 'unchanged', text: exact });
  expect(readCall(argumentsText, 'anthropic')).toEqual(['unsafe_number /total']);
});

describe('the message is about the schema that the model was shown', () => {
  const message = (schema: SchemaObject, sent: unknown, options: object): string =>
    messageOf(interpret(tool(schema), { arguments: sent }, options));

  it('in the shape and the example at the failing location', () => {
    const flat = objectOf({ $a: { ...text, minLength: 2 }, b: text }, ['$a']);
    const schema = closedOf({ ...fields, flat }, ['$filter']);
    expect(message(schema, { _filter: 'ab', flat: { _a: 'x' } }, anthropic).split('\n')).toEqual([
      'find_orders was not executed.',
      '- flat._a: expected a string of at least 2 characters, got "x".',
      'Expected at flat: { _a: string, b?: string }',
      'Example at flat: {"_a":"example"}',
      'Send the whole call again with corrected arguments.',
    ]);
  });

  it('in null for what can be absent', () => {
    expect(message(orders, { limit: null }, strict)).toMatch(
      /\$filter is missing[^]*limit: integer \| null[^]*Example: \{"\$filter":"[^"]+","limit":null,"total":null,"parent":null,"where":null\}/,
    );
  });

  it.each<[string, object, object, string]>([
    [
      'renamed keys',
      anthropic,
      { _filter: 'ab' },
      '{"_filter":"ab","where":{"city":"Ulm"},"limit":5}',
    ],
    [
      'the tool’s own keys',
      {},
      { $filter: 'ab' },
      '{"$filter":"ab","where":{"city":"Ulm"},"limit":5}',
    ],
  ])('in the call to confirm: %s', (_title, options, filter, expected) => {
    const destructive = { ...tool(orders), effects: 'destructive', repair: 'lossless' } as const;
    const args = { ...filter, Limit: 5, where: { city: 'Ulm' } };
    const rejectionText = messageOf(interpret(destructive, { arguments: args }, options));
    expect(rejectionText.split('\n').at(-1)).toBe(
      `If this is what you mean, send exactly: ${expected}`,
    );
  });

  it('in the names of tools', () => {
    const tools = registry(orders, 'find.orders');
    expect(tools.schemas('anthropic')[0]?.name).toBe('find_orders');
    const call = { id: '1', name: 'find_orders', arguments: { _filter: 'a' } };
    expect(tools.interpret(call, anthropic)).toMatchObject({
      status: 'invalid_arguments',
      tool: 'find.orders',
      message: expect.stringMatching(/^find_orders was not executed\.\n- _filter/),
    });
    const all = {
      status: 'unknown_tool',
      message: expect.stringContaining('The tools are: find_orders.'),
    };
    expect(tools.interpret({ ...call, name: 'lookup' }, anthropic)).toMatchObject(all);
  });

  it.each<[object, string]>([
    [{ _filter: 'ab', filters: 'x' }, 'filters is not a known property; did you mean "_filter"?'],
    [{ filte: 'ab' }, '- filte is not a known property; did you mean "_filter"?'],
    [
      { _filter: 'ab', data: { limit: 1 } },
      '- data is not a known property; send the properties inside it',
    ],
    [{ _filter: 'ab', where: { city: 'Rome', zipp: 1 } }, 'did you mean "zip"?'],
  ])('in the nearest key: %j', (sent, expected) => {
    expect(message(orders, sent, anthropic)).toContain(expected);
  });

  it('in a key inside a schema that contains itself', () => {
    const ref = { $ref: '#/$defs/node' };
    const node = closedOf({ 'the name': text, kids: listOf(ref) }, ['the name']);
    const schema = objectOf({ tree: ref }, [], { $defs: { node } });
    const tree = {
      the_name: 'a',
      kids: [{ the_name: 'b', kids: [{ the_name: 'c', thename: 'd' }] }],
    };
    const line = '- tree.kids[0].kids[0].thename is not a known property; send "the_name" once.';
    expect(message(schema, { tree }, anthropic)).toContain(line);
  });
});

describe('a conversation', () => {
  const call = { id: '1', name: 'find_orders', arguments: { _filter: 'ab' } };

  it('has a record by the tool’s schema, and a history by the provider’s', async () => {
    const tools = registry(orders, 'find.orders');
    const outcome = await tools.call(
      { ...call, arguments: JSON.stringify(asShown({ limit: '3' })) },
      strict,
    );
    const interpretation = { status: 'repaired', repairs: [{ rule: 'text_to_integer' }] };
    expect(outcome).toMatchObject({ result: { $filter: 'ab', limit: 3 }, interpretation });
    if (outcome.status !== 'completed') return;
    const shownText = '{"$filter":"ab","limit":3,"parent":null,"total":null,"where":null}';
    const inHistory = { id: '1', name: 'find_orders', arguments: shownText };
    expect(tools.history(outcome)).toEqual(inHistory);
    const record = toRecord(outcome);
    const toolText = '{"$filter":"ab","limit":3,"parent":null}';
    expect(record).toMatchObject({ tool: 'find.orders', arguments: toolText });
    expect(record).not.toHaveProperty('requested');
    const again = await tools.call(fromRecord(record));
    expect(again).toMatchObject({ status: 'completed', interpretation: { status: 'unchanged' } });
    expect(tools.history(again, strict)).toEqual(inHistory);
  });

  it('has a rejected call in its history as it came', () => {
    const tools = registry(orders, 'find.orders');
    const rejectedCall = { ...call, arguments: '{"_filter":"a"}' };
    expect(tools.history(tools.interpret(rejectedCall, anthropic))).toEqual(rejectedCall);
  });

  it('can name the provider for all calls or for one; a mapped name is not a repair', async () => {
    const events: string[] = [];
    const listeners = [
      { onEvent: ({ type }: { readonly type: string }) => void events.push(type) },
    ];
    const tools = new ToolRegistry({ hints: 'off', listeners }).register(
      tool(orders, 'find.orders'),
    );
    const outcomes = await tools.callAll([call, { ...call, id: '2' }], anthropic);
    expect(outcomes.map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect((await tools.call({ ...call, ...anthropic })).status).toBe('completed');
    expect(new Set(events)).toEqual(new Set(['tool_executed']));
  });

  it('can’t name an unknown provider', async () => {
    const unknownProvider: ToolCall = JSON.parse(JSON.stringify({ ...call, provider: 'nobody' }));
    await expect(registry().call(unknownProvider)).rejects.toThrow(/has no provider "nobody"/);
  });
});
