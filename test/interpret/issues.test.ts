// Which issues does a value have: what failed, where, about which key, what would be right, and which way out is certain?
import { interpretArguments, type Issue, type SchemaObject } from 'toolmend';
import { anyOf, closedOf, listOf, objectOf, type Schema, text, whole } from '../repair/sample-schemas.ts';

const element = closedOf({ m: whole }, ['m']);
const edit = closedOf(
  { kind: { const: 'a' }, n: whole, word: { enum: ['x', 'y'] }, u: anyOf(element, text), l: listOf(whole) },
  ['kind', 'n'],
);
const note = closedOf({ kind: { const: 'b' }, n: text }, ['kind']);
const oneOf = (...branches: readonly Schema[]): Schema => ({ oneOf: branches });
const at = (path: string, expected: string, received: string): Issue => ({
  keyword: 'type',
  path,
  expected,
  received,
});

test.each<[string, SchemaObject, object, readonly Issue[]]>([
  [
    'a key that came twice in a closed object is told once',
    closedOf({ path: text }),
    { path: 'a', Path: 'b' },
    [{ keyword: 'additionalProperties', path: '', key: 'Path', advice: 'send "path" once' }],
  ],
  [
    'one that came twice in an open object is another spelling',
    objectOf({ path: text }),
    { path: 'a', Path: 'b' },
    [{ keyword: 'misspelt', path: '', key: 'Path', advice: 'send "path" once' }],
  ],
  [
    'nothing is told of what is inside a place that was mended',
    closedOf({ l: listOf(whole), n: whole }),
    { l: ['5'], n: 'x' },
    [at('/n', 'a whole number', 'the text "x"')],
  ],
  [
    'keys that no schema around looks at',
    { ...objectOf({ path: text }), unevaluatedProperties: false },
    { pathh: 'a', q: 1 },
    [
      { keyword: 'unevaluatedProperties', path: '', key: 'pathh', advice: 'did you mean "path"?' },
      { keyword: 'unevaluatedProperties', path: '', key: 'q' },
    ],
  ],
  [
    'a missing key that is declared nowhere',
    objectOf({}, ['x']),
    {},
    [{ keyword: 'required', path: '', key: 'x' }],
  ],
  [
    'a missing key that another one asks for, of several that ask',
    { ...objectOf({ b: text }, ['b']), dependentRequired: { z: ['b'], c: ['d'], a: ['b'] } },
    { c: 1, d: 1, a: 1 },
    [
      { keyword: 'required', path: '', key: 'b', expected: 'text' },
      { keyword: 'dependentRequired', path: '', key: 'b', expected: 'text', advice: '"a" needs it' },
    ],
  ],
  [
    'an object under an unknown key that holds none of the declared ones',
    closedOf({ path: text }),
    { data: { zzz: 1 } },
    [{ keyword: 'additionalProperties', path: '', key: 'data' }],
  ],
  [
    'one that holds some of them',
    closedOf({ path: text, q: text }),
    { data: { path: 1 }, q: 'a' },
    [{ keyword: 'additionalProperties', path: '', key: 'data', advice: 'send its keys without it' }],
  ],
  [
    'a key where all have to match a pattern',
    { type: 'object', patternProperties: { '^a': text, '^b': text }, additionalProperties: false },
    { c: 'x' },
    [{ keyword: 'additionalProperties', path: '', key: 'c', advice: 'keys match ^a or ^b' }],
  ],
  [
    'one where some have a name',
    { ...closedOf({ p: text }), patternProperties: { '^a': text } },
    { c: 'x' },
    [{ keyword: 'additionalProperties', path: '', key: 'c' }],
  ],
  [
    'a key where none may be',
    closedOf({}),
    { c: 'x' },
    [{ keyword: 'additionalProperties', path: '', key: 'c' }],
  ],
  [
    'two keys that are nothing but signs are no spellings of each other',
    closedOf({ '???': text }),
    { '???': 'a', '!!!': 'b' },
    [{ keyword: 'additionalProperties', path: '', key: '!!!' }],
  ],
  [
    'what must not be',
    objectOf({ a: JSON.parse('{"not": true}'), b: { not: { type: 'string' } } }),
    { a: 1, b: 'x' },
    [
      { keyword: 'not', path: '/a', expected: 'nothing', received: 'the number 1' },
      { keyword: 'not', path: '/b', expected: 'anything but text', received: 'the text "x"' },
    ],
  ],
  [
    'what may not be there',
    objectOf({ a: JSON.parse('false') }),
    { a: 1 },
    [
      {
        keyword: 'false schema',
        path: '/a',
        expected: 'nothing',
        received: 'the number 1',
        advice: 'leave it out',
      },
    ],
  ],
])('%s', (_title, schema, value, issues) => {
  expect(interpretArguments(schema, { value }).issues).toEqual(issues);
});

describe('in the only branch of a union that can be meant', () => {
  test.each<[string, Schema, unknown, readonly Issue[]]>([
    [
      'a key is missing',
      anyOf(edit, note),
      { kind: 'a' },
      [{ keyword: 'required', path: '/v', key: 'n', expected: 'a whole number' }],
    ],
    [
      'a key is unknown',
      anyOf(edit, note),
      { kind: 'a', n: 1, zz: 1 },
      [{ keyword: 'additionalProperties', path: '/v', key: 'zz' }],
    ],
    [
      'a member is of another kind',
      anyOf(edit, note),
      { kind: 'a', n: [] },
      [at('/v/n', 'a whole number', 'an empty list')],
    ],
    [
      'the same of a union that takes one only',
      oneOf(edit, note),
      { kind: 'a', n: [] },
      [at('/v/n', 'a whole number', 'an empty list')],
    ],
    [
      'several members, and elements of lists',
      anyOf(edit, note),
      { kind: 'a', n: [], l: [1, {}, 2, []] },
      [
        at('/v/n', 'a whole number', 'an empty list'),
        at('/v/l/1', 'a whole number', 'an empty object'),
        at('/v/l/3', 'a whole number', 'an empty list'),
      ],
    ],
    [
      'a member is none of the values',
      anyOf(edit, text),
      { kind: 'a', n: 1, word: 'zzz' },
      [{ keyword: 'enum', path: '/v/word', expected: 'one of "x", "y"', received: 'the text "zzz"' }],
    ],
    [
      'what is wrong in the one branch of a union inside',
      anyOf(edit, note),
      { kind: 'a', n: 1, u: { m: [] } },
      [at('/v/u/m', 'a whole number', 'an empty list')],
    ],
    [
      'a member fits no branch of a union inside',
      anyOf(edit, note),
      { kind: 'a', n: 1, u: 5 },
      [
        {
          keyword: 'anyOf',
          path: '/v/u',
          expected: '{ m: whole number } or text',
          received: 'the number 5',
        },
      ],
    ],
    [
      'elements of a list',
      anyOf(listOf(whole), text),
      [1, {}],
      [at('/v/1', 'a whole number', 'an empty object')],
    ],
  ])('%s', (_title, union, v, issues) => {
    expect(interpretArguments(closedOf({ v: union }), { value: { v } }).issues).toEqual(issues);
  });

  test.each<[string, unknown]>([
    ['no word came', { n: [] }],
    ['another word came beside it', { kind: 'a', n: 1, word: 'zzz' }],
  ])('but where %s the place is told as a whole', (_title, v) => {
    expect(interpretArguments(closedOf({ v: anyOf(edit, note) }), { value: { v } }).issues).toMatchObject([
      { keyword: 'anyOf', path: '/v' },
    ]);
  });
});
