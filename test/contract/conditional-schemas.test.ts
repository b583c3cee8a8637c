// Is a near-miss repaired where only a condition speaks of its place, and never by making the condition hold?
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

const rule = (word: string, then: SchemaObject): SchemaObject => ({ if: kindIs(word), then });

const many: SchemaObject = {
  ...objectOf({ kind: { enum: ['a', 'b', 'c'] } }, ['kind']),
  allOf: [
    rule('a', objectOf({ n: whole }, ['n'])),
    rule('b', objectOf({ n: { type: 'boolean' } }, ['n'])),
    rule('c', objectOf({ n: text }, ['n'])),
  ],
};

/** What it is, the schema, what was sent, and what comes of it. */
const rows: readonly (readonly [string, SchemaObject, object, object | 'rejected'])[] = [
  ['valid', shape, { kind: 'circle', radius: 5, title: 7 }, { kind: 'circle', radius: 5, title: 7 }],
  ['valid otherwise', shape, { kind: 'x', title: 't', tags: 'a' }, { kind: 'x', title: 't', tags: 'a' }],
  ['a type', shape, { kind: 'circle', radius: '5' }, { kind: 'circle', radius: 5 }],
  ['a list', shape, { kind: 'circle', radius: 5, tags: '["x"]' }, { kind: 'circle', radius: 5, tags: ['x'] }],
  ['a key that is asked for', shape, { kind: 'circle', Radius: 5 }, { kind: 'circle', radius: 5 }],
  [
    'a key that may be there',
    shape,
    { kind: 'circle', radius: 5, file_path: 'x' },
    { kind: 'circle', radius: 5, filePath: 'x' },
  ],
  [
    'a key of the other case',
    shape,
    { kind: 'x', title: 't', file_path: 'x' },
    { kind: 'x', title: 't', file_path: 'x' },
  ],
  [
    'a path that is a link',
    shape,
    { kind: 'circle', radius: 5, filePath: '[a.md](http://a.md)' },
    { kind: 'circle', radius: 5, filePath: 'a.md' },
  ],
  ['a null', shape, { kind: 'circle', radius: 5, tags: null }, { kind: 'circle', radius: 5 }],
  ['else', shape, { kind: 'x', title: 't', radius: 5 }, { kind: 'x', title: 't', radius: '5' }],
  ['nothing to make the condition hold', shape, { kind: 'Circle', radius: '5' }, 'rejected'],
  ['a repair that decides it', told, { kind: 'Circle', radius: '5' }, { kind: 'circle', radius: 5 }],
  [
    'a repair that decides it, where the other case would repair too',
    told,
    { kind: ' CIRCLE', radius: 5, title: 't' },
    { kind: 'circle', radius: 5, title: 't' },
  ],
  ['an envelope', shape, { arguments: { kind: 'circle', radius: '5' } }, { kind: 'circle', radius: 5 }],
  ['no word for it', shape, { kind: 'circle', radius: 'five' }, 'rejected'],
  [
    'inside a list',
    objectOf({ all: { type: 'array', items: shape } }),
    {
      all: [
        { kind: 'circle', radius: '5' },
        { kind: 'x', title: 't', radius: 5 },
      ],
    },
    {
      all: [
        { kind: 'circle', radius: 5 },
        { kind: 'x', title: 't', radius: '5' },
      ],
    },
  ],
  [
    'behind a reference',
    { ...objectOf({ one: { $ref: '#/$defs/shape' } }), $defs: { shape } },
    { one: { kind: 'circle', radius: '5' } },
    { one: { kind: 'circle', radius: 5 } },
  ],
  [
    'a condition that is referred to',
    {
      ...objectOf({ kind: text }),
      if: { $ref: '#/$defs/isCircle' },
      then: { $ref: '#/$defs/circle' },
      $defs: { isCircle: kindIs('circle'), circle: objectOf({ radius: whole }) },
    },
    { kind: 'circle', radius: '5' },
    { kind: 'circle', radius: 5 },
  ],
  ['several in allOf', many, { kind: 'b', n: 'true' }, { kind: 'b', n: true }],
  ['several, the kind repaired', many, { kind: 'A', n: '5' }, { kind: 'a', n: 5 }],
  ['several, none but its own', many, { kind: 'c', n: 5 }, { kind: 'c', n: '5' }],
  [
    'a condition in a condition',
    { ...objectOf({ on: { type: 'boolean' } }), if: { required: ['on'] }, then: shape },
    { on: true, kind: 'circle', radius: '5' },
    { on: true, kind: 'circle', radius: 5 },
  ],
  [
    'a repair that decides the next condition',
    {
      type: 'object',
      allOf: [
        rule('a', objectOf({ mode: { enum: ['fast', 'slow'] } })),
        {
          if: { properties: { mode: { const: 'fast' } }, required: ['mode'] },
          then: objectOf({ n: whole }),
        },
      ],
    },
    { kind: 'a', mode: 'FAST', n: '5' },
    { kind: 'a', mode: 'fast', n: 5 },
  ],
  [
    'in a branch of a union',
    objectOf({ a: { anyOf: [{ type: 'null' }, shape] } }),
    { a: { kind: 'circle', radius: '5' } },
    { a: { kind: 'circle', radius: 5 } },
  ],
  [
    'beside a union',
    {
      ...shape,
      anyOf: [{ required: ['radius'] }, { required: ['title'] }],
    },
    { kind: 'circle', radius: '5' },
    { kind: 'circle', radius: 5 },
  ],
  [
    'dependentSchemas',
    { ...objectOf({ card: text }), dependentSchemas: { card: objectOf({ zip: text, n: whole }) } },
    { card: 'x', n: '5' },
    { card: 'x', n: 5 },
  ],
  [
    'dependentSchemas of what is absent',
    { ...objectOf({ card: text }), dependentSchemas: { card: objectOf({ n: whole }) } },
    { n: '5' },
    { n: '5' },
  ],
  [
    'dependencies',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...objectOf({ card: text }),
      dependencies: { card: objectOf({ n: whole }, ['n']) },
    },
    { card: 'x', N: '5' },
    { card: 'x', n: 5 },
  ],
  [
    'dependentRequired with a default',
    { ...objectOf({ a: text, b: { ...whole, default: 1 } }), dependentRequired: { a: ['b'] } },
    { a: 'x' },
    { a: 'x', b: 1 },
  ],
  [
    'nothing else may be there',
    { ...shape, unevaluatedProperties: false },
    { kind: 'circle', Radius: 5, title: null },
    { kind: 'circle', radius: 5 },
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

  test('a pair that is declared on a condition is filled', () => {
    const schema: SchemaObject = {
      ...objectOf({ kind: text }),
      if: kindIs('page'),
      then: {
        ...objectOf({ limit: whole, offset: whole }),
        'x-toolmend': { relational: [{ requires: ['limit', 'offset'], defaults: { offset: 0 } }] },
      },
    };
    const paged = interpretArguments(schema, { value: { kind: 'page', limit: '5' } }, options);
    expect(paged).toMatchObject({ value: { kind: 'page', limit: 5, offset: 0 } });
    expect(paged.notes).toHaveLength(1);
    const other = interpretArguments(schema, { value: { kind: 'x', limit: 5 } }, options);
    expect(other).toMatchObject({ status: 'unchanged', value: { kind: 'x', limit: 5 } });
  });

  test('a secret that is declared on a condition is shown nowhere', () => {
    const schema: SchemaObject = {
      ...objectOf({ kind: text, n: whole }),
      if: kindIs('login'),
      then: objectOf({ token: { type: 'string', writeOnly: true, maxLength: 7 } }),
    };
    const call = (token: unknown, n: unknown) =>
      interpretArguments(schema, { value: { kind: 'login', token, n } }, options);
    const repaired = call(1234567, 1);
    expect(repaired).toMatchObject({ status: 'repaired', value: { token: '1234567' } });
    expect(JSON.stringify(repaired.repairs.map(({ was }) => was))).not.toContain('1234567');
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

test('many conditions, and many kinds of values, cost no more than one of them', () => {
  const names = Array.from({ length: 40 }, (_name, at) => `k${at}`);
  const schema: SchemaObject = {
    ...objectOf(Object.fromEntries(names.map((name) => [name, text]))),
    allOf: names.map((name) => ({ if: { required: [name] }, then: objectOf({ n: whole }) })),
  };
  for (let at = 0; at < 100; at += 1) {
    const sent = Object.fromEntries(
      names.filter((_name, index) => (at >> (index % 8)) % 2 === 1).map((key) => [key, 'x']),
    );
    const result = interpretArguments(schema, { value: { ...sent, n: '5' } });
    expect(result).toMatchObject({ value: { n: at === 0 ? '5' : 5 } });
  }
});
