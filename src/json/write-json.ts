// What is the JSON of a value that a program made? Text that every reader takes, and a plain copy of the same data.
import { jsonForm } from './json-form.ts';
import type { JsonValue } from './json-value.ts';
import { defineKey } from './own-key.ts';

export interface WrittenJson {
  readonly text: string;
  readonly value: JsonValue;
}

/**
 * Writes as `JSON.stringify` does, but nothing in it is half of a character, and a Map or a Set is what it holds. Throws
 * what that throws (cycles, BigInt, the value's own getters and `toJSON`), and a TypeError for what has no JSON form, as a
 * function or an error.
 */
export function writeJson(value: unknown): WrittenJson {
  const text: string | undefined = JSON.stringify(value, jsonForm);
  if (text === undefined) throw new TypeError(`a ${typeof value} has no JSON form`);
  const copy = wellFormedCopy(JSON.parse(text));
  // JSON.stringify writes half of a character as an escape, which not every reader takes.
  return { text: escapedSurrogate.test(text) ? JSON.stringify(copy) : text, value: copy };
}

const escapedSurrogate = /\\ud[89a-f]/i;

/** Keys that become equal stay apart. */
function wellFormedCopy(value: unknown): JsonValue {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(wellFormedCopy);
  if (typeof value !== 'object' || value === null) return null;
  const copy: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value)) {
    let name = key.toWellFormed();
    while (name !== key && (Object.hasOwn(copy, name) || Object.hasOwn(value, name))) name += '\uFFFD';
    defineKey(copy, name, wellFormedCopy(member));
  }
  return copy;
}
