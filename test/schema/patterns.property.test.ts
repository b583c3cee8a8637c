import { costOf } from '../cost.ts';
import { fc } from '../seeded-fast-check.ts';
import { type SchemaWarning } from 'toolmend';
import { closedOf, objectOf, text, whole } from '../schemas.ts';
import { readValue, repairedTo } from '../read.ts';
import { evilPatterns } from './evil-patterns.ts';
import { wordsOf } from '../words.ts';

/**
 * For one call, which is several validations; backtracking would cost thousands at least, or never
 * end.
 */
const little = 200;

test.each(evilPatterns)('%s is matched in little time or reported as unsafe', (pattern, sent) => {
  const warnings: SchemaWarning[] = [];
  const warn = (warning: SchemaWarning): void => void warnings.push(warning);
  const schema = objectOf({ a: { ...text, pattern }, n: whole });
  expect(readValue(schema, { a: 'x', n: '5' }, { warn })).not.toHaveProperty('unvalidated');
  expect(costOf(() => readValue(schema, { a: sent }, { warn })).cost).toBeLessThan(little);
  const isUnsafe = /\\1|\(\?[is]|\(\?!|\(\?<=|\(\?=|\{1,50\}/.test(pattern);
  expect(warnings.map(({ code }) => code)).toEqual(isUnsafe ? ['unsafe_pattern'] : []);
});

test('patterns of keys are matched in little time', () => {
  for (const [pattern, sent] of evilPatterns) {
    const schema = objectOf({ a: { type: 'object', patternProperties: { [pattern]: whole } } });
    const value = { a: { [sent]: 'x' } };
    const options = { warn: () => undefined };
    readValue(schema, {}, options);
    expect(costOf(() => readValue(schema, value, options)).cost).toBeLessThan(little);
  }
});

describe('a pattern', () => {
  const matches = (pattern: string, sent: string): boolean =>
    readValue(objectOf({ a: { pattern } }), { a: sent }).status === 'unchanged';
  const piece = fc.constantFrom(
    ...wordsOf(String.raw`
  a b . \s \S \w \d [ab] [^a] (a|b) (?:ab) \. \u0041 [\s\d] \b (?:a|^b|\B) (?:a*b?)
  (?:(?:a|\s)+$|b{0,2}) (?:[^\]a]|\u{1F600}|\uD83D\uDE00) \p{L}
`),
  );
  const quantifier = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '{0,3}?', '{2,}', '+?');
  const pattern = fc
    .tuple(
      fc.constantFrom('', '^'),
      fc.array(fc.tuple(piece, quantifier), { minLength: 1, maxLength: 5 }),
      fc.constantFrom('', '$'),
    )
    // Assertions can't be repeated.
    .map(([start, pieces, end]) => {
      const middle = pieces.map(([one, many]) => (one === '\\b' ? one : one + many));
      return start + middle.join('') + end;
    });
  const sent = fc.string({
    unit: fc.constantFrom('a', 'b', 'A', '1', '.', ' ', '\n', '\u00a0', '\u2028', '\r', 'é', '😀'),
    maxLength: 8,
  });

  test('matches what the platform matches, whichever engine matches it', () => {
    fc.assert(
      fc.property(pattern, sent, (expression, value) => {
        expect(matches(expression, value)).toBe(new RegExp(expression, 'u').test(value));
      }),
    );
  });

  const modified = fc.constantFrom(
    ...'(?i:a) (?i:A+) (?i-s:a|b.) (?m:^a$) (?s:.) (?-i:b) (?i:(?-i:a)b)'.split(' '),
  );

  test('with modifiers matches what the platform matches, or is ignored with a warning', () => {
    fc.assert(
      fc.property(modified, quantifier, pattern, sent, (group, many, rest, value) => {
        const expression = group + many + rest.replace('^', '');
        const warnings: string[] = [];
        const schema = objectOf({ a: { pattern: expression } });
        const { status } = readValue(
          schema,
          { a: value },
          { warn: ({ code }) => warnings.push(code) },
        );
        const isMatched = new RegExp(expression, 'u').test(value);
        const expected = warnings.length > 0 ? [true, 'unsafe_pattern'] : [isMatched];
        expect([status === 'unchanged', ...warnings]).toEqual(expected);
      }),
    );
  });

  test.each([
    // Without the flag u.
    ['^[\\w-.]+\\-$', 'a.b-', '!-'],
    ['^(?i:ab)$', 'aB', 'a'],
    ['^(?i:a)c+$', 'Acc', 'AC'],
    ['^[a-z]+(-[a-z]+)*$', 'a-b', 'a-'],
    ['^(?=.*[A-Z])(?=.*\\d).{8,}$', 'Abcdefg1', 'abcdefg1'],
    ['^(?!.*\\.\\.)[^/]+$', 'a.b', 'a..b'],
    ['^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', 'a@b.c', 'a@b'],
    ['^\\p{Lu}\\p{Ll}+$', 'Éa', 'éa'],
    ['^.{1,5000}$', 'x', ''],
    ['a|^b$', 'xa', 'xb'],
  ])('%s is matched', (expression, good, bad) => {
    expect(matches(expression, good)).toBe(true);
    expect(matches(expression, bad)).toBe(false);
  });

  test('that is unsafe is named in a warning, and the rest of the schema is validated', () => {
    const warnings: SchemaWarning[] = [];
    const schema = objectOf({ a: { pattern: '^(a+)\\1$' }, n: whole });
    const result = readValue(schema, { a: 'x', n: '5' }, { warn: (said) => warnings.push(said) });
    expect(result).toMatchObject(repairedTo({ a: 'x', n: 5 }));
    const message =
      'The input schema of tool has patterns that are ignored, because they could take unlimited time: "^(a+)\\\\1$".';
    expect(warnings).toEqual([{ tool: 'tool', code: 'unsafe_pattern', message }]);
  });

  test('of keys that is unsafe opens its object', () => {
    const closed = { ...closedOf({}), patternProperties: { '^(a+)\\1$': whole } };
    expect(readValue(closed, { aa: 'x', b: 1 }).status).toBe('unchanged');
  });
});
