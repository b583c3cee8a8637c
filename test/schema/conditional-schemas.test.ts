// Values are validated by conditional schemas and repaired by what holds without a condition.
// oxlint-disable unicorn/no-thenable -- a keyword of JSON Schema
import { interpretArguments, type SchemaObject } from 'toolmend';
import { interpretingValidator } from 'toolmend/interpreting-validator';
import { closedOf, objectOf, text, whole } from '../repair/sample-schemas.ts';

const kindIs = (word: string): SchemaObject => ({
  properties: { kind: { const: word } },
  required: ['kind'],
});

/** A circle has a whole radius and perhaps a list of tags, anything else a title. */
const shape: SchemaObject = {
  ...objectOf({ kind: text }),
  if: kindIs('circle'),
  then: objectOf({ radius: whole, tags: { type: 'array', items: text }, filePath: text }, ['radius']),
  else: objectOf({ radius: text, title: text }, ['title']),
};

/** The same, whose kinds are told. */
const told: SchemaObject = { ...shape, properties: { kind: { enum: ['circle', 'square'] } } };

/** What it is, the schema, what was sent, and what comes of it. */
const rows: readonly (readonly [string, SchemaObject, object, object | 'rejected'])[] = [
  ['valid', shape, { kind: 'circle', radius: 5, title: 7 }, { kind: 'circle', radius: 5, title: 7 }],
  ['valid otherwise', shape, { kind: 'x', title: 't', tags: 'a' }, { kind: 'x', title: 't', tags: 'a' }],
  [
    'a key of the other case',
    shape,
    { kind: 'x', title: 't', file_path: 'x' },
    { kind: 'x', title: 't', file_path: 'x' },
  ],
  [
    'a key that is another one misspelt, unless a condition declares it',
    shape,
    { kind: 'x', title: 't', KIND: 'y' },
    'rejected',
  ],
  [
    'a key of a condition that resembles another one',
    { ...objectOf({ filePath: text }), if: true, then: objectOf({ file_path: text }) },
    { file_path: 'x', filePath: 'y' },
    { file_path: 'x', filePath: 'y' },
  ],
  ['a value inside', shape, { kind: 'circle', radius: '5' }, 'rejected'],
  ['a key that is required inside', shape, { kind: 'circle', Radius: 5 }, 'rejected'],
  ['a condition that does not hold', shape, { kind: 'Circle', radius: '5' }, 'rejected'],
  [
    'a repair outside that decides the condition',
    told,
    { kind: ' CIRCLE', radius: 5 },
    { kind: 'circle', radius: 5 },
  ],
  ['a repair outside, and a value inside', told, { kind: 'Circle', radius: '5' }, 'rejected'],
  ['an envelope', shape, { arguments: { kind: 'circle', radius: 5 } }, { kind: 'circle', radius: 5 }],
  [
    'in a list',
    objectOf({ all: { type: 'array', items: told } }),
    { all: { kind: 'Circle', radius: 5 } },
    { all: [{ kind: 'circle', radius: 5 }] },
  ],
  [
    'in a branch of a union',
    objectOf({ a: { anyOf: [{ type: 'null' }, told] } }),
    { a: { kind: 'Circle', radius: 5 } },
    { a: { kind: 'circle', radius: 5 } },
  ],
  [
    'dependentSchemas of what is absent',
    { ...objectOf({ card: text }), dependentSchemas: { card: objectOf({ n: whole }) } },
    { n: '5' },
    { n: '5' },
  ],
  [
    'dependentSchemas of what is there',
    { ...objectOf({ card: text }), dependentSchemas: { card: objectOf({ n: whole }) } },
    { card: 'x', n: '5' },
    'rejected',
  ],
  [
    'a union where nothing else may be there',
    {
      ...objectOf({ kind: text }),
      anyOf: [objectOf({ n: whole }, ['n']), objectOf({ name: text }, ['name'])],
      unevaluatedProperties: false,
    },
    { kind: 'x', n: '5' },
    { kind: 'x', n: 5 },
  ],
  [
    'a key that goes takes its condition along',
    { ...closedOf({ a: text, b: text }), if: { required: ['a'] }, then: { required: ['b'] } },
    { a: null },
    {},
  ],
  [
    'a repair that would take itself away from its condition',
    {
      ...objectOf({ a: {}, b: {} }),
      if: { properties: { a: { type: 'string' } }, required: ['a'] },
      then: objectOf({ a: whole }),
      else: objectOf({ a: text }),
    },
    { a: '5' },
    'rejected',
  ],
];

describe.each([
  ['Ajv', {}],
  ['the interpreting validator', { validator: interpretingValidator }],
])('by %s', (_validator, options) => {
  test.each(rows)('%s', (_name, schema, sent, expected) => {
    const result = interpretArguments(schema, { value: sent }, options);
    const isSame = JSON.stringify(sent) === JSON.stringify(expected);
    expect(result).toMatchObject(
      expected === 'rejected'
        ? { status: 'rejected' }
        : { status: isSame ? 'unchanged' : 'repaired', value: expected },
    );
    if (result.status !== 'rejected') expect(result.value).toEqual(expected);
  });

  test('a secret that is declared on a condition is shown nowhere', () => {
    const schema: SchemaObject = {
      ...objectOf({ kind: text, n: whole }),
      if: kindIs('login'),
      then: objectOf({ token: { type: 'string', writeOnly: true, maxLength: 7 } }),
    };
    const call = (token: unknown, n: unknown) =>
      interpretArguments(schema, { value: { kind: 'login', token, n } }, options);
    const rejected = call('123456789', 'x');
    expect(rejected.status).toBe('rejected');
    expect(JSON.stringify(rejected)).not.toContain('123456789');
    const destructive = interpretArguments(
      schema,
      { value: { kind: 'login', token: 'sesame', n: null } },
      { ...options, tool: { effects: 'destructive' } },
    );
    expect(destructive.status).toBe('rejected');
    expect(JSON.stringify({ ...destructive, wouldBe: undefined })).not.toContain('sesame');
  });
});
