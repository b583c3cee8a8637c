// Would the library compare too many elements with each other? It takes the square of a list's length for `uniqueItems`.
import type { SchemaObject } from '../../json/json-schema.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { mapSubschemas } from '../../json/map-subschemas.ts';

/** Elements of a list that is judged, where a schema asks anywhere for lists without repetitions. */
const longestList = 1000;

export function holdsUniqueItems(schema: SchemaObject): boolean {
  let holds = schema['uniqueItems'] === true;
  mapSubschemas(schema, (below) => {
    holds ||= holdsUniqueItems(below);
    return below;
  });
  return holds;
}

export function hasLongList(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members: readonly JsonValue[] = Object.values(value);
  return (Array.isArray(value) && members.length > longestList) || members.some(hasLongList);
}
