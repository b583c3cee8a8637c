// Which keywords have a meaning here, and is what stands under them of the kind that they take? The rest is told once.
import type { SchemaObject } from '../../json/json-schema.ts';
import { mapSubschemas } from '../../json/map-subschemas.ts';

type Kind = 'list' | 'object' | 'schema' | 'schemas' | 'text' | 'number' | 'boolean' | 'any';

/** By what stands under them; `items`, `type`, `dependencies` and the exclusive bounds take more than one kind. */
const kinds: Readonly<Record<Kind, string>> = {
  list: 'enum required examples',
  object: '$defs definitions dependentRequired dependentSchemas dependencies patternProperties properties',
  schema:
    'additionalItems additionalProperties contains contentSchema else if not propertyNames then unevaluatedItems unevaluatedProperties',
  schemas: 'allOf anyOf oneOf prefixItems',
  text: '$anchor $comment $dynamicAnchor $dynamicRef $id $recursiveRef $ref $schema contentEncoding contentMediaType format id pattern',
  number:
    'maxContains maxItems maxLength maxProperties maximum minContains minItems minLength minProperties minimum multipleOf',
  boolean: 'uniqueItems',
  any: '$recursiveAnchor $vocabulary const default deprecated description discriminator example exclusiveMaximum exclusiveMinimum externalDocs items nullable readOnly title type writeOnly xml dirge-hints x-toolmend',
};

const kindOf: ReadonlyMap<string, string> = new Map(
  Object.entries(kinds).flatMap(([kind, keywords]) =>
    keywords.split(' ').map((keyword) => [keyword, kind] as const),
  ),
);

const types: ReadonlySet<unknown> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]);

const isObject = (held: unknown): boolean =>
  typeof held === 'object' && held !== null && !Array.isArray(held);
const isSchema = (held: unknown): boolean => typeof held === 'boolean' || isObject(held);

const isOfKind: Readonly<Record<string, (held: unknown) => boolean>> = {
  list: Array.isArray,
  object: isObject,
  schema: isSchema,
  schemas: (held) => Array.isArray(held) && held.every(isSchema),
  text: (held) => typeof held === 'string',
  number: (held) => typeof held === 'number',
  boolean: (held) => typeof held === 'boolean',
  any: () => true,
};

/** What a look at every keyword of a schema, and of all below it, brings out. */
export interface KeywordLook {
  /** Keywords that no judge knows; vendors' own (`x-…`) are none of them. */
  readonly unknown: ReadonlySet<string>;
  /** Keywords with something under them that they don't take; a type with its name. */
  readonly misused: ReadonlySet<string>;
}

/** Whether a keyword holds something of a kind that it doesn't take. */
export function isMisused(keyword: string, held: unknown): boolean {
  if (keyword === 'type') return [held].flat().some((type) => !types.has(type));
  const kind = kindOf.get(keyword);
  return kind !== undefined && isOfKind[kind]?.(held) === false;
}

export function lookAtKeywords(root: SchemaObject): KeywordLook {
  const unknown = new Set<string>();
  const misused = new Set<string>();
  const look = (schema: SchemaObject): SchemaObject => {
    for (const [keyword, held] of Object.entries(schema)) {
      const kind = kindOf.get(keyword);
      if (kind === undefined && !keyword.startsWith('x-')) unknown.add(keyword);
      if (kind !== undefined && isOfKind[kind]?.(held) === false) misused.add(keyword);
      if (keyword === 'type')
        for (const type of [held].flat()) if (!types.has(type)) misused.add(`type ${String(type)}`);
    }
    return schema;
  };
  const visit = (schema: SchemaObject): SchemaObject => mapSubschemas(look(schema), visit);
  visit(root);
  return { unknown, misused };
}
