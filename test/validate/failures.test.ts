// Do both validators list the same failures in the same order: each once, where it stands, with the key it speaks of?
import type { SchemaObject } from 'toolmend';
import { interpretingValidator } from 'toolmend/interpreting-validator';
import { createAjvValidator } from '../../src/validate/ajv-validator.ts';
import { withoutBranches } from '../../src/validate/validator.ts';
import {
  type Schema,
  anyOf,
  closedOf,
  flag,
  listOf,
  nothing,
  number,
  objectOf,
  recordOf,
  text,
  whole,
} from '../repair/sample-schemas.ts';

/** Without a schema path where the validators don't agree, and nothing depends, on it. */
type Failure = readonly [keyword: string, path: string, schemaPath: string | undefined, key?: string];

const short: Schema = { type: 'string', maxLength: 2 };
const never: Schema = { not: {} };

// As text: an object with a `then` looks like a promise.
const conditional: Schema = JSON.parse(
  '{"if": {"properties": {"a": {"const": 1}}, "required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}',
);

/** What it is, the schema, a value that fails, and its failures. */
const rows: readonly (readonly [string, SchemaObject, object, readonly Failure[]])[] = [
  ['a type', objectOf({ a: whole }), { a: 'x' }, [['type', '/a', '#/properties/a/type']]],
  [
    'a type and what is said of its values',
    objectOf({ a: { type: 'integer', minimum: 3 } }),
    { a: 1.5 },
    [
      ['type', '/a', '#/properties/a/type'],
      ['minimum', '/a', '#/properties/a/minimum'],
    ],
  ],
  [
    'numbers',
    objectOf({ a: { maximum: 1, minimum: 9, exclusiveMaximum: 2, exclusiveMinimum: 8, multipleOf: 4 } }),
    { a: 5 },
    [
      ['maximum', '/a', '#/properties/a/maximum'],
      ['minimum', '/a', '#/properties/a/minimum'],
      ['exclusiveMaximum', '/a', '#/properties/a/exclusiveMaximum'],
      ['exclusiveMinimum', '/a', '#/properties/a/exclusiveMinimum'],
      ['multipleOf', '/a', '#/properties/a/multipleOf'],
    ],
  ],
  [
    'texts',
    objectOf({ a: { format: 'email', pattern: '^b', minLength: 9, maxLength: 1 } }),
    { a: 'xy' },
    [
      ['maxLength', '/a', '#/properties/a/maxLength'],
      ['minLength', '/a', '#/properties/a/minLength'],
      ['pattern', '/a', '#/properties/a/pattern'],
      ['format', '/a', '#/properties/a/format'],
    ],
  ],
  [
    'lists',
    objectOf({ a: { uniqueItems: true, minItems: 9, maxItems: 1, items: short, contains: { const: 7 } } }),
    { a: ['x', 'x', 'long'] },
    [
      ['maxItems', '/a', '#/properties/a/maxItems'],
      ['minItems', '/a', '#/properties/a/minItems'],
      ['maxLength', '/a/2', '#/properties/a/items/maxLength'],
      ['contains', '/a', '#/properties/a/contains'],
      ['uniqueItems', '/a', '#/properties/a/uniqueItems'],
    ],
  ],
  [
    'how many elements of a kind there are',
    objectOf({
      few: { contains: whole, minContains: 2 },
      many: { contains: whole, maxContains: 1 },
    }),
    { few: [1, 'a'], many: [1, 2] },
    [
      ['contains', '/few', '#/properties/few/contains'],
      ['contains', '/many', '#/properties/many/contains'],
    ],
  ],
  [
    'objects',
    {
      type: 'object',
      minProperties: 9,
      maxProperties: 1,
      required: ['x', 'a', 'y'],
      propertyNames: short,
      additionalProperties: false,
      properties: { a: whole, b: text },
      patternProperties: { '^c': flag },
      dependentRequired: { b: ['e', 'a', 'f'], z: ['q'] },
    },
    { b: 1, a: 'x', cc: 1, long: 1 },
    [
      ['maxProperties', '', '#/maxProperties'],
      ['minProperties', '', '#/minProperties'],
      ['required', '', '#/required', 'x'],
      ['required', '', '#/required', 'y'],
      ['maxLength', '', '#/propertyNames/maxLength', 'long'],
      ['additionalProperties', '', '#/additionalProperties', 'long'],
      ['type', '/a', '#/properties/a/type'],
      ['type', '/b', '#/properties/b/type'],
      ['type', '/cc', '#/patternProperties/^c/type'],
      ['dependentRequired', '', '#/dependentRequired', 'e'],
      ['dependentRequired', '', '#/dependentRequired', 'f'],
    ],
  ],
  [
    'const, enum and not',
    objectOf({ a: { const: 5, enum: [6, 7], not: { type: 'string' } } }),
    { a: 'x' },
    [
      ['not', '/a', '#/properties/a/not'],
      ['const', '/a', '#/properties/a/const'],
      ['enum', '/a', '#/properties/a/enum'],
    ],
  ],
  [
    'keys of JavaScript are missing like others',
    closedOf({ toString: text, ['__proto__']: text }, ['toString', '__proto__', 'constructor']),
    JSON.parse('{"valueOf": 1}'),
    [
      ['required', '', '#/required', 'toString'],
      ['required', '', '#/required', '__proto__'],
      ['required', '', '#/required', 'constructor'],
      ['additionalProperties', '', '#/additionalProperties', 'valueOf'],
    ],
  ],
  [
    'what is behind a reference',
    { ...objectOf({ a: { $ref: '#/$defs/n' } }), $defs: { n: objectOf({ b: whole }, ['c']) } },
    { a: { b: 'x' } },
    [
      ['required', '/a', '#/$defs/n/required', 'c'],
      ['type', '/a/b', '#/$defs/n/properties/b/type'],
    ],
  ],
  [
    'the root in itself',
    objectOf({ a: whole, next: { $ref: '#' } }, ['a']),
    { a: 1, next: { a: 2, next: {} } },
    [['required', '/next/next', '#/required', 'a']],
  ],
  [
    'allOf, each part of it',
    objectOf({ a: { allOf: [short, { minLength: 9 }] } }),
    { a: 'xyz' },
    [
      ['maxLength', '/a', '#/properties/a/allOf/0/maxLength'],
      ['minLength', '/a', '#/properties/a/allOf/1/minLength'],
    ],
  ],
  [
    'if and then',
    {
      ...objectOf({ a: whole, b: whole }),
      ...conditional,
    },
    { a: 1 },
    [['required', '', '#/then/required', 'b']],
  ],
  [
    'if and else',
    {
      ...objectOf({ a: whole, b: whole }),
      ...conditional,
    },
    { a: 2 },
    [['required', '', '#/else/required', 'c']],
  ],
  [
    'dependentSchemas',
    { ...objectOf({ a: whole }), dependentSchemas: { a: { required: ['b'] } } },
    { a: 1 },
    [['required', '', '#/dependentSchemas/a/required', 'b']],
  ],
  [
    'a map',
    objectOf({ m: recordOf(whole) }),
    { m: { 'x/y~': 'a', b: 1 } },
    [['type', '/m/x~1y~0', '#/properties/m/additionalProperties/type']],
  ],
  [
    'a tuple, and what stands behind it',
    objectOf({ a: { type: 'array', prefixItems: [whole, text], items: false } }),
    { a: ['x', 'y', 1, 2] },
    [
      ['type', '/a/0', '#/properties/a/prefixItems/0/type'],
      ['items', '/a', '#/properties/a/items'],
    ],
  ],
  [
    'a tuple whose rest has a schema',
    objectOf({ a: { type: 'array', prefixItems: [whole], items: flag } }),
    { a: [1, true, 'x', 'y'] },
    [
      ['type', '/a/2', '#/properties/a/items/type'],
      ['type', '/a/3', '#/properties/a/items/type'],
    ],
  ],
  [
    'unevaluated elements',
    objectOf({ a: { type: 'array', prefixItems: [whole], unevaluatedItems: false } }),
    { a: [1, 2, 3] },
    [['unevaluatedItems', '/a', '#/properties/a/unevaluatedItems']],
  ],
  [
    'unevaluated properties',
    { type: 'object', allOf: [objectOf({ a: whole })], unevaluatedProperties: false },
    { a: 1, 'b c': 2, d: 3 },
    [
      ['unevaluatedProperties', '', '#/unevaluatedProperties', 'b c'],
      ['unevaluatedProperties', '', '#/unevaluatedProperties', 'd'],
    ],
  ],
  [
    'a property that may not be there',
    { type: 'object', properties: { a: false, b: whole } },
    { a: 1, b: 'x' },
    [
      ['false schema', '/a', undefined],
      ['type', '/b', '#/properties/b/type'],
    ],
  ],
  [
    'elements that may not be there',
    objectOf({ a: { type: 'array', items: false } }),
    { a: [1, 2] },
    [
      ['false schema', '/a/0', '#/properties/a/items/false schema'],
      ['false schema', '/a/1', '#/properties/a/items/false schema'],
    ],
  ],
  [
    'names that may not be',
    objectOf({ m: { type: 'object', propertyNames: false } }),
    { m: { a: 1 } },
    [['false schema', '/m', '#/properties/m/propertyNames/false schema', 'a']],
  ],
  [
    'constants and types, before and behind what is said of their values',
    objectOf({
      a: { type: 'integer', maximum: 1, const: 7 },
      b: { type: 'number', maximum: 1, const: 7 },
      c: { type: 'string', minLength: 1, enum: ['a'] },
      d: { type: ['string', 'null'], minLength: 1, enum: ['a'] },
      e: { type: 'boolean', enum: [true] },
    }),
    { a: 5.5, b: 'x', c: 5, d: 5, e: 5 },
    [
      ['type', '/a', '#/properties/a/type'],
      ['const', '/a', '#/properties/a/const'],
      ['maximum', '/a', '#/properties/a/maximum'],
      ['const', '/b', '#/properties/b/const'],
      ['type', '/b', '#/properties/b/type'],
      ['enum', '/c', '#/properties/c/enum'],
      ['type', '/c', '#/properties/c/type'],
      ['type', '/d', '#/properties/d/type'],
      ['enum', '/d', '#/properties/d/enum'],
      ['type', '/e', '#/properties/e/type'],
      ['enum', '/e', '#/properties/e/enum'],
    ],
  ],
  [
    'several places, in the order of the schema',
    objectOf({ b: listOf(objectOf({ x: number }, ['x'])), a: closedOf({ y: nothing }) }),
    { a: { y: 1, z: 2 }, b: [{ x: 1 }, {}, { x: 1 }] },
    [
      ['required', '/b/1', '#/properties/b/items/required', 'x'],
      ['additionalProperties', '/a', '#/properties/a/additionalProperties', 'z'],
      ['type', '/a/y', '#/properties/a/properties/y/type'],
    ],
  ],
  [
    'a key that a pointer escapes and one that an address does',
    closedOf({ 'a/b~c': whole, 'd e': whole }),
    { 'a/b~c': 'x', 'd e': 'x', 'f g': 1 },
    [
      ['additionalProperties', '', '#/additionalProperties', 'f g'],
      ['type', '/a~1b~0c', '#/properties/a~1b~0c/type'],
      ['type', '/d e', '#/properties/d e/type'],
    ],
  ],
  [
    'formats of numbers',
    objectOf({ a: { type: 'number', format: 'int32' }, b: { type: 'number', format: 'int64' } }),
    { a: 2 ** 31, b: 1.5 },
    [
      ['format', '/a', '#/properties/a/format'],
      ['format', '/b', '#/properties/b/format'],
    ],
  ],
  [
    'unions in a list, each by itself, and what stands beside them',
    objectOf({ l: listOf(anyOf(whole, objectOf({ x: whole }, ['x']))), b: whole }),
    { l: [{ x: 'y' }, 5, { x: 'z' }], b: 'q' },
    [
      ['anyOf', '/l/0', '#/properties/l/items/anyOf'],
      ['anyOf', '/l/2', '#/properties/l/items/anyOf'],
      ['type', '/b', '#/properties/b/type'],
    ],
  ],
  [
    'a key that is missing twice, and keys that are missing together',
    objectOf({ l: listOf(objectOf({}, ['x', 'y'])) }),
    { l: [{}, { x: 1 }, {}] },
    [
      ['required', '/l/0', '#/properties/l/items/required', 'x'],
      ['required', '/l/0', '#/properties/l/items/required', 'y'],
      ['required', '/l/1', '#/properties/l/items/required', 'y'],
      ['required', '/l/2', '#/properties/l/items/required', 'x'],
      ['required', '/l/2', '#/properties/l/items/required', 'y'],
    ],
  ],
  [
    'tuples in a list, each too long once',
    objectOf({ l: listOf({ type: 'array', prefixItems: [whole], items: false }) }),
    { l: [[1, 2, 3], [1], [1, 2, 3]] },
    [
      ['items', '/l/0', '#/properties/l/items/items'],
      ['items', '/l/2', '#/properties/l/items/items'],
    ],
  ],
  [
    'properties that are called as keywords',
    closedOf({
      propertyNames: { type: 'string', minLength: 5 },
      dependantRequired: whole,
      items: objectOf({ $ref: whole, allOf: whole }),
      if: closedOf({ not: whole }),
    }),
    JSON.parse(
      '{"propertyNames": "x", "dependantRequired": "x", "items": {"$ref": "x", "allOf": "x"}, "if": {"not": "x", "else": 1}}',
    ),
    [
      ['minLength', '/propertyNames', '#/properties/propertyNames/minLength'],
      ['type', '/dependantRequired', '#/properties/dependantRequired/type'],
      ['type', '/items/$ref', '#/properties/items/properties/$ref/type'],
      ['type', '/items/allOf', '#/properties/items/properties/allOf/type'],
      ['additionalProperties', '/if', '#/properties/if/additionalProperties', 'else'],
      ['type', '/if/not', '#/properties/if/properties/not/type'],
    ],
  ],
  [
    'names, each part of what is said of them',
    objectOf({ m: { type: 'object', propertyNames: { allOf: [short, { minLength: 1 }] } } }),
    { m: { abc: 1, a: 2 } },
    [['maxLength', '/m', '#/properties/m/propertyNames/allOf/0/maxLength', 'abc']],
  ],
  [
    'a branch that takes nothing',
    objectOf({ a: { anyOf: [false, whole] }, b: { oneOf: [whole, false] }, c: whole }),
    { a: 'x', b: 'y', c: 'z' },
    [
      ['anyOf', '/a', '#/properties/a/anyOf'],
      ['oneOf', '/b', '#/properties/b/oneOf'],
      ['type', '/c', '#/properties/c/type'],
    ],
  ],
  [
    'patterns that take another engine, beside parts and formats',
    objectOf({
      a: { type: 'string', pattern: '^(a+)+$', allOf: [{ minLength: 9 }] },
      b: { type: 'string', pattern: '^(b+)+$', format: 'email' },
      c: { type: 'number', format: 'int32', multipleOf: 2 },
    }),
    { a: 'b', b: 'a', c: 1.5 },
    [
      ['minLength', '/a', '#/properties/a/allOf/0/minLength'],
      ['pattern', '/a', '#/properties/a/pattern'],
      ['pattern', '/b', '#/properties/b/pattern'],
      ['format', '/b', '#/properties/b/format'],
      ['multipleOf', '/c', '#/properties/c/multipleOf'],
      ['format', '/c', '#/properties/c/format'],
    ],
  ],
];

const validators = [
  ['Ajv', createAjvValidator],
  ['the interpreting validator', interpretingValidator],
] as const;

describe.each(validators)('%s', (_name, validator) => {
  test.each(rows)('%s', (_title, schema, value, expected) => {
    const root = validator(schema);
    const sent = JSON.parse(JSON.stringify(value));
    expect(root.compile(schema)(sent)).toBe(false);
    const failures = withoutBranches(root.failures(sent));
    const said = failures.map(({ keyword, path, schemaPath, key }, at) => [
      keyword,
      path,
      expected[at]?.[2] === undefined ? undefined : `#${decodeURIComponent(schemaPath).split('#').at(-1)}`,
      ...(key === undefined ? [] : [key]),
    ]);
    expect(said).toEqual(expected);
  });

  test('a union that fails is one failure, whatever its branches say', () => {
    for (const union of [
      anyOf(whole, objectOf({ x: whole }, ['x'])),
      { oneOf: [whole, objectOf({ x: whole })] },
    ]) {
      const root = validator(objectOf({ a: union, b: whole }));
      const own = root.failures({ a: { x: 'y' }, b: 'z' }).filter(({ path }) => path !== '/a/x');
      expect(own.map(({ keyword, path }) => [keyword, path])).toContainEqual([Object.keys(union)[0], '/a']);
      expect(own.map(({ keyword, path }) => [keyword, path])).toContainEqual(['type', '/b']);
    }
  });

  test('each failure has the schema that its keyword stands in', () => {
    const place: Schema = { type: 'string', enum: ['a'] };
    const failures = validator(objectOf({ a: place }, ['b'])).failures({ a: 5 });
    expect(failures.map(({ keyword, schema }) => [keyword, schema])).toEqual([
      ['required', objectOf({ a: place }, ['b'])],
      ['type', place],
      ['enum', place],
    ]);
  });

  test('a part is validated by itself, and so are parts that the root doesn’t have', () => {
    const root = validator(objectOf({ a: listOf(whole) }));
    expect([[1], ['x']].map(root.compile(listOf(whole)))).toEqual([true, false]);
    expect([1, 'x'].map(root.compile(true))).toEqual([true, true]);
    expect([1, 'x'].map(root.compile(false))).toEqual([false, false]);
    expect(['x', 'xyz'].map(root.compile(short))).toEqual([true, false]);
    expect([1].map(root.compile(never))).toEqual([false]);
  });
});
