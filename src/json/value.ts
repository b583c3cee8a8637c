import { types } from 'node:util';

// The types of what models send, and the guards that narrow to them.
export type JsonPrimitive = string | number | boolean | null;
export type JsonArray = readonly JsonValue[];
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
export type JsonValue = JsonPrimitive | JsonArray | JsonObject;

/** JSON Schema's seven type names, plus none: what `typeof` can't tell. */
export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

export const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isJsonArray = (value: JsonValue | undefined): value is JsonArray => Array.isArray(value);

/** The JSON type of a value; a whole number is an `integer`. */
export function jsonTypeOf(value: JsonValue): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    default:
      return 'object';
  }
}

// As own keys, whatever their name; always on a copy.
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

// By a copy that may be written to.
/** A deep copy, so that nothing done to it shows in the original. Bounded by the value's own depth. */
export function copyJson(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(copyJson);
  if (!isJsonObject(value)) return value;
  return objectOf(Object.entries(value).map(([key, member]) => [key, copyJson(member)] as const));
}

// In letter case, blanks, `_`, `-`, `.` and quote marks.
const foldable = /^[\p{L}\p{N}\s_.\-'"`\u2018\u2019\u201c\u201d]*$/u;
const separators = /[\s_.\-'"`\u2018\u2019\u201c\u201d]/gu;

/**
 * The form that all spellings of a key share; undefined for a key with any other character, which is
 * no spelling of anything, and for one that has nothing but separators.
 */
export function foldKey(key: string): string | undefined {
  if (key.length > 128 || !foldable.test(key)) return undefined;
  const folded = key.replace(separators, '').toLowerCase();
  return folded === '' ? undefined : folded;
}

/** The same for any key: one that can't be folded is a spelling of itself alone. */
export const spellingOf = (key: string): string => foldKey(key) ?? key;

// Frozen to the bottom.
/** Freezes plain data, its members and theirs, and returns it. Bounded by the data's own depth. */
export function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) freezeDeep(member);
  return value;
}

/**
 * For JSON.stringify, as its second argument: a Map becomes an object, or a list of pairs where a key is no text; a Set
 * becomes a list. Throws a TypeError for an error, and for any other object whose data no key shows, as a RegExp or Headers:
 * they would be `{}`.
 */
export function jsonForm(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (types.isMap(value)) return formOfMap(value);
  if (types.isSet(value)) return [...value];
  const kind = kindOf(value);
  if (kind === 'Error')
    throw new TypeError('an error has no JSON form: throw it, or return what is to be told');
  if (kind === 'Object' || boxes.has(kind) || Object.keys(value).length > 0) return value;
  throw new TypeError(`an object of the kind ${kind} has no JSON form`);
}

const boxes: ReadonlySet<string> = new Set(['Number', 'String', 'Boolean', 'Arguments']);

/** `[object RegExp]` says RegExp. */
const kindOf = (value: object): string => Object.prototype.toString.call(value).slice(8, -1);

function formOfMap(map: ReadonlyMap<unknown, unknown>): unknown {
  const entries = [...map];
  return areNamed(entries) ? objectOf(entries) : entries;
}

const areNamed = (
  entries: readonly (readonly [unknown, unknown])[],
): entries is readonly (readonly [string, unknown])[] => entries.every(([key]) => typeof key === 'string');

// Key order doesn't count; -0 is 0.
/** Deep equality of JSON values. */
export function sameValue(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (isJsonArray(left) && isJsonArray(right)) {
    return left.length === right.length && left.every((item, index) => isSameAs(right[index], item));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSameAs(right[key], left[key]))
  );
}

const isSameAs = (left: JsonValue | undefined, right: JsonValue | undefined): boolean =>
  left === right || (left !== undefined && right !== undefined && sameValue(left, right));
