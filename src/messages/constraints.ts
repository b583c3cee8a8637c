import type { SchemaObject } from '../schema/json-schema.ts';
import { readPattern } from '../schema/patterns.ts';

/** Inclusive bounds; undefined: none. */
export interface Bounds {
  readonly least: number | undefined;
  readonly most: number | undefined;
}

/** The tightest bounds of schemas that apply to the same value. `least`, `most`: their keywords. */
export function boundsOf(parts: readonly SchemaObject[], least: string, most: string): Bounds {
  const [lows, highs] = [numbersOf(parts, least), numbersOf(parts, most)];
  return {
    least: lows.length === 0 ? undefined : Math.max(...lows),
    most: highs.length === 0 ? undefined : Math.min(...highs),
  };
}

/** Bounds of a size, such as characters or elements, for which 0 is no lower bound. */
export function countsOf(parts: readonly SchemaObject[], least: string, most: string): Bounds {
  const bounds = boundsOf(parts, least, most);
  return bounds.least === 0 ? { ...bounds, least: undefined } : bounds;
}

export const isWithin = (length: number, { least = 0, most = Infinity }: Bounds): boolean =>
  length >= least && length <= most;

/** `2 to 5`, `exactly 2`, `at least 2`, `at most 5`; '' without bounds. */
export function countText({ least, most }: Bounds): string {
  if (least === undefined) return most === undefined ? '' : `at most ${most}`;
  if (most === undefined) return `at least ${least}`;
  return least === most ? `exactly ${least}` : `${least} to ${most}`;
}

export const numbersOf = (parts: readonly SchemaObject[], keyword: string): readonly number[] =>
  parts.flatMap(({ [keyword]: value }) => (typeof value === 'number' ? [value] : []));

export const stringsOf = (
  parts: readonly SchemaObject[],
  keyword: 'format' | 'pattern',
): readonly string[] => [
  ...new Set(parts.flatMap(({ [keyword]: value }) => (typeof value === 'string' ? [value] : []))),
];

interface StringFormat {
  /** With its article: `an e-mail address`. */
  readonly one: string;
  readonly several: string;
  /** Strings in the format. Messages show the first one. */
  readonly examples: readonly string[];
  /** Strings close to the format, but not in it. Empty: patterns are never taken for the format. */
  readonly nearMisses: readonly string[];
}

const describedFormat = (
  one: string,
  examples: readonly string[],
  nearMisses: readonly string[] = [],
): StringFormat => ({
  one,
  several: `${one.replace(/^an? /, '')}${one.endsWith('s') ? 'es' : 's'}`,
  examples,
  nearMisses,
});

const formats: ReadonlyMap<string, StringFormat> = new Map(
  Object.entries({
    'date-time': describedFormat(
      'an ISO 8601 date-time',
      ['2026-01-31T12:00:00Z', '1999-12-01T23:59:59Z'],
      ['2026-01-31', '12:00:00Z', '2026-01-31 12h'],
    ),
    date: describedFormat(
      'an ISO 8601 date',
      ['2026-01-31', '1999-12-01'],
      ['2026-1-31', '2026/01/31', '20260131', '31-01-2026', '2026-01-31T12:00:00Z'],
    ),
    time: describedFormat(
      'an ISO 8601 time',
      ['12:00:00Z', '23:59:59+02:00'],
      ['12:00', '12', '2026-01-31T12:00:00Z'],
    ),
    duration: describedFormat(
      'an ISO 8601 duration',
      ['PT15M', 'P1DT2H'],
      ['15M', '15 minutes', 'X15M'],
    ),
    email: describedFormat(
      'an e-mail address',
      ['ada@example.com', 'a.lovelace@mail.example.org'],
      ['ada', 'ada@', '@example.com', 'example.com', '2026-01-31'],
    ),
    uuid: describedFormat(
      'a UUID',
      ['123e4567-e89b-42d3-a456-426614174000', '9b2d6c1e-7a4f-4c3b-8d2e-1f0a9b8c7d6e'],
      ['123e4567', '123e4567-e89b-42d3-a456', 'zzze4567-e89b-42d3-a456-426614174000'],
    ),
    uri: describedFormat(
      'a URI',
      ['https://example.com/', 'http://example.org/a?b=c#d', 'ftp://example.com/file'],
      ['example.com', '/a/b', 'https', 'ada@example.com'],
    ),
    ipv4: describedFormat(
      'an IPv4 address',
      ['192.0.2.1', '10.0.0.255'],
      ['192.0.2', '192.0.2.1.5', '192-0-2-1', '2001:db8::1', 'example.com'],
    ),
    ipv6: describedFormat(
      'an IPv6 address',
      ['2001:db8::1', '::1'],
      ['192.0.2.1', '12:00', 'example.com'],
    ),
    hostname: describedFormat('a hostname', ['example.com']),
    'uri-reference': describedFormat('a URI reference', ['/docs?page=2']),
    'json-pointer': describedFormat('a JSON Pointer', ['/items/0']),
    regex: describedFormat('a regular expression', ['^a+$']),
  }),
);

/** Other names of the same formats. */
const sameFormats: Readonly<Record<string, string>> = {
  'idn-email': 'email',
  'idn-hostname': 'hostname',
  iri: 'uri',
  'iri-reference': 'uri-reference',
  'iso-date-time': 'date-time',
  'iso-time': 'time',
  url: 'uri',
};

/**
 * The format of schemas that apply to the same value, by name or by an equivalent pattern;
 * undefined if unknown.
 */
export const formatOf = (parts: readonly SchemaObject[]): StringFormat | undefined =>
  stringsOf(parts, 'format')
    .map(stringFormat)
    .find((format) => format !== undefined) ??
  stringsOf(parts, 'pattern')
    .map(formatOfPattern)
    .find((format) => format !== undefined);

export const stringFormat = (format: string): StringFormat | undefined =>
  formats.get(sameFormats[format] ?? format);

/**
 * The format that a pattern seems to describe: the pattern accepts its examples, and none of its
 * near misses.
 */
function formatOfPattern(pattern: string): StringFormat | undefined {
  const { matcher } = readPattern(pattern);
  return [...formats.values()].find(
    ({ examples, nearMisses }) =>
      nearMisses.length > 0 &&
      examples.every((text) => matcher.test(text)) &&
      ![...notInAnyFormat, ...nearMisses].some((text) => matcher.test(text)),
  );
}

const notInAnyFormat = ['', 'x', 'two words', '12'];
