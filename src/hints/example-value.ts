// What would do at a place? An example of the author's, or the plainest value of the declared type.
// Whether it really would do is the judge's to say.
import type { SchemaView, SchemaViews } from '../contract/schema-view.ts';
import type { JsonSchema } from '../json/json-schema.ts';
import type { JsonValue } from '../json/json-value.ts';
import { objectOf } from '../json/own-key.ts';

const deepest = 6;

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
  if (view.types.has('object') && view.types.size < 7) return exampleObject(views, view, depth);
  if (view.types.has('array') && view.types.size < 7) return exampleList(views, view, depth);
  return exampleScalar(view);
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

function exampleList(views: SchemaViews, view: SchemaView, depth: number): JsonValue {
  const tuple = view.prefixItems.flatMap((item) => exampleValue(views, item, depth + 1) ?? []);
  const item = tuple.length > 0 ? undefined : exampleValue(views, view.items, depth + 1);
  return item === undefined ? tuple : [item];
}

function exampleScalar(view: SchemaView): JsonValue {
  if (view.types.has('string'))
    return texts.get(view.format ?? '') ?? (view.semantic === 'path' ? 'src/index.ts' : '…');
  if (view.types.has('integer')) return Math.max(1, Math.ceil(view.minimum ?? 1));
  if (view.types.has('number')) return view.minimum ?? 1;
  return view.types.has('boolean') ? true : null;
}

const texts: ReadonlyMap<string, string> = new Map([
  ['date', '2026-01-31'],
  ['date-time', '2026-01-31T12:00:00Z'],
  ['time', '12:00:00Z'],
  ['email', 'ada@example.com'],
  ['uri', 'https://example.com/'],
  ['uuid', '00000000-0000-4000-8000-000000000000'],
  ['ipv4', '192.0.2.1'],
  ['hostname', 'example.com'],
]);
