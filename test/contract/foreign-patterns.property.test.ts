// Is every pattern of a foreign schema matched soon, as the platform would match it, or reported?
import { costOf } from '../cost.ts';
import { fc } from '../seeded-fast-check.ts';
import { interpretArguments, type CreateValidator, type SchemaWarning } from 'toolmend';
import { interpretingValidator } from 'toolmend/interpreting-validator';
import { objectOf, whole } from '../repair/sample-schemas.ts';
import { evilPatterns } from './evil-patterns.ts';

const validators: readonly (readonly [string, { readonly validator?: CreateValidator }])[] = [
  ['Ajv', {}],
  ['the interpreting validator', { validator: interpretingValidator }],
];

/** For one call, which is several validations; backtracking would cost thousands at least, or never end. */
const little = 200;

describe.each(validators)('T27 with %s', (_name, validator) => {
  test.each(evilPatterns)('T27 %s ends soon, or is reported as unchecked', (pattern, sent) => {
    const warnings: SchemaWarning[] = [];
    const options = { ...validator, warn: (warning: SchemaWarning) => warnings.push(warning) };
    const schema = objectOf({ a: { type: 'string', pattern }, n: whole });
    expect(interpretArguments(schema, { value: { a: 'x', n: '5' } }, options)).not.toHaveProperty(
      'unvalidated',
    );
    expect(costOf(() => interpretArguments(schema, { value: { a: sent } }, options)).cost).toBeLessThan(
      little,
    );
    const isUnchecked = /\\1|\(\?!|\(\?<=|\(\?=|\{1,50\}/.test(pattern);
    expect(warnings.map(({ code }) => code)).toEqual(isUnchecked ? ['unsafe_pattern'] : []);
  });

  test('T27 patterns of keys end soon as well', () => {
    for (const [pattern, sent] of evilPatterns) {
      const schema = objectOf({ a: { type: 'object', patternProperties: { [pattern]: whole } } });
      const value = { a: { [sent]: 'x' } };
      const options = { ...validator, warn: () => undefined };
      interpretArguments(schema, { value: {} }, options);
      expect(costOf(() => interpretArguments(schema, { value }, options)).cost).toBeLessThan(little);
    }
  });
});

describe('a pattern', () => {
  const matches = (
    pattern: string,
    sent: string,
    validator: { readonly validator?: CreateValidator } = {},
  ): boolean =>
    interpretArguments({ type: 'object', properties: { a: { pattern } } }, { value: { a: sent } }, validator)
      .status === 'unchanged';

  const piece = fc.constantFrom(
    'a',
    'b',
    '.',
    '\\s',
    '\\S',
    '\\w',
    '\\d',
    '[ab]',
    '[^a]',
    '(a|b)',
    '(?:ab)',
    '\\.',
    '\\u0041',
    '[\\s\\d]',
  );
  const quantifier = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '+?');
  const pattern = fc
    .tuple(
      fc.constantFrom('', '^'),
      fc.array(fc.tuple(piece, quantifier), { minLength: 1, maxLength: 5 }),
      fc.constantFrom('', '$'),
    )
    .map(([start, pieces, end]) => start + pieces.flat().join('') + end);
  const sent = fc.string({
    unit: fc.constantFrom('a', 'b', 'A', '1', '.', ' ', '\n', '\u00a0', '\u2028', '\r', 'é', '😀'),
    maxLength: 8,
  });

  test('of any kind matches what the platform matches, whichever engine takes it', () => {
    fc.assert(
      fc.property(pattern, sent, (expression, value) => {
        const expected = new RegExp(expression, 'u').test(value);
        for (const [, validator] of validators) expect(matches(expression, value, validator)).toBe(expected);
      }),
    );
  });

  test.each([
    ['^[a-z]+(-[a-z]+)*$', 'a-b', 'a-'],
    ['^(?=.*[A-Z])(?=.*\\d).{8,}$', 'Abcdefg1', 'abcdefg1'],
    ['^(?!.*\\.\\.)[^/]+$', 'a.b', 'a..b'],
    ['^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', 'a@b.c', 'a@b'],
    ['^\\p{Lu}\\p{Ll}+$', 'Éa', 'éa'],
    ['^.{1,5000}$', 'x', ''],
    ['a|^b$', 'xa', 'xb'],
  ])('%s is looked at', (expression, good, bad) => {
    for (const [, validator] of validators) {
      expect(matches(expression, good, validator)).toBe(true);
      expect(matches(expression, bad, validator)).toBe(false);
    }
  });

  test('that nobody looks at is named in a warning, and the rest of the schema is validated', () => {
    const warnings: SchemaWarning[] = [];
    const schema = objectOf({ a: { pattern: '^(a+)\\1$' }, n: whole });
    const result = interpretArguments(
      schema,
      { value: { a: 'x', n: '5' } },
      { warn: (said) => warnings.push(said) },
    );
    expect(result).toMatchObject({ status: 'repaired', value: { a: 'x', n: 5 } });
    expect(warnings).toEqual([
      {
        tool: 'tool',
        code: 'unsafe_pattern',
        message:
          'The input schema of tool has patterns that are ignored, because they could take time without end: "^(a+)\\\\1$".',
      },
    ]);
  });

  test('of keys that nobody looks at opens its object', () => {
    const closed = {
      type: 'object',
      patternProperties: { '^(a+)\\1$': whole },
      additionalProperties: false,
    } as const;
    expect(interpretArguments(closed, { value: { aa: 'x', b: 1 } }).status).toBe('unchanged');
  });
});

describe.each(validators)('T29 lists without repetitions, with %s', (_name, validator) => {
  const schema = objectOf({ list: { type: 'array', uniqueItems: true } });
  const outcomeOf = (list: readonly unknown[]): string =>
    interpretArguments(schema, { value: { list } }, { ...validator }).status;

  test('T29 are told from those with one', () => {
    for (const list of [
      [],
      [1, '1', [1], { 1: 1 }, null, 'null', '[1]', true, 'true'],
      [{ a: 1 }, { a: 2 }, '{"a":1}'],
    ]) {
      expect(outcomeOf(list)).toBe('unchanged');
    }
    for (const list of [
      [1, 1],
      ['a', 'b', 'a'],
      [null, null],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [[], []],
      [0, -0],
    ]) {
      expect(outcomeOf(list)).toBe('rejected');
    }
  });

  test('T29 100,000 objects end soon', () => {
    const list = Array.from({ length: 100_000 }, (_item, index) => ({ index, name: `n${index}` }));
    expect(costOf(() => outcomeOf(list)).cost).toBeLessThan(1000);
  });
});
