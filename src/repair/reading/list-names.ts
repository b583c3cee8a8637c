// Which keys name the elements of a list?

const neutralKeys: ReadonlySet<string> = new Set(['item', 'items', 'value', 'values', 'element', 'elements']);

/** Keys that say nothing but "what is in the list". */
export const isNeutralListKey = (key: string): boolean => neutralKeys.has(key);

/** The English singulars that a plural name can have: `entries` has `entry`, `boxes` has `box` and `boxe`. */
export function singularsOf(name: string): readonly string[] {
  if (name.endsWith('ies')) return [`${name.slice(0, -3)}y`, name.slice(0, -1)];
  if (name.endsWith('es')) return [name.slice(0, -2), name.slice(0, -1)];
  return name.endsWith('s') && !name.endsWith('ss') ? [name.slice(0, -1)] : [];
}
