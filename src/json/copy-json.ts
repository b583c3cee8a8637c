// How does one call get a value of its own? By a copy that may be written to.
import { isJsonArray, isJsonObject, type JsonValue } from './json-value.ts';
import { objectOf } from './own-key.ts';

/** A deep copy, so that nothing done to it shows in the original. Bounded by the value's own depth. */
export function copyJson(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(copyJson);
  if (!isJsonObject(value)) return value;
  return objectOf(Object.entries(value).map(([key, member]) => [key, copyJson(member)] as const));
}
