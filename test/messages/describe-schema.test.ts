import { ToolRegistry } from 'toolmend';
import { ajvValidator } from 'toolmend/ajv';
import { decoratorRows } from '../classes/decorator-rows.ts';
import { toolWithField } from '../classes/sample-tool.ts';
import {
  anyOf,
  closedOf,
  flag,
  listOf,
  mapOf,
  nothing,
  number,
  objectOf,
  orNull,
  type Schema,
  text,
  texts,
  whole,
} from '../schemas.ts';
import { issueLines, messageOf } from './sent-and-read.ts';

/** Descriptions that a value of each kind fits. */
const fitting: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:the string |an empty string|")/, /^(?:a string|any value)$/],
  [/^(?:the number |-?\d)/, /^(?:a number|any value)$/],
  [/^an (?:empty )?array/, /^(?:an array(?: of [a-z]+)?|any value)$/],
  [/^an (?:empty )?object/, /^(?:an object|any value)$/],
];

/** Why a line does not say what would be right; undefined if it does. */
function flawOf(line: string): string | undefined {
  if (line.length > 220) return 'is too long';
  if (/: ?\.$|undefined|\[object|=>|NaN/.test(line)) return 'says nothing';
  const [, expected = '', received = ''] = /: expected (.*), got (.*)\.$/.exec(line) ?? [];
  const [, fits] = fitting.find(([start]) => start.test(received)) ?? [];
  const alternative = expected.split(' or ').find((one) => fits?.test(one) === true);
  return alternative === undefined ? undefined : `expects ${alternative}, which came`;
}

test('a line that expects what came, or says nothing, is found', () => {
  expect(flawOf('- a: expected a string, got the string "x".')).toBe(
    'expects a string, which came',
  );
  expect(flawOf('- a: expected null or any value, got an array of 2.')).toBe(
    'expects any value, which came',
  );
  expect(flawOf('- a: .')).toBe('says nothing');
  expect(flawOf('- a: expected a string, got the number 5.')).toBeUndefined();
});

// oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
const when = (condition: Schema, then: Schema | boolean): Schema => ({ if: condition, then });

const str = (more: Schema): Schema => ({ ...text, ...more });
const int = (more: Schema): Schema => ({ ...whole, ...more });
const num = (more: Schema): Schema => ({ ...number, ...more });
const byThreeOrFive: Schema = { oneOf: [num({ multipleOf: 3 }), num({ multipleOf: 5 })] };
const address = 'e-mail address like "ada@example.com"';
const ofThree = 'a number that is a multiple of 3';
const ofTwo = 'got an array of 2.';
const ipv4 = 'an IPv4 address like "192.0.2.1"';
const ipv6 = 'an IPv6 address like "2001:db8::1"';
const ofAtLeast1 = 'an integer of at least 1 that is a multiple of 2';
const inWhich = 'an array of integers in which at least 2 elements are each a number of at least 5';
const pair: Schema = { type: 'array', prefixItems: [text, whole] };
const ofPair = 'an array of the form [string, integer]';
const ofN = closedOf({ n: whole }, ['n']);
const sku = '^[A-Z]{3}-\\d{4}$';
const skuText = `a string that matches ${sku}`;

/** The schema of `a`, what is sent for it, and the line that follows "- a: expected ". */
const ofValues: readonly (readonly [Schema, unknown, string])[] = [
  [{ const: { k: 'x'.repeat(70) } }, 5, `{"k":"${'x'.repeat(57)}…, got the number 5.`],
  [text, ['a', 'b'], 'a string, got an array of 2.'],
  [whole, 1.5, 'an integer, got the number 1.5.'],
  [int({ minimum: 1, maximum: 100 }), 500, 'an integer from 1 to 100, got 500.'],
  [num({ minimum: 1 }), 0, 'a number of at least 1, got 0.'],
  [num({ exclusiveMinimum: 1 }), 1, 'a number greater than 1, got 1.'],
  [num({ minimum: 1, exclusiveMaximum: 2 }), 2, 'a number of at least 1 and less than 2, got 2.'],
  [{ allOf: [num({ minimum: 1 }), { minimum: 5 }] }, 3, 'a number of at least 5, got 3.'],
  [num({ multipleOf: 5 }), 7, 'a number that is a multiple of 5, got 7.'],
  [str({ minLength: 1 }), '', 'a non-empty string, got an empty string.'],
  [str({ minLength: 3 }), 'x', 'a string of at least 3 characters, got "x".'],
  [str({ minLength: 2, maxLength: 2 }), 'x', 'a string of exactly 2 characters, got "x".'],
  [
    str({ format: 'date-time' }),
    'x',
    'an ISO 8601 date-time like "2026-01-31T12:00:00Z", got "x".',
  ],
  [str({ format: 'email' }), 'bob', `an ${address}, got "bob".`],
  [str({ format: 'uuid' }), '1', 'a UUID like "123e4567-e89b-42d3-a456-426614174000", got "1".'],
  [str({ format: 'uri' }), 'x', 'a URI like "https://example.com/", got "x".'],
  [str({ format: 'email', pattern: '^.+@(?:[a-z]+\\.)+[a-z]+$' }), 'x', `an ${address}, got "x".`],
  [
    str({ format: 'email', pattern: '@b\\.c$' }),
    'x',
    'an e-mail address that matches @b\\.c$, got "x".',
  ],
  [str({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }), 'x', 'an ISO 8601 date like "2026-01-31", got "x".'],
  [str({ pattern: '^\\S+@\\S+$' }), 'bob', `an ${address}, got "bob".`],
  [str({ pattern: sku }), 'x', `${skuText}, like "ABC-1234", got "x".`],
  [
    str({ pattern: sku, examples: ['BOX-0042'] }),
    1,
    `${skuText}, like "BOX-0042", got the number 1.`,
  ],
  [str({ pattern: `^(?:${'abc|'.repeat(30)}d)$` }), 'x', 'a string like "abc", got "x".'],
  [{ const: 'x' }, 'y', '"x", got "y".'],
  [{ enum: ['fast', 'slow'] }, 'warp', '"fast" or "slow", got "warp".'],
  [{ enum: ['fast', 'slow', null] }, 5, 'one of "fast", "slow", null, got the number 5.'],
  [
    { enum: ['open', 'closed'] },
    'opened',
    '"open" or "closed", got "opened"; did you mean "open"?',
  ],
  [{ enum: ['note_a', 'note_b'] }, 'note_c', '"note_a" or "note_b", got "note_c".'],
  [
    anyOf({ const: 'a' }, { const: 'green' }),
    'gren',
    '"a" or "green", got "gren"; did you mean "green"?',
  ],
  [
    anyOf(whole, listOf(whole), nothing),
    true,
    'an integer or an array of integers or null, got true.',
  ],
  [str(anyOf({ format: 'ipv4' }, { format: 'ipv6' })), 'x', `${ipv4} or ${ipv6}, got "x".`],
  [int({ minimum: 1, ...anyOf({ multipleOf: 2 }, { const: 5 }) }), 3, `${ofAtLeast1} or 5, got 3.`],
  [
    byThreeOrFive,
    7,
    'a number that is a multiple of 3 or a number that is a multiple of 5, got 7.',
  ],
  [byThreeOrFive, 15, `exactly one of: ${ofThree}; a number that is a multiple of 5, got 15.`],
  [
    anyOf(ofN, closedOf({ m: flag })),
    { q: 1 },
    '{ n: integer } or { m?: boolean }, got an object with "q".',
  ],
  [
    texts,
    'a, b',
    'an array of strings, got the string "a, b"; did you mean ["a","b"] or ["a, b"]?',
  ],
  [
    listOf(anyOf(text, whole)),
    { x: 1 },
    'an array of (strings or integers), got an object with "x".',
  ],
  [
    listOf(str({ format: 'email' })),
    { x: 1 },
    'an array of e-mail addresses, got an object with "x".',
  ],
  [
    listOf(whole, { minItems: 1, maxItems: 3 }),
    [],
    'an array of 1 to 3 integers, got an empty array.',
  ],
  [listOf(whole, { maxItems: 1 }), [1, 2], 'an array of at most 1 element, got an array of 2.'],
  [
    listOf(text, { uniqueItems: true }),
    ['', ''],
    `an array of strings without duplicates, ${ofTwo}`,
  ],
  [
    listOf(text, { contains: { const: 7 } }),
    [],
    'an array of strings that contains 7, got an empty array.',
  ],
  [
    listOf(whole, { contains: { minimum: 5 }, minContains: 2 }),
    [7],
    `${inWhich}, got an array of 1.`,
  ],
  [{ ...pair, unevaluatedItems: false }, ['x', 1, 2], `${ofPair}, got an array of 3.`],
  [{ ...pair, minItems: 2, maxItems: 2 }, ['x', 1, 2], `${ofPair}, got an array of 3.`],
  [
    { type: 'object', minProperties: 1 },
    {},
    'an object with at least 1 property, got an empty object.',
  ],
  [str({ not: { enum: ['x', 'y'] } }), 'x', 'a string other than "x" or "y", got "x".'],
  [
    str({ not: { pattern: 'x' } }),
    'x',
    'a string, but not a string that matches x, like "x", got "x".',
  ],
];

const ab = { a: text, b: whole };
const ifA = { required: ['a'] };
const requiring = (...keys: readonly string[]): readonly Schema[] =>
  keys.map((key) => ({ required: [key] }));
const ofNames: Schema = { type: 'object', propertyNames: { enum: ['x', 'y'] } };
const ofX: Schema = { ...closedOf({}), patternProperties: { '^x': whole } };

/** What is in the schema of the arguments beside `type`, what is sent, and the whole line. */
const ofArguments: readonly (readonly [Schema, unknown, string])[] = [
  // One branch for objects: what is wrong in it.
  [
    { properties: { a: orNull(ofN) } },
    { a: { n: 'x' } },
    'a.n: expected an integer, got the string "x".',
  ],
  // One branch for arrays: which element.
  [
    { properties: { a: orNull(listOf(str({ minLength: 2 }))) } },
    { a: ['xy', 'x'] },
    'a[1]: expected a string of at least 2 characters, got "x".',
  ],
  [
    { properties: ab, anyOf: requiring('a', 'b') },
    {},
    'arguments: expected at least one of the properties "a", "b", got an empty object.',
  ],
  [
    { properties: ab, oneOf: requiring('a', 'b') },
    { a: 'x', b: 1 },
    'arguments: expected exactly one of the properties "a", "b", got an object with "a", "b".',
  ],
  [
    { properties: ab, dependentSchemas: { a: { properties: { b: { minimum: 3 } } } } },
    { a: 'x', b: 1 },
    'b: expected a number of at least 3, got 1.',
  ],
  [
    { properties: { ...ab, b: int({ minimum: 1 }) }, dependentRequired: { a: ['b'] } },
    { a: 'x' },
    'b is missing: expected an integer of at least 1; "a" requires it.',
  ],
  // A property that a condition requires and that is declared beside it.
  [
    { properties: ab, ...when(ifA, { required: ['b'] }) },
    { a: 'x' },
    'b is missing: expected an integer.',
  ],
  // A condition that nothing meets.
  [
    { properties: ab, ...when(ifA, false) },
    { a: 'y' },
    'arguments: expected another combination of properties, got an object with "a".',
  ],
  [{ properties: { a: ofNames } }, { a: { z: 1 } }, 'a.z: expected "x" or "y", got the name "z".'],
  [
    { properties: { a: ofX } },
    { a: { y: 1 } },
    'a.y is not a known property; names must match ^x.',
  ],
  [{ properties: { b: JSON.parse('false') } }, { b: 3 }, 'b is not allowed; leave it out.'],
];

const rows = [
  ...ofValues.map(
    ([a, sent, rest]) => [`a: expected ${rest}`, objectOf({ a }, ['a']), { a: sent }] as const,
  ),
  ...ofArguments.map(
    ([schema, sent, line]) => [line, { type: 'object', ...schema }, sent] as const,
  ),
];

describe.each([
  ['the default validator', {}],
  ['Ajv', { validator: ajvValidator }],
])('by %s', (_validator, options) => {
  test.each(rows)('%s', (line, schema, sent) => {
    const lines = issueLines(messageOf(structuredClone(schema), sent, { tool: 't', ...options }));
    expect(lines).toContain(`- ${line}`);
    expect(lines.map(flawOf)).toEqual(lines.map(() => undefined));
  });
});

test('of many branches only some are described, and what came still is', () => {
  const branches = Array.from({ length: 60 }, (_none, at) => str({ pattern: `^a{${at + 1}}$` }));
  const [line = ''] = issueLines(messageOf(objectOf({ a: anyOf(...branches) }), { a: 'b' }));
  expect(line).toMatch(/ or one of \d+ other forms, got "b"\.$/);
  expect(line.length).toBeLessThanOrEqual(220);
  const two = anyOf(...['a', 'c'].map((one) => str({ pattern: `^${one.repeat(50)}$` })));
  expect(messageOf(objectOf({ a: two }), { a: 'b' })).toContain(' or another form, got "b".');
});

test('of a long enum as many members are listed as there is room for, and what came still is', () => {
  const members = Array.from({ length: 40 }, (_none, at) => `a_rather_long_member_number_${at}`);
  const [line = ''] = issueLines(messageOf(objectOf({ a: { enum: members } }), { a: 'b' }));
  expect(line).toMatch(
    /^- a: expected one of "a_rather_long_member_number_0", .*, … \(40 in all\), got "b"/,
  );
});

describe('the shape', () => {
  const ofTuple = '{ a?: [string, integer], b?: (string | integer)[] }';
  const shapeOf = (schema: Schema, value: object): string | undefined =>
    /^Expected(?: at [^:]+)?: (.*)$/m.exec(messageOf(schema, value))?.[1];

  test.each<[Schema, string]>([
    [closedOf({ a: texts, b: whole, c: flag }, ['a']), '{ a: string[], b?: integer, c?: boolean }'],
    [
      closedOf({ a: { enum: ['x', 'y'] }, b: listOf({ enum: [1, 2] }) }),
      '{ a?: "x" | "y", b?: (1 | 2)[] }',
    ],
    [closedOf({ a: mapOf(whole) }), '{ a?: { [key]: integer } }'],
    [closedOf({ a: { type: ['string', 'null'] }, b: {} }), '{ a?: string | null, b?: any }'],
    [closedOf({ a: { ...pair, items: false }, b: listOf(anyOf(text, whole)) }), ofTuple],
    [
      closedOf({ a: anyOf(ofN, closedOf({ m: whole })) }),
      '{ a?: { n: integer } | { m?: integer } }',
    ],
    [objectOf({ 'a b': text }, ['x']), '{ "a b"?: string }'],
  ])('%#: %s', (schema, shape) => {
    expect(shapeOf({ ...schema, required: [...(schema.required ?? []), 'zzz'] }, {})).toBe(shape);
  });

  test('of a large object has the properties that failed, or all names for one that is made up', () => {
    const options = Array.from({ length: 30 }, (_none, at) => [`option_${at}`, whole]);
    const large = closedOf(Object.fromEntries(options), ['option_0']);
    expect(shapeOf(large, { option_0: 1, option_6: 'x' })).toBe('{ option_6?: integer, … }');
    const names = /^\{ option_0, option_1\?, option_2\?, .*, option_29\? \}$/;
    expect(shapeOf(large, { option_0: 1, zzz: 'x' })).toMatch(names);
  });
});

test.each(decoratorRows.map((row) => [row.written, row] as const))(
  'each value that %s refuses has a line that says why, and an example is accepted',
  (_written, row) => {
    const tools = new ToolRegistry().register(toolWithField(...row.decorators.toReversed()));
    const call = (args: string) => tools.interpret({ id: '1', name: 'sample', arguments: args });
    for (const value of [...row.fails, ...row.stricter]) {
      const result = call(JSON.stringify(value === undefined ? {} : { field: value }));
      if (result.status !== 'invalid_arguments') continue;
      const lines = issueLines(result.message);
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.map((line) => [line, flawOf(line)])).toEqual(
        lines.map((line) => [line, undefined]),
      );
      const [, at, example] = /^Example( at field)?: (.*)$/m.exec(result.message) ?? [];
      const argumentsText = at === undefined ? example : `{"field":${example}}`;
      if (argumentsText !== undefined)
        expect([argumentsText, call(argumentsText)]).toMatchObject([
          argumentsText,
          { status: 'accepted' },
        ]);
    }
  },
);
