// What of a schema may a model or another program see? All but our annotations.
import type { SchemaObject } from '../json/json-schema.ts';
import { mapSubschemas } from '../json/map-subschemas.ts';

const annotations = ['x-toolmend', 'dirge-hints', 'x-dirge-kind'];

/** Only keywords are taken out: a property of such a name, or a key in a default, is data. */
export function withoutAnnotations(schema: SchemaObject): SchemaObject {
  const kept = Object.entries(schema).filter(([keyword]) => !annotations.includes(keyword));
  return mapSubschemas(Object.fromEntries(kept), withoutAnnotations);
}
