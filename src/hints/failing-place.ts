// Which declared object is a failure in? Its shape is what the model must get right.
import type { SchemaViews } from '../contract/schema-view.ts';
import { pointerKeys, pointerTo } from '../json/json-pointer.ts';
import type { JsonSchema } from '../json/json-schema.ts';

export interface FailingPlace {
  readonly schema: JsonSchema;
  /** JSON Pointer; '' is the root. */
  readonly path: string;
}

/** The innermost declared object around a path; the root where there is none. */
export function failingPlace(views: SchemaViews, path: string): FailingPlace {
  let schema: JsonSchema = views.root;
  let at = '';
  let place: FailingPlace = { schema, path: at };
  for (const key of pointerKeys(path)) {
    const view = views.of(schema);
    const isElement = /^\d+$/.test(key) && view.types.has('array') && typeof view.items !== 'boolean';
    schema = view.properties.get(key) ?? (isElement ? view.items : true);
    if (typeof schema === 'boolean') break;
    at = pointerTo(at, key);
    if (views.of(schema).properties.size > 0) place = { schema, path: at };
  }
  return place;
}
