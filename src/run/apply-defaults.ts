import { defineKey } from '../collections/objects.ts';
import {
  type JsonObject,
  type JsonValue,
  copyJson,
  isJsonArray,
  isJsonObject,
} from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { type SchemaView, type SchemaViews, memberSchema } from '../schema/schema-view.ts';

/**
 * A copy in which absent properties have the schema's defaults. Defaults in `properties`, elements,
 * `$ref` and `allOf` apply, those in branches of a union don't, as with Ajv's `useDefaults`
 * (https://ajv.js.org/guide/modifying-data.html#assigning-defaults).
 */
export function applyDefaults(views: SchemaViews, values: JsonObject): JsonObject {
  return filledObject(views, views.of(views.root), values);
}

function fillDefaults(views: SchemaViews, schema: JsonSchema, value: JsonValue): JsonValue {
  const view = views.of(schema);
  if (isJsonArray(value)) {
    return value.map((element, index) =>
      fillDefaults(views, view.prefixItems[index] ?? view.items, element),
    );
  }
  return isJsonObject(value) ? filledObject(views, view, value) : value;
}

function filledObject(views: SchemaViews, view: SchemaView, value: JsonObject): JsonObject {
  const copy: { [key: string]: JsonValue } = {};
  for (const [key, member] of Object.entries(value)) {
    const isScalar = typeof member !== 'object' || member === null;
    defineKey(copy, key, isScalar ? member : fillDefaults(views, memberSchema(view, key), member));
  }
  for (const [key, defaultValue] of views.defaultsOf(view)) {
    if (!Object.hasOwn(value, key)) defineKey(copy, key, copyJson(defaultValue));
  }
  return copy;
}
