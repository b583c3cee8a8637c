// What is one schema, with `$ref` followed and `allOf` merged, as one plain node?
import type { JsonSchema, SchemaMap, SchemaObject } from '../json/json-schema.ts';
import { defineKey, objectOf } from '../json/own-key.ts';
import { resolveReference } from './judged-schema/local-references.ts';

/**
 * Follows local references and merges `allOf`. Every schema that holds together with this one counts once, however often
 * it is referred to. A reference that leads outside or to itself says nothing.
 */
export const mergeSchemas = (schema: SchemaObject, root: SchemaObject): SchemaObject =>
  mergeParts(partsOf(schema, root));

/** The schema itself, what it refers to, what stands in its `allOf`, and so on; each once. */
export function partsOf(schema: SchemaObject, root: SchemaObject): readonly SchemaObject[] {
  const parts = new Set<SchemaObject>();
  const open = [schema];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (parts.has(part)) continue;
    parts.add(part);
    // What is said first counts most: the target of a reference, then `allOf` in its order.
    for (const joined of (part.allOf ?? []).toReversed()) if (typeof joined !== 'boolean') open.push(joined);
    const target = part.$ref === undefined ? undefined : resolveReference(part.$ref, root);
    if (target !== undefined) open.push(target);
  }
  return [...parts];
}

/** One schema that says what all of them say; the same schema where nothing has to be joined. */
function joinSchemas(schemas: readonly JsonSchema[]): JsonSchema {
  const distinct = distinctSchemas(schemas);
  const [only] = distinct;
  return only !== undefined && distinct.length === 1 ? only : { allOf: distinct };
}

/** Without schemas that stand there twice, or are references to the same place and nothing else. */
export const distinctSchemas = (schemas: readonly JsonSchema[]): readonly JsonSchema[] => [
  ...new Map(schemas.map((schema) => [identityOf(schema), schema] as const)).values(),
];

function identityOf(schema: JsonSchema): unknown {
  if (typeof schema === 'boolean' || schema.$ref === undefined) return schema;
  return Object.keys(schema).length === 1 ? schema.$ref : schema;
}

/** All say it: properties joined, required united, types intersected; else the first one's word stands. */
function mergeParts(parts: readonly SchemaObject[]): SchemaObject {
  const merged: { [keyword: string]: unknown } = {};
  for (const { $ref: _reference, allOf: _joined, ...part } of parts) {
    for (const [keyword, held] of Object.entries(part))
      if (!Object.hasOwn(merged, keyword)) defineKey(merged, keyword, held);
  }
  if (parts.length === 1) return merged;
  const required = [...new Set(parts.flatMap((part) => part.required ?? []))];
  const type = parts.map((part) => part.type).reduce(mergeTypes);
  const properties = parts.flatMap((part) => (part.properties === undefined ? [] : [part.properties]));
  return {
    ...merged,
    ...(properties.length < 2 ? {} : { properties: mergeProperties(properties) }),
    ...(required.length === 0 ? {} : { required }),
    ...(type === undefined ? {} : { type }),
    ...mergeUnion('anyOf', parts),
    ...mergeUnion('oneOf', parts),
    ...(parts.some((part) => part.additionalProperties === false) ? { additionalProperties: false } : {}),
  };
}

/** One branch of each union holds: a union of all that go together. Of too many, the first union stands. */
function mergeUnion(keyword: 'anyOf' | 'oneOf', parts: readonly SchemaObject[]): SchemaObject {
  const [first, ...others] = parts.flatMap((part) => (part[keyword] === undefined ? [] : [part[keyword]]));
  if (first === undefined || others.length === 0 || hasTooManyBranches(keyword, parts)) return {};
  const combine = (left: readonly JsonSchema[], right: readonly JsonSchema[]): readonly JsonSchema[] =>
    left.flatMap((one) => right.map((other) => joinSchemas([one, other])));
  return { [keyword]: others.reduce(combine, first) };
}

/** Whether more branches of the unions in these parts go together than are looked into. */
export const hasTooManyBranches = (keyword: 'anyOf' | 'oneOf', parts: readonly SchemaObject[]): boolean =>
  parts.reduce((product, part) => product * (part[keyword]?.length ?? 1), 1) > mostBranches;

/** Branches of a union, those of unions inside counted, that are looked into; larger ones are judged as a whole. */
export const mostBranches = 1000;

function mergeProperties(maps: readonly SchemaMap[]): SchemaMap {
  const merged = new Map<string, JsonSchema[]>();
  for (const [key, schema] of maps.flatMap((map) => Object.entries(map))) {
    const others = merged.get(key);
    if (others === undefined) merged.set(key, [schema]);
    else others.push(schema);
  }
  return objectOf([...merged].map(([key, schemas]) => [key, joinSchemas(schemas)] as const));
}

type SchemaType = SchemaObject['type'];

function mergeTypes(left: SchemaType, right: SchemaType): SchemaType {
  if (left === undefined || right === undefined) return left ?? right;
  const [first, second] = [[left].flat(), [right].flat()];
  const both = first.filter(
    (type) => second.includes(type) || (type === 'integer' && second.includes('number')),
  );
  return second.includes('integer') && first.includes('number') && !both.includes('integer')
    ? [...both, 'integer']
    : both;
}
