// What has a provider's server really sent? Its SDK promises types, but hands on what came over the wire.

/** What may stand where a list of objects is promised. */
export type SentList<Entry> = readonly (Entry | null | undefined)[] | null | undefined;

/** The objects of a list; none where there is no list. */
export const objectsIn = <Entry extends object>(list: SentList<Entry>): readonly Entry[] =>
  isList(list) ? list.filter(isThere) : [];

/** A text; empty where there is none. A number is its digits. */
export const textIn = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
};

/** An object: not null, and nothing else either. */
export const isThere = <Value>(value: Value | null | undefined): value is Value =>
  typeof value === 'object' && value !== null;

const isList = <Entry>(list: SentList<Entry>): list is readonly (Entry | null | undefined)[] =>
  Array.isArray(list);
