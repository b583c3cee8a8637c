import { objectOf } from '../json/value.ts';
import { type JsonSchema, type SchemaObject, mapSubschemas } from './json-schema.ts';

// Said by `$schema`; where nothing is said, the newest.
/** `old`: up to draft-07, where nothing beside a `$ref` counts. */
export type Draft = 'draft-04' | 'old' | '2019-09' | '2020-12';

const drafts: ReadonlyMap<string, Draft> = new Map([
  ['json-schema.org/draft-04/schema', 'draft-04'],
  ['json-schema.org/draft-06/schema', 'old'],
  ['json-schema.org/draft-07/schema', 'old'],
  ['json-schema.org/draft/2019-09/schema', '2019-09'],
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
  ['json-schema.org/schema', '2020-12'],
]);

/** The draft; undefined for one that is not known. */
export function draftOf({ $schema }: SchemaObject): Draft | undefined {
  if ($schema === undefined) return '2020-12';
  // Foreign schemas say anything.
  if (typeof $schema !== 'string') return undefined;
  return drafts.get($schema.replace(/^https?:\/\//, '').replace(/#$/, ''));
}

/** Whether what stands beside a `$ref` is to be ignored. */
const ignoresSiblings = (draft: Draft): boolean => draft === 'draft-04' || draft === 'old';

// The rest is told once.
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
  /** Keywords that no validator knows; vendors' own (`x-…`) are none of them. */
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

// One node; what is below it stays.
/** What counts beside a `$ref` also where a draft says that nothing does: it asserts nothing. */
const annotations: ReadonlySet<string> = new Set([
  '$ref',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'nullable',
  'x-toolmend',
  'dirge-hints',
  'x-dirge-kind',
]);

/** The forms of all older drafts are understood in a schema that says no draft, except where they mean something else. */
export function modernForm(schema: SchemaObject, draft: Draft): SchemaObject {
  const counted = schema.$ref !== undefined && ignoresSiblings(draft) ? only(annotations, schema) : schema;
  return nullable(withoutBooleanBounds(withDependents(withPrefixItems(counted))));
}

const only = (keywords: ReadonlySet<string>, schema: SchemaObject): SchemaObject =>
  objectOf(Object.entries(schema).filter(([keyword]) => keywords.has(keyword)));

const without = ({ ...schema }: SchemaObject, ...keywords: readonly string[]): SchemaObject =>
  objectOf(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));

/** A list under `items`, and what may follow it. */
function withPrefixItems(schema: SchemaObject): SchemaObject {
  const { items, additionalItems } = schema;
  if (!isList(items)) return additionalItems === undefined ? schema : without(schema, 'additionalItems');
  return { ...without(schema, 'additionalItems'), prefixItems: items, items: additionalItems ?? true };
}

const isList = (items: SchemaObject['items']): items is readonly JsonSchema[] => Array.isArray(items);

/** `dependencies` holds lists of keys and schemas; now each has a keyword of its own. */
function withDependents(schema: SchemaObject): SchemaObject {
  const { dependencies, dependentRequired, dependentSchemas } = schema;
  if (typeof dependencies !== 'object' || dependencies === null) return schema;
  const entries = Object.entries<unknown>({ ...dependencies });
  const keys = entries.filter(([, held]) => Array.isArray(held));
  const schemas = entries.filter(([, held]) => !Array.isArray(held));
  return {
    ...without(schema, 'dependencies'),
    ...(keys.length === 0 ? {} : { dependentRequired: { ...objectOf(keys), ...Object(dependentRequired) } }),
    ...(schemas.length === 0
      ? {}
      : { dependentSchemas: { ...objectOf(schemas), ...Object(dependentSchemas) } }),
  };
}

/** Once a bound was exclusive if a boolean beside it said so. */
function withoutBooleanBounds(schema: SchemaObject): SchemaObject {
  const bounds = [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const;
  return bounds.reduce((made: SchemaObject, [bound, exclusive]) => {
    if (typeof made[exclusive] !== 'boolean') return made;
    if (!made[exclusive] || made[bound] === undefined) return without(made, exclusive);
    return { ...without(made, bound, exclusive), [exclusive]: made[bound] };
  }, schema);
}

/** OpenAPI's `nullable`: null is one of the types, of the members, or a branch of its own. */
function nullable(schema: SchemaObject): SchemaObject {
  if (schema.nullable === undefined) return schema;
  const plain = without(schema, 'nullable');
  if (!schema.nullable) return plain;
  const { type, enum: members, const: constant, anyOf } = plain;
  const isHeldElsewhere =
    plain.$ref !== undefined ||
    constant !== undefined ||
    plain.oneOf !== undefined ||
    plain.allOf !== undefined;
  if (isHeldElsewhere || anyOf !== undefined) return orNull(plain);
  if (type === undefined && members === undefined) return plain;
  return {
    ...plain,
    ...(type === undefined ? {} : { type: [...new Set([type].flat()), ...nullType(type)] }),
    ...(members === undefined || members.includes(null) ? {} : { enum: [...members, null] }),
  };
}

const nullType = (type: NonNullable<SchemaObject['type']>): readonly ['null'] | readonly [] =>
  [type].flat().includes('null') ? [] : ['null'];

/** What asserts goes into a branch, what describes stays beside it. */
function orNull(schema: SchemaObject): SchemaObject {
  const describing = new Set([...annotations].filter((keyword) => keyword !== '$ref'));
  const asserting = Object.keys(schema).filter((keyword) => !describing.has(keyword));
  return { ...only(describing, schema), anyOf: [only(new Set(asserting), schema), { type: 'null' }] };
}

// Asked before anything recurses into it or copies it.
/** Hand-written and generated schemas of real tools stay far below. */
const limits = { characters: 256 * 1024, depth: 64, objects: 10_000 } as const;

interface Visit {
  readonly value: unknown;
  readonly depth: number;
}

/** The limit that is exceeded, in words; undefined if none is. Takes as long as the limits allow, for any value. */
export function exceededLimit(schema: unknown): string | undefined {
  const open: Visit[] = [{ value: schema, depth: 1 }];
  let characters = 0;
  let objects = 0;
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    const { value, depth } = visit;
    if (typeof value !== 'object' || value === null) {
      characters += typeof value === 'string' ? value.length + 2 : 4;
    } else {
      if (depth > limits.depth) return `is nested deeper than ${limits.depth} levels`;
      if (!Array.isArray(value)) objects += 1;
      for (const [key, below] of Object.entries<unknown>({ ...value })) {
        characters += Array.isArray(value) ? 1 : key.length + 4;
        open.push({ value: below, depth: depth + 1 });
      }
    }
    if (characters > limits.characters) return `is longer than ${limits.characters / 1024} KB`;
    if (objects > limits.objects) return `has more than ${limits.objects} schemas`;
  }
  return undefined;
}
