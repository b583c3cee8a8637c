// How is a JSON Schema written for who asked for it? In 2020-12 as it is; in draft-07 without the keywords that it lacks.
import { ToolmendError } from '../../errors/toolmend-error.ts';
import type { SchemaObject } from '../../json/json-schema.ts';
import { mapSubschemas } from '../../json/map-subschemas.ts';

/** A copy that may be written to: some who ask for it do. Throws a ToolmendError for another target. */
export function schemaFor(target: string, schema: SchemaObject): Record<string, unknown> {
  if (target === 'draft-2020-12') return structuredClone({ ...schema });
  if (target === 'draft-07') return structuredClone({ ...toDraft7(schema) });
  throw new ToolmendError(
    'schema-target',
    `There is no JSON Schema for ${JSON.stringify(target)}: ask for draft-2020-12 or draft-07.`,
  );
}

/** https://json-schema.org/draft/2020-12/release-notes; `$defs` stays: `$ref` finds it there. */
function toDraft7(schema: SchemaObject): SchemaObject {
  const { prefixItems, items, dependentRequired, dependentSchemas, ...rest } = mapSubschemas(
    schema,
    toDraft7,
  );
  const named = [dependentRequired, dependentSchemas].flatMap((by) => Object.entries(toObject(by)));
  const entries: (readonly [string, unknown])[] = [
    ['items', prefixItems ?? items],
    ['additionalItems', prefixItems === undefined ? undefined : items],
    ['dependencies', named.length === 0 ? undefined : Object.fromEntries(named)],
  ];
  return { ...rest, ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)) };
}

const toObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});
