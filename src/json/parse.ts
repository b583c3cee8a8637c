import { type ReadValue, type RepeatedKey, type Unreadable, readJson } from './lenient-parser.ts';
import { noLiterals, survivesAsNumber, NumberLiterals } from './number-literals.ts';
import { attempt } from '../collections/attempt.ts';
import { hasInheritedKeys } from '../collections/objects.ts';
import { endOfString } from './strings.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  maxDataDepth,
} from './value.ts';

/** JSON text with the literals of numbers, without whitespace. */
export const exactJson = (value: JsonValue, numbers: NumberLiterals): string =>
  JSON.stringify(value, function withLiteral(this: object, key: string, member: unknown) {
    const text = typeof member === 'number' ? numbers.literal(member, this, key) : undefined;
    return text === undefined ? member : JSON.rawJSON(text);
  });

declare global {
  interface JSON {
    /**
     * JSON text of a value, which `stringify` takes as it is:
     * https://tc39.es/proposal-json-parse-with-source
     */
    rawJSON(text: string): unknown;
  }
}

interface TextScan {
  /** Colons outside strings: as many as there are members, repeated ones included. */
  readonly colons: number;
  /** The deepest nesting of `[` and `{` outside strings. */
  readonly depth: number;
  /** A number may lose digits: it has 16 in a row, or an exponent. */
  readonly longNumber: boolean;
  /**
   * The text can't be JSON: it has a character that JSON has only in strings, two values without a
   * comma or a colon between them, or a second container at the root.
   */
  readonly isNotJson: boolean;
  /**
   * A number has a fraction or an exponent, or is -0, so that JavaScript may print it differently.
   */
  readonly spelledNumber: boolean;
}

const quote = 34;
const colon = 58;
const comma = 44;
const openBracket = 91;
const openBrace = 123;
const closeBracket = 93;
const closeBrace = 125;
const minus = 45;
const zero = 48;
const nine = 57;
const longRun = 16;

/**
 * Scans text in one pass without making a value. For text that isn't JSON, the counts have no
 * meaning.
 */
export function scanText(text: string): TextScan {
  let colons = 0;
  let depth = 0;
  let deepest = 0;
  let longNumber = false;
  let spelledNumber = false;
  let roots = 0;
  let hasOther = false;
  /** A string, a number or a container has ended, so that no other may start. */
  let hasEnded = false;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      hasOther ||= hasEnded;
      const end = text.indexOf('"', at + 1);
      at = end === -1 || text.charCodeAt(end - 1) === backslash ? endOfString(text, at) : end;
      at += 1;
      // Nearly every string has a colon or a comma behind it: one step for both.
      const next = at < text.length ? text.charCodeAt(at) : 0;
      if (next === colon) colons += 1;
      hasEnded = next !== colon && next !== comma;
      if (!hasEnded) at += 1;
    } else if (code >= zero && code <= nine) {
      hasOther ||= hasEnded;
      hasEnded = true;
      const start = at;
      let others = 0;
      for (at += 1; at < text.length; at += 1) {
        const next = text.charCodeAt(at);
        if (next >= zero && next <= nine) continue;
        if (!isNumberPart(next)) break;
        // A decimal point doesn't end a run of digits.
        longNumber ||= next !== 46;
        others += 1;
      }
      spelledNumber ||= others > 0;
      longNumber ||= at - start - others >= longRun;
    } else {
      at += 1;
      if (code === comma) hasEnded = false;
      else if (code === colon) {
        colons += 1;
        hasEnded = false;
      } else if (code === openBrace || code === openBracket) {
        hasOther ||= hasEnded;
        hasEnded = false;
        if (depth === 0) roots += 1;
        depth += 1;
        if (depth > deepest) deepest = depth;
      } else if (code === closeBrace || code === closeBracket) {
        depth -= 1;
        hasEnded = true;
      } else if (code === minus) spelledNumber ||= text.charCodeAt(at) === zero;
      else if (code > 127 || outsideStrings[code] === 0) hasOther = true;
    }
  }
  return { colons, depth: deepest, longNumber, spelledNumber, isNotJson: hasOther || roots > 1 };
}

/**
 * Other characters that JSON has outside strings: whitespace, signs, letters of words and exponents.
 */
const outsideStrings = new Uint8Array(128);
for (const character of ' \t\r\n+.eEtrufalsn') outsideStrings[character.charCodeAt(0)] = 1;

/** Of a number, behind its first digit: `.`, `e`, `E`, `+` or `-`. */
const isNumberPart = (code: number): boolean =>
  code === 46 || code === 101 || code === 69 || code === 43 || code === minus;

/**
 * Strict JSON (RFC 8259) at the speed of JSON.parse. The slower reader decides about repeated keys
 * and long numbers.
 */
export function parseJson(text: string, maxDepth: number = maxDataDepth): ReadValue | Unreadable {
  const scan = scanText(text);
  if (scan.depth > maxDepth) return { kind: 'unreadable', reason: 'too_deep', at: 0 };
  // Catching an exception takes longer than reading the text.
  const value = scan.isNotJson ? undefined : plainJson(text);
  if (value === undefined) return notJson;
  if (scan.longNumber || !hasKeys(value, scan.colons, text)) return readStrictly(text, maxDepth);
  const numbers = scan.spelledNumber
    ? NumberLiterals.later(value, () => {
        const reading = readStrictly(text, maxDepth);
        return reading.kind === 'read' ? reading : undefined;
      })
    : noLiterals;
  return { kind: 'read', value, numbers, repeatedKeys: noKeys, quotedNumbers: noNumbers };
}

/** The object that the text is; an empty one if it is anything else. */
export function parsedObject(text: string): JsonObject {
  const reading = parseJson(text);
  return reading.kind === 'read' && isJsonObject(reading.value) ? reading.value : {};
}

const readStrictly = (text: string, maxDepth: number): ReadValue | Unreadable =>
  readJson(text, 'strict', maxDepth);

/** Without the place of the error, which only reading the text again would show. */
const notJson: Unreadable = Object.freeze({ kind: 'unreadable', reason: 'syntax', at: 0 });
const noNumbers: readonly number[] = Object.freeze([]);
const noKeys: readonly RepeatedKey[] = Object.freeze([]);

/**
 * The value of strict JSON, at the speed of JSON.parse; undefined for anything else. The last of
 * repeated keys wins.
 */
export function plainJson(text: string): JsonValue | undefined {
  // Not by `attempt`: every call comes here, and making a function takes a tenth of the time of a
  // short text.
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Whether every member became a key of its own. Often all keys are at the root. */
function hasKeys(value: JsonValue, members: number, text: string): boolean {
  const areCertain = !hasInheritedKeys() && !text.includes('\\');
  const isCounted = areCertain && isJsonObject(value) && Object.keys(value).length === members;
  return isCounted || countKeys(value, areCertain) === members;
}

/**
 * V8 13.6 (Node 24) reads the key `"a\n"` as `"a\\"` if it has read that one at such a place
 * before.
 */
const mayBeAnother = (key: string): boolean => key.charCodeAt(key.length - 1) === backslash;

const backslash = 92;

/**
 * NaN if a key may be another one. `areCertain`: no key is inherited, and none has a backslash, so
 * that none is looked at.
 */
function countKeys(value: JsonValue, areCertain: boolean): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (isJsonArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countKeys(item, areCertain);
    return count;
  }
  // Faster than Object.keys.
  for (const key in value) {
    if (!areCertain && !Object.hasOwn(value, key)) continue;
    if (!areCertain && mayBeAnother(key)) return Number.NaN;
    const member = value[key];
    count += typeof member === 'object' ? 1 + countKeys(member, areCertain) : 1;
  }
  return count;
}

/**
 * The value of JSON text, for `JSON.stringify` only: a number that would lose digits is raw JSON.
 */
export const wireValue = (text: string): unknown => JSON.parse(text, rawNumbers);

function rawNumbers(
  _key: string,
  value: unknown,
  ...[context]: [{ readonly source?: string }?]
): unknown {
  const source = typeof value === 'number' ? context?.source : undefined;
  return source === undefined || survivesAsNumber(source) ? value : JSON.rawJSON(source);
}

/** The key that a string literal spells. */
export const keyIn = (literal: string): string => String(JSON.parse(literal));

/** `cut`: the bytes end inside a character. */
type BytesReading =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'invalid_utf8' | 'cut' };

/** Decodes UTF-8 without replacing characters, and leaves out a byte order mark. Never throws. */
export function decodeBytes(bytes: Uint8Array): BytesReading {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const whole = attempt(() => decoder.decode(bytes, { stream: true }));
  if (whole === undefined) return { kind: 'invalid_utf8' };
  const rest = attempt(() => decoder.decode());
  return rest === undefined ? { kind: 'cut' } : { kind: 'text', text: whole + rest };
}

/** The text of bytes in UTF-8; undefined for any others. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  const reading = decodeBytes(bytes);
  return reading.kind === 'text' ? reading.text : undefined;
}
