import type { ReadValue, Reading } from '../../json/lenient-parser.ts';
import { readJson, readJsonPrefix } from '../../json/lenient-parser.ts';
import { exactJson } from '../../json/parse.ts';
import { type JsonValue, isJsonArray, isJsonObject } from '../../json/value.ts';
import { skip } from '../repair-rule.ts';
import { type TextRule, refuseRepeatedKey } from '../text-rule.ts';

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
      return refuseRepeatedKey(reading.repeated);
    // Another rule may know what follows a byte order mark.
    return text.startsWith('\uFEFF') ? { kind: 'text', text: text.slice(1) } : skip;
  },
};

/** A closer that ends the object too early is searched for only if text follows it. */
function readLoosely(text: string, maxDepth: number, closeAtEnd: boolean): Reading {
  const reading = readJson(text, { mode: 'loose', maxDepth, closeAtEnd });
  if (reading.kind === 'read' || reading.reason !== 'syntax') return reading;
  const going = withoutEarlyEnd(text, maxDepth);
  const again =
    going === undefined ? reading : readJson(going, { mode: 'loose', maxDepth, closeAtEnd: false });
  return again.kind === 'read' || again.reason === 'duplicate_key' ? again : reading;
}

/** A list of one as strict JSON, or what a string in other quotes holds: other rules read them next. */
function textInside(text: string, { value, numbers, repeatedKeys }: ReadValue): string | undefined {
  if (repeatedKeys.length > 0) return undefined;
  if (isJsonArray(value)) return value.length === 1 ? exactJson(value, numbers, 0) : undefined;
  // Escapes between other quotes have no defined meaning.
  const isPlain = typeof value === 'string' && !text.includes('\\');
  return isPlain && startsLikeObject.test(value) ? value : undefined;
}

const startsLikeObject = /^\s*[[{]/;

/**
 * Leaves out the closer that ends the object too early: `{"a": 1}, "b": 2}`; undefined if there is none, or another closer
 * could be the surplus one, because a key follows a nested object.
 */
function withoutEarlyEnd(text: string, maxDepth: number): string | undefined {
  const start = text.search(/\S/);
  if (start === -1 || text.charAt(start) !== '{') return undefined;
  const first = readJsonPrefix(text, start, maxDepth, 'loose');
  if (first === undefined || text.charAt(first.end - 1) !== '}') return undefined;
  nextMember.lastIndex = first.end;
  if (!nextMember.test(text) || mayEndLater(first.value)) return undefined;
  return text.slice(0, first.end - 1) + text.slice(first.end);
}

const nextMember = /\s*,\s*(?:"[^"\\]*"|'[^'\\]*'|[A-Za-z_$][\w$]*)\s*:/y;

/** Whether a key follows a closed object somewhere. */
function mayEndLater(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.some(mayEndLater);
  if (!isJsonObject(value)) return false;
  const members = Object.values(value);
  // JavaScript puts keys of digits first.
  const isInOrder = !Object.keys(value).some((key) => /^\d+$/.test(key));
  const earlier = isInOrder ? members.slice(0, -1) : members;
  return earlier.some((member) => isJsonObject(member)) || members.some(mayEndLater);
}
