// Which keywords have a meaning here, and is what stands under them of the kind that they take? The rest is told once.
import type { SchemaObject } from '../../json/json-schema.ts';
import { mapSubschemas } from '../../json/map-subschemas.ts';

type Kind =
  | 'list'
  | 'names'
  | 'object'
  | 'namesByKey'
  | 'schemasByKey'
  | 'dependents'
  | 'schema'
  | 'schemas'
  | 'schemaOrList'
  | 'text'
  | 'number'
  | 'bound'
  | 'boolean'
  | 'any';

/** By what stands under them; `type` is looked at on its own. Definitions count only where they are referred to. */
const kinds: Readonly<Record<Kind, string>> = {
  list: 'enum examples',
  names: 'required',
  object: '$defs definitions',
  namesByKey: 'dependentRequired',
  schemasByKey: 'dependentSchemas patternProperties properties',
  dependents: 'dependencies',
  schema:
    'additionalItems additionalProperties contains contentSchema else if not propertyNames then unevaluatedItems unevaluatedProperties',
  schemas: 'allOf anyOf oneOf prefixItems',
  schemaOrList: 'items',
  text: '$anchor $comment $dynamicAnchor $dynamicRef $id $recursiveRef $ref $schema contentEncoding contentMediaType format id pattern',
  number:
    'maxContains maxItems maxLength maxProperties maximum minContains minItems minLength minProperties minimum multipleOf',
  bound: 'exclusiveMaximum exclusiveMinimum',
  boolean: 'uniqueItems',
  any: '$recursiveAnchor $vocabulary const default deprecated description discriminator example externalDocs nullable readOnly title type writeOnly xml dirge-hints x-toolmend',
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

const isObject = (held: unknown): held is object =>
  typeof held === 'object' && held !== null && !Array.isArray(held);
const isSchema = (held: unknown): boolean => typeof held === 'boolean' || isObject(held);
const isSchemas = (held: unknown): boolean => Array.isArray(held) && held.every(isSchema);
const isNames = (held: unknown): boolean =>
  Array.isArray(held) && held.every((name) => typeof name === 'string');

const eachKey =
  (isMember: (held: unknown) => boolean) =>
  (held: unknown): boolean =>
    isObject(held) && Object.values(held).every(isMember);

const isOfKind: Readonly<Record<string, (held: unknown) => boolean>> = {
  list: Array.isArray,
  names: isNames,
  object: isObject,
  namesByKey: eachKey(isNames),
  schemasByKey: eachKey(isSchema),
  dependents: eachKey((held) => isSchema(held) || isNames(held)),
  schema: isSchema,
  schemas: isSchemas,
  schemaOrList: (held) => isSchema(held) || isSchemas(held),
  text: (held) => typeof held === 'string',
  number: (held) => typeof held === 'number',
  bound: (held) => typeof held === 'number' || typeof held === 'boolean',
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

const shownType = (type: unknown): string => (typeof type === 'string' ? type : (JSON.stringify(type) ?? ''));

export function lookAtKeywords(root: SchemaObject): KeywordLook {
  const unknown = new Set<string>();
  const misused = new Set<string>();
  const look = (schema: SchemaObject): SchemaObject => {
    for (const [keyword, held] of Object.entries(schema)) {
      const kind = kindOf.get(keyword);
      if (kind === undefined && !keyword.startsWith('x-')) unknown.add(keyword);
      if (kind !== undefined && isOfKind[kind]?.(held) === false) misused.add(keyword);
      if (keyword === 'type')
        for (const type of [held].flat()) if (!types.has(type)) misused.add(`type ${shownType(type)}`);
    }
    return schema;
  };
  const visit = (schema: SchemaObject): SchemaObject => mapSubschemas(look(schema), visit);
  visit(root);
  return { unknown, misused };
}
