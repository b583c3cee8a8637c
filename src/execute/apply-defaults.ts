// Which arguments does a function get? A copy that it may write to, so that no call sees another's, with its defaults.
import type { SchemaView, SchemaViews } from '../contract/schema-view.ts';
import { copyJson } from '../json/copy-json.ts';
import type { JsonSchema } from '../json/json-schema.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { objectOf } from '../json/own-key.ts';

/**
 * A copy in which absent properties have the defaults that the schema declares. Followed are `properties`,
 * elements, `$ref` and `allOf`; not the branches of a union, as in Ajv's `useDefaults`
 * (https://ajv.js.org/guide/modifying-data.html#assigning-defaults).
 */
export function applyDefaults(views: SchemaViews, values: JsonObject): JsonObject {
  return filledObject(views, views.of(views.root), values);
}

function filled(views: SchemaViews, schema: JsonSchema, value: JsonValue): JsonValue {
  const view = views.of(schema);
  if (isJsonArray(value)) {
    return value.map((element, index) => filled(views, view.prefixItems[index] ?? view.items, element));
  }
  return isJsonObject(value) ? filledObject(views, view, value) : value;
}

function filledObject(views: SchemaViews, view: SchemaView, value: JsonObject): JsonObject {
  const present = Object.entries(value).map(
    ([key, member]) => [key, filled(views, memberSchema(view, key), member)] as const,
  );
  const absent = [...view.properties].flatMap(([key, schema]) => {
    const { defaultValue } = views.of(schema);
    return defaultValue === undefined || Object.hasOwn(value, key)
      ? []
      : [[key, copyJson(defaultValue)] as const];
  });
  return objectOf([...present, ...absent]);
}

const memberSchema = (view: SchemaView, key: string): JsonSchema =>
  view.properties.get(key) ??
  view.patternProperties.find(([pattern]) => pattern.test(key))?.[1] ??
  view.additionalProperties;
