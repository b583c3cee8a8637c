import { interpretArguments, type Issue, type SchemaObject } from 'toolmend';
import { anyOf, closedOf, listOf, objectOf, type Schema, text, whole } from '../repair/sample-schemas.ts';

const wrongType = (path: string, expected: string, received: string): Issue => ({
  keyword: 'type',
  path,
  expected,
  received,
});

const unknownKey = (key: string, advice?: string): Issue => ({
  keyword: 'additionalProperties',
  path: '',
  key,
  ...(advice === undefined ? {} : { advice }),
});

test.each<[string, SchemaObject, object, readonly Issue[]]>([
  [
    'a second spelling in a closed object is one issue',
    closedOf({ path: text }),
    { path: 'a', Path: 'b' },
    [unknownKey('Path', 'send "path" once')],
  ],
  [
    'a second spelling in an open object is a misspelt key',
    objectOf({ path: text }),
    { path: 'a', Path: 'b' },
    [{ keyword: 'misspelt', path: '', key: 'Path', advice: 'send "path" once' }],
  ],
  [
    'a place that repair puts right has none',
    closedOf({ l: listOf(whole), n: whole }),
    { l: ['5'], n: 'x' },
    [wrongType('/n', 'an integer', 'the string "x"')],
  ],
  [
    'unevaluated properties',
    { ...objectOf({ path: text }), unevaluatedProperties: false },
    { pathh: 'a', q: 1 },
    [
      { keyword: 'unevaluatedProperties', path: '', key: 'pathh', advice: 'did you mean "path"?' },
      { keyword: 'unevaluatedProperties', path: '', key: 'q' },
    ],
  ],
  [
    'a required property that is declared nowhere',
    objectOf({}, ['x']),
    {},
    [{ keyword: 'required', path: '', key: 'x' }],
  ],
  [
    'a property that another one requires names the other one',
    { ...objectOf({ b: text }, ['b']), dependentRequired: { z: ['b'], c: ['d'], a: ['b'] } },
    { c: 1, d: 1, a: 1 },
    [
      { keyword: 'required', path: '', key: 'b', expected: 'a string' },
      { keyword: 'dependentRequired', path: '', key: 'b', expected: 'a string', advice: '"a" requires it' },
    ],
  ],
  [
    'an unknown key with an object without declared keys',
    closedOf({ path: text }),
    { data: { zzz: 1 } },
    [unknownKey('data')],
  ],
  [
    'an unknown key with an object of declared keys',
    closedOf({ path: text, q: text }),
    { data: { path: 1 }, q: 'a' },
    [unknownKey('data', 'send the properties inside it directly')],
  ],
  [
    'an unknown key where names have to match patterns',
    { type: 'object', patternProperties: { '^a': text, '^b': text }, additionalProperties: false },
    { c: 'x' },
    [unknownKey('c', 'names must match ^a or ^b')],
  ],
  [
    'an unknown key where some properties have names',
    { ...closedOf({ p: text }), patternProperties: { '^a': text } },
    { c: 'x' },
    [unknownKey('c')],
  ],
  ['an unknown key where none is allowed', closedOf({}), { c: 'x' }, [unknownKey('c')]],
  [
    'names made of signs are not spellings of each other',
    closedOf({ '???': text }),
    { '???': 'a', '!!!': 'b' },
    [unknownKey('!!!')],
  ],
  [
    'not',
    objectOf({ a: JSON.parse('{"not": true}'), b: { not: { type: 'string' } } }),
    { a: 1, b: 'x' },
    [
      { keyword: 'not', path: '/a', expected: 'nothing', received: '1' },
      { keyword: 'not', path: '/b', expected: 'anything but a string', received: '"x"' },
    ],
  ],
  [
    'a property that is not allowed',
    objectOf({ a: JSON.parse('false') }),
    { a: 1 },
    [{ keyword: 'false schema', path: '/a', advice: 'leave it out' }],
  ],
  [
    'the nearest member of an enum is suggested, and repair does not take it',
    objectOf({ order: { enum: ['ascending', 'descending'] } }),
    { order: 'ascend' },
    [
      {
        keyword: 'enum',
        path: '/order',
        expected: '"ascending" or "descending"',
        received: '"ascend"',
        advice: 'did you mean "ascending"?',
      },
    ],
  ],
])('%s', (_title, schema, value, issues) => {
  expect(interpretArguments(schema, { value }).issues).toEqual(issues);
});

describe('a union is reported as the branch that was meant', () => {
  const train = closedOf({ kind: { const: 'train' }, seat: text, class: { enum: ['first', 'second'] } }, [
    'kind',
    'seat',
  ]);
  const car = closedOf({ kind: { const: 'car' }, doors: whole, stops: listOf(whole) }, ['kind']);
  const oneOf = (...branches: readonly Schema[]): Schema => ({ oneOf: branches });
  const missingKind: Issue = { keyword: 'required', path: '/how', key: 'kind', expected: '"train" or "car"' };

  test.each<[string, Schema, unknown, readonly Issue[]]>([
    [
      'a wrong discriminator is named where it is',
      oneOf(train, car),
      { kind: 'plane', seats: 3 },
      [{ keyword: 'enum', path: '/how/kind', expected: '"train" or "car"', received: '"plane"' }],
    ],
    [
      'a misspelt discriminator comes with a suggestion',
      anyOf(train, car),
      { kind: 'trains' },
      [
        {
          keyword: 'enum',
          path: '/how/kind',
          expected: '"train" or "car"',
          received: '"trains"',
          advice: 'did you mean "train"?',
        },
      ],
    ],
    ['a missing discriminator', anyOf(train, car), { seat: '12A' }, [missingKind]],
    [
      'a missing property',
      anyOf(train, car),
      { kind: 'train' },
      [{ keyword: 'required', path: '/how', key: 'seat', expected: 'a string' }],
    ],
    [
      'an unknown property',
      anyOf(train, car),
      { kind: 'car', zz: 1 },
      [{ keyword: 'additionalProperties', path: '/how', key: 'zz' }],
    ],
    [
      'several members and elements',
      oneOf(train, car),
      { kind: 'car', doors: [], stops: [1, {}, 2, []] },
      [
        wrongType('/how/doors', 'an integer', 'an empty array'),
        wrongType('/how/stops/1', 'an integer', 'an empty object'),
        wrongType('/how/stops/3', 'an integer', 'an empty array'),
      ],
    ],
    [
      'another constant of the branch',
      anyOf(train, car),
      { kind: 'train', seat: 'x', class: 'third' },
      [{ keyword: 'enum', path: '/how/class', expected: '"first" or "second"', received: '"third"' }],
    ],
    [
      'a union inside a branch',
      anyOf(objectOf({ kind: { const: 'x' }, u: anyOf(closedOf({ m: whole }, ['m']), text) }, ['kind']), car),
      { kind: 'x', u: { m: [] } },
      [wrongType('/how/u/m', 'an integer', 'an empty array')],
    ],
    [
      'constants in one branch only',
      anyOf(train, closedOf({ n: whole }, ['n'])),
      { kind: 'train', seat: [1, 2] },
      [wrongType('/how/seat', 'a string', 'an array of 2')],
    ],
    [
      'no constants: the only branch that declares all properties that came',
      anyOf(closedOf({ n: whole, x: text }, ['n']), closedOf({ m: whole, x: text }, ['m'])),
      { m: [], x: 'a' },
      [wrongType('/how/m', 'an integer', 'an empty array')],
    ],
    [
      'elements of the only branch for arrays',
      anyOf(listOf(whole), text),
      [1, {}],
      [wrongType('/how/1', 'an integer', 'an empty object')],
    ],
  ])('%s', (_title, union, how, issues) => {
    expect(interpretArguments(closedOf({ how: union }), { value: { how } }).issues).toEqual(issues);
  });

  test('a union whose branches are equally near is reported as a whole', () => {
    const union = anyOf(closedOf({ n: whole, x: text }, ['n']), closedOf({ n: text, x: text }, ['n']));
    expect(interpretArguments(closedOf({ how: union }), { value: { how: { n: [] } } }).issues).toMatchObject([
      { keyword: 'anyOf', path: '/how' },
    ]);
  });
});
