// What are properties called whose names a provider doesn't take? Renamed at every depth; the same name is the same key.
import type { SchemaObject } from '../../json/json-schema.ts';
import { mapSubschemas } from '../../json/map-subschemas.ts';
import { objectOf } from '../../json/own-key.ts';
import type { NameRule } from '../dialect-rules.ts';
import { legalNames, type ShownNames } from '../legal-names.ts';

export const propertyKeys = (root: SchemaObject, rule: NameRule | undefined): ShownNames =>
  legalNames(rule === undefined ? [] : declaredKeys(root), rule);

function declaredKeys(schema: SchemaObject): ReadonlySet<string> {
  const found = new Set(Object.keys(schema.properties ?? {}));
  mapSubschemas(schema, (part) => {
    for (const key of declaredKeys(part)) found.add(key);
    return part;
  });
  return found;
}

/** The schema with the names that are shown, wherever a keyword names a property. */
export function withShownKeys(schema: SchemaObject, names: ShownNames): SchemaObject {
  if (names.shown.size === 0) return schema;
  const shown = (key: string): string => names.shown.get(key) ?? key;
  const renamed = (named: object): unknown =>
    objectOf(Object.entries<unknown>({ ...named }).map(([key, held]) => [shown(key), held] as const));
  const entries = Object.entries(schema).map(([keyword, held]): readonly [string, unknown] => {
    if (keyword === 'required' && Array.isArray(held)) return [keyword, held.map(String).map(shown)];
    const isByKey =
      keyword === 'properties' || keyword === 'dependentSchemas' || keyword === 'dependentRequired';
    return isByKey && typeof held === 'object' && held !== null ? [keyword, renamed(held)] : [keyword, held];
  });
  return mapSubschemas(objectOf(entries), (part) => withShownKeys(part, names));
}
