import type { SchemaObject } from 'toolmend';
import type { JsonValue } from '../../src/json/value.ts';
import { ajvValidator } from 'toolmend/ajv';
import { schemaValidator } from '../../src/validate/schema-validator.ts';
import {
  type Schema,
  anyOf,
  closedOf,
  flag,
  listOf,
  mapOf,
  nothing,
  number,
  objectOf,
  text,
  whole,
} from '../schemas.ts';

const short: Schema = { ...text, maxLength: 2 };

// As text: an object with a `then` looks like a promise.
const conditional: Schema = JSON.parse(
  '{"if": {"properties": {"a": {"const": 1}}, "required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}',
);

/**
 * A schema of the argument `a`, a value of it that fails, and the failures: keyword, path and,
 * after a colon, key.
 */
const ofOneArgument: readonly (readonly [SchemaObject, unknown, string])[] = [
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
  [
    { type: 'array', prefixItems: [whole, text], items: false },
    ['x', 'y', 1, 2],
    'items /a, type /a/0',
  ],
  [
    { type: 'array', prefixItems: [whole], items: flag },
    [1, true, 'x', 'y'],
    'type /a/2, type /a/3',
  ],
  [
    { type: 'array', prefixItems: [whole], unevaluatedItems: false },
    [1, 2, 3],
    'unevaluatedItems /a',
  ],
  [{ type: 'object', propertyNames: false }, { a: 1 }, 'false schema /a : a'],
  [
    listOf(objectOf({}, ['x', 'y'])),
    [{}, { x: 1 }, {}],
    'required /a/0 : x, required /a/0 : y, required /a/1 : y, required /a/2 : x, required /a/2 : y',
  ],
  [{ contains: whole, minContains: 2 }, [1, 'a'], 'contains /a'],
  [{ contains: whole, maxContains: 1 }, [1, 2], 'contains /a'],
  [{ prefixItems: [text], unevaluatedItems: whole }, ['x', 'y', 1, null], 'type /a/1, type /a/3'],
  [{ allOf: [objectOf({ x: whole })], unevaluatedProperties: text }, { x: 1, y: 2 }, 'type /a/y'],
  [
    { type: 'object', unevaluatedProperties: false },
    { 'y y': 2 },
    'unevaluatedProperties /a : y y',
  ],
  [{ properties: { x: false, y: whole } }, { x: 1, y: 'x' }, 'false schema /a/x, type /a/y'],
  [{ ...whole, maximum: 1, const: 7 }, 5.5, 'type /a, const /a, maximum /a'],
  [{ type: ['string', 'null'], minLength: 1, enum: ['a'] }, 5, 'type /a, enum /a'],
  [{ pattern: '^(a+)+$', allOf: [{ minLength: 9 }] }, 'b', 'minLength /a, pattern /a'],
  [
    listOf(anyOf(whole, closedOf({ x: whole }))),
    [{ x: 'y' }, 5, { z: 1 }],
    'anyOf /a/0, anyOf /a/2',
  ],
  [{ ...number, format: 'int32', multipleOf: 2 }, 1.5, 'multipleOf /a, format /a'],
  [{ ...number, format: 'int32' }, 2 ** 31, 'format /a'],
  [{ ...number, format: 'int64' }, 1.5, 'format /a'],
  [{ anyOf: [false, whole] }, 'x', 'anyOf /a'],
  [{ oneOf: [whole, false] }, 'x', 'oneOf /a'],
  [{ dependentSchemas: { x: { required: ['y'] } } }, { x: 1 }, 'required /a : y'],
  [{ propertyNames: { allOf: [short, { minLength: 1 }] } }, { abc: 1, a: 2 }, 'maxLength /a : abc'],
];

const chain = objectOf({ a: whole, next: { $ref: '#' } }, ['a']);

const rows: readonly (readonly [string, SchemaObject, object, string])[] = [
  ...ofOneArgument.map(
    ([schema, a, found]) => [found, objectOf({ a: schema }), { a }, found] as const,
  ),
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
    'a root that contains itself',
    chain,
    { a: 1, next: { a: 2, next: {} } },
    'required /next/next : a',
  ],
  [
    'if and then',
    { ...objectOf({ a: whole, b: whole }), ...conditional },
    { a: 1 },
    'required : b',
  ],
  [
    'if and else',
    { ...objectOf({ a: whole, b: whole }), ...conditional },
    { a: 2 },
    'required : c',
  ],
  [
    'several places, in the order of the schema',
    objectOf({ b: listOf(objectOf({ x: number }, ['x'])), a: closedOf({ y: nothing }) }),
    { a: { y: 1, z: 2 }, b: [{ x: 1 }, {}, { x: 1 }] },
    'required /b/1 : x, additionalProperties /a : z, type /a/y',
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
];

/** Schema and value as the model's JSON would bring them: no key is inherited. */
const plain = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value));

test.each(rows)('what fails is listed: %s', (_title, schema, value, expected) => {
  const sent = plain(value);
  expect(schemaValidator(schema).accepts(sent)).toBe(false);
  const ajv = ajvValidator(schema);
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
  const root: Schema = {
    ...objectOf({ a: enumerated }, ['b']),
    properties: { a: enumerated, c: false },
  };
  expect(schemaValidator(root).failures({ a: 5, c: 1 })).toEqual([
    { keyword: 'required', path: '', key: 'b', schema: root },
    { keyword: 'type', path: '/a', schema: enumerated },
    { keyword: 'enum', path: '/a', schema: enumerated },
    { keyword: 'false schema', path: '/c', schema: false },
  ]);
});

describe.each([
  ['Ajv', ajvValidator],
  ['the default validator', schemaValidator],
])('%s', (_name, createValidator) => {
  test('validates against parts of the root and against schemas made of them', () => {
    const root = createValidator(objectOf({ a: listOf(whole) }));
    expect([[1], ['x']].map((value) => root.accepts(value, listOf(whole)))).toEqual([true, false]);
    expect(root.accepts(1, true)).toBe(true);
    expect(root.accepts(1, false)).toBe(false);
    const accepted = ['x', 'xyz', 5].map((value) => root.accepts(value, { allOf: [short, text] }));
    expect(accepted).toEqual([true, false, false]);
    expect(root.failures(['x'], listOf(whole))).toEqual([
      { keyword: 'type', path: '/0', schema: whole },
    ]);
  });

  test('refuses a root that refers to nothing', () => {
    const validate = () =>
      createValidator(objectOf({ a: { $ref: '#/$defs/none' } })).accepts({ a: 1 });
    expect(validate).toThrow('#/$defs/none');
  });
});
