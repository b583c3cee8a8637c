// What does the interpreting validator do beside validating: in which order it lists, and what it refuses to take long for?
import type { SchemaObject } from 'toolmend';
import {
  SchemaAdapter,
  compareOrders,
  interpretingValidator,
  orderOf,
} from '../../src/validate/interpreting-validator.ts';
import { withoutBranches } from '../../src/validate/validator.ts';
import { type Schema, listOf, objectOf, recordOf, text, whole } from '../repair/sample-schemas.ts';

const accepts = (schema: SchemaObject, value: object): boolean =>
  interpretingValidator(schema).compile(schema)(JSON.parse(JSON.stringify(value)));

describe('lists that may have no repetitions', () => {
  const numbers = (length: number): readonly number[] => Array.from({ length }, (_item, at) => at);
  const unique = objectOf({ a: { type: 'array', uniqueItems: true } });

  test('are validated up to a thousand elements', () => {
    expect(accepts(unique, { a: numbers(1000) })).toBe(true);
    expect(accepts(unique, { a: [...numbers(999), 5] })).toBe(false);
    expect(accepts(unique, { a: numbers(1001) })).toBe(false);
    expect(interpretingValidator(unique).failures({ a: numbers(1001) })).toEqual([
      { keyword: 'budget_exceeded', path: '', schemaPath: '#', schema: unique },
    ]);
    expect(interpretingValidator(unique).failures({ a: [1, 1] })).toMatchObject([
      { keyword: 'uniqueItems', path: '/a' },
    ]);
  });

  test.each<[string, SchemaObject, object, boolean]>([
    ['another list in such a schema', unique, { b: numbers(1001) }, false],
    ['one beside other members', unique, { b: numbers(1001), c: 5, d: [] }, false],
    ['a list in a list', unique, { b: [{ c: numbers(1001) }] }, false],
    [
      'an object of so many keys',
      unique,
      { b: Object.fromEntries(numbers(1001).map((at) => [`k${at}`, at])) },
      true,
    ],
    ['texts', unique, { a: ['x'.repeat(2000), null, 5, true] }, true],
    ['a list where none is asked for', objectOf({ a: listOf(whole) }), { a: numbers(1001) }, true],
    [
      'one where a branch asks',
      objectOf({ a: recordOf({ anyOf: [unique, text] }) }),
      { b: numbers(1001) },
      false,
    ],
    ['one where false is said', objectOf({ a: { uniqueItems: false } }), { a: numbers(1001) }, true],
  ])('%s', (_title, schema, value, expected) => {
    expect(accepts(schema, value)).toBe(expected);
  });
});

describe('a value that the library throws for', () => {
  test('does not pass, and is said to be no plain value', () => {
    const schema = objectOf({ a: text }, [], { additionalProperties: whole });
    const value = { ['half \ud800']: 'x' };
    expect(interpretingValidator(schema).compile(schema)(value)).toBe(false);
    expect(interpretingValidator(schema).failures(value)).toEqual([
      { keyword: 'not_plain', path: '', schemaPath: '#', schema },
    ]);
  });

  test('is none of those that a schema can’t be validated by: that is told', () => {
    const schema = objectOf({ a: { $ref: '#/$defs/none' } });
    expect(() => interpretingValidator(schema).compile(schema)({ a: 1 })).toThrow('#/$defs/none');
  });
});

test('the first failure is the answer; only a list of failures looks further', () => {
  const node: Schema = {
    anyOf: [objectOf({ b: { $ref: '#/$defs/n' } }), objectOf({ c: { $ref: '#/$defs/n' } })],
  };
  const schema = objectOf(
    { a: whole, ...Object.fromEntries(['k', 'l', 'm'].map((key) => [key, whole])) },
    [],
    {
      additionalProperties: { $ref: '#/$defs/n' },
      $defs: { n: node },
    },
  );
  const value = { a: 'x', k: 'x', l: 'x', m: 'x' };
  const validator = interpretingValidator(schema);
  expect(validator.compile(schema)(value)).toBe(false);
  const first = validator.stepsTaken?.() ?? 0;
  expect(validator.failures(value)).toHaveLength(4);
  expect(validator.stepsTaken?.()).toBe(first + 5 * 20);
  expect(first).toBe(2 * 20);
});

test.each([
  ['email', 'a@example.com', 'a.example.com'],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000', '123e4567'],
  ['uri', 'https://example.com/a', 'a b'],
  ['regex', '^a+$', '['],
  ['date', '2026-02-28', '2026-02-30'],
  ['time', '10:20:30Z', '25:20:30Z'],
  ['date-time', '2026-02-28T10:20:30Z', '2026-02-28 at ten'],
  ['byte', 'YWJj', '!'],
])('text in the format %s', (format, right, wrong) => {
  const schema = objectOf({ a: { type: 'string', format } });
  expect([right, wrong].map((a) => accepts(schema, { a }))).toEqual([true, false]);
});

describe('what is said of a union’s branches is left out', () => {
  const union = { keyword: 'anyOf', path: '/a', schemaPath: '#/properties/a/anyOf', schema: {} };
  const said = (path: string, schemaPath: string, keyword = 'type') => ({
    keyword,
    path,
    schemaPath,
    schema: {},
  });

  test.each([
    ['of a branch', said('/a', '#/properties/a/anyOf/0/type'), false],
    ['inside a branch', said('/a/b', '#/properties/a/anyOf/1/properties/b/type'), false],
    ['of a branch behind a reference', said('/a', '#/$defs/x/type'), false],
    ['beside the union', said('/a', '#/properties/a/maxLength', 'maxLength'), true],
    ['of another place', said('/ab', '#/properties/a/anyOf/0/type'), true],
    ['of what stands around it', said('', '#/required', 'required'), true],
  ])('%s', (_title, failure, isKept) => {
    expect(withoutBranches([failure, union])).toEqual(isKept ? [failure, union] : [union]);
    expect(withoutBranches([union, failure])).toEqual([union, failure]);
    expect(withoutBranches([failure])).toEqual([failure]);
  });
});

describe('copies of schemas', () => {
  test('are made once, and call back only where steps are counted', () => {
    const schema = objectOf({ a: text });
    const plain = new SchemaAdapter();
    expect(plain.adapt(schema)).toBe(plain.adapt(schema));
    expect(plain.adapt(true)).toBe(true);
    expect(plain.adapt(false)).toBe(false);
    expect(plain.adapt(schema)).toEqual(schema);
    expect(Object.hasOwn(Object(plain.adapt(schema)), '$recursiveAnchor')).toBe(false);
    let met = 0;
    const counting = new SchemaAdapter(() => (met += 1)).adapt(schema);
    expect(Reflect.get(Object(counting), '$recursiveAnchor')).toBe(1);
    expect(met).toBe(1);
  });

  test('of keys that match a pattern for the other engine can’t be made', () => {
    const patterned = (pattern: string): SchemaObject => ({
      type: 'object',
      patternProperties: { [pattern]: text },
    });
    expect(accepts(patterned('^a'), { ab: 'x' })).toBe(true);
    expect(() => interpretingValidator(patterned('^(a+)+$')).compile(patterned('^(a+)+$'))).toThrow(
      "keys that match ^(a+)+$ can't be validated without making code",
    );
  });

  test('of different patterns for the other engine are kept apart', () => {
    const schema = objectOf({
      a: { pattern: '^(a+)+$' },
      b: { pattern: '^(b+)+$', allOf: [{ minLength: 2 }] },
    });
    expect(accepts(schema, { a: 'aa', b: 'bb' })).toBe(true);
    expect(accepts(schema, { a: 'bb', b: 'bb' })).toBe(false);
    expect(accepts(schema, { a: 'aa', b: 'aa' })).toBe(false);
    expect(accepts(schema, { a: 'aa', b: 'b' })).toBe(false);
    // The platform's own engine would be at it for hours.
    expect(accepts(schema, { a: `${'a'.repeat(60)}!` })).toBe(false);
  });
});

describe('the order of keywords', () => {
  test.each<[readonly number[], readonly number[], number]>([
    [[1], [2], -1],
    [[2], [1], 1],
    [[1, 5], [2, 0], -1],
    [[1, 2], [1, 2], 0],
    [[1], [1, 0], -1],
    [[1, 0], [1], 1],
    [[], [0], -1],
    [[3, 1, 9], [3, 1, 7], 1],
  ])('%j against %j', (left, right, expected) => {
    expect(Math.sign(compareOrders(left, right))).toBe(expected);
  });

  const before = (schema: Schema, keywords: readonly string[]): readonly string[] =>
    keywords.toSorted((left, right) => orderOf(left, schema) - orderOf(right, schema));

  test.each<[string, Schema, readonly string[]]>([
    ['a lone type is first', { type: 'string' }, ['type', 'const', 'minimum', 'maxLength', 'required']],
    ['integer is first', { type: 'integer', minimum: 1 }, ['type', 'enum', 'maximum', 'minimum', 'pattern']],
    ['number is first of its own', { type: 'number', minimum: 1 }, ['enum', 'type', 'maximum', 'minLength']],
    [
      'string is first of its own',
      { type: 'string', minLength: 1 },
      ['const', 'minimum', 'type', 'maxLength'],
    ],
    ['array is first of its own', { type: 'array', minItems: 1 }, ['format', 'type', 'maxItems', 'required']],
    [
      'object is first of its own',
      { type: 'object', required: [] },
      ['uniqueItems', 'type', 'maxProperties'],
    ],
    ['other keywords are last', {}, ['unevaluatedProperties', 'unknown']],
  ])('%s', (_title, schema, keywords) => {
    expect(before(schema, keywords)).toEqual(keywords);
    expect(before(schema, keywords.toReversed())).toEqual(keywords);
  });

  test('where nothing may stand no keyword is known', () => {
    expect(orderOf('type', false)).toBeGreaterThan(orderOf('unevaluatedProperties', {}));
  });
});
