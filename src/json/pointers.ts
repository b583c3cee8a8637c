import { isContainer, ownValue } from '../collections/objects.ts';
import { type JsonValue, isJsonArray, isJsonObject, sameValue } from './value.ts';

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
  const [leftMembers, rightMembers] = [
    new Map(Object.entries(left)),
    new Map(Object.entries(right)),
  ];
  for (const key of new Set([...leftMembers.keys(), ...rightMembers.keys()])) {
    const [one, other] = [leftMembers.get(key), rightMembers.get(key)];
    const memberPath = pointerTo(path, key);
    const difference =
      one === undefined || other === undefined
        ? memberPath
        : firstDifference(one, other, memberPath);
    if (difference !== undefined) return difference;
  }
  return path;
}
