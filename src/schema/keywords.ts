import { nearestName } from '../json/nearest-name.ts';
import { canonicalJson } from '../json/serialize.ts';
import { memoize } from '../collections/memoize.ts';
import { objectOf, isContainer } from '../collections/objects.ts';
import { type JsonValue, isJsonArray, jsonTypes, sameValue } from '../json/value.ts';
import {
  type JsonSchema,
  type SchemaObject,
  divide,
  filterKeywords,
  isSchema,
  isSchemaObject,
  isString,
  keywordsWithSchema,
  keywordsWithSchemas,
  orNull,
  keywordsIn,
  schemasIn,
} from './json-schema.ts';

const isNumber = (value: unknown): boolean => typeof value === 'number';
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';

const arrayOf =
  (isElement: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(isElement);

const mapOf =
  (isMember: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    isSchemaObject(value) && Object.values(value).every(isMember);

const types: ReadonlySet<unknown> = new Set(jsonTypes);

/** The check of each keyword, of rows for several keywords. */
const byKeyword = (
  rows: readonly (readonly [keywords: readonly string[], check: (value: unknown) => boolean])[],
): ReadonlyMap<string, (value: unknown) => boolean> =>
  new Map(
    rows.flatMap(([keywords, check]) => keywords.map((keyword) => [keyword, check] as const)),
  );

/** The type of each keyword's value. Definitions are only checked if a reference leads to them. */
const checks: ReadonlyMap<string, (value: unknown) => boolean> = byKeyword([
  [['enum', 'examples'], Array.isArray],
  [['required'], arrayOf(isString)],
  [['$defs', 'definitions'], isSchemaObject],
  [['dependentRequired'], mapOf(arrayOf(isString))],
  [['dependentSchemas', 'patternProperties', 'properties'], mapOf(isSchema)],
  [['dependencies'], mapOf((value) => isSchema(value) || arrayOf(isString)(value))],
  [keywordsWithSchema, isSchema],
  [keywordsWithSchemas, arrayOf(isSchema)],
  [['items'], (value) => isSchema(value) || arrayOf(isSchema)(value)],
  [
    [
      '$anchor',
      '$comment',
      '$dynamicAnchor',
      '$dynamicRef',
      '$id',
      '$recursiveRef',
      '$ref',
      '$schema',
      'contentEncoding',
      'contentMediaType',
      'format',
      'id',
      'pattern',
    ],
    isString,
  ],
  [
    [
      'maxContains',
      'maxItems',
      'maxLength',
      'maxProperties',
      'maximum',
      'minContains',
      'minItems',
      'minLength',
      'minProperties',
      'minimum',
      'multipleOf',
    ],
    isNumber,
  ],
  [['exclusiveMaximum', 'exclusiveMinimum'], (value) => isNumber(value) || isBoolean(value)],
  [['uniqueItems'], isBoolean],
  [['type'], (value) => types.has(value) || arrayOf((type) => types.has(type))(value)],
  [
    [
      '$recursiveAnchor',
      '$vocabulary',
      'const',
      'default',
      'deprecated',
      'description',
      'discriminator',
      'example',
      'externalDocs',
      'nullable',
      'readOnly',
      'title',
      'writeOnly',
      'xml',
      'dirge-hints',
      'x-toolmend',
    ],
    () => true,
  ],
]);

/** The keywords of a schema itself whose values have the wrong type. */
export const misusedKeywords = (schema: SchemaObject): readonly string[] =>
  Object.keys(schema).filter((keyword) => isMisused(keyword, schema[keyword]));

/** Whether a value is of the wrong type for a keyword. */
export const isMisused = (keyword: string, value: unknown): boolean =>
  checks.get(keyword)?.(value) === false;

/**
 * The keyword that an unknown one misspells. A keyword with a word more, such as `enumNames`, is
 * another vendor's own.
 */
export function misspeltKeyword(unknown: string): string | undefined {
  const nearest = nearestName(unknown, checks.keys());
  return nearest !== undefined && Math.abs(nearest.length - unknown.length) <= 2
    ? nearest
    : undefined;
}

/**
 * Keywords that no draft knows, except vendors' own, `x-…`; and clauses about keywords whose values
 * have the wrong type.
 */
export function checkKeywords(
  root: SchemaObject,
): Readonly<Record<'unknown' | 'misused', readonly string[]>> {
  const unknown = [...keywordsIn(root)].filter(
    (keyword) => !checks.has(keyword) && !keyword.startsWith('x-'),
  );
  const misused = schemasIn(root).flatMap((schema) =>
    misusedKeywords(schema).map((keyword) =>
      keyword === 'type'
        ? `has the unknown type ${JSON.stringify(schema.type)} (JSON Schema has ${jsonTypes.join(', ')})`
        : `has a value of the wrong type for ${keyword}`,
    ),
  );
  return { unknown, misused };
}

/** Far above the size of schemas of real tools, written by hand or generated. */
const schemaLimits = { characters: 256 * 1024, depth: 64, objects: 10_000 } as const;

/**
 * The first limit that a schema exceeds, as a clause. Call it before anything recurses into a
 * foreign schema.
 */
export function exceededLimit(schema: unknown): string | undefined {
  const open = [{ value: schema, depth: 1 }];
  let characters = 0;
  let objects = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (!isContainer(value)) {
      characters += typeof value === 'string' ? value.length + 2 : 4;
    } else {
      if (depth > schemaLimits.depth) return `is nested deeper than ${schemaLimits.depth} levels`;
      if (!Array.isArray(value)) objects += 1;
      for (const [key, member] of Object.entries<unknown>({ ...value })) {
        characters += Array.isArray(value) ? 1 : key.length + 4;
        open.push({ value: member, depth: depth + 1 });
      }
    }
    if (characters > schemaLimits.characters)
      return `is longer than ${schemaLimits.characters / 1024} KB`;
    if (objects > schemaLimits.objects) return `has more than ${schemaLimits.objects} schemas`;
  }
  return undefined;
}

type Measure = (value: JsonValue) => number | undefined;
const numberOf: Measure = (value) => (typeof value === 'number' ? value : undefined);
const lengthOf: Measure = (value) => (typeof value === 'string' ? [...value].length : undefined);
const itemsOf: Measure = (value) => (isJsonArray(value) ? value.length : undefined);
const keysOf: Measure = (value) => (isSchemaObject(value) ? Object.keys(value).length : undefined);
const atMost = (measure: number, limit: number): boolean => measure <= limit;
const atLeast = (measure: number, limit: number): boolean => measure >= limit;

/**
 * Keywords that limit a number or a size: what they measure, undefined for a value of another type,
 * and compare.
 */
export const limits: readonly (readonly [
  string,
  Measure,
  (measure: number, limit: number) => boolean,
])[] = [
  ['maximum', numberOf, atMost],
  ['minimum', numberOf, atLeast],
  ['exclusiveMaximum', numberOf, (measure, limit) => measure < limit],
  ['exclusiveMinimum', numberOf, (measure, limit) => measure > limit],
  ['multipleOf', numberOf, isMultiple],
  ['maxLength', lengthOf, atMost],
  ['minLength', lengthOf, atLeast],
  ['maxItems', itemsOf, atMost],
  ['minItems', itemsOf, atLeast],
  ['maxProperties', keysOf, atMost],
  ['minProperties', keysOf, atLeast],
];

/**
 * Whether the quotient is an integer to nine decimals, as Ajv is configured: `0.3` is a multiple of
 * `0.1`.
 */
export function isMultiple(value: number, divisor: number): boolean {
  const quotient = value / divisor;
  return Math.abs(Math.round(quotient) - quotient) <= 1e-9;
}

/** Whether a value is one of the members of an enum. Takes no longer for more members. */
export const isMember = (members: readonly JsonValue[], value: JsonValue): boolean =>
  memberTestOf(members)(value);

/** The same as a test of values; made once for an enum. */
export const memberTestOf = memoize((members: readonly JsonValue[]) => {
  const primitives = new Set(members.filter((member) => !isContainer(member)));
  const containers = members.filter(isContainer);
  return (value: JsonValue): boolean =>
    isContainer(value)
      ? containers.some((member) => sameValue(value, member))
      : primitives.has(value);
});

/** Whether two elements are equal as JSON, in any order of keys. */
export function hasRepetition(list: readonly JsonValue[]): boolean {
  const earlierValues = new Set<unknown>();
  for (const item of list) {
    // The quotation mark distinguishes a string from the JSON of a container.
    const key =
      typeof item === 'string' ? `"${item}` : typeof item === 'object' ? canonicalJson(item) : item;
    if (earlierValues.has(key)) return true;
    earlierValues.add(key);
  }
  return false;
}

/** The drafts that differ in what is read here; `draft-07` stands for draft-06 too. */
export type Draft = 'draft-04' | 'draft-07' | '2019-09' | '2020-12';

const drafts: ReadonlyMap<string, Draft> = new Map([
  ['json-schema.org/draft-04/schema', 'draft-04'],
  ['json-schema.org/draft-06/schema', 'draft-07'],
  ['json-schema.org/draft-07/schema', 'draft-07'],
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

/** Up to draft-07, keywords next to a `$ref` are ignored. */
export const isOnlyReference = (schema: SchemaObject, draft: Draft): boolean =>
  schema.$ref !== undefined && (draft === 'draft-04' || draft === 'draft-07');

/** `nullable` is an assertion of OpenAPI, which schemas of old drafts write next to a `$ref`. */
const assertionsBesideReference = ['$ref', 'nullable'];

/** Whether a schema itself has no keyword that 2020-12 writes in another way. */
export const isDraft2020 = (schema: SchemaObject, draft: Draft): boolean =>
  schema.nullable === undefined &&
  schema.dependencies === undefined &&
  schema.additionalItems === undefined &&
  !Array.isArray(schema.items) &&
  typeof schema.exclusiveMinimum !== 'boolean' &&
  typeof schema.exclusiveMaximum !== 'boolean' &&
  !isOnlyReference(schema, draft);

/**
 * A schema in the keywords of 2020-12, from those of any older draft. The schemas inside it stay as
 * they are.
 */
export function toDraft2020(schema: SchemaObject, draft: Draft): SchemaObject {
  if (isDraft2020(schema, draft)) return schema;
  const ignoredKeywords = isOnlyReference(schema, draft)
    ? Object.keys(divide(schema).assertions).filter(
        (keyword) => !assertionsBesideReference.includes(keyword),
      )
    : [];
  return withNull(
    withExclusiveBounds(
      withDependents(withPrefixItems(withoutKeywords(schema, ...ignoredKeywords))),
    ),
  );
}

const withoutKeywords = (schema: SchemaObject, ...keywords: readonly string[]): SchemaObject =>
  filterKeywords(schema, (keyword) => !keywords.includes(keyword));

/**
 * Up to 2019-09, `items` has an array of schemas for a tuple, and `additionalItems` the schema of
 * further elements.
 */
function withPrefixItems(schema: SchemaObject): SchemaObject {
  const { items, additionalItems } = schema;
  if (!isArray(items))
    return additionalItems === undefined ? schema : withoutKeywords(schema, 'additionalItems');
  return {
    ...withoutKeywords(schema, 'additionalItems', 'items'),
    prefixItems: items,
    // Elements that no keyword speaks of are those of `unevaluatedItems`.
    ...(additionalItems !== undefined && { items: additionalItems }),
  };
}

const isArray = (items: SchemaObject['items']): items is readonly JsonSchema[] =>
  Array.isArray(items);

/** Up to draft-07, `dependencies` has schemas and lists of required keys. */
function withDependents(schema: SchemaObject): SchemaObject {
  const { dependencies, dependentRequired, dependentSchemas } = schema;
  if (!isContainer(dependencies)) return schema;
  const entries = Object.entries<unknown>({ ...dependencies });
  const keys = entries.filter(([, value]) => Array.isArray(value));
  const schemas = entries.filter(([, value]) => !Array.isArray(value));
  return {
    ...withoutKeywords(schema, 'dependencies'),
    ...(keys.length === 0
      ? {}
      : { dependentRequired: { ...objectOf(keys), ...Object(dependentRequired) } }),
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
    if (!converted[exclusive] || converted[bound] === undefined)
      return withoutKeywords(converted, exclusive);
    return { ...withoutKeywords(converted, bound, exclusive), [exclusive]: converted[bound] };
  }, schema);
}

/** Turns OpenAPI's `nullable` into null among the types and members, or into a branch for null. */
function withNull(schema: SchemaObject): SchemaObject {
  const { nullable, ...plain } = schema;
  if (nullable === undefined) return schema;
  return nullable ? orNull(plain) : plain;
}
