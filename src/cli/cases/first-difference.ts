// Where do two values differ first? Said by place alone: what stands there may be a secret.
import { pointerTo } from '../../json/json-pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/json-value.ts';
import { sameValue } from '../../json/same-value.ts';

/** The JSON Pointer of the first difference, in the order of the left value's keys; undefined if there is none. */
export function firstDifference(left: JsonValue, right: JsonValue, path = ''): string | undefined {
  if (sameValue(left, right)) return undefined;
  const isAlike = (isJsonObject(left) && isJsonObject(right)) || (isJsonArray(left) && isJsonArray(right));
  if (!isAlike) return path;
  const [leftMembers, rightMembers] = [left, right].map((value) => new Map(Object.entries(value)));
  for (const key of new Set([...(leftMembers?.keys() ?? []), ...(rightMembers?.keys() ?? [])])) {
    const [before, after] = [leftMembers?.get(key), rightMembers?.get(key)];
    const below = pointerTo(path, key);
    if (before === undefined || after === undefined) return below;
    const difference = firstDifference(before, after, below);
    if (difference !== undefined) return difference;
  }
  return path;
}
