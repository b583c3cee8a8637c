// How are keys that a model chose read and written? As own keys, whatever their name; always on a copy.
import type { JsonObject, JsonValue } from './json-value.ts';

/** The value of an own key; undefined if there is none. `__proto__` and `toString` are no exception. */
export const ownValue = <Value>(object: { readonly [key: string]: Value }, key: string): Value | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** Sets an own key on an object that is still being made. */
export function defineKey(target: { [key: string]: unknown }, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    // No other name has a setter on a plain object's prototype.
    target[key] = value;
  }
}

/** An object of these entries, in their order. */
export function objectOf<Value>(entries: Iterable<readonly [string, Value]>): { [key: string]: Value } {
  const made: { [key: string]: Value } = {};
  for (const [key, value] of entries) defineKey(made, key, value);
  return made;
}

/** A copy with one key set; its place among the keys is kept, a new one comes last. */
export const withKey = (object: JsonObject, key: string, value: JsonValue): JsonObject => {
  const copy = { ...object };
  defineKey(copy, key, value);
  return copy;
};

/** A copy without one key. */
export const withoutKey = (object: JsonObject, key: string): JsonObject =>
  objectOf(Object.entries(object).filter(([name]) => name !== key));
