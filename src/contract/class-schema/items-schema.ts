// Which schema have the elements of a list?
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';

/** The one schema of all elements; undefined where there is none, or an older draft's list of them. */
export function itemsSchema({ items }: SchemaObject): JsonSchema | undefined {
  return items === undefined || isList(items) ? undefined : items;
}

const isList = (items: JsonSchema | readonly JsonSchema[]): items is readonly JsonSchema[] =>
  Array.isArray(items);
