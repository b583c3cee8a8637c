// What would do at a place? An example of the author's, or the plainest value of the declared type.
// Whether it really would do is the judge's to say.
import { mergeSchemas } from '../contract/merge-schemas.ts';
import type { SchemaView, SchemaViews } from '../contract/schema-view.ts';
import type { JsonSchema, SchemaObject } from '../json/json-schema.ts';
import type { JsonValue } from '../json/json-value.ts';
import { objectOf } from '../json/own-key.ts';
import { exampleNumber, exampleText } from './example-scalar.ts';

const deepest = 6;
/** Elements of a list, at most. */
const mostItems = 8;

/** A candidate for an example; required keys only. undefined where none can be made. */
export function exampleValue(
  views: SchemaViews,
  schema: JsonSchema,
  depth: number = 0,
): JsonValue | undefined {
  if (typeof schema === 'boolean' || depth > deepest) return undefined;
  const view = views.of(schema);
  if (view.isSecret) return '…';
  const given = view.examples[0] ?? view.defaultValue ?? view.members?.[0];
  if (given !== undefined) return given;
  const [branch] = view.branches;
  if (branch !== undefined) return exampleValue(views, branch, depth + 1);
  const facts = mergeSchemas(schema, views.root);
  if (view.types.has('object') && view.types.size < 7) return exampleObject(views, view, depth);
  if (view.types.has('array') && view.types.size < 7) return exampleList(views, view, facts, depth);
  return exampleScalar(view, facts);
}

function exampleObject(views: SchemaViews, view: SchemaView, depth: number): JsonValue {
  const keys = [...view.required].filter((key) => view.properties.has(key));
  return objectOf(
    keys.flatMap((key) => {
      const value = exampleValue(views, view.properties.get(key) ?? true, depth + 1);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
}

function exampleList(views: SchemaViews, view: SchemaView, facts: SchemaObject, depth: number): JsonValue {
  const tuple = view.prefixItems.flatMap((item) => exampleValue(views, item, depth + 1) ?? []);
  const item = tuple.length > 0 ? undefined : exampleValue(views, view.items, depth + 1);
  if (item === undefined) return tuple;
  const { minItems: least } = facts;
  return Array.from(
    { length: typeof least === 'number' ? Math.min(Math.max(1, least), mostItems) : 1 },
    () => item,
  );
}

function exampleScalar(view: SchemaView, facts: SchemaObject): JsonValue | undefined {
  if (view.types.has('string')) return exampleText(facts, view.semantic);
  if (view.types.has('integer') && !view.types.has('number')) return exampleNumber(facts, 'integer');
  if (view.types.has('number')) return exampleNumber(facts, 'number');
  return view.types.has('boolean') ? true : null;
}
