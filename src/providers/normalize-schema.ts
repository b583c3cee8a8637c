import { defined, isContainer, objectOf, ownValue } from '../collections/objects.ts';
import { type JsonType, type JsonValue, jsonTypeOf } from '../json/value.ts';
import { draftOf, misusedKeywords } from '../schema/keywords.ts';
import {
  type JsonSchema,
  type SchemaObject,
  filterKeywords,
  mapSubschemas,
  schemasIn,
} from '../schema/json-schema.ts';
import { mergeSchemas, schemaParts } from '../schema/merge-schemas.ts';
import { bundleReferences, endlessReference } from '../schema/references.ts';
import type { SchemaChange } from './provider-rules.ts';

/**
 * The schema in JSON Schema 2020-12, with references into its own `$defs` only, without keywords
 * with invalid values.
 */
export function normalizeSchema(schema: SchemaObject): {
  readonly root: SchemaObject;
  readonly changes: readonly SchemaChange[];
} {
  const changes: SchemaChange[] = [];
  const isUsable = schemasIn(schema).every((part) => misusedKeywords(part).length === 0);
  const clean = isUsable ? schema : withoutMisused(schema, '', changes);
  const { root, unresolvedReferences } = bundleReferences(clean, draftOf(clean) ?? '2020-12', '');
  for (const reference of unresolvedReferences)
    changes.push(loss('reference', `refers to ${reference}, which is not in it`));
  const endless = endlessReference(root);
  if (endless === undefined) return { root, changes };
  changes.push(loss('reference', `refers to ${endless}, which leads back to itself`));
  return { root: { type: 'object' }, changes };
}

const loss = (rule: SchemaChange['rule'], what: string, pointer: string = ''): SchemaChange => ({
  kind: 'lost',
  pointer,
  rule,
  what,
});

function withoutMisused(
  schema: SchemaObject,
  pointer: string,
  changes: SchemaChange[],
): SchemaObject {
  const misused = misusedKeywords(schema);
  for (const keyword of misused)
    changes.push(loss('misused', `has an invalid value for ${keyword}`, pointer));
  const usable = filterKeywords(schema, (keyword) => !misused.includes(keyword));
  return mapSubschemas(usable, (subschema) => withoutMisused(subschema, pointer, changes));
}

/** A schema, and in words what it can't express. */
export interface DescribedSchema {
  readonly schema: SchemaObject;
  readonly words: readonly string[];
}

/**
 * Merges a schema with `$ref` or `allOf` into one schema, and describes the keywords that this
 * loses.
 */
export function flattenSchema(schema: SchemaObject, root: SchemaObject): DescribedSchema {
  const mergedSchema = mergeSchemas(schema, root);
  const words = schemaParts(schema, root).flatMap((part) =>
    Object.entries(part).flatMap(([keyword, value]) => {
      const isMerged =
        keyword === 'additionalProperties'
          ? typeof value !== 'object'
          : mergedKeywords.has(keyword);
      if (isMerged || JSON.stringify(mergedSchema[keyword]) === JSON.stringify(value)) return [];
      return keywordWords(keyword, value) ?? [];
    }),
  );
  return { schema: mergedSchema, words: [...new Set(words)] };
}

/** Keywords that are merged, or of which the first is enough. */
const mergedKeywords = new Set<unknown>([
  '$ref',
  '$defs',
  'allOf',
  'anyOf',
  'oneOf',
  'type',
  'properties',
  'required',
  'description',
  'title',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
]);

/** The references of a schema itself and of its `allOf`. */
export const referencesAt = (schema: SchemaObject, root: SchemaObject): readonly string[] =>
  schemaParts(schema, root).flatMap(({ $ref }) => $ref ?? []);

/** Keys that a schema declares in `then`, `else` or `dependentSchemas` only. */
export function conditionalKeys(
  schema: SchemaObject,
  root: SchemaObject,
  depth = 0,
): readonly string[] {
  const { then: whenTrue, else: whenFalse, dependentSchemas = {}, properties = {} } = schema;
  return [whenTrue, whenFalse, ...Object.values(dependentSchemas)]
    .flatMap((part) => {
      if (typeof part !== 'object' || depth > maxDepth) return [];
      const mergedPart = mergeSchemas(part, root);
      const propertyKeys = Object.entries(mergedPart.properties ?? {}).flatMap(([key, property]) =>
        property === false ? [] : key,
      );
      return [
        ...propertyKeys,
        ...(mergedPart.required ?? []),
        ...conditionalKeys(mergedPart, root, depth + 1),
      ];
    })
    .filter((key) => !Object.hasOwn(properties, key));
}

/** Nested conditions, and nested unions. */
const maxDepth = 8;

interface PlainSchema extends DescribedSchema {
  readonly isChanged: boolean;
}

/** Turns a root with unions or `allOf` into one object. */
export function plainRoot(root: SchemaObject): PlainSchema {
  const { schema, words, isChanged } = plainPart(root, root, 0);
  const { not, enum: members, const: constant, ...otherKeywords } = schema;
  const droppedWords = allWords(Object.entries(defined({ not, enum: members, const: constant })));
  return {
    schema: { ...otherKeywords, type: 'object', properties: otherKeywords.properties ?? {} },
    words: [...words, ...droppedWords],
    isChanged: isChanged || droppedWords.length > 0,
  };
}

function plainPart(part: SchemaObject, root: SchemaObject, depth: number): PlainSchema {
  const isJoined = part.$ref !== undefined || part.allOf !== undefined;
  const flat = isJoined ? flattenSchema(part, root) : { schema: part, words: [] };
  const { anyOf, oneOf, ...siblings } = flat.schema;
  const branches = anyOf ?? oneOf;
  if (branches === undefined) return { ...flat, isChanged: isJoined };
  const remainder = anyOf === undefined || oneOf === undefined ? siblings : { ...siblings, oneOf };
  const required = requiredWords(branches);
  if (required !== undefined || depth >= maxDepth) {
    const { schema, words } = plainPart(remainder, root, depth + 1);
    return { schema, words: [...flat.words, ...words, ...(required ?? [])], isChanged: true };
  }
  const plain = branches
    .filter((branch) => branch !== false)
    .map((branch) => plainPart({ allOf: [remainder, branch] }, root, depth + 1));
  const sets = plain.map(({ schema, words }) => [branchKeys(schema), ...words].join(', '));
  const words =
    sets.length < 2 ? sets : [`Give one of these sets of arguments: ${sets.join('; or ')}.`];
  return {
    schema: unionObject(plain, siblings),
    words: [...flat.words, ...words],
    isChanged: true,
  };
}

/** An object with the properties of all branches, which requires what all branches require. */
function unionObject(parts: readonly DescribedSchema[], siblings: SchemaObject): SchemaObject {
  const branches = parts.map(({ schema }) => schema);
  const properties = new Map<string, Map<string, JsonSchema>>();
  for (const [key, property] of branches.flatMap((branch) =>
    Object.entries(branch.properties ?? {}),
  ))
    properties.set(
      key,
      new Map([...(properties.get(key) ?? []), [JSON.stringify(property), property]]),
    );
  const [first, ...others] = branches;
  const required = (first?.required ?? []).filter((key) =>
    others.every((branch) => branch.required?.includes(key)),
  );
  const values = branches.map((branch) => branch.additionalProperties);
  const distinct = new Map(values.map((value) => [JSON.stringify(value), value]));
  const isOpen = values.some((value) => value !== undefined && value !== false);
  const otherKeys = distinct.size === 1 ? values[0] : isOpen ? true : undefined;
  return {
    ...siblings,
    properties: objectOf(
      [...properties].map(([key, schemas]) => [key, anyOfSchema([...schemas.values()])]),
    ),
    required,
    ...(otherKeys === undefined ? {} : { additionalProperties: otherKeys }),
  };
}

function anyOfSchema(schemas: readonly JsonSchema[]): JsonSchema {
  const [only = true, ...others] = schemas;
  return others.length === 0 ? only : { anyOf: schemas };
}

/** The names of all properties, at any depth. */
export const declaredKeys = (schema: SchemaObject): ReadonlySet<string> =>
  new Set(schemasIn(schema).flatMap(({ properties = {} }) => Object.keys(properties)));

/** The schema with renamed properties, in all keywords that name properties. */
export function renameKeys(schema: SchemaObject, names: ReadonlyMap<string, string>): SchemaObject {
  if (names.size === 0) return schema;
  const newKey = (key: string): string => names.get(key) ?? key;
  const entries = Object.entries(schema).map(([keyword, value]): readonly [string, unknown] => {
    if (keyword === 'required' && Array.isArray(value))
      return [keyword, value.map(String).map(newKey)];
    if (!namingKeywords.has(keyword) || typeof value !== 'object' || value === null)
      return [keyword, value];
    const members = Object.entries<unknown>({ ...value }).map(
      ([key, member]): readonly [string, unknown] => [
        newKey(key),
        Array.isArray(member) ? member.map(String).map(newKey) : member,
      ],
    );
    return [keyword, objectOf(members)];
  });
  return mapSubschemas(objectOf(entries), (part) => renameKeys(part, names));
}

const namingKeywords = new Set<unknown>(['properties', 'dependentSchemas', 'dependentRequired']);

// Keywords in words.

type KeywordDescriber = (value: unknown) => string | undefined;

/** Phrases by keyword. `#`: the value. `|s`: a plural ending, dropped if the value is 1. */
const phrases: ReadonlyMap<string, string | KeywordDescriber> = new Map<
  string,
  string | KeywordDescriber
>([
  ['minLength', 'at least # character|s'],
  ['maxLength', 'at most # character|s'],
  ['minimum', 'at least #'],
  ['maximum', 'at most #'],
  ['exclusiveMinimum', 'more than #'],
  ['exclusiveMaximum', 'less than #'],
  ['multipleOf', 'a multiple of #'],
  ['minItems', 'at least # item|s'],
  ['maxItems', 'at most # item|s'],
  ['minProperties', 'at least # key|s'],
  ['maxProperties', 'at most # key|s'],
  ['minContains', 'at least # such item|s'],
  ['maxContains', 'at most # such item|s'],
  ['format', 'format #'],
  ['pattern', 'matches the regular expression #'],
  ['default', 'default #'],
  ['const', 'only #'],
  ['not', 'not #'],
  ['contains', 'has an item like #'],
  [
    'propertyNames',
    (names) => (isAnyString(names) ? undefined : `each key is like ${json(names)}`),
  ],
  ['additionalProperties', 'other keys hold values like #'],
  ['unevaluatedProperties', 'other keys hold values like #'],
  ['unevaluatedItems', 'other items are like #'],
  ['if', 'if it is like #'],
  ['then', 'then it is like #'],
  ['else', 'else it is like #'],
  ['example', 'for example #'],
  ['examples', (value) => `for example ${listText(value)}`],
  ['enum', (value) => `one of ${listText(value)}`],
  ['prefixItems', (value) => `in this order: ${listText(value)}`],
  ['uniqueItems', (value) => (value === true ? 'no item twice' : undefined)],
  ['deprecated', (value) => (value === true ? 'deprecated' : undefined)],
  [
    'patternProperties',
    eachMember((key, member) => `keys that match ${key} hold values like ${json(member)}`),
  ],
  [
    'dependentRequired',
    eachMember((key, member) => `${key} only together with ${[member].flat().join(' and ')}`),
  ],
  ['dependentSchemas', eachMember((key, member) => `with ${key} it is like ${json(member)}`)],
]);

/** Annotations that mean nothing to a model, and keywords that are described elsewhere. */
const silent = new Set<unknown>([
  '$schema',
  '$comment',
  '$defs',
  'title',
  'discriminator',
  'readOnly',
  'writeOnly',
  'externalDocs',
  'xml',
  'description',
]);

/**
 * The meaning of a keyword in a few words, for a description; undefined if it has none for a model.
 */
export function keywordWords(keyword: string, value: unknown): string | undefined {
  if (silent.has(keyword) || keyword.startsWith('x-')) return undefined;
  const phrase = phrases.get(keyword) ?? ((other) => `${keyword}: ${json(other)}`);
  if (typeof phrase === 'function') return phrase(value);
  return phrase.replace('|s', value === 1 ? '' : 's').replace('#', () => json(value));
}

export const allWords = (entries: Iterable<readonly [string, unknown]>): readonly string[] =>
  [...entries].flatMap(([keyword, value]) => keywordWords(keyword, value) ?? []);

/** Describes the branches of a union that only have `required`; undefined for other branches. */
export function requiredWords(branches: readonly JsonSchema[]): readonly string[] | undefined {
  const keys = branches.map((branch) => {
    if (typeof branch === 'boolean' || branch.required === undefined) return [];
    const { required, description: _description, title: _title, ...others } = branch;
    return Object.keys(others).length === 0 ? required : [];
  });
  if (keys.length === 0 || keys.some((required) => required.length === 0)) return undefined;
  return [`required: ${keys.map((required) => required.join(' and ')).join(', or ')}`];
}

/** Describes one branch of a union at the root by its keys, required ones with their constant. */
function branchKeys({ properties = {}, required = [] }: SchemaObject): string {
  const keys = required.map((key) => {
    const property = ownValue(properties, key);
    return typeof property !== 'object' || property.const === undefined
      ? key
      : `${key} ${json(property.const)}`;
  });
  const others = Object.keys(properties).filter((key) => !required.includes(key));
  const optional = others.length === 0 ? '' : ` and perhaps ${others.join(', ')}`;
  return `${keys.join(', ') || 'nothing required'}${optional}`;
}

function eachMember(describe: (key: string, member: unknown) => string): KeywordDescriber {
  const describeAll = (members: object): string =>
    Object.entries(members)
      .map(([key, member]) => describe(key, member))
      .join('; ');
  return (value) => (isContainer(value) ? describeAll(value) : json(value));
}

const listText = (value: unknown): string => [value].flat().map(json).join(', ');

/** Every key is a string anyway. */
const isAnyString = (schema: unknown): boolean => json(schema) === '{"type":"string"}';

const json = (value: unknown): string => JSON.stringify(value) ?? String(value);

// The types and the description of one schema.

/**
 * The types that a schema states, or those of its members, or the only type that its keywords apply
 * to. Undefined for any type.
 */
export function schemaTypes(schema: SchemaObject): readonly JsonType[] | undefined {
  const { type, enum: all, const: constant } = schema;
  if (type !== undefined) return [type].flat();
  const members = constant === undefined ? all : [constant];
  if (members !== undefined) {
    const types = new Set(members.map(jsonTypeOf));
    if (types.has('number')) types.delete('integer');
    return [...types];
  }
  const implied = new Set(
    Object.keys(schema).flatMap((keyword) => typeOfKeyword.get(keyword) ?? []),
  );
  return implied.size === 1 ? [...implied] : undefined;
}

/** The keywords about values of one type. */
const keywordsOfType = {
  object: ['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
} as const;

const typeOfKeyword: ReadonlyMap<string, JsonType> = new Map([
  ...keywordsOfType.object.map((keyword) => [keyword, 'object'] as const),
  ...keywordsOfType.array.map((keyword) => [keyword, 'array'] as const),
  ...keywordsOfType.string.map((keyword) => [keyword, 'string'] as const),
  ...keywordsOfType.number.map((keyword) => [keyword, 'number'] as const),
]);

/** The assertions of a schema of several types about one of them. */
export function ofType(
  type: JsonType,
  { enum: members, ...assertions }: SchemaObject,
): SchemaObject {
  const typeMembers = members?.filter((member) => isOfType(member, type));
  const typeAssertions = Object.entries(assertions).filter(([keyword]) => {
    const keywordType = typeOfKeyword.get(keyword) ?? type;
    return keywordType === type || (keywordType === 'number' && type === 'integer');
  });
  return { ...Object.fromEntries(typeAssertions), type, ...defined({ enum: typeMembers }) };
}

const isOfType = (value: JsonValue, type: JsonType): boolean =>
  jsonTypeOf(value) === type || (type === 'number' && typeof value === 'number');

export const isEmptySchema = (schema: SchemaObject): boolean => Object.keys(schema).length === 0;

/** The schema with a description of these parts, each once. */
export function withDescription(
  schema: SchemaObject,
  parts: readonly (string | undefined)[],
): SchemaObject {
  const texts = new Set(parts.filter((text) => text !== undefined && text !== ''));
  return texts.size === 0
    ? schema
    : withTypeFirst({ ...schema, description: [...texts].join(' ') });
}

/** Puts type and description first, so that transforming a schema again gives the same text. */
export function withTypeFirst({
  type,
  nullable,
  description,
  ...rest
}: SchemaObject): SchemaObject {
  return { ...defined({ type, nullable, description }), ...rest };
}
