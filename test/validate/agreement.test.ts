// The fast form, the form that lists failures, and Ajv agree, also where Ajv alone is wrong or throws.
import { schemaValidator } from '../../src/validate/schema-validator.ts';
import { costOf } from '../cost.ts';
import {
  anyOf,
  closedOf,
  flag,
  mapOf,
  number,
  objectOf,
  type Schema,
  text,
  whole,
} from '../schemas.ts';
import { allValidators, plain } from './all-validators.ts';

const odd = { toString: 1, valueOf: 2, constructor: { a: [1] } };
const reordered = { constructor: { a: [1] }, valueOf: 2, toString: 1 };
const other = { toString: 1, valueOf: 2, constructor: { a: [2] } };
const unique: Schema = { type: 'array', uniqueItems: true };
const different = [
  1,
  '1',
  true,
  'true',
  null,
  'null',
  { a: 1 },
  { a: '1' },
  [1],
  ['1'],
  [[1]],
  '[1]',
];
const repeated = ['a', '__proto__', null, [1, [2]]].map((item) => [item, 'b', item]);
const byPattern: Schema = { patternProperties: { '^(a+)+$': text }, additionalProperties: false };
const twoOrThree: Schema = {
  contains: number,
  minContains: 2,
  maxContains: 3,
  unevaluatedItems: text,
};
const tuple: Schema = { prefixItems: [text], contains: number };
const covering: Schema = {
  ...objectOf({ a: text }, [], { patternProperties: { b: text }, unevaluatedProperties: number }),
  dependentSchemas: { a: { properties: { c: text } } },
  oneOf: [{ required: ['d'], properties: { d: text } }, { maxProperties: 1 }],
  not: { not: { properties: { e: true } } },
};
const covered = [{ a: '', b: '', c: '', d: '', e: 1 }, { f: 1 }];
const notCovered = [
  { c: '', d: '' },
  { a: '', d: '', e: '' },
  { d: '' },
  { a: '', b: '' },
  { e: '' },
  5,
];
const branches: Schema = {
  ...anyOf(objectOf({ a: text }), mapOf(text), { required: ['b'] }),
  unevaluatedProperties: false,
};

test.each<[string, Schema, readonly unknown[], readonly unknown[]]>([
  ['const of an object', { const: odd }, [odd, reordered], [other, {}, [], null, 'toString', 5]],
  ['const of an array', { const: ['a', odd] }, [['a', reordered]], [[odd, 'a'], ['a']]],
  ['enum with objects', { enum: ['none', odd] }, ['none', reordered], [other, 'odd', [odd]]],
  [
    'uniqueItems',
    unique,
    [[], different, [odd, other]],
    [[0, -0], [odd, other, reordered], ...repeated],
  ],
  ['uniqueItems: false', { uniqueItems: false }, [[1, 1]], []],
  ['contains beside prefixItems', tuple, [['a', 1], 'x'], [[], ['a']]],
  [
    'contains with limits',
    twoOrThree,
    [[1, 'a', 2], [1, 2, 3], 'x', {}],
    [[1], [1, 2, 3, 4], [1, 2, null]],
  ],
  [
    'a tuple',
    { prefixItems: [text], items: false },
    [['a'], [], 'xy', { length: 3 }],
    [[1], ['a', 1]],
  ],
  [
    'unevaluatedItems',
    {
      allOf: [{ prefixItems: [whole] }],
      anyOf: [{ unevaluatedItems: whole }, {}],
      unevaluatedItems: flag,
    },
    [[1, true], [1, 2, 3], [], 'x'],
    [['a'], [1, 'a'], [1, 2, true]],
  ],
  ['unevaluatedProperties behind keywords', covering, covered, notCovered],
  [
    'unevaluatedProperties behind branches',
    branches,
    [{ a: '', c: '' }],
    [{ a: '', c: 1 }, { b: 1 }],
  ],
  [
    'keys that objects inherit',
    objectOf({ toString: text }, ['valueOf'], { dependentRequired: { constructor: ['a'] } }),
    [{ valueOf: 1 }, { valueOf: 1, toString: 'x' }, { valueOf: 1, constructor: 1, a: 1 }],
    [{}, { valueOf: 1, toString: 1 }, { valueOf: 1, constructor: 1 }],
  ],
  [
    'keywords for values of other types',
    {
      allOf: [
        {
          required: ['length'],
          dependentRequired: { length: ['x'] },
          properties: { length: false },
        },
        { propertyNames: false, patternProperties: { '': false }, additionalProperties: false },
        { prefixItems: [false], items: false, uniqueItems: true, pattern: '^x', maximum: 0 },
      ],
    },
    ['xx', true, null, -1, []],
    [{}, { a: 1 }, [1], 'y', 1],
  ],
  [
    'types beside a reference',
    {
      $ref: '#/$defs/n',
      type: ['number', 'string'],
      $defs: { n: { type: ['integer', 'null', 'string'] } },
    },
    [5, 1.0, 'x'],
    [1.5, null, true, []],
  ],
  [
    'branches whose constant is a list',
    anyOf(
      objectOf({ kind: { const: ['a'] } }, ['kind']),
      objectOf({ kind: { const: 'b' } }, ['kind']),
    ),
    [{ kind: ['a'] }, { kind: 'b' }],
    [{ kind: ['b'] }, { kind: 'a' }, {}, 'a'],
  ],
  ['multipleOf a decimal', { multipleOf: 0.01 }, [4.02, 0, 19.99, 'x', null, []], [0.001, 1e308]],
  [
    'unevaluatedProperties with a condition',
    // As text: an object with a `then` looks like a promise.
    JSON.parse(
      '{"if": {"properties": {"a": {"const": 1}}}, "else": {"properties": {"b": true}}, "unevaluatedProperties": false}',
    ),
    [{ a: 1 }],
    [{ a: 1, c: 1 }, { b: 1 }],
  ],
  ['formats of text', { format: 'email' }, ['a@b.example', 1, null, []], ['a', '']],
  [
    'a property that objects inherit a setter of',
    JSON.parse('{"properties": {"__proto__": {"type": "string"}}, "required": ["__proto__"]}'),
    [JSON.parse('{"__proto__": "x"}'), 'x'],
    [JSON.parse('{"__proto__": 1}'), {}],
  ],
  ['int32', { format: 'int32' }, [2 ** 31 - 1, 'x'], [2 ** 31, 0.5]],
  [
    'formats without a meaning',
    { anyOf: [{ format: 'password' }, { format: '__proto__' }] },
    ['x', 1],
    [],
  ],
  ['code points', { maxLength: 2, minLength: 2 }, ['😀😀', 'ab'], ['😀', 'abc']],
  ['patterns that could backtrack', { pattern: '^(a+)+$' }, ['aa'], [`${'a'.repeat(60)}!`]],
  ['keys by such patterns', byPattern, [{ aa: 'x' }], [{ aa: 1 }, { [`${'a'.repeat(60)}!`]: 'x' }]],
])('%s', (_title, schema, right, wrong) => {
  const accepts = allValidators(schema);
  for (const value of right) expect(accepts(plain(value))).toBe(true);
  for (const value of wrong) expect(accepts(plain(value))).toBe(false);
});

describe('unions of hundreds of branches', () => {
  const many = (branch: (at: number) => Schema): readonly Schema[] =>
    Array.from({ length: 600 }, (_, at) => branch(at));
  const tagged = many((at) => closedOf({ kind: { const: `k${at}` }, size: whole }, ['kind']));

  test.each(['anyOf', 'oneOf'])('%s takes what one branch takes', (keyword) => {
    const union = mapOf({ [keyword]: [...tagged, text, { $ref: '#/$defs/flag' }] });
    const root: Schema = {
      ...union,
      $defs: { flag: objectOf({ isOn: { const: true } }, ['isOn']) },
    };
    const accepts = allValidators(root);
    for (const value of [{ kind: 'k7', size: 1 }, { kind: 'k599' }, 'x', { isOn: true }])
      expect(accepts({ value })).toBe(true);
    for (const value of [
      { kind: 'k7', size: 'x' },
      { kind: 'k600' },
      {},
      [],
      null,
      { isOn: false },
    ])
      expect(accepts({ value })).toBe(false);
    expect(schemaValidator(root).failures({ a: 5, b: 6 })).toMatchObject([
      { keyword, path: '/a' },
      { keyword, path: '/b' },
    ]);
  });

  test('a constant of a key that is absent, or of a list, rules no branch out', () => {
    const union = anyOf(...many((at) => objectOf({ kind: { const: at }, length: { const: 3 } })), {
      minItems: 1,
    });
    expect(allValidators(union)({})).toBe(true);
    expect(allValidators(union)([1])).toBe(true);
    expect(allValidators(union)([])).toBe(false);
  });

  test('oneOf fails if two branches pass', () => {
    const accepts = allValidators({ oneOf: [...many((at) => ({ const: at })), whole] });
    expect(accepts(5)).toBe(false);
    expect(accepts(600)).toBe(true);
  });
});

test('20,000 different objects are compared in little time', () => {
  const list = Array.from({ length: 20_000 }, (_, at) => ({ at }));
  const { result, cost } = costOf(() => allValidators(unique)(list));
  expect(result).toBe(true);
  expect(cost).toBeLessThan(200);
});

test('keys on the prototype of all objects do not count', () => {
  const accepts = allValidators(closedOf({ a: text }, ['a']));
  const required = allValidators(objectOf({}, ['inherited']));
  // oxlint-disable-next-line no-extend-native -- Programs that do this are what is tested.
  Object.defineProperty(Object.prototype, 'inherited', {
    value: 1,
    enumerable: true,
    writable: true,
    configurable: true,
  });
  try {
    expect(accepts({ a: 'x' })).toBe(true);
    expect(required({})).toBe(false);
  } finally {
    Reflect.deleteProperty(Object.prototype, 'inherited');
  }
});

test('an object with thousands of keys is read as any other', () => {
  const keys = Array.from({ length: 3000 }, (_, at) => `key${at}`);
  const declared = Object.fromEntries(keys.map((key) => [key, whole]));
  const value = Object.fromEntries(keys.map((key, at) => [key, at]));
  const accepts = allValidators(closedOf(declared, keys));
  expect(accepts(value)).toBe(true);
  expect(accepts({ ...value, key7: 'x' })).toBe(false);
  expect(accepts({ ...value, other: 1 })).toBe(false);
});
