// Which values does an enum have? TypeScript gives each member of a numeric enum an entry back to its name,
// and that entry is no value.
import type { EnumMember } from './declared-type.ts';

/** The values of a TypeScript enum, of an object of constants, or of a list, each once. */
export function enumMembers(written: object): readonly EnumMember[] {
  const values: readonly unknown[] = Array.isArray(written) ? written : valuesOf(written);
  return Object.freeze([...new Set(values.filter(isEnumMember))]);
}

const valuesOf = (written: object): readonly unknown[] =>
  Object.entries(written).flatMap(([key, value]: readonly [string, unknown]) =>
    isWayBack(written, key, value) ? [] : [value],
  );

const isWayBack = (written: object, key: string, value: unknown): boolean => {
  if (typeof value !== 'string' || !Object.hasOwn(written, value)) return false;
  const forward: unknown = Reflect.get(written, value);
  return typeof forward === 'number' && String(forward) === key;
};

const isEnumMember = (value: unknown): value is EnumMember =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
