import { fc } from '../seeded-fast-check.ts';
import { closedOf, listOf, mapOf, objectOf, type Schema, text } from '../schemas.ts';
import { read, readValue, valueOf } from '../read.ts';

const inherited = Object.getOwnPropertyNames(Object.prototype);
const before = JSON.stringify(inherited);

afterEach(() => {
  expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype))).toBe(before);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(Reflect.get([], 'polluted')).toBeUndefined();
});

/** Own keys of every object inside a value, and whether all have the prototypes of JSON.parse. */
function inspect(value: unknown): { readonly keys: readonly string[]; readonly isPlain: boolean } {
  if (typeof value !== 'object' || value === null) return { keys: [], isPlain: true };
  const below = Object.values(value).map(inspect);
  const expected = Array.isArray(value) ? Array.prototype : Object.prototype;
  return {
    keys: [
      ...(Array.isArray(value) ? [] : Object.keys(value)),
      ...below.flatMap(({ keys }) => keys),
    ],
    isPlain: Object.getPrototypeOf(value) === expected && below.every(({ isPlain }) => isPlain),
  };
}

describe('a key that could pollute a prototype', () => {
  const evil = [
    '{"__proto__": {"polluted": 1}}',
    '{"constructor": {"prototype": {"polluted": 1}}}',
    '{"prototype": {"polluted": 1}}',
  ];

  test.each(evil)('is unknown in a closed object, at any depth and in texts: %s', (part) => {
    const node: Schema = closedOf({
      name: text,
      child: { $ref: '#' },
      list: listOf({ $ref: '#' }),
    });
    for (const sent of [
      part,
      `{"name": "a", "child": ${part}}`,
      `{"list": [{"child": ${part}}]}`,
      `{"child": ${JSON.stringify(part)}}`,
      `{"list": ${JSON.stringify(`[${part}]`)}}`,
      `{'child': ${part},}`,
      JSON.stringify(part),
    ])
      expect(read(node, sent)).toMatchObject({ status: 'rejected' });
  });

  test.each(evil)('is own data in an open object: %s', (part) => {
    for (const sent of [part, `{"a": [${part}]}`, `${part.slice(0, -1)},}`]) {
      const result = read(objectOf({ name: text }), sent);
      expect(result.status).not.toBe('rejected');
      expect(inspect(valueOf(result))).toMatchObject({ isPlain: true });
      expect(JSON.stringify(valueOf(result))).toContain(
        JSON.stringify(JSON.parse(part)).slice(1, -1),
      );
    }
  });

  test('is read and repaired if it is declared', () => {
    const properties = JSON.parse(
      '{"__proto__": {"type": "integer"}, "constructor": {"type": "integer"}}',
    );
    const result = read({ type: 'object', properties }, '{"__proto__": "5", "constructor": "6"}');
    expect(result).toMatchObject({ status: 'repaired' });
    expect(JSON.stringify(valueOf(result))).toBe('{"__proto__":5,"constructor":6}');
    expect(inspect(valueOf(result))).toEqual({ keys: ['__proto__', 'constructor'], isPlain: true });
  });
});

test('repair of keys makes only declared names', () => {
  const declared = ['filePath', 'proto', 'maxLines', 'constructorName'];
  const schema = closedOf(Object.fromEntries(declared.map((name) => [name, text])));
  const separators = fc.constantFrom('', '_', '__', '-', '.', ' ', '"', "'", '‘');
  const ofPrototypes = ['proto', 'PROTO', 'constructor', 'prototype', 'toString'];
  const words = fc.constantFrom(...ofPrototypes, 'file', 'Path', 'max', 'lines', 'name');
  const key = fc
    .array(fc.tuple(separators, words, separators), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.flat().join(''));
  fc.assert(
    fc.property(fc.uniqueArray(key, { minLength: 1, maxLength: 3 }), (keys) => {
      const sent = `{${keys.map((one) => `${JSON.stringify(one)}: "a"`).join(', ')}}`;
      for (const asked of [schema, { ...schema, additionalProperties: true }]) {
        const { keys: made, isPlain } = inspect(valueOf(read(asked, sent)));
        expect(isPlain).toBe(true);
        expect(made.filter((one) => !declared.includes(one) && !keys.includes(one))).toEqual([]);
      }
    }),
  );
});

test.each(inherited)('the inherited name %s is neither a sent nor a declared key', (name) => {
  const rejected = (keyword: string) => ({ status: 'rejected', issues: [{ keyword, key: name }] });
  const required: Schema = { ...closedOf({ a: text }), required: [name] };
  expect(readValue(required, { a: 'x' })).toMatchObject(rejected('required'));
  const sent = `{"a": "x", ${JSON.stringify(name)}: "y"}`;
  expect(read(closedOf({ a: text }), sent)).toMatchObject(rejected('additionalProperties'));
  const properties = JSON.parse(
    `{${JSON.stringify(name)}: {"default": 1}, "a": {"type": "string"}}`,
  );
  const declared: Schema = { type: 'object', properties };
  expect(readValue(declared, { a: 'x' })).toMatchObject({ status: 'unchanged' });
  expect(readValue(declared, {}, { tool: name }).status).toBe('unchanged');
  const filled = readValue({ ...declared, required: [name] }, {});
  expect(JSON.stringify(valueOf(filled))).toBe(`{${JSON.stringify(name)}:1}`);
});

test.each([
  '{"x-toolmend": {"semantic": "path", "verbatim": true}}',
  '{"$ref": "#/properties/a"}',
  '{"outcome": "unchanged", "value": {}, "repairs": []}',
  '{"kind": "refused", "issue": {}}',
  '{"then": "x", "toJSON": "y", "length": 3}',
  '{"lc": 1, "type": "constructor", "id": ["x"]}',
  '{"$schema": "x", "type": "object", "properties": {}}',
])('data with keys that mean something to code comes back as it is: %s', (sent) => {
  for (const schema of [objectOf({ a: text }), mapOf({})]) {
    expect(read(schema, sent)).toMatchObject({ status: 'unchanged', repairs: [] });
    expect(JSON.stringify(valueOf(read(schema, sent)))).toBe(JSON.stringify(JSON.parse(sent)));
  }
});
