// How is a schema of an older draft, or of OpenAPI 3.0, written in JSON Schema 2020-12? One node; what is below it stays.
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import { objectOf } from '../../json/own-key.ts';
import { type Dialect, ignoresSiblings } from './dialect.ts';

/** What counts beside a `$ref` also where a draft says that nothing does: it asserts nothing. */
const annotations: ReadonlySet<string> = new Set([
  '$ref',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'nullable',
  'x-toolmend',
  'dirge-hints',
  'x-dirge-kind',
]);

/** The forms of all older drafts are understood in a schema that says no dialect, except where they mean something else. */
export function modernForm(schema: SchemaObject, dialect: Dialect): SchemaObject {
  const counted = schema.$ref !== undefined && ignoresSiblings(dialect) ? only(annotations, schema) : schema;
  return nullable(withoutBooleanBounds(withDependents(withPrefixItems(counted))));
}

const only = (keywords: ReadonlySet<string>, schema: SchemaObject): SchemaObject =>
  objectOf(Object.entries(schema).filter(([keyword]) => keywords.has(keyword)));

const without = ({ ...schema }: SchemaObject, ...keywords: readonly string[]): SchemaObject =>
  objectOf(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));

/** A list under `items`, and what may follow it. */
function withPrefixItems(schema: SchemaObject): SchemaObject {
  const { items, additionalItems } = schema;
  if (!isList(items)) return additionalItems === undefined ? schema : without(schema, 'additionalItems');
  return { ...without(schema, 'additionalItems'), prefixItems: items, items: additionalItems ?? true };
}

const isList = (items: SchemaObject['items']): items is readonly JsonSchema[] => Array.isArray(items);

/** `dependencies` holds lists of keys and schemas; now each has a keyword of its own. */
function withDependents(schema: SchemaObject): SchemaObject {
  const { dependencies, dependentRequired, dependentSchemas } = schema;
  if (typeof dependencies !== 'object' || dependencies === null) return schema;
  const entries = Object.entries<unknown>({ ...dependencies });
  const keys = entries.filter(([, held]) => Array.isArray(held));
  const schemas = entries.filter(([, held]) => !Array.isArray(held));
  return {
    ...without(schema, 'dependencies'),
    ...(keys.length === 0 ? {} : { dependentRequired: { ...objectOf(keys), ...Object(dependentRequired) } }),
    ...(schemas.length === 0
      ? {}
      : { dependentSchemas: { ...objectOf(schemas), ...Object(dependentSchemas) } }),
  };
}

/** Once a bound was exclusive if a boolean beside it said so. */
function withoutBooleanBounds(schema: SchemaObject): SchemaObject {
  const bounds = [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const;
  return bounds.reduce((made: SchemaObject, [bound, exclusive]) => {
    if (typeof made[exclusive] !== 'boolean') return made;
    if (!made[exclusive] || made[bound] === undefined) return without(made, exclusive);
    return { ...without(made, bound, exclusive), [exclusive]: made[bound] };
  }, schema);
}

/** OpenAPI's `nullable`: null is one of the types, of the members, or a branch of its own. */
function nullable(schema: SchemaObject): SchemaObject {
  if (schema.nullable === undefined) return schema;
  const plain = without(schema, 'nullable');
  if (!schema.nullable) return plain;
  const { type, enum: members, const: constant, anyOf } = plain;
  const isHeldElsewhere =
    plain.$ref !== undefined ||
    constant !== undefined ||
    plain.oneOf !== undefined ||
    plain.allOf !== undefined;
  if (isHeldElsewhere || anyOf !== undefined) return orNull(plain);
  if (type === undefined && members === undefined) return plain;
  return {
    ...plain,
    ...(type === undefined ? {} : { type: [...new Set([type].flat()), ...nullType(type)] }),
    ...(members === undefined || members.includes(null) ? {} : { enum: [...members, null] }),
  };
}

const nullType = (type: NonNullable<SchemaObject['type']>): readonly ['null'] | readonly [] =>
  [type].flat().includes('null') ? [] : ['null'];

/** What asserts goes into a branch, what describes stays beside it. */
function orNull(schema: SchemaObject): SchemaObject {
  const describing = new Set([...annotations].filter((keyword) => keyword !== '$ref'));
  const asserting = Object.keys(schema).filter((keyword) => !describing.has(keyword));
  return { ...only(describing, schema), anyOf: [only(new Set(asserting), schema), { type: 'null' }] };
}
