import { objectOf } from '../json/value.ts';
import { draftOf } from '../schema/drafts.ts';
import { type JsonSchema, type SchemaObject, mapSubschemas, subschemasOf } from '../schema/json-schema.ts';
import { isMisused } from '../schema/keywords.ts';
import { bundleReferences, endlessReference, rootAddress } from '../schema/references.ts';
import { mergeSchemas, partsOf } from '../schema/merge-schemas.ts';
import { branchKeys, keywordWords, requiredWords } from './describe-keywords.ts';
import { type SchemaChange, setOf } from './provider-rules.ts';

export interface NormalSchema {
  readonly root: SchemaObject;
  readonly changes: readonly SchemaChange[];
}

/**
 * The schema in JSON Schema 2020-12, with references into its own `$defs` only, and without keywords whose value is of a kind
 * that they don't take. Nothing is ever fetched.
 */
export function normalizeSchema(schema: SchemaObject): NormalSchema {
  const changes: SchemaChange[] = [];
  const clean = withoutMisused(schema, '', changes);
  const { root, unresolved } = bundleReferences(clean, draftOf(clean) ?? '2020-12');
  for (const reference of unresolved)
    changes.push(lost('reference', `refers to ${reference}, which is not in it`));
  const endless = endlessReference(root);
  if (endless === undefined) return { root: withLocalReferences(root), changes };
  changes.push(lost('reference', `refers to ${endless}, which leads back to itself`));
  return { root: { type: 'object' }, changes };
}

const lost = (rule: SchemaChange['rule'], what: string, pointer: string = ''): SchemaChange => ({
  kind: 'lost',
  pointer,
  rule,
  what,
});

function withoutMisused(schema: SchemaObject, pointer: string, changes: SchemaChange[]): SchemaObject {
  const kept = Object.entries(schema).filter(([keyword, held]) => {
    if (!isMisused(keyword, held)) return true;
    changes.push(lost('misused', `has something under ${keyword} that it doesn't take`, pointer));
    return false;
  });
  return mapSubschemas(objectOf(kept), (below) => withoutMisused(below, pointer, changes));
}

const withLocalReferences = (schema: SchemaObject): SchemaObject => {
  const { $ref } = schema;
  const local =
    $ref?.startsWith(rootAddress) === true ? { ...schema, $ref: $ref.slice(rootAddress.length) } : schema;
  return mapSubschemas(local, withLocalReferences);
};

export interface FlatSchema {
  readonly schema: SchemaObject;
  /** What several parts say of the same keyword, but for the one that counts. */
  readonly words: readonly string[];
}

/** One schema for a schema with `$ref` and `allOf`. */
export function flattenSchema(schema: SchemaObject, root: SchemaObject): FlatSchema {
  const merged = mergeSchemas(schema, root);
  const words = partsOf(schema, root).flatMap((part) =>
    Object.entries(part).flatMap(([keyword, held]) => {
      const isMerged = keyword === 'additionalProperties' ? typeof held !== 'object' : joined.has(keyword);
      if (isMerged || JSON.stringify(merged[keyword]) === JSON.stringify(held)) return [];
      return keywordWords(keyword, held) ?? [];
    }),
  );
  return { schema: merged, words: [...new Set(words)] };
}

/** Keywords that are merged, and those of which only the first counts. */
const joined = setOf(
  '$ref $defs allOf anyOf oneOf type properties required description title default examples deprecated readOnly writeOnly $comment',
);

/** The references at a schema itself and in its `allOf`. */
export const referencesAt = (schema: SchemaObject, root: SchemaObject): readonly string[] =>
  partsOf(schema, root).flatMap(({ $ref }) => $ref ?? []);

/** Keys that a schema declares only in `then`, `else` or `dependentSchemas`. */
export function conditionalKeys(schema: SchemaObject, root: SchemaObject, depth = 0): readonly string[] {
  const { then: whenTrue, else: whenFalse, dependentSchemas = {}, properties = {} } = schema;
  return [whenTrue, whenFalse, ...Object.values(dependentSchemas)]
    .flatMap((part) => {
      if (typeof part !== 'object' || depth > maxDepth) return [];
      const merged = mergeSchemas(part, root);
      const own = Object.entries(merged.properties ?? {}).flatMap(([key, held]) =>
        held === false ? [] : key,
      );
      return [...own, ...(merged.required ?? []), ...conditionalKeys(merged, root, depth + 1)];
    })
    .filter((key) => !Object.hasOwn(properties, key));
}

/** Conditions inside conditions, and unions inside unions. */
const maxDepth = 8;

export interface PlainRoot {
  readonly root: SchemaObject;
  /** What the object can't say. */
  readonly words: readonly string[];
  readonly isChanged: boolean;
}

/** Makes one object of a root with unions or `allOf`. */
export function plainRoot(root: SchemaObject): PlainRoot {
  const { schema, words, isChanged } = plainPart(root, root, 0);
  const { not, enum: members, const: constant, ...kept } = schema;
  const dropped = Object.entries({ not, enum: members, const: constant }).flatMap(([keyword, value]) =>
    value === undefined ? [] : (keywordWords(keyword, value) ?? []),
  );
  return {
    root: { ...kept, type: 'object', properties: kept.properties ?? {} },
    words: [...words, ...dropped],
    isChanged: isChanged || dropped.length > 0,
  };
}

interface PlainPart extends FlatSchema {
  readonly isChanged: boolean;
}

function plainPart(part: SchemaObject, root: SchemaObject, depth: number): PlainPart {
  const isJoined = part.$ref !== undefined || part.allOf !== undefined;
  const flat = isJoined ? flattenSchema(part, root) : { schema: part, words: [] };
  const { anyOf, oneOf, ...beside } = flat.schema;
  const branches = anyOf ?? oneOf;
  if (branches === undefined) return { ...flat, isChanged: isJoined };
  const next = anyOf === undefined || oneOf === undefined ? beside : { ...beside, oneOf };
  const required = requiredWords(branches);
  if (required !== undefined || depth >= maxDepth) {
    const rest = plainPart(next, root, depth + 1);
    const said = required === undefined ? [] : [required];
    return { ...rest, words: [...flat.words, ...rest.words, ...said], isChanged: true };
  }
  const whole = branches
    .filter((branch) => branch !== false)
    .map((branch) => plainPart({ allOf: [next, branch] }, root, depth + 1));
  const schema = unionObject(
    whole.map((branch) => branch.schema),
    beside,
  );
  return { schema, words: [...flat.words, ...branchesWords(whole)], isChanged: true };
}

/** Has the properties of all branches, and requires what each of them requires. */
function unionObject(branches: readonly SchemaObject[], beside: SchemaObject): SchemaObject {
  const properties = new Map<string, Map<string, JsonSchema>>();
  for (const [key, held] of branches.flatMap((branch) => Object.entries(branch.properties ?? {})))
    properties.set(key, new Map([...(properties.get(key) ?? []), [JSON.stringify(held), held]]));
  const [first, ...others] = branches;
  const required = (first?.required ?? []).filter((key) =>
    others.every((branch) => branch.required?.includes(key)),
  );
  const values = branches.map((branch) => branch.additionalProperties);
  const distinct = new Map(values.map((held) => [JSON.stringify(held), held]));
  const isOpen = values.some((held) => held !== undefined && held !== false);
  const otherKeys = distinct.size === 1 ? values[0] : isOpen ? true : undefined;
  return {
    ...beside,
    properties: objectOf([...properties].map(([key, schemas]) => [key, anyOfSchema([...schemas.values()])])),
    required,
    ...(otherKeys === undefined ? {} : { additionalProperties: otherKeys }),
  };
}

function anyOfSchema(schemas: readonly JsonSchema[]): JsonSchema {
  const [only = true, ...others] = schemas;
  return others.length === 0 ? only : { anyOf: schemas };
}

function branchesWords(branches: readonly PlainPart[]): readonly string[] {
  const said = branches.map(({ schema, words }) => [branchKeys(schema), ...words].join(', '));
  return said.length < 2 ? said : [`Give one of these sets of arguments: ${said.join('; or ')}.`];
}

/** The names of all properties, at every depth. */
export function declaredKeys(schema: SchemaObject): ReadonlySet<string> {
  const below = subschemasOf(schema).flatMap((part) => [...declaredKeys(part)]);
  return new Set([...Object.keys(schema.properties ?? {}), ...below]);
}

/** The schema with other names of properties, under every keyword that names one. */
export function renameKeys(schema: SchemaObject, names: ReadonlyMap<string, string>): SchemaObject {
  if (names.size === 0) return schema;
  const renamed = (key: string): string => names.get(key) ?? key;
  const entries = Object.entries(schema).map(([keyword, held]): readonly [string, unknown] => {
    if (keyword === 'required' && Array.isArray(held)) return [keyword, held.map(String).map(renamed)];
    if (!namingKeywords.has(keyword) || typeof held !== 'object' || held === null) return [keyword, held];
    const named = Object.entries<unknown>({ ...held }).map(([key, below]): readonly [string, unknown] => [
      renamed(key),
      Array.isArray(below) ? below.map(String).map(renamed) : below,
    ]);
    return [keyword, objectOf(named)];
  });
  return mapSubschemas(objectOf(entries), (part) => renameKeys(part, names));
}

const namingKeywords = setOf('properties dependentSchemas dependentRequired');
