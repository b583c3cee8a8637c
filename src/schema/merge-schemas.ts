import { defineKey, objectOf } from '../collections/objects.ts';
import type { JsonSchema, SchemaMap, SchemaObject } from './json-schema.ts';
import { resolveReference } from './references.ts';

/**
 * One schema for reading: properties joined, required keys united, types intersected; of other
 * keywords the first one counts.
 */
export const mergeSchemas = (schema: SchemaObject, root: SchemaObject): SchemaObject =>
  mergeParts(schemaParts(schema, root));

/** A schema, the schemas that it refers to and those in its `allOf`, recursively; each once. */
export function schemaParts(schema: SchemaObject, root: SchemaObject): readonly SchemaObject[] {
  if (schema.$ref === undefined && schema.allOf === undefined) return [schema];
  const parts = new Set<SchemaObject>();
  const open = [schema];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (parts.has(part)) continue;
    parts.add(part);
    for (const joinedPart of (part.allOf ?? []).toReversed())
      if (typeof joinedPart !== 'boolean') open.push(joinedPart);
    const target = part.$ref === undefined ? undefined : resolveReference(part.$ref, root);
    if (target !== undefined) open.push(target);
  }
  return [...parts];
}

export function mergeParts(parts: readonly SchemaObject[]): SchemaObject {
  const [only, ...others] = parts;
  const isPlain = others.length === 0 && only?.$ref === undefined && only?.allOf === undefined;
  if (only !== undefined && isPlain) return only;
  const mergedKeywords: { [keyword: string]: unknown } = {};
  for (const { $ref: _reference, allOf: _joined, ...part } of parts) {
    for (const [keyword, value] of Object.entries(part))
      if (!Object.hasOwn(mergedKeywords, keyword)) defineKey(mergedKeywords, keyword, value);
  }
  if (parts.length === 1) return mergedKeywords;
  const required = [...new Set(parts.flatMap((part) => part.required ?? []))];
  const type = parts.map((part) => part.type).reduce(intersectTypes);
  const properties = parts.flatMap((part) =>
    part.properties === undefined ? [] : [part.properties],
  );
  return {
    ...mergedKeywords,
    ...(properties.length < 2 ? {} : { properties: joinProperties(properties) }),
    ...(required.length === 0 ? {} : { required }),
    ...(type === undefined ? {} : { type }),
    ...combineUnions('anyOf', parts),
    ...combineUnions('oneOf', parts),
    ...(parts.some((part) => part.additionalProperties === false)
      ? { additionalProperties: false }
      : {}),
  };
}

/** Branches of a union, nested ones included. A larger union is validated, but not read. */
export const maxBranches = 1000;

/** Whether the combined unions of these parts have too many branches. */
export const hasTooManyBranches = (
  keyword: 'anyOf' | 'oneOf',
  parts: readonly SchemaObject[],
): boolean =>
  parts.reduce((product, part) => product * (part[keyword]?.length ?? 1), 1) > maxBranches;

/**
 * The union of all combinations of one branch from each union; the first union if that is too many.
 */
function combineUnions(keyword: 'anyOf' | 'oneOf', parts: readonly SchemaObject[]): SchemaObject {
  const [first, ...others] = parts.flatMap((part) =>
    part[keyword] === undefined ? [] : [part[keyword]],
  );
  if (first === undefined || others.length === 0 || hasTooManyBranches(keyword, parts)) return {};
  const combine = (
    left: readonly JsonSchema[],
    right: readonly JsonSchema[],
  ): readonly JsonSchema[] =>
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
  return objectOf(
    [...byKey].map(([key, group]) => [key, joinSchemas(group.map(([, schema]) => schema))]),
  );
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
