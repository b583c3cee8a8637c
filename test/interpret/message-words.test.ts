// Does each line of a rejection say what would be right? For every keyword of JSON Schema, by both validators, and for every
// decorator of class-validator; never that what came was expected.
import { interpretArguments, Tool, ToolRegistry } from 'toolmend';
import { interpretingValidator } from 'toolmend/interpreting-validator';
import { decoratorRows } from '../classes/decorator-rows.ts';
import {
  anyOf,
  closedOf,
  listOf,
  nothing,
  objectOf,
  type Schema,
  text,
  texts,
  whole,
} from '../repair/sample-schemas.ts';

const linesOf = (message: string): readonly string[] =>
  message.split('\n').filter((line) => line.startsWith('- '));

/** The kind of what came, as a schema's words say it. */
const kindWords: ReadonlyMap<string, RegExp> = new Map([
  ['the text', /^(?:text|any value|another value)$/],
  ['empty text', /^(?:text|any value|another value)$/],
  ['the number', /^(?:a number|any value|another value)$/],
  ['a list', /^(?:a list(?: of [a-z ]+)?|any value|another value)$/],
  ['an empty list', /^(?:a list(?: of [a-z ]+)?|any value|another value)$/],
  ['an object', /^(?:an object|any value|another value)$/],
  ['an empty object', /^(?:an object|any value|another value)$/],
]);

/** A line's own breach of the law, in words; undefined if there is none. */
function flawOf(line: string): string | undefined {
  if (line.length > 220) return 'is too long';
  if (/: ?\.$|undefined|\[object|=>|NaN/.test(line)) return 'says nothing';
  const [, expected = '', received = ''] = /: expected (.*), got (.*)\.$/.exec(line) ?? [];
  const kind = [...kindWords.keys()].find((start) => received.startsWith(start)) ?? '';
  const is = expected.split(' or ').find((one) => kindWords.get(kind)?.test(one) === true);
  return is === undefined ? undefined : `expects ${is}, which came`;
}

test('the law finds a line that breaks it', () => {
  expect(flawOf('- a: expected text, got the text "x".')).toBe('expects text, which came');
  expect(flawOf('- a: expected null or any value, got a list of 2.')).toBe('expects any value, which came');
  expect(flawOf('- a: .')).toBe('says nothing');
  expect(flawOf('- a: expected text, got the number 5.')).toBeUndefined();
});

const a = (schema: Schema, more: Schema = {}): Schema => objectOf({ a: schema }, [], more);
const number = { type: 'number' } as const;

const rows: readonly (readonly [string, Schema, unknown, string])[] = [
  [
    'a number for a text: what it has to match at once',
    a({ type: 'string', pattern: '^\\d{5}$' }),
    { a: 123 },
    '- a: expected text that matches ^\\d{5}$, got the number 123.',
  ],
  [
    'formats in anyOf beside a type',
    a({ type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] }),
    { a: 'x' },
    '- a: expected text in the format ipv4 or text in the format ipv6, got the text "x".',
  ],
  [
    'bounds in anyOf',
    a(anyOf({ type: 'integer', minimum: 5 }, { type: 'string', minLength: 3 })),
    { a: 3 },
    '- a: expected a whole number of at least 5 or text of at least 3 characters, got the number 3.',
  ],
  [
    'bounds around anyOf',
    a({ type: 'integer', minimum: 1, maximum: 9, anyOf: [{ multipleOf: 2 }, { const: 5 }] }),
    { a: 3 },
    '- a: expected a whole number of at least 1, of at most 9, that is a multiple of 2 or 5, got the number 3.',
  ],
  [
    'several branches of oneOf',
    a({
      oneOf: [
        { ...number, multipleOf: 3 },
        { ...number, multipleOf: 5 },
      ],
    }),
    { a: 15 },
    '- a: expected only one of: a number that is a multiple of 3; a number that is a multiple of 5, got the number 15.',
  ],
  [
    'no branch of oneOf',
    a({
      oneOf: [
        { ...number, multipleOf: 3 },
        { ...number, multipleOf: 5 },
      ],
    }),
    { a: 7 },
    '- a: expected a number that is a multiple of 3 or a number that is a multiple of 5, got the number 7.',
  ],
  [
    'one branch for objects: what is wrong in it',
    a(anyOf(objectOf({ n: whole }, ['n']), text)),
    { a: { n: 'x' } },
    '- a.n: expected a whole number, got the text "x".',
  ],
  [
    'the branch of a constant: what is missing in it',
    a(
      anyOf(
        objectOf({ kind: { const: 'x' }, n: whole }, ['kind', 'n']),
        objectOf({ kind: { const: 'y' }, m: whole }, ['kind', 'm']),
      ),
    ),
    { a: { kind: 'y' } },
    '- a.m is missing: expected a whole number.',
  ],
  [
    'the branch of a constant: what is unknown in it',
    a(
      anyOf(
        closedOf({ kind: { const: 'x' }, name: whole }, ['kind']),
        closedOf({ kind: { const: 'y' }, mode: whole }, ['kind']),
      ),
    ),
    { a: { kind: 'x', nome: [1, 2] } },
    '- a.nome is unknown; did you mean "name"?',
  ],
  [
    'one branch for lists: which element',
    a(anyOf(listOf({ type: 'string', minLength: 2 }), nothing)),
    { a: ['xy', 'x'] },
    '- a[1]: expected text of at least 2 characters, got the text "x".',
  ],
  [
    'several branches for objects: their shapes',
    a(anyOf(closedOf({ n: whole }, ['n']), closedOf({ m: whole }, ['m']))),
    { a: { q: 'x' } },
    '- a: expected { n: whole number } or { m: whole number }, got an object with "q".',
  ],
  [
    'keys that anyOf requires',
    objectOf({ a: text, b: text }, [], { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
    {},
    '- arguments: expected { a: text, b?: text } or { a?: text, b: text }, got an empty object.',
  ],
  [
    'keys of which oneOf wants one',
    objectOf({ a: text, b: text }, [], { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    { a: 'x', b: 'y' },
    '- arguments: expected only one of: an object with "a"; an object with "b", got an object with "a", "b".',
  ],
  [
    'contains',
    a({ ...texts, contains: { const: 'x' } }),
    { a: ['y'] },
    '- a: expected a list with "x" in it, got a list of 1.',
  ],
  [
    'minContains',
    a({ ...listOf(whole), contains: { minimum: 5 }, minContains: 2 }),
    { a: [7] },
    '- a: expected a list in which at least 2 elements are a number of at least 5, got a list of 1.',
  ],
  [
    'maxContains',
    a({ ...listOf(whole), contains: { minimum: 5 }, minContains: 0, maxContains: 1 }),
    { a: [7, 8] },
    '- a: expected a list in which at most 1 elements are a number of at least 5, got a list of 2.',
  ],
  [
    'not, a pattern',
    a({ type: 'string', not: { pattern: 'x' } }),
    { a: 'x' },
    '- a: expected anything but text that matches x, got the text "x".',
  ],
  [
    'not, members',
    a({ type: 'string', not: { enum: ['x', 'y'] } }),
    { a: 'x' },
    '- a: expected anything but one of "x", "y", got the text "x".',
  ],
  [
    'not, keys together',
    objectOf({ a: text, b: text }, [], { not: { required: ['a', 'b'] } }),
    { a: 'x', b: 'y' },
    '- arguments: expected anything but an object with "a" and "b", got an object with "a", "b".',
  ],
  [
    'dependentSchemas',
    objectOf({ a: text, b: whole }, [], { dependentSchemas: { a: { properties: { b: { minimum: 3 } } } } }),
    { a: 'x', b: 1 },
    '- b: expected at least 3, got the number 1.',
  ],
  [
    'dependentRequired',
    objectOf({ a: text, b: { type: 'integer', minimum: 1 } }, [], { dependentRequired: { a: ['b'] } }),
    { a: 'x' },
    '- b is missing: expected a whole number of at least 1; "a" needs it.',
  ],
  [
    'a key that a condition requires, declared beside it',
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    objectOf({ a: text, b: whole }, [], { if: { required: ['a'] }, then: { required: ['b'] } }),
    { a: 'x' },
    '- b is missing: expected a whole number.',
  ],
  [
    'a condition that nothing meets',
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    objectOf({ a: text }, [], { if: { required: ['a'] }, then: false }),
    { a: 'y' },
    '- arguments: expected another combination of arguments, got an object with "a".',
  ],
  [
    'propertyNames',
    a({ type: 'object', propertyNames: { enum: ['x', 'y'] } }),
    { a: { z: 1 } },
    '- a.z: expected one of "x", "y", got the key "z".',
  ],
  [
    'keys by pattern only',
    a({ type: 'object', patternProperties: { '^x': whole }, additionalProperties: false }),
    { a: { y: 1 } },
    '- a.y is unknown; keys match ^x.',
  ],
  [
    'an element too many',
    a({ type: 'array', prefixItems: [text, whole], items: false }),
    { a: ['x', 1, 2] },
    '- a: expected at most 2 in the list, got a list of 3.',
  ],
  [
    'an element that nothing speaks of',
    a({ type: 'array', prefixItems: [text], unevaluatedItems: false }),
    { a: ['x', 1, 2] },
    '- a: expected at most 1 in the list, got a list of 3.',
  ],
  [
    'a place for nothing',
    { type: 'object', properties: { b: false } },
    { b: 3 },
    '- b: expected nothing, got the number 3; leave it out.',
  ],
  [
    'a format that nobody has an example of',
    a({ type: 'string', format: 'regex' }),
    { a: '(' },
    '- a: expected text in the format regex, got the text "(".',
  ],
];

describe.each(rows)('%s', (_title, schema, value, line) => {
  test.each([
    ['by Ajv', {}],
    ['by the interpreting validator', { validator: interpretingValidator }],
  ])('%s', (_validator, options) => {
    const result = interpretArguments(structuredClone(schema), { value }, { tool: 't', ...options });
    const lines = result.status === 'rejected' ? linesOf(result.message) : [`it was ${result.status}`];
    expect(lines).toContain(line);
    expect(lines.map(flawOf)).toEqual(lines.map(() => undefined));
  });
});

test('of many branches only some are told, and what came still is', () => {
  const branches = Array.from({ length: 60 }, (_none, at): Schema => ({
    type: 'string',
    pattern: `^a{${at + 1}}$`,
  }));
  const result = interpretArguments(a(anyOf(...branches)), { value: { a: 'b' } });
  const [line = ''] = result.status === 'rejected' ? linesOf(result.message) : [];
  expect(line).toMatch(/ or one of \d+ other forms, got the text "b"\.$/);
  expect(line.length).toBeLessThanOrEqual(220);
});

describe.each(decoratorRows.map((row) => [row.written, row] as const))('%s', (_written, row) => {
  class Sample {
    execute(): void {}
  }
  for (const decorator of row.decorators) decorator(Sample.prototype, 'field');
  Tool({ description: 'A tool with one field.' })(Sample);
  const tools = new ToolRegistry().register(Sample);
  const call = (args: string) => tools.interpret({ id: '1', name: 'sample', arguments: args });

  test('each refused value has a line that says why, and an example is one that passes', () => {
    for (const value of [...row.fails, ...row.stricter]) {
      const result = call(JSON.stringify(value === undefined ? {} : { field: value }));
      if (result.status !== 'invalid_arguments') continue;
      const lines = linesOf(result.message);
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.map((line) => [line, flawOf(line)])).toEqual(lines.map((line) => [line, undefined]));
      const [, at, example] = /^For example( at field)?: (.*)$/m.exec(result.message) ?? [];
      const sent = at === undefined ? example : `{"field":${example}}`;
      if (sent !== undefined) expect([sent, call(sent)]).toMatchObject([sent, { status: 'accepted' }]);
    }
  });
});
