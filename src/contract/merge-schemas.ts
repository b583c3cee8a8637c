// What is one schema, with `$ref` followed and `allOf` merged, as one plain node?
import type { JsonSchema, SchemaMap, SchemaObject } from '../json/json-schema.ts';
import { pointerKeys } from '../json/json-pointer.ts';
import { mapSubschemas } from '../json/map-subschemas.ts';
import { ownValue } from '../json/own-key.ts';

/** Follows local references and merges `allOf`. A reference that leads outside or to itself says nothing. */
export function mergeSchemas(
  schema: SchemaObject,
  root: SchemaObject,
  seen: readonly string[] = [],
): SchemaObject {
  const { $ref, allOf, ...plain } = schema;
  const parts: SchemaObject[] = [plain];
  if ($ref !== undefined && !seen.includes($ref)) {
    const target = resolveReference($ref, root);
    if (target !== undefined) parts.push(mergeSchemas(target, root, [...seen, $ref]));
  }
  for (const part of allOf ?? []) {
    if (typeof part !== 'boolean') parts.push(mergeSchemas(part, root, seen));
  }
  return parts.length === 1 ? plain : parts.reduce(mergePair);
}

/** The object schema a local reference (`#`, `#/$defs/x`, or the same behind the root's id) points at. */
export function resolveReference(reference: string, root: SchemaObject): SchemaObject | undefined {
  const hash = reference.indexOf('#');
  if (hash === -1) return undefined;
  let found: unknown = root;
  for (const key of pointerKeys(decodeFragment(reference.slice(hash + 1)))) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = ownValue<unknown>({ ...found }, key);
  }
  return isSchemaObject(found) ? found : undefined;
}

/** Every reference in a schema and below it. */
export function referencesIn(schema: SchemaObject): ReadonlySet<string> {
  const found = new Set<string>(schema.$ref === undefined ? [] : [schema.$ref]);
  mapSubschemas(schema, (below) => {
    for (const reference of referencesIn(below)) found.add(reference);
    return below;
  });
  return found;
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

const isSchemaObject = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Both say it: properties joined, required united, types intersected; else the first one's word stands. */
function mergePair(left: SchemaObject, right: SchemaObject): SchemaObject {
  const properties = mergeProperties(left.properties, right.properties);
  const required = [...new Set([...(left.required ?? []), ...(right.required ?? [])])];
  const type = mergeTypes(left.type, right.type);
  return {
    ...right,
    ...left,
    ...(properties === undefined ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
    ...(type === undefined ? {} : { type }),
    ...(left.anyOf !== undefined && right.anyOf !== undefined
      ? { anyOf: combine(left.anyOf, right.anyOf) }
      : {}),
    ...(left.oneOf !== undefined && right.oneOf !== undefined
      ? { oneOf: combine(left.oneOf, right.oneOf) }
      : {}),
    ...mergeClosing(left, right),
  };
}

const combine = (left: readonly JsonSchema[], right: readonly JsonSchema[]): readonly JsonSchema[] =>
  left.flatMap((first) => right.map((second) => ({ allOf: [first, second] })));

const mergeClosing = (left: SchemaObject, right: SchemaObject): SchemaObject =>
  left.additionalProperties === false || right.additionalProperties === false
    ? { additionalProperties: false }
    : {};

function mergeProperties(left: SchemaMap | undefined, right: SchemaMap | undefined): SchemaMap | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const merged = new Map<string, JsonSchema>(Object.entries(left));
  for (const [key, schema] of Object.entries(right)) {
    const other = merged.get(key);
    merged.set(key, other === undefined ? schema : { allOf: [other, schema] });
  }
  return Object.fromEntries(merged);
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
