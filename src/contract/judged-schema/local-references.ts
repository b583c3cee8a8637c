// Where in its own document does a reference of a judged schema lead? By pointer; nothing else is left of references there.
import { pointerKeys } from '../../json/json-pointer.ts';
import type { SchemaObject } from '../../json/json-schema.ts';
import { mapSubschemas } from '../../json/map-subschemas.ts';

/** The object schema a local reference (`#`, `#/$defs/x`, or the same behind the root's id) points at. */
export function resolveReference(reference: string, root: SchemaObject): SchemaObject | undefined {
  const hash = reference.indexOf('#');
  if (hash === -1) return undefined;
  let found: unknown = root;
  for (const key of pointerKeys(decodeFragment(reference.slice(hash + 1)))) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Object.hasOwn(found, key) ? Reflect.get(found, key) : undefined;
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

/** What a fragment says, as it is where it is not encoded as it should be. */
export function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Whether something can stand for a schema that is an object. */
export const isSchemaObject = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
