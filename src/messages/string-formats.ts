import type { SchemaObject } from '../schema/json-schema.ts';
import { readPattern } from '../schema/patterns.ts';
import { stringsOf } from './bounds.ts';

/** A format of strings as a model reads it. */
interface StringFormat {
  /** With its article: `an e-mail address`. */
  readonly one: string;
  readonly several: string;
  /** Strings in the format; the first one is shown. */
  readonly examples: readonly [string, ...string[]];
  /** Strings that are close to the format but not in it. Absent: no pattern is taken for the format. */
  readonly nearMisses?: readonly string[];
}

const formats: ReadonlyMap<string, StringFormat> = new Map<string, StringFormat>([
  [
    'date-time',
    {
      one: 'an ISO 8601 date-time',
      several: 'ISO 8601 date-times',
      examples: ['2026-01-31T12:00:00Z', '1999-12-01T23:59:59Z'],
      nearMisses: ['2026-01-31', '12:00:00Z', '2026-01-31 12h'],
    },
  ],
  [
    'date',
    {
      one: 'an ISO 8601 date',
      several: 'ISO 8601 dates',
      examples: ['2026-01-31', '1999-12-01'],
      nearMisses: ['2026-1-31', '2026/01/31', '20260131', '31-01-2026', '2026-01-31T12:00:00Z'],
    },
  ],
  [
    'time',
    {
      one: 'an ISO 8601 time',
      several: 'ISO 8601 times',
      examples: ['12:00:00Z', '23:59:59+02:00'],
      nearMisses: ['12:00', '12', '2026-01-31T12:00:00Z'],
    },
  ],
  [
    'duration',
    {
      one: 'an ISO 8601 duration',
      several: 'ISO 8601 durations',
      examples: ['PT15M', 'P1DT2H'],
      nearMisses: ['15M', '15 minutes', 'X15M'],
    },
  ],
  [
    'email',
    {
      one: 'an e-mail address',
      several: 'e-mail addresses',
      examples: ['ada@example.com', 'a.lovelace@mail.example.org'],
      nearMisses: ['ada', 'ada@', '@example.com', 'example.com', '2026-01-31'],
    },
  ],
  [
    'uuid',
    {
      one: 'a UUID',
      several: 'UUIDs',
      examples: ['123e4567-e89b-42d3-a456-426614174000', '9b2d6c1e-7a4f-4c3b-8d2e-1f0a9b8c7d6e'],
      nearMisses: ['123e4567', '123e4567-e89b-42d3-a456', 'zzze4567-e89b-42d3-a456-426614174000'],
    },
  ],
  [
    'uri',
    {
      one: 'a URI',
      several: 'URIs',
      examples: ['https://example.com/', 'http://example.org/a?b=c#d', 'ftp://example.com/file'],
      nearMisses: ['example.com', '/a/b', 'https', 'ada@example.com'],
    },
  ],
  [
    'ipv4',
    {
      one: 'an IPv4 address',
      several: 'IPv4 addresses',
      examples: ['192.0.2.1', '10.0.0.255'],
      nearMisses: ['192.0.2', '192.0.2.1.5', '192-0-2-1', '2001:db8::1', 'example.com'],
    },
  ],
  [
    'ipv6',
    {
      one: 'an IPv6 address',
      several: 'IPv6 addresses',
      examples: ['2001:db8::1', '::1'],
      nearMisses: ['192.0.2.1', '12:00', 'example.com'],
    },
  ],
  ['hostname', { one: 'a hostname', several: 'hostnames', examples: ['example.com'] }],
  ['uri-reference', { one: 'a URI reference', several: 'URI references', examples: ['/docs?page=2'] }],
  ['json-pointer', { one: 'a JSON Pointer', several: 'JSON Pointers', examples: ['/items/0'] }],
  ['regex', { one: 'a regular expression', several: 'regular expressions', examples: ['^a+$'] }],
]);

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

/** The format of schemas that apply together, by its name or by a pattern that describes it; undefined: none that is known. */
export const formatOf = (parts: readonly SchemaObject[]): StringFormat | undefined =>
  stringsOf(parts, 'format')
    .map(stringFormat)
    .find((format) => format !== undefined) ??
  stringsOf(parts, 'pattern')
    .map(formatOfPattern)
    .find((format) => format !== undefined);

/** How a format is described; undefined for a format without words of its own. */
export const stringFormat = (format: string): StringFormat | undefined =>
  formats.get(sameFormats[format] ?? format);

/** The format that a pattern describes: it accepts the format's examples and none of its near misses. */
function formatOfPattern(pattern: string): StringFormat | undefined {
  const { matcher } = readPattern(pattern);
  return [...formats.values()].find(
    ({ examples, nearMisses }) =>
      nearMisses !== undefined &&
      examples.every((text) => matcher.test(text)) &&
      ![...notInAnyFormat, ...nearMisses].some((text) => matcher.test(text)),
  );
}

const notInAnyFormat = ['', 'x', 'two words', '12'];
