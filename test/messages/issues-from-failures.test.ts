import { interpretArguments, type Issue, type SchemaObject } from 'toolmend';
import { anyOf, closedOf, listOf, objectOf, type Schema, text, whole } from '../schemas.ts';

/** Keyword and path, then the key, what was expected and received, and the advice. */
const lineOf = ({ keyword, path, key, expected, received, advice }: Issue): string =>
  [
    path === '' ? keyword : `${keyword} ${path}`,
    key === undefined ? '' : ` [${key}]`,
    expected === undefined ? '' : ` expected ${expected}`,
    received === undefined ? '' : `, got ${received}`,
    advice === undefined ? '' : `; ${advice}`,
  ].join('');

const issuesOf = (schema: Schema, value: unknown): readonly string[] =>
  interpretArguments(schema, { value }).issues.map(lineOf);

const ofPatterns = (
  patternProperties: NonNullable<Schema['patternProperties']>,
  properties = {},
): Schema => ({ ...closedOf(properties), patternProperties });

const envelope = ['additionalProperties [data]; send the properties inside it directly'];

test.each<[string, SchemaObject, object, readonly string[]]>([
  [
    'one in an open object',
    objectOf({ a: text }),
    { a: 'x', A: 'y' },
    ['misspelt [A]; send "a" once'],
  ],
  [
    'unevaluated properties',
    objectOf({ path: text }, [], { unevaluatedProperties: false }),
    { pathh: 'a', q: 1 },
    ['unevaluatedProperties [pathh]; did you mean "path"?', 'unevaluatedProperties [q]'],
  ],
  ['an undeclared required property', objectOf({}, ['x']), {}, ['required [x]']],
  [
    'a property that another one requires',
    { ...objectOf({ b: text }, ['b']), dependentRequired: { z: ['b'], c: ['d'], a: ['b'] } },
    { c: 1, d: 1, a: 1 },
    ['required [b] expected a string', 'dependentRequired [b] expected a string; "a" requires it'],
  ],
  [
    'an unknown envelope',
    closedOf({ path: text, q: text }),
    { data: { path: 1 }, q: 'a' },
    envelope,
  ],
  [
    'beside patterns',
    ofPatterns({ '^a': text }, { p: text }),
    { c: 'x' },
    ['additionalProperties [c]'],
  ],
])('the issues name %s', (_title, schema, value, issues) => {
  expect(issuesOf(schema, value)).toEqual(issues);
});

describe('a union is reported as the branch that was meant', () => {
  const train = closedOf({ kind: { const: 'train' }, seat: text, class: text }, ['kind', 'seat']);
  const car = closedOf({ kind: { const: 'car' }, doors: whole, stops: listOf(whole) }, ['kind']);
  const misspelt = [
    'enum /how/kind expected "train" or "car", got "trains"; did you mean "train"?',
  ];
  const kind = 'expected "train" or "car"';
  const withX = (...keys: readonly string[]) =>
    keys.map((key) => closedOf({ [key]: whole, x: text }, [key]));
  const ofM = ['type /how/m expected an integer, got an empty array'];

  test.each<[string, Schema, unknown, readonly string[]]>([
    ['no kind', { oneOf: [train, car] }, { kind: 'bus' }, [`enum /how/kind ${kind}, got "bus"`]],
    ['a misspelt discriminator', anyOf(train, car), { kind: 'trains' }, misspelt],
    [
      'a missing discriminator',
      anyOf(train, car),
      { seat: '12A' },
      [`required /how [kind] ${kind}`],
    ],
    [
      'an unknown property',
      anyOf(train, car),
      { kind: 'car', zz: 1 },
      ['additionalProperties /how [zz]'],
    ],
    ['the only branch that declares all keys', anyOf(...withX('n', 'm')), { m: [], x: 'a' }, ofM],
    [
      'arrays',
      anyOf(listOf(whole), text),
      [{}],
      ['type /how/0 expected an integer, got an empty object'],
    ],
  ])('%s', (_title, union, how, issues) => {
    expect(issuesOf(closedOf({ how: union }), { how })).toEqual(issues);
  });

  test('a union whose branches are equally near is reported as a whole', () => {
    const union = anyOf(
      closedOf({ n: whole, x: text }, ['n']),
      closedOf({ n: text, x: text }, ['n']),
    );
    const issues = issuesOf(closedOf({ how: union }), { how: { n: [] } });
    expect(issues).toEqual([expect.stringMatching(/^anyOf \/how /)]);
  });
});
