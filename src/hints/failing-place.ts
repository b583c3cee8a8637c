// Which declared object is a failure in? Its shape is what the model must get right.
import { memberSchema, type SchemaViews } from '../contract/schema-view.ts';
import { pointerKeys, pointerTo } from '../json/json-pointer.ts';
import type { JsonSchema } from '../json/json-schema.ts';

export interface FailingPlace {
  readonly schema: JsonSchema;
  /** JSON Pointer; '' is the root. */
  readonly path: string;
}

/** What is declared of a place; `true` where nothing is. */
export function declaredSchema(views: SchemaViews, path: string): JsonSchema {
  return pointerKeys(path).reduce((schema: JsonSchema, key) => schemaBelow(views, schema, key), views.root);
}

function schemaBelow(views: SchemaViews, schema: JsonSchema, key: string): JsonSchema {
  const view = views.of(schema);
  const member = memberSchema(view, key);
  if (view.properties.has(key) || typeof member !== 'boolean') return member;
  const isElement = /^\d+$/.test(key) && view.types.has('array');
  const element = isElement ? (view.prefixItems[Number(key)] ?? view.items) : true;
  return typeof element === 'boolean' ? true : element;
}

/** The innermost declared object around a path; the root where there is none. */
export function failingPlace(views: SchemaViews, path: string): FailingPlace {
  let schema: JsonSchema = views.root;
  let at = '';
  let place: FailingPlace = { schema, path: at };
  for (const key of pointerKeys(path)) {
    schema = schemaBelow(views, schema, key);
    if (typeof schema === 'boolean') break;
    at = pointerTo(at, key);
    if (views.of(schema).properties.size > 0) place = { schema, path: at };
  }
  return place;
}
