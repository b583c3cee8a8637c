// Where in a value is something? By the keys on the way; written apart from the library's own pointers.

/** The keys of a JSON Pointer. */
export const keysOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** What stands there; undefined if nothing does. */
export const valueAt = (root: unknown, keys: readonly string[]): unknown =>
  keys.reduce<unknown>(
    (node, key) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, key)
        ? Reflect.get(node, key)
        : undefined,
    root,
  );

/** A copy with another value at a place whose containers exist; what is beside it is shared. */
export function withValueAt(root: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const below = withValueAt(valueAt(root, [key]), rest, value);
  if (Array.isArray(root)) return root.with(Number(key), below);
  const copy = { ...Object(root) };
  Object.defineProperty(copy, key, { value: below, writable: true, enumerable: true, configurable: true });
  return copy;
}

/** The keys on the way to every value, the root's first. */
export const placesIn = (value: unknown, way: readonly string[] = []): readonly (readonly string[])[] => [
  way,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, member]) => placesIn(member, [...way, key]))
    : []),
];
