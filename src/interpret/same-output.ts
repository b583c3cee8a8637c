import { isContainer, memberOf } from '../collections/objects.ts';
import { isBytes, isMap, isSet, kindOf } from '../platform/object-kinds.ts';

/**
 * Whether nothing tells two outputs of a library apart: their types and all that they hold are
 * equal. Objects whose contents can't be seen are the same only if they are one object.
 */
export const isSameOutput = (left: unknown, right: unknown): boolean =>
  isSame(left, right, new Map());

/** `compared`: pairs that are the same if all else is, so that cycles end. */
function isSame(left: unknown, right: unknown, comparedObjects: Map<object, object>): boolean {
  if (Object.is(left, right)) return true;
  if (!isContainer(left) || !isContainer(right)) return false;
  if (comparedObjects.get(left) === right) return true;
  if (Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false;
  comparedObjects.set(left, right);
  const parts = partsOf(left);
  const others = partsOf(right);
  return (
    parts !== undefined &&
    parts.length === others?.length &&
    parts.every((part, index) => isSame(part, others[index], comparedObjects)) &&
    hasSameMembers(left, right, comparedObjects)
  );
}

function hasSameMembers(
  left: object,
  right: object,
  comparedObjects: Map<object, object>,
): boolean {
  const keys = membersOf(left);
  return (
    keys.length === membersOf(right).length &&
    keys.every(
      (key) =>
        Object.hasOwn(right, key) &&
        isSame(memberOf(left, key), memberOf(right, key), comparedObjects),
    )
  );
}

/** Names and symbols of the own members that a program lists. Those of bytes are their parts. */
const membersOf = (value: object): readonly (string | symbol)[] =>
  isBytes(value)
    ? []
    : Reflect.ownKeys(value).filter((key) =>
        Object.prototype.propertyIsEnumerable.call(value, key),
      );

/** What an object holds beside its members, in order; undefined if it can't be seen. */
function partsOf(value: object): readonly unknown[] | undefined {
  if (isBytes(value)) return [...value];
  if (isMap(value)) return [...value].flat();
  if (isSet(value)) return [...value];
  const kind = kindOf(value);
  if (boxes.has(kind)) return [value.valueOf()];
  const hiddenMember = hiddenMembers.get(kind);
  if (hiddenMember !== undefined) return hiddenMember.map((name) => memberOf(value, name));
  return kind === 'Object' || Array.isArray(value) ? [] : undefined;
}

const boxes: ReadonlySet<string> = new Set(['Date', 'Number', 'String', 'Boolean']);

/** Members that say all about an object, and that a program doesn't list. */
const hiddenMembers: ReadonlyMap<string, readonly string[]> = new Map([
  ['RegExp', ['source', 'flags', 'lastIndex']],
  ['Error', ['name', 'message', 'cause']],
]);
