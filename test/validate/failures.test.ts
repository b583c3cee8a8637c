import type { SchemaObject } from 'toolmend';
import type { JsonValue } from '../../src/json/value.ts';
import { interpretingValidator } from 'toolmend/interpreting-validator';
import { createAjvValidator } from '../../src/validate/ajv-validator.ts';
import {
  anyOf,
  closedOf,
  flag,
  listOf,
  mapOf,
  nothing,
  number,
  objectOf,
  type Schema,
  text,
  whole,
} from '../schemas.ts';

const short: Schema = { ...text, maxLength: 2 };

// As text: an object with a `then` looks like a promise.
const conditional: Schema = JSON.parse(
  '{"if": {"properties": {"a": {"const": 1}}, "required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}',
);

/** A schema of the argument `a`, a value of it that fails, and the failures: keyword, path and, after a colon, key. */
const ofOneArgument: readonly (readonly [SchemaObject, unknown, string])[] = [
  [whole, 'x', 'type /a'],
  [{ ...whole, minimum: 3 }, 1.5, 'type /a, minimum /a'],
  [
    { maximum: 1, minimum: 9, exclusiveMaximum: 2, exclusiveMinimum: 8, multipleOf: 4 },
    5,
    'maximum /a, minimum /a, exclusiveMaximum /a, exclusiveMinimum /a, multipleOf /a',
  ],
  [
    { format: 'email', pattern: '^b', minLength: 9, maxLength: 1 },
    'xy',
    'maxLength /a, minLength /a, pattern /a, format /a',
  ],
  [
    { uniqueItems: true, minItems: 9, maxItems: 1, items: short, contains: { const: 7 } },
    ['x', 'x', 'long'],
    'maxItems /a, minItems /a, maxLength /a/2, contains /a, uniqueItems /a',
  ],
  [{ const: 5, enum: [6, 7], not: text }, 'x', 'not /a, const /a, enum /a'],
  [{ allOf: [short, { minLength: 9 }] }, 'xyz', 'maxLength /a, minLength /a'],
  [mapOf(whole), { 'x/y~': 'a', b: 1 }, 'type /a/x~1y~0'],
  [{ type: 'array', prefixItems: [whole, text], items: false }, ['x', 'y', 1, 2], 'items /a, type /a/0'],
  [{ type: 'array', prefixItems: [whole], items: flag }, [1, true, 'x', 'y'], 'type /a/2, type /a/3'],
  [{ type: 'array', prefixItems: [whole], unevaluatedItems: false }, [1, 2, 3], 'unevaluatedItems /a'],
  [{ type: 'array', items: false }, [1, 2], 'items /a'],
  [{ type: 'object', propertyNames: false }, { a: 1 }, 'false schema /a : a'],
  [
    listOf(objectOf({}, ['x', 'y'])),
    [{}, { x: 1 }, {}],
    'required /a/0 : x, required /a/0 : y, required /a/1 : y, required /a/2 : x, required /a/2 : y',
  ],
  [{ propertyNames: { allOf: [short, { minLength: 1 }] } }, { abc: 1, a: 2 }, 'maxLength /a : abc'],
];

const rows: readonly (readonly [string, SchemaObject, object, string])[] = [
  ...ofOneArgument.map(
    ([schema, a, failures]) => [failures, objectOf({ a: schema }), { a }, failures] as const,
  ),
  [
    'minContains and maxContains',
    objectOf({ few: { contains: whole, minContains: 2 }, many: { contains: whole, maxContains: 1 } }),
    { few: [1, 'a'], many: [1, 2] },
    'contains /few, contains /many',
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
    'maxProperties, minProperties, required : x, required : y, maxLength : long, additionalProperties : long, type /a, type /b, type /cc, dependentRequired : e, dependentRequired : f',
  ],
  [
    'a referenced schema',
    { ...objectOf({ a: { $ref: '#/$defs/n' } }), $defs: { n: objectOf({ b: whole }, ['c']) } },
    { a: { b: 'x' } },
    'required /a : c, type /a/b',
  ],
  [
    'a root that contains itself',
    objectOf({ a: whole, next: { $ref: '#' } }, ['a']),
    { a: 1, next: { a: 2, next: {} } },
    'required /next/next : a',
  ],
  ['if and then', { ...objectOf({ a: whole, b: whole }), ...conditional }, { a: 1 }, 'required : b'],
  ['if and else', { ...objectOf({ a: whole, b: whole }), ...conditional }, { a: 2 }, 'required : c'],
  ['dependentSchemas', { dependentSchemas: { a: { required: ['b'] } } }, { a: 1 }, 'required : b'],
  [
    'unevaluated properties',
    { type: 'object', allOf: [objectOf({ a: whole })], unevaluatedProperties: false },
    { a: 1, 'b c': 2, d: 3 },
    'unevaluatedProperties : b c, unevaluatedProperties : d',
  ],
  [
    'a forbidden property',
    { type: 'object', properties: { a: false, b: whole } },
    { a: 1, b: 'x' },
    'false schema /a, type /b',
  ],
  [
    'a type before constants and limits',
    objectOf({
      a: { ...whole, maximum: 1, const: 7 },
      b: { ...number, maximum: 1, const: 7 },
      c: { ...text, minLength: 1, enum: ['a'] },
      d: { type: ['string', 'null'], minLength: 1, enum: ['a'] },
      e: { type: 'boolean', enum: [true] },
    }),
    { a: 5.5, b: 'x', c: 5, d: 5, e: 5 },
    'type /a, const /a, maximum /a, type /b, const /b, type /c, enum /c, type /d, enum /d, type /e, enum /e',
  ],
  [
    'several places, in the order of the schema',
    objectOf({ b: listOf(objectOf({ x: number }, ['x'])), a: closedOf({ y: nothing }) }),
    { a: { y: 1, z: 2 }, b: [{ x: 1 }, {}, { x: 1 }] },
    'required /b/1 : x, additionalProperties /a : z, type /a/y',
  ],
  [
    'keys that a JSON Pointer escapes',
    closedOf({ 'a/b~c': whole, 'd e': whole }),
    { 'a/b~c': 'x', 'd e': 'x', 'f g': 1 },
    'additionalProperties : f g, type /a~1b~0c, type /d e',
  ],
  [
    'number formats',
    objectOf({ a: { ...number, format: 'int32' }, b: { ...number, format: 'int64' } }),
    { a: 2 ** 31, b: 1.5 },
    'format /a, format /b',
  ],
  [
    'unions in a list, once each',
    objectOf({ l: listOf(anyOf(whole, objectOf({ x: whole }, ['x']))), b: whole }),
    { l: [{ x: 'y' }, 5, { x: 'z' }], b: 'q' },
    'anyOf /l/0, anyOf /l/2, type /b',
  ],
  [
    'properties named like keywords',
    closedOf({
      propertyNames: { ...text, minLength: 5 },
      dependantRequired: whole,
      items: objectOf({ $ref: whole, allOf: whole }),
      if: closedOf({ not: whole }),
    }),
    JSON.parse(
      '{"propertyNames": "x", "dependantRequired": "x", "items": {"$ref": "x", "allOf": "x"}, "if": {"not": "x", "else": 1}}',
    ),
    'minLength /propertyNames, type /dependantRequired, type /items/$ref, type /items/allOf, additionalProperties /if : else, type /if/not',
  ],
  [
    'unions with a false branch',
    objectOf({ a: { anyOf: [false, whole] }, b: { oneOf: [whole, false] }, c: whole }),
    { a: 'x', b: 'y', c: 'z' },
    'anyOf /a, oneOf /b, type /c',
  ],
  [
    'patterns for the linear engine',
    objectOf({
      a: { ...text, pattern: '^(a+)+$', allOf: [{ minLength: 9 }] },
      b: { ...text, pattern: '^(b+)+$', format: 'email' },
      c: { ...number, format: 'int32', multipleOf: 2 },
    }),
    { a: 'b', b: 'a', c: 1.5 },
    'minLength /a, pattern /a, pattern /b, format /b, multipleOf /c, format /c',
  ],
];

/** Schema and value as the model's JSON would bring them: no key is inherited. */
const plain = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value));

test.each(rows)('what fails is listed: %s', (_title, schema, value, expected) => {
  const sent = plain(value);
  expect(interpretingValidator(schema).accepts(sent)).toBe(false);
  const ajv = createAjvValidator(schema);
  expect(ajv.accepts(sent)).toBe(false);
  const listed = ajv
    .failures(sent)
    .map(({ keyword, path, key }) =>
      [keyword, path, key === undefined ? '' : `: ${key}`].filter(Boolean).join(' '),
    );
  expect(listed.join(', ')).toBe(expected);
});

test('each failure has the schema of its keyword', () => {
  const enumerated: Schema = { ...text, enum: ['a'] };
  const root = objectOf({ a: enumerated }, ['b']);
  expect(interpretingValidator(root).failures({ a: 5 })).toEqual([
    { keyword: 'required', path: '', key: 'b', schema: root },
    { keyword: 'type', path: '/a', schema: enumerated },
    { keyword: 'enum', path: '/a', schema: enumerated },
  ]);
});

describe.each([
  ['Ajv', createAjvValidator],
  ['the interpreting validator', interpretingValidator],
])('%s', (_name, createValidator) => {
  test('validates against parts of the root and against schemas made of them', () => {
    const root = createValidator(objectOf({ a: listOf(whole) }));
    expect([[1], ['x']].map((value) => root.accepts(value, listOf(whole)))).toEqual([true, false]);
    expect(root.accepts(1, true)).toBe(true);
    expect(root.accepts(1, false)).toBe(false);
    expect(['x', 'xyz', 5].map((value) => root.accepts(value, { allOf: [short, text] }))).toEqual([
      true,
      false,
      false,
    ]);
    expect(root.failures(['x'], listOf(whole))).toEqual([{ keyword: 'type', path: '/0', schema: whole }]);
  });

  test('refuses a root that refers to nothing', () => {
    expect(() => createValidator(objectOf({ a: { $ref: '#/$defs/none' } })).accepts({ a: 1 })).toThrow(
      '#/$defs/none',
    );
  });
});
