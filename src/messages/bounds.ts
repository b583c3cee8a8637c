import type { SchemaObject } from '../schema/json-schema.ts';

/** The least and the most that is allowed, both included; undefined: no bound. */
export interface Bounds {
  readonly least: number | undefined;
  readonly most: number | undefined;
}

/** The tightest bounds of schemas that apply together, by their two keywords. */
export function boundsOf(parts: readonly SchemaObject[], least: string, most: string): Bounds {
  const [lows, highs] = [numbersOf(parts, least), numbersOf(parts, most)];
  return {
    least: lows.length === 0 ? undefined : Math.max(...lows),
    most: highs.length === 0 ? undefined : Math.min(...highs),
  };
}

/** The same for what is counted, as characters or elements: 0 is no bound. */
export function countsOf(parts: readonly SchemaObject[], least: string, most: string): Bounds {
  const bounds = boundsOf(parts, least, most);
  return bounds.least === 0 ? { ...bounds, least: undefined } : bounds;
}

export const isWithin = (length: number, { least = 0, most = Infinity }: Bounds): boolean =>
  length >= least && length <= most;

export const numbersOf = (parts: readonly SchemaObject[], keyword: string): readonly number[] =>
  parts.flatMap(({ [keyword]: value }) => (typeof value === 'number' ? [value] : []));

export const stringsOf = (
  parts: readonly SchemaObject[],
  keyword: 'format' | 'pattern',
): readonly string[] => [
  ...new Set(parts.flatMap(({ [keyword]: value }) => (typeof value === 'string' ? [value] : []))),
];
