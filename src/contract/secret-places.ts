// May something below a schema be a secret? Then nothing of a value there is shown.
import type { JsonSchema } from '../json/json-schema.ts';
import type { SchemaView, SchemaViews } from './schema-view.ts';

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
