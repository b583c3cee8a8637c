// Are two JSON values the same? Key order doesn't count; -0 is 0.
import { isJsonArray, isJsonObject, type JsonValue } from './json-value.ts';

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
