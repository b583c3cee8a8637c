// A copy that it may write to, so that no call sees another's, with its defaults.
import {
  type JsonObject,
  type JsonValue,
  copyJson,
  defineKey,
  isJsonArray,
  isJsonObject,
} from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { type SchemaView, type SchemaViews, memberSchema } from '../schema/schema-view.ts';

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
  const copy: { [key: string]: JsonValue } = {};
  for (const [key, member] of Object.entries(value)) {
    const isScalar = typeof member !== 'object' || member === null;
    defineKey(copy, key, isScalar ? member : filled(views, memberSchema(view, key), member));
  }
  for (const [key, defaultValue] of defaultsIn(views, view)) {
    if (!Object.hasOwn(value, key)) defineKey(copy, key, copyJson(defaultValue));
  }
  return copy;
}

type Defaults = readonly (readonly [string, JsonValue])[];

const knownDefaults = new WeakMap<SchemaView, Defaults>();

/** The properties that declare one; looked for once. */
function defaultsIn(views: SchemaViews, view: SchemaView): Defaults {
  let defaults = knownDefaults.get(view);
  if (defaults === undefined) {
    defaults = [...view.properties].flatMap(([key, schema]) => {
      const { defaultValue } = views.of(schema);
      return defaultValue === undefined ? [] : [[key, defaultValue] as const];
    });
    knownDefaults.set(view, defaults);
  }
  return defaults;
}
