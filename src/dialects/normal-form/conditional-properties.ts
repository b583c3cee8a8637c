// Which properties does an object have only on a condition (`then`, `else`, `dependentSchemas`)? A provider that shows
// declared keys alone must show them as well, or nobody could send them.
import { mergeSchemas } from '../../contract/merge-schemas.ts';
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';

type Property = readonly [key: string, schema: JsonSchema];

const deepest = 8;

/** The conditional properties that the schema doesn't declare itself; one declared in several ways may be each of them. */
export function conditionalProperties(schema: SchemaObject, root: SchemaObject): readonly Property[] {
  const found = new Map<string, JsonSchema[]>();
  for (const part of conditionalParts(schema)) collect(part, root, found, deepest);
  return [...found]
    .filter(([key]) => schema.properties === undefined || !Object.hasOwn(schema.properties, key))
    .map(([key, schemas]) => [key, anyOf(schemas)]);
}

function collect(
  part: JsonSchema,
  root: SchemaObject,
  found: Map<string, JsonSchema[]>,
  depth: number,
): void {
  if (typeof part === 'boolean' || depth === 0) return;
  const merged = mergeSchemas(part, root);
  const { properties = {}, required = [] } = merged;
  for (const [key, schema] of Object.entries(properties)) {
    if (schema !== false) found.set(key, [...(found.get(key) ?? []), schema]);
  }
  for (const key of required) if (!found.has(key)) found.set(key, []);
  for (const below of conditionalParts(merged)) collect(below, root, found, depth - 1);
}

const conditionalParts = ({
  then: whenTrue,
  else: whenFalse,
  dependentSchemas = {},
}: SchemaObject): readonly JsonSchema[] =>
  [whenTrue, whenFalse, ...Object.values(dependentSchemas)].filter((part) => part !== undefined);

function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only = true] = different;
  return different.length < 2 ? only : { anyOf: different };
}
