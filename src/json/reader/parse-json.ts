// Is a text JSON, and does JavaScript's value of it say the same? The only call of JSON.parse on what models send.
import { isJsonArray, isJsonObject, type JsonValue } from '../json-value.ts';
import type { ReadValue, RepeatedKey, Unreadable } from './reading.ts';
import { readJson } from './read-json.ts';
import { scanText } from './scan-text.ts';
import { noNumberTexts } from './number-texts.ts';

/** `exact`: how numbers were spelled is kept too. `approximate`: only where digits would be lost. */
export type Precision = 'approximate' | 'exact';

/**
 * Strict JSON (RFC 8259) at the speed of JSON.parse. The slower reader decides only where the text has
 * more members than the value has keys, or a number that could lose digits.
 */
export function parseJson(text: string, maxDepth: number, precision: Precision): ReadValue | Unreadable {
  const scan = scanText(text);
  if (scan.depth > maxDepth) return { kind: 'unreadable', reason: 'too_deep', at: 0 };
  // An exception takes longer than all the reading.
  const value = scan.isNoJson ? undefined : parsed(text);
  const wantsSpelling = precision === 'exact' && scan.spelledNumber;
  if (value === undefined || scan.longNumber || wantsSpelling || !hasKeys(value, scan.colons)) {
    return readJson(text, { mode: 'strict', maxDepth, closeAtEnd: false });
  }
  return {
    kind: 'read',
    value,
    numbers: noNumberTexts,
    repeatedKeys: noKeys,
    isApproximate: scan.spelledNumber,
  };
}

const noKeys: readonly RepeatedKey[] = Object.freeze([]);

function parsed(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Whether every member became a key of its own name. Keys of the root alone are often all there are. */
function hasKeys(value: JsonValue, members: number): boolean {
  if (isJsonObject(value)) {
    const keys = Object.keys(value);
    if (keys.length === members) return !keys.some(mayBeAnother);
  }
  return countKeys(value) === members;
}

/**
 * V8 13.6 (Node 24) takes a key with an escape, `"a\n"`, for one that ends in a backslash, `"a\\"`, if it has read
 * that one in such a place before.
 */
const mayBeAnother = (key: string): boolean => key.charCodeAt(key.length - 1) === backslash;

const backslash = 92;

/** NaN where a key may be another one. */
function countKeys(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (isJsonArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countKeys(item);
    return count;
  }
  // Faster than a list of the keys.
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    if (mayBeAnother(key)) return Number.NaN;
    const member = value[key];
    count += typeof member === 'object' ? 1 + countKeys(member) : 1;
  }
  return count;
}
