import { linearPattern } from '../../src/schema/linear-pattern.ts';

/**
 * Letters in an order in which nearly each one makes a combination of states that was not met
 * before.
 */
function letters(length: number): string {
  let state = 7;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state > 2 ** 30 ? 'a' : 'b';
  }).join('');
}

test.each([
  ['a.{12}c', 'nothing', ''],
  ['a.{12}c', 'a match at the end', `a${'b'.repeat(12)}c`],
  ['a.{12}\\bc$', 'a word boundary at the end', `a${'b'.repeat(11)} c`],
  ['(?:a.{12}){2}😀', 'a character of two units', `a${'b'.repeat(12)}a${'b'.repeat(12)}😀`],
  ['^a.{12}c', 'a match that does not begin the text', `a${'b'.repeat(12)}c`],
])(
  '%s finds %s in a text with more combinations of states than are kept',
  (pattern, _what, end) => {
    const text = ` ${letters(8_000)}${end}`;
    expect(linearPattern(pattern)?.test(text)).toBe(new RegExp(pattern, 'u').test(text));
  },
);

/** States that a pattern visits to test a text, with nothing kept from other texts. */
function stepsOf(pattern: string, text: string): number {
  const linear = linearPattern(pattern);
  linear?.test(text);
  return linear?.steps ?? Number.NaN;
}

test.each([
  ['a.{12}c', 'combinations of states that are new at each character'],
  ['^(a|b)+c', 'one combination throughout'],
  ['(a+)+c', 'a repetition inside a repetition'],
  ['(?:a|b|ab)*c', 'alternatives that overlap'],
])('%s takes about twice the steps for twice the text: %s', (pattern) => {
  const [once, twice] = [stepsOf(pattern, letters(8_000)), stepsOf(pattern, letters(16_000))];
  expect(once).toBeGreaterThan(0);
  expect(twice).toBeLessThanOrEqual(2.1 * once);
});

test('a text takes at most one step for each of its characters and the states of the pattern', () => {
  const states = 17;
  expect(stepsOf('a.{12}c', letters(8_000))).toBeLessThanOrEqual(8_001 * states);
});

test('steps from a combination of states are computed once, in whatever text it is met', () => {
  const linear = linearPattern('a.{12}c');
  linear?.test('ab'.repeat(100));
  const first = linear?.steps ?? Number.NaN;
  linear?.test('ab'.repeat(50_000));
  expect(first).toBeGreaterThan(0);
  expect(linear?.steps).toBe(first);
});
