import { type JsonType, type JsonValue, defined, defineKey, jsonTypeOf, objectOf } from '../json/value.ts';
import type { JsonSchema, SchemaMap, SchemaObject } from './json-schema.ts';
import { resolveReference } from './references.ts';

/**
 * Merges a schema, the schemas that it refers to and those in its `allOf` into one schema without `$ref` and `allOf`: joins
 * properties, unites required keys, intersects types; of every other keyword the first one counts. For reading only: values
 * are validated against the schema itself.
 */
export const mergeSchemas = (schema: SchemaObject, root: SchemaObject): SchemaObject =>
  mergeParts(partsOf(schema, root));

/** A schema, the schemas that it refers to and those in its `allOf`, recursively; each once. */
export function partsOf(schema: SchemaObject, root: SchemaObject): readonly SchemaObject[] {
  const parts = new Set<SchemaObject>();
  const open = [schema];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (parts.has(part)) continue;
    parts.add(part);
    for (const joined of (part.allOf ?? []).toReversed()) if (typeof joined !== 'boolean') open.push(joined);
    const target = part.$ref === undefined ? undefined : resolveReference(part.$ref, root);
    if (target !== undefined) open.push(target);
  }
  return [...parts];
}

/** Merges the result of `partsOf`. */
export function mergeParts(parts: readonly SchemaObject[]): SchemaObject {
  const merged: { [keyword: string]: unknown } = {};
  for (const { $ref: _reference, allOf: _joined, ...part } of parts) {
    for (const [keyword, value] of Object.entries(part))
      if (!Object.hasOwn(merged, keyword)) defineKey(merged, keyword, value);
  }
  if (parts.length === 1) return merged;
  const required = [...new Set(parts.flatMap((part) => part.required ?? []))];
  const type = parts.map((part) => part.type).reduce(intersectTypes);
  const properties = parts.flatMap((part) => (part.properties === undefined ? [] : [part.properties]));
  return {
    ...merged,
    ...(properties.length < 2 ? {} : { properties: joinProperties(properties) }),
    ...(required.length === 0 ? {} : { required }),
    ...(type === undefined ? {} : { type }),
    ...combineUnions('anyOf', parts),
    ...combineUnions('oneOf', parts),
    ...(parts.some((part) => part.additionalProperties === false) ? { additionalProperties: false } : {}),
  };
}

/** Branches of a union, nested ones included. A larger union is validated, but not read. */
export const maxBranches = 1000;

/** Whether the combined unions of these parts have too many branches. */
export const hasTooManyBranches = (keyword: 'anyOf' | 'oneOf', parts: readonly SchemaObject[]): boolean =>
  parts.reduce((product, part) => product * (part[keyword]?.length ?? 1), 1) > maxBranches;

/** The union of all combinations of one branch from each union; the first union if that is too many. */
function combineUnions(keyword: 'anyOf' | 'oneOf', parts: readonly SchemaObject[]): SchemaObject {
  const [first, ...others] = parts.flatMap((part) => (part[keyword] === undefined ? [] : [part[keyword]]));
  if (first === undefined || others.length === 0 || hasTooManyBranches(keyword, parts)) return {};
  const combine = (left: readonly JsonSchema[], right: readonly JsonSchema[]): readonly JsonSchema[] =>
    left.flatMap((one) => right.map((other) => joinSchemas([one, other])));
  return { [keyword]: others.reduce(combine, first) };
}

/** The conjunction of schemas; the schema itself if there is only one. */
function joinSchemas(schemas: readonly JsonSchema[]): JsonSchema {
  const [first, ...others] = distinctSchemas(schemas);
  return first !== undefined && others.length === 0 ? first : { allOf: distinctSchemas(schemas) };
}

/** The schemas without repetitions. Two bare references to the same schema are a repetition. */
export const distinctSchemas = (schemas: readonly JsonSchema[]): readonly JsonSchema[] => [
  ...new Map(schemas.map((schema) => [identityOf(schema), schema] as const)).values(),
];

function identityOf(schema: JsonSchema): unknown {
  if (typeof schema === 'boolean' || schema.$ref === undefined) return schema;
  return Object.keys(schema).length === 1 ? schema.$ref : schema;
}

function joinProperties(maps: readonly SchemaMap[]): SchemaMap {
  const entries = maps.flatMap((map) => Object.entries(map));
  const byKey = Map.groupBy(entries, ([key]) => key);
  return objectOf([...byKey].map(([key, group]) => [key, joinSchemas(group.map(([, schema]) => schema))]));
}

type SchemaType = SchemaObject['type'];

function intersectTypes(left: SchemaType, right: SchemaType): SchemaType {
  if (left === undefined || right === undefined) return left ?? right;
  const [first, second] = [[left].flat(), [right].flat()];
  const both = first.filter(
    (type) => second.includes(type) || (type === 'integer' && second.includes('number')),
  );
  return second.includes('integer') && first.includes('number') && !both.includes('integer')
    ? [...both, 'integer']
    : both;
}

// The types and the description of one schema.

/** The types of a schema, of its members, or the one to which all its keywords apply; undefined for any type. */
export function typesOf(schema: SchemaObject): readonly JsonType[] | undefined {
  const { type, enum: listed, const: constant } = schema;
  if (type !== undefined) return [type].flat();
  const members = constant === undefined ? listed : [constant];
  if (members !== undefined) {
    const types = new Set(members.map(jsonTypeOf));
    if (types.has('number')) types.delete('integer');
    return [...types];
  }
  const implied = new Set(Object.keys(schema).flatMap((keyword) => typeOfKeyword.get(keyword) ?? []));
  return implied.size === 1 ? [...implied] : undefined;
}

const keywordsOfTypes = {
  object: 'properties required additionalProperties patternProperties propertyNames',
  array: 'items prefixItems minItems maxItems uniqueItems contains',
  string: 'minLength maxLength pattern format',
  number: 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
} as const;

const typeOfKeyword: ReadonlyMap<string, JsonType> = new Map(
  (['object', 'array', 'string', 'number'] as const).flatMap((type) =>
    keywordsOfTypes[type].split(' ').map((keyword) => [keyword, type] as const),
  ),
);

/** The assertions of a schema of several types about one of them. */
export function ofType(type: JsonType, { enum: members, ...assertions }: SchemaObject): SchemaObject {
  const own = members?.filter((member) => isOfType(member, type));
  const kept = Object.entries(assertions).filter(([keyword]) => {
    const about = typeOfKeyword.get(keyword) ?? type;
    return about === type || (about === 'number' && type === 'integer');
  });
  return { ...Object.fromEntries(kept), type, ...defined({ enum: own }) };
}

const isOfType = (value: JsonValue, type: JsonType): boolean =>
  jsonTypeOf(value) === type || (type === 'number' && typeof value === 'number');

/** Nested unions. */
const maxDepth = 16;

/** Whether a schema accepts null. */
export function admitsNull(schema: JsonSchema, root: SchemaObject, depth = 0): boolean {
  if (typeof schema === 'boolean') return schema;
  const { anyOf, oneOf, enum: members, const: constant, type } = mergeSchemas(schema, root);
  if (constant !== undefined && constant !== null) return false;
  if (members !== undefined && !members.includes(null)) return false;
  if (depth > maxDepth || (type !== undefined && ![type].flat().includes('null'))) return false;
  return [anyOf, oneOf].every(
    (branches) => branches === undefined || branches.some((branch) => admitsNull(branch, root, depth + 1)),
  );
}

export const isEmpty = (schema: SchemaObject): boolean => Object.keys(schema).length === 0;

/** The schema with a description of these parts, each once. */
export function withDescription(schema: SchemaObject, parts: readonly (string | undefined)[]): SchemaObject {
  const kept = new Set(parts.filter((text) => text !== undefined && text !== ''));
  return kept.size === 0 ? schema : ordered({ ...schema, description: [...kept].join(' ') });
}

/** Puts type and description first, so that transforming a schema again gives the same text. */
export function ordered({ type, nullable, description, ...rest }: SchemaObject): SchemaObject {
  return { ...defined({ type, nullable, description }), ...rest };
}
