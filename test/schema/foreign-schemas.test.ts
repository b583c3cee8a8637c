import { interpretArguments, type SchemaObject } from 'toolmend';
import { interpretingValidator } from 'toolmend/interpreting-validator';
import { text, whole } from '../repair/sample-schemas.ts';

const object = (
  properties: NonNullable<SchemaObject['properties']>,
  required: readonly string[] = [],
): SchemaObject => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
});

/** Title, schema, what was sent, and the value that it becomes. */
const rows: readonly (readonly [string, SchemaObject, object, object | 'rejected'])[] = [
  ['ref', { ...object({ a: { $ref: '#/$defs/i' } }), $defs: { i: whole } }, { a: '5' }, { a: 5 }],
  [
    'ref draft7',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...object({ a: { $ref: '#/definitions/i', description: 'x' } }),
      definitions: { i: whole },
    },
    { a: '5' },
    { a: 5 },
  ],
  [
    'anchor',
    { ...object({ a: { $ref: '#num' } }), $defs: { x: { $anchor: 'num', ...whole } } },
    { a: '5' },
    { a: 5 },
  ],
  [
    'id part',
    {
      ...object({ a: { $ref: 'https://e.com/x#/$defs/y' } }),
      $defs: { x: { $id: 'https://e.com/x', $defs: { y: whole } } },
    },
    { a: '5' },
    { a: 5 },
  ],
  [
    'components',
    {
      ...object({ a: { $ref: '#/components/schemas/I' } }),
      components: { schemas: { I: { ...whole, nullable: true } } },
    },
    { a: 'null' },
    { a: null },
  ],
  [
    'recursion',
    {
      ...object({ t: { $ref: '#/$defs/n' } }),
      $defs: { n: object({ v: whole, c: { type: 'array', items: { $ref: '#/$defs/n' } } }) },
    },
    { t: { v: '1', c: [{ v: '2', c: '[{"v":"3"}]' }] } },
    { t: { v: 1, c: [{ v: 2, c: [{ v: 3 }] }] } },
  ],
  [
    'root recursion',
    object({ v: whole, next: { $ref: '#' } }),
    { v: '1', next: { v: '2', next: '{"v":"3"}' } },
    { v: 1, next: { v: 2, next: { v: 3 } } },
  ],
  ['anyOf null', object({ a: { anyOf: [whole, { type: 'null' }] } }), { a: '5' }, { a: 5 }],
  ['type list', object({ a: { type: ['integer', 'null'] } }), { a: '5' }, { a: 5 }],
  ['nullable', object({ a: { type: 'integer', nullable: true } }), { a: 'null' }, { a: null }],
  [
    'nullable ref',
    { ...object({ a: { $ref: '#/$defs/i', nullable: true } }), $defs: { i: whole } },
    { a: 'null' },
    { a: null },
  ],
  [
    'nullable ref keeps',
    { ...object({ a: { $ref: '#/$defs/i', nullable: true } }), $defs: { i: whole } },
    { a: null },
    { a: null },
  ],
  ['nullable enum', object({ a: { enum: ['x'], nullable: true } }), { a: null }, { a: null }],
  ['enum null', object({ a: { enum: ['x', null] } }), { a: 'null' }, { a: null }],
  ['const null', object({ a: { anyOf: [whole, { const: null }] } }), { a: 'null' }, { a: null }],
  ['const', object({ a: { const: 5 } }), { a: '5' }, { a: 5 }],
  ['const text', object({ a: { const: 'Fast' } }), { a: 'fast' }, { a: 'Fast' }],
  [
    'allOf',
    object({ a: { allOf: [{ type: 'object' }, object({ n: whole })] } }),
    { a: { n: '5' } },
    { a: { n: 5 } },
  ],
  [
    'allOf root',
    { type: 'object', allOf: [object({ a: whole }), object({ b: { type: 'array', items: text } })] },
    { a: '5', b: 'x' },
    { a: 5, b: ['x'] },
  ],
  [
    'allOf of refs',
    { type: 'object', allOf: [{ $ref: '#/$defs/x' }], $defs: { x: object({ a: whole }, ['a']) } },
    { a: '5' },
    { a: 5 },
  ],
  [
    'dependentRequired',
    { ...object({ a: text, b: whole }), dependentRequired: { a: ['b'] } },
    { a: 'x' },
    'rejected',
  ],
  ['patternProperties', { type: 'object', patternProperties: { '^n_': whole } }, { n_a: '5' }, { n_a: 5 }],
  ['additionalProperties', { type: 'object', additionalProperties: whole }, { x: '5' }, { x: 5 }],
  [
    'record of lists',
    object({ m: { type: 'object', additionalProperties: { type: 'array', items: whole } } }),
    { m: { x: '[1,"2"]' } },
    { m: { x: [1, 2] } },
  ],
  [
    'prefixItems',
    object({ a: { type: 'array', prefixItems: [whole, text], items: false } }),
    { a: ['5', 'x'] },
    { a: [5, 'x'] },
  ],
  [
    'items list',
    object({ a: { type: 'array', items: [whole, text], additionalItems: { type: 'boolean' } } }),
    { a: ['5', 'x', 'true'] },
    { a: [5, 'x', true] },
  ],
  ['contains', object({ a: { type: 'array', contains: whole } }), { a: ['5'] }, 'rejected'],
  [
    'unevaluatedProperties',
    { type: 'object', allOf: [object({ a: whole })], unevaluatedProperties: false },
    { a: '5' },
    { a: 5 },
  ],
  [
    'unevaluated key null',
    { type: 'object', allOf: [object({ a: whole })], unevaluatedProperties: false },
    { a: 5, x: null },
    { a: 5 },
  ],
  [
    'unevaluated rename',
    { type: 'object', allOf: [object({ fileName: text })], unevaluatedProperties: false },
    { file_name: 'x' },
    { fileName: 'x' },
  ],
  [
    'unevaluatedProperties schema',
    { type: 'object', properties: { a: text }, unevaluatedProperties: whole },
    { a: 'x', b: '5' },
    { a: 'x', b: 5 },
  ],
  [
    'unevaluatedItems',
    object({ a: { type: 'array', prefixItems: [text], unevaluatedItems: whole } }),
    { a: ['x', '5'] },
    { a: ['x', 5] },
  ],
  [
    'oneOf tagged',
    object({
      a: {
        oneOf: [
          object({ k: { const: 'x' }, n: whole }, ['k', 'n']),
          object({ k: { const: 'y' }, b: { type: 'boolean' } }, ['k', 'b']),
        ],
      },
    }),
    { a: { k: 'y', b: 'true' } },
    { a: { k: 'y', b: true } },
  ],
  [
    'oneOf stringified',
    object({
      a: {
        oneOf: [
          object({ k: { const: 'x' }, n: whole }, ['k', 'n']),
          object({ k: { const: 'y' }, b: { type: 'boolean' } }, ['k', 'b']),
        ],
      },
    }),
    { a: '{"k":"y","b":"true"}' },
    { a: { k: 'y', b: true } },
  ],
  [
    'anyOf list or text',
    object({ a: { anyOf: [{ type: 'array', items: text }, text] } }),
    { a: '["x"]' },
    { a: '["x"]' },
  ],
  ['boolean schema', object({ a: true, b: false }), { a: 'x' }, { a: 'x' }],
  ['not', object({ a: { type: 'integer', not: { const: 5 } } }), { a: '5' }, 'rejected'],
  [
    'draft4 bound',
    {
      $schema: 'http://json-schema.org/draft-04/schema#',
      ...object({ a: { type: 'integer', minimum: 5, exclusiveMinimum: true } }),
    },
    { a: '6' },
    { a: 6 },
  ],
  [
    'dynamicRef',
    { $dynamicAnchor: 'n', ...object({ v: whole, c: { type: 'array', items: { $dynamicRef: '#n' } } }) },
    { v: 1, c: [{ v: '2' }] },
    { v: 1, c: [{ v: 2 }] },
  ],
  [
    'recursiveRef',
    {
      $schema: 'https://json-schema.org/draft/2019-09/schema',
      $recursiveAnchor: true,
      ...object({ v: whole, c: { type: 'array', items: { $recursiveRef: '#' } } }),
    },
    { v: 1, c: [{ v: '2' }] },
    { v: 1, c: [{ v: 2 }] },
  ],
];

describe.each([
  ['Ajv', {}],
  ['the interpreting validator', { validator: interpretingValidator }],
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
