// May something at or below a place be a secret? Then nothing of a value there is shown.
import { pointerKeys } from '../json/json-pointer.ts';
import type { JsonSchema } from '../json/json-schema.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../json/json-value.ts';
import { objectOf } from '../json/own-key.ts';
import { memberSchema, type SchemaView, type SchemaViews } from './schema-view.ts';

const known = new WeakMap<SchemaView, boolean>();

/** True if the place or anything declared below it is secret. */
export function holdsSecret(views: SchemaViews, schema: JsonSchema): boolean {
  const view = views.of(schema);
  const answer = known.get(view);
  if (answer !== undefined) return answer;
  // A schema that contains itself adds no secret of its own.
  known.set(view, false);
  const below = [
    ...view.properties.values(),
    ...view.prefixItems,
    ...view.branches,
    view.items,
    view.additionalProperties,
    ...view.patternProperties.map(([, pattern]) => pattern),
  ];
  const holds = view.isSecret || below.some((part) => typeof part !== 'boolean' && holdsSecret(views, part));
  known.set(view, holds);
  return holds;
}

/** True if the place at a JSON Pointer, anything around it or anything declared below it is secret. */
export function isSecretPlace(views: SchemaViews, pointer: string): boolean {
  if (!holdsSecret(views, views.root)) return false;
  let schemas = withBranches(views, views.root);
  for (const key of pointerKeys(pointer)) {
    if (schemas.some((schema) => views.of(schema).isSecret)) return true;
    schemas = schemas.flatMap((schema) => withBranches(views, partOf(views.of(schema), key)));
  }
  return schemas.some((schema) => holdsSecret(views, schema));
}

/** A copy to show, with a word in the place of every secret; the same value if there is none. */
export function maskSecrets(views: SchemaViews, schema: JsonSchema, value: JsonValue): JsonValue {
  if (!holdsSecret(views, schema)) return value;
  const view = views.of(schema);
  if (view.isSecret || view.branches.length > 0) return '(as you sent it)';
  if (isJsonArray(value)) {
    return value.map((item, index) => maskSecrets(views, partOf(view, String(index)), item));
  }
  if (!isJsonObject(value)) return value;
  return objectOf(
    Object.entries(value).map(
      ([key, member]) => [key, maskSecrets(views, partOf(view, key), member)] as const,
    ),
  );
}

const withBranches = (views: SchemaViews, schema: JsonSchema): readonly JsonSchema[] => [
  schema,
  ...views.of(schema).branches.flatMap((branch) => withBranches(views, branch)),
];

/** What is declared of a member, or of an element: a key that is an index may be either. */
function partOf(view: SchemaView, key: string): JsonSchema {
  const isElement = /^\d+$/.test(key) && view.types.has('array') && !view.properties.has(key);
  return isElement ? (view.prefixItems[Number(key)] ?? view.items) : memberSchema(view, key);
}
