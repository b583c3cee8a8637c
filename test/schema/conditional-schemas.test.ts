// Values are validated by conditional schemas and repaired by what holds without a condition.
// oxlint-disable unicorn/no-thenable -- a keyword of JSON Schema
import type { SchemaObject } from 'toolmend';
import { ajvValidator } from 'toolmend/ajv';
import { readValue, repairedTo, unchanged, valueOf } from '../read.ts';
import { anyOf, closedOf, listOf, nothing, objectOf, text, texts, whole } from '../schemas.ts';

const kindIs = (word: string): SchemaObject => objectOf({ kind: { const: word } }, ['kind']);

/** A circle has an integer radius and perhaps tags, anything else a title. */
const shape = objectOf({ kind: text }, [], {
  if: kindIs('circle'),
  then: objectOf({ radius: whole, tags: texts, filePath: text }, ['radius']),
  else: objectOf({ radius: text, title: text }, ['title']),
});
/** The same, with an enum of its kinds. */
const told: SchemaObject = { ...shape, properties: { kind: { enum: ['circle', 'square'] } } };
const card = objectOf({ card: text }, [], { dependentSchemas: { card: objectOf({ n: whole }) } });
const alike = objectOf({ filePath: text }, [], { if: true, then: objectOf({ file_path: text }) });
const branches = anyOf(objectOf({ n: whole }, ['n']), objectOf({ name: text }, ['name']));
const union = objectOf({ kind: text }, [], { ...branches, unevaluatedProperties: false });
const ofText = objectOf({ a: text }, ['a']);
const undecided: SchemaObject = { if: ofText, then: objectOf({ a: whole }), else: ofText };
const ifA: SchemaObject = { if: { required: ['a'] }, then: { required: ['b'] } };
const bothOrNone: SchemaObject = { ...closedOf({ a: text, b: text }), ...ifA };

const circle = { kind: 'circle', radius: 5 };
const spelled = { kind: 'Circle', radius: 5 };

/** `valid`: what was sent comes back. */
const rows: readonly (readonly [string, SchemaObject, object, object | 'rejected' | 'valid'])[] = [
  ['a valid value', shape, { ...circle, title: 7 }, 'valid'],
  ['a valid value of the other case', shape, { kind: 'x', title: 't', tags: 'a' }, 'valid'],
  ['a key of the other case', shape, { kind: 'x', title: 't', file_path: 'x' }, 'valid'],
  [
    'a misspelt key that no condition declares',
    shape,
    { kind: 'x', title: 't', KIND: 'y' },
    'rejected',
  ],
  [
    'a key of a condition that resembles another one',
    alike,
    { file_path: 'x', filePath: 'y' },
    'valid',
  ],
  ['a value inside', shape, { kind: 'circle', radius: '5' }, 'rejected'],
  ['a key that is required inside', shape, { kind: 'circle', Radius: 5 }, 'rejected'],
  ['a condition that does not hold', shape, { kind: 'Circle', radius: '5' }, 'rejected'],
  ['a repair outside that decides the condition', told, { kind: ' CIRCLE', radius: 5 }, circle],
  ['a repair outside, and a value inside', told, { kind: 'Circle', radius: '5' }, 'rejected'],
  ['an envelope', shape, { arguments: circle }, circle],
  ['an array', objectOf({ all: listOf(told) }), { all: spelled }, { all: [circle] }],
  ['a branch of a union', objectOf({ a: anyOf(nothing, told) }), { a: spelled }, { a: circle }],
  ['dependentSchemas of an absent key', card, { n: '5' }, 'valid'],
  ['dependentSchemas of a key', card, { card: 'x', n: '5' }, 'rejected'],
  ['a union without other keys', union, { kind: 'x', n: '5' }, { kind: 'x', n: 5 }],
  ['a removed key whose condition goes with it', bothOrNone, { a: null }, {}],
  ['a repair that changes its own condition', undecided, { a: '5' }, 'rejected'],
];

describe.each([
  ['the default validator', {}],
  ['Ajv', { validator: ajvValidator }],
])('by %s', (_validator, options) => {
  test.each(rows)('%s', (_name, schema, sent, expected) => {
    const result = readValue(schema, sent, options);
    if (expected === 'rejected') expect(result.status).toBe('rejected');
    else
      expect(result).toMatchObject(expected === 'valid' ? unchanged(sent) : repairedTo(expected));
    if (expected !== 'rejected')
      expect(valueOf(result)).toEqual(expected === 'valid' ? sent : expected);
  });

  test('a secret that is declared on a condition is not shown', () => {
    const token = { ...text, writeOnly: true, maxLength: 7 } as const;
    const schema = objectOf({ kind: text, n: whole }, [], {
      if: kindIs('login'),
      then: objectOf({ token }),
    });
    const rejected = readValue(schema, { kind: 'login', token: '123456789', n: 'x' }, options);
    const sent = { kind: 'login', token: 'sesame', n: null };
    const destructive = readValue(schema, sent, { ...options, tool: { effects: 'destructive' } });
    expect([rejected.status, destructive.status]).toEqual(['rejected', 'rejected']);
    expect(JSON.stringify([rejected, { ...destructive, wouldBe: 0 }])).not.toMatch(
      /123456789|sesame/,
    );
  });
});
