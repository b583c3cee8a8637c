import { isContainer, objectOf } from '../collections/objects.ts';

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

/** Whether a schema with these types allows any value: it states no type, or all of them. */
export const isAnyType = (types: ReadonlySet<JsonType>): boolean => types.size === jsonTypes.length;

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
