import { interpretArguments } from 'toolmend';
import { possibleBranches } from '../../src/repair/repair-union.ts';
import { SchemaViews } from '../../src/schema/schema-view.ts';
import { fc, propertyRuns } from '../seeded-fast-check.ts';
import {
  type Schema,
  anyOf,
  closedOf,
  flag,
  listOf,
  number,
  objectOf,
  text,
  texts,
  whole,
} from '../schemas.ts';
import { readValue, repairedTo } from '../read.ts';
import { wordsOf } from '../words.ts';

const word = fc.constantFrom(
  ' ',
  ...wordsOf('read Read write_all write-all WriteAll null none 1-0 10 [a](b/a)'),
);
const discriminator = fc.oneof(
  word.map((said) => ({ const: said })),
  word.map((said) => ({ enum: [said] })),
  word.map((said) => ({ type: 'string' as const, const: said })),
  fc.constant(text),
);
const branch = fc
  .tuple(
    discriminator,
    fc.constantFrom('kind', 'path'),
    fc.constantFrom(closedOf, objectOf),
    fc.boolean(),
  )
  .map(([said, key, make, isRequired]) =>
    make({ [key]: said, size: whole, names: texts }, isRequired ? [key, 'size'] : ['size']),
  );
const value = fc.record(
  {
    kind: fc.oneof(word, fc.constant(null), fc.integer()),
    path: word,
    Kind: word,
    size: fc.constantFrom('5', 5, 'x'),
    names: fc.constantFrom('a', ['a'], '["a"]'),
  },
  { requiredKeys: ['size'] },
);

test('what is left out is no branch that the value could be brought to fit, alone', () => {
  const counts = { leftOut: 0, repaired: 0 };
  fc.assert(
    fc.property(branch, value, (schema, one) => {
      const root = objectOf({ one: schema });
      const isPossible = possibleBranches(one, [schema], new SchemaViews(root)).length === 1;
      if (!isPossible) counts.leftOut += 1;
      const { status } = readValue(root, { one });
      if (status === 'repaired') counts.repaired += 1;
      expect(isPossible || status === 'rejected').toBe(true);
    }),
    { numRuns: propertyRuns * 4 },
  );
  expect(counts.leftOut).toBeGreaterThan(propertyRuns / 100);
  expect(counts.repaired).toBeGreaterThan(propertyRuns / 100);
});

test('a thousand elements of a union of a hundred branches are repaired', () => {
  const branches = Array.from({ length: 100 }, (_branch, at) =>
    closedOf({ kind: { const: `kind ${at}` }, size: whole }, ['kind', 'size']),
  );
  const elements = Array.from({ length: 1000 }, (_element, at) => ({
    kind: `kind ${at % 100}`,
    size: '5',
  }));
  const input = { value: { list: elements } };
  expect(interpretArguments(objectOf({ list: listOf(anyOf(...branches)) }), input)).toMatchObject(
    repairedTo({ list: elements.map((element) => ({ ...element, size: 5 })) }),
  );
});

describe('a union that one word tells apart', () => {
  const read = closedOf({ kind: { const: 'read_file' }, size: whole }, ['kind', 'size']);
  const write = closedOf({ kind: { const: 'write_file' }, size: whole, body: text }, [
    'kind',
    'size',
  ]);
  const listed = closedOf({ mode: { enum: ['a', 'b'] }, size: whole }, ['mode', 'size']);
  const optional = closedOf({ kind: { const: 'find' }, depth: whole }, ['depth']);
  const linked = closedOf({ path: { const: 'a.md' }, depth: whole }, ['path', 'depth']);
  const one = (...branches: readonly Schema[]): Schema =>
    objectOf({ one: anyOf(...branches) }, ['one']);

  test.each([
    [
      'the very word',
      one(read, write),
      { kind: 'read_file', size: '5' },
      { kind: 'read_file', size: 5 },
    ],
    [
      'the other word',
      one(read, write),
      { kind: 'write_file', size: '5' },
      { kind: 'write_file', size: 5 },
    ],
    [
      'its spelling',
      one(read, write),
      { kind: 'Write File', size: 5 },
      { kind: 'write_file', size: 5 },
    ],
    ['one of several words', one(read, listed), { mode: 'B', size: '5' }, { mode: 'b', size: 5 }],
    ['a blank for none', one(read, optional), { kind: ' ', depth: 5 }, { depth: 5 }],
    ['a null word for none', one(read, optional), { kind: 'None', depth: 5 }, { depth: 5 }],
    ['no word', one(read, optional), { depth: '5' }, { depth: 5 }],
    [
      'a link',
      one(read, linked),
      { path: '[a.md](http://a.md)', depth: 5 },
      { path: 'a.md', depth: 5 },
    ],
    [
      'a misspelt key',
      one(read, write),
      { Kind: 'read_file', size: 5 },
      { kind: 'read_file', size: 5 },
    ],
  ])('%s', (_title, schema, sent, meant) => {
    expect(readValue(schema, { one: sent })).toMatchObject(repairedTo({ one: meant }));
  });

  test.each([
    ['a third word', one(read, write), { kind: 'delete_file', size: '5' }],
    ['no word where one is required', one(read, write), { size: 5 }],
    ['a number', one(read, write), { kind: 5, size: 5 }],
    ['an unlike link', one(read, linked), { path: '[b.md](http://a.md)', depth: 5 }],
  ])('%s is none of them', (_title, schema, sent) => {
    expect(readValue(schema, { one: sent })).toMatchObject({ status: 'rejected' });
  });
});

describe('of what comes out of several branches', () => {
  const root = (...branches: readonly Schema[]): Schema => ({ type: 'object', anyOf: branches });
  const a = closedOf({ kind: { const: 'a' }, n: whole }, ['kind']);
  const b = closedOf({ kind: { const: 'b' }, n: whole }, ['kind']);
  const only = (key: string): Schema => closedOf({ [key]: whole }, [key]);
  const x = (schema: Schema): Schema => closedOf({ x: schema }, ['x']);
  const inOne = (...branches: readonly Schema[]): Schema => objectOf({ one: anyOf(...branches) });

  test.each<[string, Schema, object, object]>([
    [
      'the list that the text spells',
      inOne(texts, listOf(texts)),
      { one: '["x"]' },
      { one: ['x'] },
    ],
    ['the one that fits', inOne(x(whole), x(flag)), { one: { x: '1' } }, { one: { x: 1 } }],
    [
      'a list, an object',
      inOne(listOf(whole), closedOf({ x: whole }, ['x'])),
      { one: '[1]' },
      { one: [1] },
    ],
    ['the same from both', inOne(x(whole), x(number)), { one: { x: '1' } }, { one: { x: 1 } }],
    [
      'the arguments in an envelope',
      root(only('a'), only('b')),
      { arguments: { b: '5' } },
      { b: 5 },
    ],
    [
      'all of it in an envelope',
      root(a, b),
      { arguments: { kind: 'b', n: '5' } },
      { kind: 'b', n: 5 },
    ],
    ['the arguments with their word', root(a, b), { kind: 'b', n: '5' }, { kind: 'b', n: 5 }],
  ])('one is taken: %s', (_title, schema, sent, meant) => {
    expect(readValue(schema, sent)).toMatchObject(repairedTo(meant));
  });

  test.each<[string, Schema, object]>([
    [
      'two',
      inOne(closedOf({ x: whole }, ['x']), closedOf({ x: listOf(whole) }, ['x'])),
      { one: { x: '1' } },
    ],
    [
      'the object that the text spells, and a list of it',
      inOne(closedOf({ x: whole }), listOf(closedOf({ x: whole }))),
      { one: '{"x": 1}' },
    ],
    ['lists of two kinds', inOne(listOf(whole), listOf(listOf(whole))), { one: '["1"]' }],
  ])('none is taken of %s', (_title, schema, sent) => {
    expect(readValue(schema, sent)).toMatchObject({ status: 'rejected', repairs: [] });
  });
});
