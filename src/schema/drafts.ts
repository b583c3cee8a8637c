import { objectOf } from '../json/value.ts';
import { type JsonSchema, type SchemaObject, divide, filterKeywords, orNull } from './json-schema.ts';

/** `old`: draft-04 to draft-07, in which keywords next to a `$ref` are ignored. */
export type Draft = 'old' | '2019-09' | '2020-12';

const drafts: ReadonlyMap<string, Draft> = new Map([
  ['json-schema.org/draft-04/schema', 'old'],
  ['json-schema.org/draft-06/schema', 'old'],
  ['json-schema.org/draft-07/schema', 'old'],
  ['json-schema.org/draft/2019-09/schema', '2019-09'],
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
  ['json-schema.org/schema', '2020-12'],
]);

/** The draft that `$schema` names; 2020-12 by default, undefined for an unknown one. */
export function draftOf({ $schema }: SchemaObject): Draft | undefined {
  if ($schema === undefined) return '2020-12';
  // Foreign schemas may have a value of any type here.
  if (typeof $schema !== 'string') return undefined;
  return drafts.get($schema.replace(/^https?:\/\//, '').replace(/#$/, ''));
}

/** `nullable` is an assertion of OpenAPI, which schemas of old drafts write next to a `$ref`. */
const assertionsBesideReference = ['$ref', 'nullable'];

/**
 * A schema in the keywords of 2020-12; the schemas inside it stay as they are. Converts keywords of all older drafts, except
 * those with another meaning in the given draft.
 */
export function toDraft2020(schema: SchemaObject, draft: Draft): SchemaObject {
  const ignored =
    schema.$ref === undefined || draft !== 'old'
      ? []
      : Object.keys(divide(schema).assertions).filter(
          (keyword) => !assertionsBesideReference.includes(keyword),
        );
  return withNull(withExclusiveBounds(withDependents(withPrefixItems(without(schema, ...ignored)))));
}

const without = (schema: SchemaObject, ...keywords: readonly string[]): SchemaObject =>
  filterKeywords(schema, (keyword) => !keywords.includes(keyword));

/** Up to 2019-09, `items` has an array of schemas for a tuple, and `additionalItems` the schema of further elements. */
function withPrefixItems(schema: SchemaObject): SchemaObject {
  const { items, additionalItems } = schema;
  if (!isArray(items)) return additionalItems === undefined ? schema : without(schema, 'additionalItems');
  return { ...without(schema, 'additionalItems'), prefixItems: items, items: additionalItems ?? true };
}

const isArray = (items: SchemaObject['items']): items is readonly JsonSchema[] => Array.isArray(items);

/** Up to draft-07, `dependencies` has schemas and lists of required keys. */
function withDependents(schema: SchemaObject): SchemaObject {
  const { dependencies, dependentRequired, dependentSchemas } = schema;
  if (typeof dependencies !== 'object' || dependencies === null) return schema;
  const entries = Object.entries<unknown>({ ...dependencies });
  const keys = entries.filter(([, value]) => Array.isArray(value));
  const schemas = entries.filter(([, value]) => !Array.isArray(value));
  return {
    ...without(schema, 'dependencies'),
    ...(keys.length === 0 ? {} : { dependentRequired: { ...objectOf(keys), ...Object(dependentRequired) } }),
    ...(schemas.length === 0
      ? {}
      : { dependentSchemas: { ...objectOf(schemas), ...Object(dependentSchemas) } }),
  };
}

/** In draft-04, `exclusiveMinimum` is a boolean that makes `minimum` exclusive. */
function withExclusiveBounds(schema: SchemaObject): SchemaObject {
  const bounds = [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const;
  return bounds.reduce((converted: SchemaObject, [bound, exclusive]) => {
    if (typeof converted[exclusive] !== 'boolean') return converted;
    if (!converted[exclusive] || converted[bound] === undefined) return without(converted, exclusive);
    return { ...without(converted, bound, exclusive), [exclusive]: converted[bound] };
  }, schema);
}

/** Turns OpenAPI's `nullable` into null among the types and members, or into a branch for null. */
function withNull(schema: SchemaObject): SchemaObject {
  const { nullable, ...plain } = schema;
  if (nullable === undefined) return schema;
  return nullable ? orNull(plain) : plain;
}
