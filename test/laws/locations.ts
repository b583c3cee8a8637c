// Locations in values, as the keys from the root. Independent of the library's JSON Pointers.

/** The keys of a JSON Pointer. */
export const keysOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** undefined if the location doesn't exist. */
export const valueAt = (root: unknown, keys: readonly string[]): unknown =>
  keys.reduce<unknown>(
    (node, key) => (hasKey(node, key) ? Reflect.get(node, key) : undefined),
    root,
  );

const hasKey = (node: unknown, key: string): node is object =>
  typeof node === 'object' && node !== null && Object.hasOwn(node, key);

/** A copy with another value at a location whose containers exist. Everything else is shared. */
export function withValueAt(
  root: unknown,
  [key, ...rest]: readonly string[],
  value: unknown,
): unknown {
  if (key === undefined) return value;
  const below = withValueAt(valueAt(root, [key]), rest, value);
  if (Array.isArray(root)) return root.with(Number(key), below);
  const copy = { ...Object(root) };
  Object.defineProperty(copy, key, {
    value: below,
    writable: true,
    enumerable: true,
    configurable: true,
  });
  return copy;
}

/** The locations of all values, the root first. */
export const locationsIn = (
  value: unknown,
  keys: readonly string[] = [],
): readonly (readonly string[])[] => [
  keys,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, member]) => locationsIn(member, [...keys, key]))
    : []),
];
