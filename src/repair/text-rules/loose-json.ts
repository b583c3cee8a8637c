import type { ReadValue, Reading } from '../../json/exact-numbers.ts';
import { readJson } from '../../json/lenient-parser.ts';
import { exactJson } from '../../json/parse.ts';
import { isJsonArray, isJsonObject } from '../../json/value.ts';
import { type TextRule, silent, withoutEarlyEnd } from '../text-rule.ts';

// Comments, trailing commas, other quotes, Python words, bare keys, raw line breaks, unknown escapes, closers too
// many or wrong; read only where it has one reading. Leaves alone: ends inside a string or after a comma, words and
// arithmetic as values, unescaped quotes in content.
export const looseJson: TextRule = {
  id: 'loose_json',
  keeps: 'lossless',
  sends:
    'a byte order mark; comments; trailing commas; single, curly or escaped quotes as delimiters; Python’s True, False, None; unquoted keys; a key that lost its opening quote; a quote after a number; raw line breaks and tabs in a string, `\\n` between tokens; escapes that JSON doesn’t know, and single backslashes in a path with a drive letter; a surplus or wrong closer with one reading; closers missing at the end after a complete value, if the finish reason is known and normal',
  becomes: 'strict JSON',
  notWhen:
    'the end lies inside a string, after a comma, a colon or a key; the finish reason is unknown or the output limit; unknown escapes beside `\\b \\f \\n \\r \\t` (two readings); NaN, Infinity, arithmetic, bare words as values; an unescaped quote inside content; a key that lost its closing quote; a key twice with two values',
  propose({ text, end, maxDepth }) {
    const reading = readLoosely(text, maxDepth, end === 'normal');
    if (reading.kind === 'read' && isJsonObject(reading.value))
      return { ...reading, kind: 'object', value: reading.value };
    const inside = reading.kind === 'read' ? textInside(text, reading) : undefined;
    if (inside !== undefined) return { kind: 'text', text: inside };
    if (reading.kind === 'unreadable' && reading.reason === 'duplicate_key')
      return { kind: 'repeated', repeated: reading.repeated };
    // A byte order mark before what another rule may know.
    return text.startsWith('\uFEFF') ? { kind: 'text', text: text.slice(1) } : silent;
  },
};

/** A closer that ends the whole too early leaves text behind it, so it is looked for only then. */
function readLoosely(text: string, maxDepth: number, closeAtEnd: boolean): Reading {
  const reading = readJson(text, { mode: 'loose', maxDepth, closeAtEnd });
  if (reading.kind === 'read' || reading.reason !== 'syntax') return reading;
  const going = withoutEarlyEnd(text, maxDepth);
  const again =
    going === undefined ? reading : readJson(going, { mode: 'loose', maxDepth, closeAtEnd: false });
  return again.kind === 'read' || again.reason === 'duplicate_key' ? again : reading;
}

/** The same as strict JSON: a list, which another rule may know, or what a string in other quotes holds. */
function textInside(text: string, { value, numbers, repeatedKeys }: ReadValue): string | undefined {
  if (repeatedKeys.length > 0) return undefined;
  if (isJsonArray(value)) return value.length === 1 ? exactJson(value, numbers, 0) : undefined;
  // What an escape between other quotes means, nobody has said.
  const isPlain = typeof value === 'string' && !text.includes('\\');
  return isPlain && startsLikeObject.test(value) ? value : undefined;
}

const startsLikeObject = /^\s*[[{]/;
