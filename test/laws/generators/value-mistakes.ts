// What do models make of valid arguments? One place spelled otherwise; what was meant is still to be read from it.
import * as fc from 'fast-check';

/** A change of one place. `faithful`: if it is accepted at all, then as the value that it was made from. */
export interface NearMiss {
  readonly title: string;
  readonly sent: object;
  readonly isFaithful: boolean;
}

interface Change {
  readonly title: string;
  readonly isFaithful: boolean;
  /** undefined where it can't be made. */
  make(value: unknown): unknown;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const snakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const withKeys = (value: unknown, spell: (key: string) => string): unknown => {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).map(([key, member]) => [spell(key), member] as const);
  const isChanged = entries.some(([key]) => !Object.hasOwn(value, key));
  return isChanged ? Object.fromEntries(entries) : undefined;
};

const changes: readonly Change[] = [
  {
    title: 'a container as JSON text',
    isFaithful: true,
    make: (value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : undefined),
  },
  {
    title: 'a container as JSON text, encoded twice',
    isFaithful: true,
    make: (value) =>
      typeof value === 'object' && value !== null ? JSON.stringify(JSON.stringify(value)) : undefined,
  },
  {
    title: 'a number as text',
    isFaithful: true,
    make: (value) => (typeof value === 'number' ? String(value) : undefined),
  },
  {
    title: 'a boolean as text',
    isFaithful: true,
    make: (value) => (typeof value === 'boolean' ? (value ? 'True' : 'false') : undefined),
  },
  { title: 'keys in snake case', isFaithful: true, make: (value) => withKeys(value, snakeCase) },
  {
    title: 'keys in capitals',
    isFaithful: false,
    make: (value) => withKeys(value, (key) => key.toUpperCase()),
  },
  {
    title: 'the one element instead of the list',
    isFaithful: false,
    make: (value) => (Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : undefined),
  },
  {
    title: 'an object around a list',
    isFaithful: false,
    make: (value) => (Array.isArray(value) ? { items: value } : undefined),
  },
  { title: 'a list around a value', isFaithful: false, make: (value) => [value] },
  { title: 'null', isFaithful: false, make: () => null },
  { title: 'an empty object', isFaithful: false, make: () => ({}) },
  { title: 'a word for null', isFaithful: false, make: () => 'None' },
  {
    title: 'an unknown key',
    isFaithful: false,
    make: (value) => (isObject(value) ? { ...value, extra: '' } : undefined),
  },
  { title: 'text', isFaithful: false, make: () => 'a, b' },
  { title: 'a schema around it', isFaithful: false, make: (value) => ({ type: 'string', value }) },
  { title: 'a number', isFaithful: false, make: () => 7 },
];

type Path = readonly string[];

const pathsOf = (value: unknown, path: Path): readonly Path[] => [
  path,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...path, key]))
    : []),
];

/** A copy of the value with what stands at a path made anew; undefined where that can't be. */
function changedAt(value: unknown, [key, ...rest]: Path, make: (value: unknown) => unknown): unknown {
  if (key === undefined) return make(value);
  const inner = changedAt(Reflect.get(Object(value), key), rest, make);
  if (inner === undefined) return undefined;
  if (Array.isArray(value)) return value.with(Number(key), inner);
  return Object.fromEntries(
    Object.entries(Object(value)).map(([name, member]) => [name, name === key ? inner : member]),
  );
}

/** Near-misses of arguments, any place of them; undefined where the change can't be made there. */
export const nearMiss = (value: object): fc.Arbitrary<NearMiss | undefined> =>
  fc.tuple(fc.constantFrom(...pathsOf(value, [])), fc.constantFrom(...changes)).map(([path, change]) => {
    const sent = changedAt(value, path, (place) => change.make(place));
    return isObject(sent) ? { title: change.title, sent, isFaithful: change.isFaithful } : undefined;
  });
