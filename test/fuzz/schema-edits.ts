import type { SchemaObject } from 'toolmend';
import { locationsIn, valueAt, withValueAt } from '../laws/locations.ts';
import { fc } from '../seeded-fast-check.ts';

/** Values of a wrong kind for most keywords and arguments, and some that are dangerous to read. */
const oddValues: readonly unknown[] = [
  [null, true, false, 0, -1, 1e308, Number.MAX_SAFE_INTEGER, 0.1],
  ['', 'string', 'object', '[', '(a+)+$', '(?=a)b', '__proto__', '\ud800'],
  ['https://json-schema.org/draft/2020-12/schema', 'https://example.com/unknown'],
  [[], [null], ['a', 'a'], [{}]],
  [{}, { type: 'string' }, { not: {} }, { $ref: '#' }, { const: { toString: 1, valueOf: null } }],
].flat();

const keywords = `
type enum const properties required items prefixItems additionalProperties patternProperties
propertyNames anyOf oneOf allOf not if then else dependentSchemas dependentRequired dependencies
contains minContains unevaluatedProperties $ref $dynamicRef $recursiveRef $id id $anchor
$dynamicAnchor $defs $schema minLength maxLength pattern format minimum exclusiveMinimum
multipleOf minItems uniqueItems maxProperties default examples nullable discriminator
description x-toolmend dirge-hints __proto__ constructor toString unheardOf`
  .trim()
  .split(/\s+/);

const references = '# #/ #/$defs/no #/properties #no other.json file:///etc/passwd http://['.split(
  ' ',
);

const wraps: readonly ((inner: unknown) => unknown)[] = [
  (inner) => ({ anyOf: [{ type: 'integer' }, inner] }),
  (inner) => ({ allOf: [inner] }),
  (inner) => ({ oneOf: [inner, { type: 'null' }] }),
  (inner) => ({ type: 'array', items: inner }),
  (inner) => ({ type: 'object', additionalProperties: inner }),
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  (inner) => ({ if: { type: 'object' }, then: inner, else: { $ref: '#' } }),
  (inner) => ({ not: inner }),
];

type Keys = readonly string[];
type SchemaEdit = (schema: object) => unknown;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One of the list, the same for the same number. */
const pick = <Item>(items: readonly Item[], number: number, otherwise: Item): Item =>
  items[number % items.length] ?? otherwise;

const anyLocation = (schema: unknown, number: number): Keys =>
  pick(locationsIn(schema), number, []);
const anyObject = (schema: unknown, number: number): Keys =>
  pick(
    locationsIn(schema).filter((keys) => isObject(valueAt(schema, keys))),
    number,
    [],
  );

/** Unbiased: small numbers are the locations near the root. */
const location = fc.noBias(fc.nat());
const keyword = fc.constantFrom(...keywords);
const odd = fc.constantFrom(...oddValues);

/** `others`: schemas to take parts from. */
const schemaEdit = (others: readonly SchemaObject[]): fc.Arbitrary<SchemaEdit> =>
  fc.oneof(
    fc.tuple(location, odd).map(
      ([at, value]): SchemaEdit =>
        (schema) =>
          withValueAt(schema, anyLocation(schema, at), value),
    ),
    fc.tuple(location, keyword, odd).map(
      ([at, key, value]): SchemaEdit =>
        (schema) =>
          withValueAt(schema, [...anyObject(schema, at), key], value),
    ),
    fc.tuple(location, keyword, location, fc.constantFrom(...others)).map(
      ([at, key, from, other]): SchemaEdit =>
        (schema) =>
          withValueAt(
            schema,
            [...anyObject(schema, at), key],
            valueAt(other, anyLocation(other, from)),
          ),
    ),
    fc
      .tuple(location, fc.oneof(location, fc.constantFrom(...references)))
      .map(([at, to]): SchemaEdit => (schema) => {
        const reference = typeof to === 'string' ? to : `#${pointerOf(anyLocation(schema, to))}`;
        return withValueAt(schema, [...anyObject(schema, at), '$ref'], reference);
      }),
    fc
      .tuple(location, fc.constantFrom(...wraps), fc.constantFrom(1, 2, 5, 20, 80))
      .map(([at, wrap, times]): SchemaEdit => (schema) => {
        const keys = anyLocation(schema, at);
        let wrapped = valueAt(schema, keys);
        for (let left = times; left > 0; left -= 1) wrapped = wrap(wrapped);
        return withValueAt(schema, keys, wrapped);
      }),
    fc
      .tuple(
        location,
        fc.constantFrom('anyOf', 'oneOf', 'enum', 'prefixItems'),
        fc.constantFrom(2, 50, 1500),
      )
      .map(([at, key, count]): SchemaEdit => (schema) => {
        const branches = Array.from({ length: count }, (_branch, number) => ({ const: number }));
        return withValueAt(schema, [...anyObject(schema, at), key], branches);
      }),
  );

/** A JSON Pointer, written independently of the library's. */
const pointerOf = (keys: Keys): string =>
  keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Schemas after one or two edits: often not schemas any more. */
export const hostileSchemas = (schemas: readonly SchemaObject[]): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      fc.constantFrom(...schemas),
      fc.array(schemaEdit(schemas), { minLength: 1, maxLength: 2 }),
    )
    .map(([schema, edits]) =>
      edits.reduce<unknown>(
        (changed, edit) => (isObject(changed) ? edit(changed) : changed),
        schema,
      ),
    );

/** Arguments with odd values for the keys that a schema declares. */
export const oddArguments = (schema: unknown): fc.Arbitrary<object> => {
  const declared = valueAt(schema, ['properties']);
  const keys = isObject(declared) ? Object.keys(declared) : [];
  return fc.dictionary(fc.constantFrom(...keys, '__proto__', 'a'), odd, { noNullPrototype: true });
};
