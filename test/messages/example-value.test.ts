import { interpretArguments } from 'toolmend';
import {
  type Schema,
  anyOf,
  closedOf,
  flag,
  listOf,
  mapOf,
  number,
  objectOf,
  text,
  texts,
  whole,
} from '../schemas.ts';
import { messageOf } from './sent-and-read.ts';

const exampleIn = (message: string): string | undefined =>
  /^Example(?: at [^:]+)?: (.*)$/m.exec(message)?.[1];

const readSchema = closedOf({ path: text, limit: { ...whole, minimum: 1 }, tags: texts }, ['path']);

test.each<[string, Schema]>([
  [
    'of nested objects',
    closedOf({ a: closedOf({ b: listOf(whole), c: flag }, ['b', 'c']) }, ['a']),
  ],
  ...'date-time date time duration email uuid uri ipv4 ipv6 hostname regex'
    .split(' ')
    .map((format): [string, Schema] => [
      `of ${format}`,
      objectOf({ a: { ...text, format } }, ['a']),
    ]),
  ['of a least number', objectOf({ a: { ...whole, minimum: 7 } }, ['a'])],
  [
    'of open bounds',
    objectOf({ a: { ...number, exclusiveMinimum: 0, exclusiveMaximum: 0.5 } }, ['a']),
  ],
  ['of multiples', objectOf({ a: { ...whole, multipleOf: 7, maximum: -3 } }, ['a'])],
  [
    'of several bounds',
    objectOf({ a: { allOf: [{ ...whole, minimum: 2 }, { minimum: 9 }] } }, ['a']),
  ],
  ['of lengths', objectOf({ a: { ...text, minLength: 20, maxLength: 21 } }, ['a'])],
  ['of an array of several', objectOf({ a: listOf(whole, { minItems: 3 }) }, ['a'])],
  ...[
    '^x',
    String.raw`^\d{4}-\d{2}$`,
    '^(?:https?|ftp)://[a-z0-9.-]+/?$',
    String.raw`^(?=.{3,5}$)[A-Z]+(?:_[A-Z]+)*$`,
    String.raw`^[^\s\]]+\.(?<end>ts|js)x?$`,
    String.raw`\p{Lu}{2,}|never`,
    '^#?(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$',
    '^$',
  ].map((pattern): [string, Schema] => [
    `of ${pattern}`,
    objectOf({ a: { ...text, pattern } }, ['a']),
  ]),
  ['of the author', objectOf({ a: { ...text, pattern: '^x', examples: ['xyz'] } }, ['a'])],
])('an example is accepted: %s', (_title, schema) => {
  const example = exampleIn(messageOf(schema, {})) ?? 'none';
  expect(interpretArguments(schema, { text: example })).toMatchObject({ status: 'unchanged' });
});

const several = closedOf({
  a: text,
  at: { ...text, format: 'date' },
  two: listOf(whole, { minItems: 2 }),
});
const branch = (name: string) =>
  closedOf({ k: { const: name }, [name === 'b' ? 'n' : 'r']: whole }, ['k']);
const shapes = closedOf({ a: anyOf(branch('a'), branch('b')) });
const pair: Schema = { type: 'array', prefixItems: [text, whole], items: false };
const rows = { ...texts, default: [] };
const allThree = { ...closedOf({ a: text, b: whole, c: flag }), minProperties: 3 };
const exclusive = objectOf({ a: text, b: whole }, ['a'], { dependentSchemas: { b: false } });

test.each<[string, Schema, unknown, string]>([
  ['an optional property', readSchema, { path: 'a', limit: 'x' }, '{"path":"…","limit":1}'],
  ['an element', readSchema, { path: 'a', tags: ['b', true] }, '{"path":"…","tags":["…"]}'],
  [
    'several properties',
    several,
    { a: true, at: 5, two: 'x' },
    '{"a":"…","at":"2026-01-31","two":[1,1]}',
  ],
  [
    'an entry of a map',
    closedOf({ m: mapOf(whole) }),
    { m: { 'x-1': 'a', '<b>': 'c' } },
    '{"m":{"x-1":1}}',
  ],
  ['a map that came otherwise', closedOf({ map: mapOf(text) }), { map: 5 }, '{"map":{"key":"…"}}'],
  ['the branch that has the property', shapes, { a: { k: 'b', n: 'x' } }, '{"a":{"k":"b","n":1}}'],
  ['an element of a tuple', closedOf({ pair }), { pair: ['a', 'b'] }, '{"pair":["…",1]}'],
  [
    'an element of an array whose default is empty',
    closedOf({ rows }),
    { rows: [true] },
    '{"rows":["…"]}',
  ],
  ['a default', closedOf({ size: { ...whole, default: 20 } }), { size: 'x' }, '{"size":20}'],
  [
    'all properties if the required ones are too few',
    allThree,
    { a: true },
    '{"a":"…","b":1,"c":true}',
  ],
  ['no property that must not come with another', exclusive, { a: 'x', b: 'y' }, '{"a":"…"}'],
])('the example shows what was wrong put right: %s', (_title, schema, sent, example) => {
  expect(exampleIn(messageOf(schema, sent))).toBe(example);
});

test('there is no example if none can be made', () => {
  const impossible = objectOf({ a: { ...text, pattern: '^[ab]$', minLength: 2 } }, ['a']);
  expect(exampleIn(messageOf(impossible, {}))).toBeUndefined();
});
