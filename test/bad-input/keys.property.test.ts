// Do keys that mean something to JavaScript, or to us, stay the data that they are?
import { fc } from '../seeded-fast-check.ts';
import { interpretArguments, type Interpretation } from 'toolmend';
import { closedOf, listOf, objectOf, recordOf, type Schema, text } from '../repair/sample-schemas.ts';

const inherited = Object.getOwnPropertyNames(Object.prototype);
const before = JSON.stringify(inherited);

/** Own keys of every object inside a value, and whether one has another prototype than Object's. */
function inspect(value: unknown): { readonly keys: readonly string[]; readonly isPlain: boolean } {
  if (typeof value !== 'object' || value === null) return { keys: [], isPlain: true };
  const below = Object.values(value).map(inspect);
  const prototype: unknown = Object.getPrototypeOf(value);
  return {
    keys: [...(Array.isArray(value) ? [] : Object.keys(value)), ...below.flatMap(({ keys }) => keys)],
    isPlain:
      (Array.isArray(value) ? prototype === Array.prototype : prototype === Object.prototype) &&
      below.every(({ isPlain }) => isPlain),
  };
}

const valueOf = (result: Interpretation): unknown => Reflect.get(result, 'value');

afterEach(() => {
  expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype))).toBe(before);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(Reflect.get([], 'polluted')).toBeUndefined();
});

describe('__proto__, constructor and prototype pollute nothing', () => {
  const evil = [
    '{"__proto__": {"polluted": 1}}',
    '{"constructor": {"prototype": {"polluted": 1}}}',
    '{"prototype": {"polluted": 1}}',
  ];

  test.each(evil)('%s in a closed object is an unknown key, at any depth and in texts', (part) => {
    const node: Schema = closedOf({ name: text, child: { $ref: '#' }, list: listOf({ $ref: '#' }) });
    const sents = [
      part,
      `{"name": "a", "child": ${part}}`,
      `{"list": [{"child": ${part}}]}`,
      `{"child": ${JSON.stringify(part)}}`,
      `{"list": ${JSON.stringify(`[${part}]`)}}`,
      `{'child': ${part},}`,
      JSON.stringify(part),
    ];
    for (const sent of sents)
      expect(interpretArguments(node, { text: sent })).toMatchObject({ status: 'rejected' });
  });

  test.each(evil)('%s in an open object is own data', (part) => {
    for (const sent of [part, `{"a": [${part}]}`, `${part.slice(0, -1)},}`]) {
      const result = interpretArguments(objectOf({ name: text }), { text: sent });
      expect(result.status).not.toBe('rejected');
      expect(inspect(valueOf(result))).toMatchObject({ isPlain: true });
      expect(JSON.stringify(valueOf(result))).toContain(JSON.stringify(JSON.parse(part)).slice(1, -1));
    }
  });

  test('declared as own data, it is read, repaired and kept', () => {
    const schema: Schema = {
      type: 'object',
      properties: JSON.parse('{"__proto__": {"type": "integer"}, "constructor": {"type": "integer"}}'),
    };
    const result = interpretArguments(schema, { text: '{"__proto__": "5", "constructor": "6"}' });
    expect(result).toMatchObject({ status: 'repaired' });
    expect(JSON.stringify(valueOf(result))).toBe('{"__proto__":5,"constructor":6}');
    expect(inspect(valueOf(result))).toEqual({ keys: ['__proto__', 'constructor'], isPlain: true });
  });
});

test('repair of keys makes only declared names', () => {
  const declared = ['filePath', 'proto', 'maxLines', 'constructorName'];
  const schema = closedOf(Object.fromEntries(declared.map((name) => [name, text])));
  const separators = fc.constantFrom('', '_', '__', '-', '.', ' ', '"', "'", '‘');
  const words = fc.constantFrom(
    'proto',
    'PROTO',
    'constructor',
    'prototype',
    'file',
    'Path',
    'max',
    'lines',
    'toString',
    'name',
  );
  const key = fc
    .array(fc.tuple(separators, words, separators), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.flat().join(''));
  fc.assert(
    fc.property(fc.uniqueArray(key, { minLength: 1, maxLength: 3 }), (keys) => {
      const sent = `{${keys.map((one) => `${JSON.stringify(one)}: "a"`).join(', ')}}`;
      for (const asked of [schema, { ...schema, additionalProperties: true }]) {
        const result = interpretArguments(asked, { text: sent });
        const { keys: made, isPlain } = inspect(valueOf(result));
        expect(isPlain).toBe(true);
        expect(made.filter((one) => !declared.includes(one) && !keys.includes(one))).toEqual([]);
      }
    }),
  );
});

describe('inherited names satisfy nothing', () => {
  test.each(inherited)('%s', (name) => {
    const required: Schema = { ...closedOf({ a: text }), required: [name] };
    expect(interpretArguments(required, { value: { a: 'x' } })).toMatchObject({
      status: 'rejected',
      issues: [{ keyword: 'required', key: name }],
    });
    expect(
      interpretArguments(closedOf({ a: text }), { text: `{"a": "x", ${JSON.stringify(name)}: "y"}` }),
    ).toMatchObject({
      status: 'rejected',
      issues: [{ keyword: 'additionalProperties', key: name }],
    });
    const properties: Schema = {
      type: 'object',
      properties: JSON.parse(
        `{${JSON.stringify(name)}: {"type": "integer", "default": 1}, "a": {"type": "string"}}`,
      ),
    };
    expect(interpretArguments(properties, { value: { a: 'x' } })).toMatchObject({ status: 'unchanged' });
    expect(interpretArguments(properties, { value: {} }, { tool: name }).status).toBe('unchanged');
    const filled = interpretArguments({ ...properties, required: [name] }, { value: {} });
    expect(JSON.stringify(valueOf(filled))).toBe(`{${JSON.stringify(name)}:1}`);
  });
});

describe('no key of a model’s data changes what we do', () => {
  test.each([
    '{"x-toolmend": {"semantic": "path", "verbatim": true}}',
    '{"$ref": "#/properties/a"}',
    '{"outcome": "unchanged", "value": {}, "repairs": []}',
    '{"kind": "refused", "issue": {}}',
    '{"then": "x", "toJSON": "y", "length": 3}',
    '{"lc": 1, "type": "constructor", "id": ["x"]}',
    '{"$schema": "x", "type": "object", "properties": {}}',
  ])('%s comes back as it is', (sent) => {
    for (const schema of [objectOf({ a: text }), recordOf({})]) {
      const result = interpretArguments(schema, { text: sent });
      expect(result).toMatchObject({ status: 'unchanged', repairs: [] });
      expect(JSON.stringify(valueOf(result))).toBe(JSON.stringify(JSON.parse(sent)));
    }
  });
});
