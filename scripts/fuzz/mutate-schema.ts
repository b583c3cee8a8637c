// What lies near a JSON Schema, and what would a hostile server send for one? One or two changes of its parts.
import { pointerOf } from './pointer-of.ts';
import { placesIn, valueAt, withValueAt } from '../../test/laws/places.ts';
import type { Random } from './random.ts';

/** What may stand anywhere, and seldom should. */
const odd: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  Number.MAX_SAFE_INTEGER,
  0.1,
  '',
  'string',
  'object',
  '[',
  '(a+)+$',
  '(?=a)b',
  '__proto__',
  'https://json-schema.org/draft/2020-12/schema',
  'https://example.com/unknown',
  '\ud800',
  [],
  [null],
  ['a', 'a'],
  [{}],
  {},
  { type: 'string' },
  { not: {} },
  { $ref: '#' },
  { const: { toString: 1, valueOf: null } },
];

const keywords = `
type enum const properties required items prefixItems additionalProperties patternProperties
propertyNames anyOf oneOf allOf not if then else dependentSchemas dependentRequired dependencies
contains minContains unevaluatedProperties $ref $dynamicRef $recursiveRef $id id $anchor
$dynamicAnchor $defs $schema minLength maxLength pattern format minimum exclusiveMinimum
multipleOf minItems uniqueItems maxProperties default examples nullable discriminator
description x-toolmend dirge-hints __proto__ constructor toString unheardOf`
  .trim()
  .split(/\s+/);

const references = [
  '#',
  '#/',
  '#/$defs/no',
  '#/properties',
  '#no',
  'other.json',
  'file:///etc/passwd',
  'http://[',
];

type Change = (schema: unknown, random: Random, other: unknown) => unknown;
type Wrap = (inner: unknown) => unknown;

const wraps: readonly Wrap[] = [
  (inner) => ({ anyOf: [{ type: 'integer' }, inner] }),
  (inner) => ({ allOf: [inner] }),
  (inner) => ({ oneOf: [inner, { type: 'null' }] }),
  (inner) => ({ type: 'array', items: inner }),
  (inner) => ({ type: 'object', additionalProperties: inner }),
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  (inner) => ({ if: { type: 'object' }, then: inner, else: { $ref: '#' } }),
  (inner) => ({ not: inner }),
];

const somewhere = (schema: unknown, random: Random): readonly string[] => random.one(placesIn(schema));

/** The place of an object, so that a keyword can stand in it. */
const someObject = (schema: unknown, random: Random): readonly string[] =>
  random.one(
    placesIn(schema).filter((way) => {
      const value = valueAt(schema, way);
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    }),
  );

const changes: readonly Change[] = [
  (schema, random) => withValueAt(schema, somewhere(schema, random), random.one(odd)),
  (schema, random) =>
    withValueAt(schema, [...someObject(schema, random), random.one(keywords)], random.one(odd)),
  (schema, random, other) =>
    withValueAt(
      schema,
      [...someObject(schema, random), random.one(keywords)],
      valueAt(other, somewhere(other, random)),
    ),
  (schema, random) => {
    const to = random.fraction() < 0.5 ? `#${pointerOf(somewhere(schema, random))}` : random.one(references);
    return withValueAt(schema, [...someObject(schema, random), '$ref'], to);
  },
  (schema, random) => {
    const way = somewhere(schema, random);
    const [wrap, times] = [random.one(wraps), random.one([1, 2, 5, 20, 80])];
    let wrapped = valueAt(schema, way);
    for (let left = times; left > 0; left -= 1) wrapped = wrap(wrapped);
    return withValueAt(schema, way, wrapped);
  },
  (schema, random) => {
    const way = someObject(schema, random);
    const branches = Array.from({ length: random.one([2, 50, 1500]) }, (_branch, at) => ({ const: at }));
    return withValueAt(schema, [...way, random.one(['anyOf', 'oneOf', 'enum', 'prefixItems'])], branches);
  },
];

/** Another schema, or what somebody gives for one; `other` is one to take parts from. */
export function mutateSchema(schema: object, random: Random, other: object): unknown {
  let changed: unknown = schema;
  for (let left = 1 + random.below(2); left > 0; left -= 1) {
    // Without an object in it there is nothing to change.
    if (typeof changed !== 'object' || changed === null || Array.isArray(changed)) return changed;
    changed = random.one(changes)(changed, random, other);
  }
  return changed;
}

/** Values for the keys that a schema declares, or seems to. */
export function oddValue(schema: unknown, random: Random): Readonly<Record<string, unknown>> {
  const declared = valueAt(schema, ['properties']);
  const keys = typeof declared === 'object' && declared !== null ? Object.keys(declared) : [];
  const pairs = [...keys, '__proto__', 'a'].map((key) => [key, random.one(odd)] as const);
  return Object.fromEntries(pairs.filter(() => random.fraction() < 0.7));
}
