import { once } from '../../collections/once.ts';
import type { ReadValue } from '../../json/lenient-parser.ts';
import { exactJson } from '../../json/parse.ts';
import { isJsonArray, isJsonObject } from '../../json/value.ts';
import { withPlainQuotes } from '../../json/strings.ts';
import { isShownOrDenied } from '../../notations/asides.ts';
import { mayReplace, mayTakeBack } from '../../notations/retraction.ts';
import {
  LooseText,
  type TextRule,
  readAgain,
  readingOf,
  refuseRepeatedKey,
  skip,
} from '../text-rule.ts';

/**
 * Models send a byte order mark; comments; a trailing comma; single, curly, escaped or token
 * (`<|"|>`) quotes as delimiters, and `"""…"""`; True, FALSE, None, NULL and the like; unquoted
 * keys; a key that lost its opening quote; a quote after a number; raw line breaks and tabs in a
 * string, `\n` between tokens; escapes that JSON doesn’t know, and single backslashes in a path
 * with a drive letter; `\underline` in a string without `\u00e9` and the like, a key whose opening
 * quote is doubled, and `\'` as the only quotes of the text (then the model gets a note, and a
 * destructive tool has it confirmed).
 * Becomes strict JSON.
 * Not when: `\x`, `\N{`, a `\u` with half a code, a backslash before a letter outside ASCII, and in
 * single quotes what Python alone escapes; unknown escapes beside `\b \f \n \r \t`, `\\` or
 * `\u00e9` (two readings), also as the first after a drive letter, or before an escaped quote that
 * may end the string; `\'` around strings beside another quote or backslash; curly quotes in a text
 * whose first string is in straight ones; a comment whose line has a quote, that comes after a
 * colon, that is a member (`// limit: 5`), that may put another value in the place of one (`// or
 * 6`, `// TODO`) or says that more was left out, or that may deny the object, show it (`#
 * Example:`) or take it back; NaN, Infinity, arithmetic; two commas; a key that lost its closing
 * quote; a key twice with two values.
 */
export const looseJson: TextRule = {
  id: 'loose_json',
  keeps: 'lossless',
  propose({ text, loose, declaredKeys }) {
    const plain = withPlainQuotes(text);
    const reading = (plain === undefined ? loose : new LooseText(plain)).whole;
    if (reading.kind === 'read' && isJsonObject(reading.value)) {
      // Only comments can be around it.
      const [comment, remark] = [text.slice(0, text.indexOf('{')), text.slice(reading.end)];
      if (isNoCall(comment) || mayTakeBack(remark, declaredKeys)) return { kind: 'unreadable' };
      if (commentsIn(text.slice(0, reading.end)).some(mayReplace)) return { kind: 'unreadable' };
      const isUnsure = plain !== undefined || reading.isUnsure === true;
      if (reading.quotedNumbers.length > 0)
        return isUnsure ? skip : { kind: 'readings', readings: [readingOf(reading)] };
      const object = { ...reading, kind: 'object', value: reading.value } as const;
      return isUnsure ? { ...object, isLossy: true, notes: true } : object;
    }
    const innerText = reading.kind === 'read' ? textInside(text, reading) : undefined;
    if (innerText !== undefined) return readAgain(innerText);
    if (reading.kind === 'unreadable' && reading.reason === 'duplicate_key')
      return refuseRepeatedKey(reading.repeatedKey);
    // Other rules read the text after a byte order mark.
    return text.startsWith('\uFEFF') ? readAgain(text.slice(1)) : skip;
  },
};

/** The comments of a text that was read. */
const commentsIn = (text: string): readonly string[] =>
  /\/[/*]|#/.test(text)
    ? [...text.matchAll(stringOrComment())].flatMap(([, line, block]) => line ?? block ?? [])
    : [];

const stringOrComment = once(
  () =>
    /"[^"\\]*(?:\\[^][^"\\]*)*"|'[^'\\]*(?:\\[^][^'\\]*)*'|“[^”]*”|(?:\/\/|#)([^\n]*)|\/\*([^]*?)\*\//g,
);

/** Whether text that was read has a comment. */
export const hasComment = (text: string): boolean => commentsIn(text).length > 0;

/** Whether a comment before an object shows or denies it; a heading needs no colon: `## Result`. */
const isNoCall = (comment: string): boolean =>
  isShownOrDenied(comment) || isShownOrDenied(`${comment.replace(/[\s*/]+$/, '')}:`);

/**
 * Text for other rules: a list of one object as strict JSON, or the content of a string in other
 * quotes.
 */
function textInside(text: string, reading: ReadValue): string | undefined {
  const { value, numbers, repeatedKeys, quotedNumbers } = reading;
  if (repeatedKeys.length > 0 || quotedNumbers.length > 0) return undefined;
  if (isJsonArray(value)) return value.length === 1 ? exactJson(value, numbers) : undefined;
  // Escapes between other quotes have no defined meaning.
  const isPlain = typeof value === 'string' && !text.includes('\\');
  return isPlain && startsLikeObject.test(value) ? value : undefined;
}

const startsLikeObject = /^\s*[[{]/;
