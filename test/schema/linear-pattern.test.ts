import { linearTest } from '../../src/schema/linear-pattern.ts';

/** Letters in an order in which nearly each one makes a combination of states that was not met before. */
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
])('%s finds %s in a text with more combinations of states than are kept', (pattern, _what, end) => {
  const text = ` ${letters(8_000)}${end}`;
  expect(linearTest(pattern)?.(text)).toBe(new RegExp(pattern, 'u').test(text));
});
