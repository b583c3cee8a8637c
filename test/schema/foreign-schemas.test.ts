import { interpretArguments, type JsonSchema, type SchemaObject } from 'toolmend';
import { ajvValidator } from 'toolmend/ajv';
import {
  anyOf,
  flag,
  listOf,
  mapOf,
  objectOf,
  orNull,
  type Schema,
  text,
  texts,
  whole,
} from '../schemas.ts';

const draft07 = { $schema: 'http://json-schema.org/draft-07/schema#' };
const draft04 = { $schema: 'http://json-schema.org/draft-04/schema#' };
const draft2019 = { $schema: 'https://json-schema.org/draft/2019-09/schema' };
const tuple = (prefixItems: readonly JsonSchema[], more: Schema): Schema => ({
  prefixItems,
  ...more,
});
const branch = (k: string, one: Schema): Schema =>
  objectOf({ k: { const: k }, [k]: one }, ['k', k]);
const tagged: Schema = { oneOf: [branch('x', whole), branch('y', flag)] };

const toI = { $ref: '#/$defs/i' };
const $defs = {
  i: whole,
  n: { $anchor: 'n', ...whole },
  x: { $id: 'https://e.com/x', $defs: { y: whole } },
};
const components = { schemas: { I: { ...whole, nullable: true } } };

/**
 * Title, the schema of the property `a`, what was sent for it, what it becomes, and what the root
 * has besides.
 */
const ofProperty: readonly (readonly [string, JsonSchema, unknown, unknown, SchemaObject?])[] = [
  ['$ref', toI, '5', 5, { $defs }],
  ['nullable beside $ref', { ...toI, nullable: true }, 'null', null, { $defs }],
  [
    '$ref in draft-07',
    { $ref: '#/definitions/i' },
    '5',
    5,
    { ...draft07, definitions: { i: whole } },
  ],
  ['$anchor', { $ref: '#n' }, '5', 5, { $defs }],
  ['$id', { $ref: 'https://e.com/x#/$defs/y' }, '5', 5, { $defs }],
  ['components', { $ref: '#/components/schemas/I' }, 'null', null, { components }],
  ['bounds of draft-04', { ...whole, minimum: 5, exclusiveMinimum: true }, '6', 6, draft04],
  ['anyOf with null', orNull(whole), '5', 5],
  ['nullable', { ...whole, nullable: true }, 'null', null],
  ['nullable enum', { enum: ['x'], nullable: true }, null, null],
  ['enum with null', { enum: ['x', null] }, 'null', null],
  ['const null', anyOf(whole, { const: null }), 'null', null],
  ['const', { const: 5 }, '5', 5],
  ['allOf', { allOf: [{ type: 'object' }, objectOf({ n: whole })] }, { n: '5' }, { n: 5 }],
  ['a map of arrays', mapOf(listOf(whole)), { x: '[1,"2"]' }, { x: [1, 2] }],
  ['prefixItems', tuple([whole, text], { items: false }), ['5', 'x'], [5, 'x']],
  [
    'items',
    { type: 'array', items: [whole, text], additionalItems: flag },
    ['5', '', 'true'],
    [5, '', true],
  ],
  ['contains', { type: 'array', contains: whole }, ['5'], 'rejected'],
  ['unevaluatedItems', tuple([text], { unevaluatedItems: whole }), ['x', '5'], ['x', 5]],
  ['oneOf', tagged, { k: 'y', y: 'true' }, { k: 'y', y: true }],
  ['an array or text', anyOf(texts, text), '["x"]', '["x"]'],
  ['true', true, 'x', 'x'],
  ['not', { ...whole, not: { const: 5 } }, '5', 'rejected'],
];

const unevaluated: SchemaObject = { allOf: [objectOf({ a: whole })], unevaluatedProperties: false };
const dynamic = objectOf({ v: whole, c: listOf({ $dynamicRef: '#n' }) }, [], {
  $dynamicAnchor: 'n',
});
const recursive = objectOf({ v: whole, c: listOf({ $recursiveRef: '#' }) }, [], {
  $recursiveAnchor: true,
});
const several = {
  type: 'object',
  allOf: [objectOf({ a: whole }), objectOf({ b: texts })],
} as const;
const rest = objectOf({ a: text }, [], { unevaluatedProperties: whole });

/** Title, the schema of the arguments, what was sent, and what they become. */
const ofArguments: readonly (readonly [string, SchemaObject, unknown, unknown])[] = [
  ['$dynamicRef', dynamic, { c: [{ v: '2' }] }, { c: [{ v: 2 }] }],
  ['$recursiveRef', { ...draft2019, ...recursive }, { c: [{ v: '2' }] }, { c: [{ v: 2 }] }],
  ['allOf at the root', several, { a: '5', b: 'x' }, { a: 5, b: ['x'] }],
  [
    'dependentRequired',
    { ...objectOf({ a: {} }), dependentRequired: { a: ['b'] } },
    { a: 'x' },
    'rejected',
  ],
  ['unevaluatedProperties', unevaluated, { a: '5' }, { a: 5 }],
  ['null for an unevaluated key', unevaluated, { a: 5, x: null }, { a: 5 }],
  ['a misspelt unevaluated key', unevaluated, { A: 5 }, { a: 5 }],
  ['a schema of unevaluatedProperties', rest, { a: 'x', b: '5' }, { a: 'x', b: 5 }],
];

const rows = [
  ...ofArguments,
  ...ofProperty.map(([title, a, sent, value, root]) => {
    const schema: SchemaObject = { ...root, type: 'object', properties: { a } };
    return [title, schema, { a: sent }, value === 'rejected' ? value : { a: value }] as const;
  }),
];

describe.each([
  ['the default validator', {}],
  ['Ajv', { validator: ajvValidator }],
])('%s', (_name, validator) => {
  test.each(rows)('repairs arguments by a schema with %s', (_title, schema, value, expected) => {
    const options = { ...validator, warn: () => undefined };
    const result = interpretArguments(schema, { value }, options);
    expect(result).not.toHaveProperty('unvalidated');
    expect(result.status === 'rejected' ? result.status : result.value).toEqual(expected);
    if (expected !== 'rejected')
      expect(interpretArguments(schema, { value: expected }, options).status).toBe('unchanged');
  });
});
