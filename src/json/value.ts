import { isMap, isSet, kindOf } from '../platform/object-kinds.ts';

/** A JSON value without members. */
export type JsonPrimitive = string | number | boolean | null;
/** A readonly JSON array. */
export type JsonArray = readonly JsonValue[];
/** A readonly JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
/** A readonly JSON value. */
export type JsonValue = JsonPrimitive | JsonArray | JsonObject;

/** The seven type names of JSON Schema. */
export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

export const jsonTypes: readonly JsonType[] = [
  'null',
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
];

/** Whether a value is an array or another object. */
export const isContainer = <Value>(value: Value): value is Value & object =>
  typeof value === 'object' && value !== null;

export const isObjectLike = (value: unknown): value is object =>
  typeof value === 'function' || isContainer(value);

/** undefined for anything but an object or a function. */
export const memberOf = (value: unknown, name: string | symbol): unknown =>
  isObjectLike(value) ? Reflect.get(value, name) : undefined;

export const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isJsonArray = (value: JsonValue | undefined): value is JsonArray =>
  Array.isArray(value);

/** Nesting of containers in arguments, and in text inside them, the outermost counted. */
export const maxTextDepth = 64;

/** Nesting of data that comes from programs and files. */
export const maxDataDepth = 256;

/** The JSON type of a value; a whole number is an `integer`. */
export function jsonTypeOf(value: JsonValue): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'string') return 'string';
  return typeof value === 'boolean' ? 'boolean' : 'object';
}

export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof memberOf(value, 'then') === 'function';

/** The words of a text. */
export const setOf = (words: string): ReadonlySet<unknown> => new Set(words.split(' '));

/** A value for each word of the texts. */
export const mapOfWords = <Value>(
  rows: readonly (readonly [words: string, value: Value])[],
): ReadonlyMap<string, Value> =>
  new Map(rows.flatMap(([words, value]) => words.split(' ').map((word) => [word, value] as const)));

/** The value of an own key, `__proto__` and `toString` included; undefined if there is none. */
export const ownValue = <Value>(
  object: { readonly [key: string]: Value },
  key: string,
): Value | undefined => (Object.hasOwn(object, key) ? object[key] : undefined);

/** Sets an own key, `__proto__` included, on an object that is still being made. */
export function defineKey(target: { [key: string]: unknown }, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else {
    // No other name has a setter on a plain object's prototype.
    target[key] = value;
  }
}

export const objectOf = <Value>(
  entries: Iterable<readonly [string, Value]>,
): { [key: string]: Value } => Object.fromEntries(entries);

type Defined<Members> = { [Key in keyof Members]?: Exclude<Members[Key], undefined> };

/** A copy without the members that are undefined. */
export function defined<Members extends object>(members: Members): Defined<Members>;
export function defined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** A copy with one key set. A new key comes last. */
export const withKey = (object: JsonObject, key: string, value: JsonValue): JsonObject => ({
  ...object,
  [key]: value,
});

export const withoutKey = (object: JsonObject, key: string): JsonObject =>
  objectOf(Object.entries(object).filter(([name]) => name !== key));

/** A deep copy. Recurses as deep as the value is. */
export function copyJson(value: JsonValue): JsonValue {
  return isContainer(value) ? mapMembers(value, copyJson) : value;
}

/** A copy of an array or an object whose elements or members are mapped. */
export const mapMembers = (
  value: JsonArray | JsonObject,
  map: (member: JsonValue, key: string | number) => JsonValue,
): JsonArray | JsonObject =>
  isJsonArray(value)
    ? value.map((element, index) => map(element, index))
    : objectOf(Object.entries(value).map(([key, member]) => [key, map(member, key)]));

const normalizable = /^[\p{L}\p{N}\s_.\-'"`\u2018\u2019\u201c\u201d]*$/u;
const separators = /[\s_.\-'"`\u2018\u2019\u201c\u201d]/gu;

/**
 * The form that all spellings of a key share; undefined for one with other characters than letters,
 * digits and separators.
 */
export function normalizeKey(key: string): string | undefined {
  if (key.length > 128 || !normalizable.test(key)) return undefined;
  const normalized = key.replace(separators, '').toLowerCase();
  return normalized === '' ? undefined : normalized;
}

export const spellingOf = (key: string): string => normalizeKey(key) ?? key;

/**
 * A function that runs once for each object, which must be immutable. `meanwhile`: the result for
 * one that contains itself.
 */
export function memoize<From extends object, To>(
  compute: (from: From) => To,
  meanwhile?: To,
): (from: From) => To {
  const results = new WeakMap<From, { readonly value: To }>();
  return (from) => {
    let result = results.get(from);
    if (result === undefined) {
      if (meanwhile !== undefined) results.set(from, { value: meanwhile });
      result = { value: compute(from) };
      results.set(from, result);
    }
    return result.value;
  };
}

/** The result of code that may throw; undefined if it does. */
export function attempt<Made>(make: () => Made): Made | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/** Puts a value into a map as its newest one, and deletes the oldest of more than `max`. */
export function setNewest<Key, Value>(
  map: Map<Key, Value>,
  [key, value]: readonly [Key, Value],
  max: number,
): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}

/** Freezes plain data at all depths, and returns it. Recurses as deep as the data is. */
export function freezeDeep<Value>(value: Value): Value {
  if (!isContainer(value) || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) freezeDeep(member);
  return value;
}

/**
 * A replacer for JSON.stringify: Maps and Sets have their contents. Throws a TypeError for an
 * error, and for what would become `{}`.
 */
export function jsonForm(_key: string, value: unknown): unknown {
  if (!isContainer(value) || Array.isArray(value)) return value;
  if (isMap(value)) {
    const areNamed = [...value.keys()].every((key) => typeof key === 'string');
    return areNamed ? Object.fromEntries(value) : [...value];
  }
  if (isSet(value)) return [...value];
  const kind = kindOf(value);
  if (kind === 'Error')
    throw new TypeError('an error has no JSON form: throw it, or return what is to be told');
  if (kind === 'Object' || boxes.has(kind) || Object.keys(value).length > 0) return value;
  throw new TypeError(`an object of the kind ${kind} has no JSON form`);
}

const boxes: ReadonlySet<string> = new Set(['Number', 'String', 'Boolean', 'Arguments']);

/** Deep equality of JSON values. The order of keys does not count, and -0 equals 0. */
export function sameValue(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (isJsonArray(left) && isJsonArray(right)) {
    return (
      left.length === right.length && left.every((item, index) => isSameAs(right[index], item))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSameAs(right[key], left[key]))
  );
}

/** Whether two values are the same, or both absent. */
export const isSameAs = (left: JsonValue | undefined, right: JsonValue | undefined): boolean =>
  left === right || (left !== undefined && right !== undefined && sameValue(left, right));

/** The JSON Pointer (RFC 6901) of a member or element below `parent`. */
export const pointerTo = (parent: string, key: string | number): string =>
  `${parent}/${escapeKey(String(key))}`;

/** The keys of a pointer from the root on, unescaped. */
export const pointerKeys = (pointer: string): readonly string[] =>
  pointer === '' ? [] : pointer.slice(1).split('/').map(unescapeKey);

/** The pointer of the container, and the key in it. */
export function splitPointer(pointer: string): { readonly parent: string; readonly key: string } {
  const at = pointer.lastIndexOf('/');
  return { parent: pointer.slice(0, at), key: unescapeKey(pointer.slice(at + 1)) };
}

const escapeKey = (key: string): string =>
  key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;

const unescapeKey = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~');

/** The value at a pointer; undefined if there is none. */
export function valueAt(root: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const key of pointerKeys(pointer)) {
    if (!isContainer(value)) return undefined;
    value = isJsonArray(value) ? value[Number(key)] : ownValue(value, key);
  }
  return value;
}

/**
 * The JSON Pointer of the first difference, in the order of the left value's keys; undefined if
 * there is none.
 */
export function firstDifference(left: JsonValue, right: JsonValue, path = ''): string | undefined {
  if (sameValue(left, right)) return undefined;
  const areAlike =
    (isJsonObject(left) && isJsonObject(right)) || (isJsonArray(left) && isJsonArray(right));
  if (!areAlike) return path;
  const [before, after] = [new Map(Object.entries(left)), new Map(Object.entries(right))];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [one, other] = [before.get(key), after.get(key)];
    const below = pointerTo(path, key);
    const difference =
      one === undefined || other === undefined ? below : firstDifference(one, other, below);
    if (difference !== undefined) return difference;
  }
  return path;
}

/** The offset of the quotation mark that ends the string starting at `start`, or the text's end. */
export function endOfString(text: string, start: number): number {
  for (let at = start; ;) {
    at = text.indexOf('"', at + 1);
    if (at === -1) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 92) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
}
