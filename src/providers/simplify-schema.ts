import { objectOf } from '../json/value.ts';
import { draftOf, isMisused } from '../schema/drafts.ts';
import { type JsonSchema, type SchemaObject, mapSubschemas } from '../schema/json-schema.ts';
import { ReferredRoot, endlessReference, resolveReference, rootAddress } from '../schema/references.ts';
import { mergeSchemas } from '../schema/schema-view.ts';
import { type SchemaChange, keywordWords, requiredWords } from './keyword-words.ts';
import { type NameRule, type SchemaRules, type ShownNames, legalNames } from './provider-rules.ts';

// A provider that shows declared keys alone must show them as well, or nobody could send them.
type Property = readonly [key: string, schema: JsonSchema];

/** The conditional properties that the schema doesn't declare itself; one declared in several ways may be each of them. */
export function conditionalProperties(schema: SchemaObject, root: SchemaObject): readonly Property[] {
  const found = new Map<string, JsonSchema[]>();
  for (const part of conditionalParts(schema)) collect(part, root, found, deepest);
  return [...found]
    .filter(([key]) => schema.properties === undefined || !Object.hasOwn(schema.properties, key))
    .map(([key, schemas]) => [key, anyOfSchema(schemas)]);
}

function collect(
  part: JsonSchema,
  root: SchemaObject,
  found: Map<string, JsonSchema[]>,
  depth: number,
): void {
  if (typeof part === 'boolean' || depth === 0) return;
  const merged = mergeSchemas(part, root);
  const { properties = {}, required = [] } = merged;
  for (const [key, schema] of Object.entries(properties)) {
    if (schema !== false) found.set(key, [...(found.get(key) ?? []), schema]);
  }
  for (const key of required) if (!found.has(key)) found.set(key, []);
  for (const below of conditionalParts(merged)) collect(below, root, found, depth - 1);
}

const conditionalParts = ({
  then: whenTrue,
  else: whenFalse,
  dependentSchemas = {},
}: SchemaObject): readonly JsonSchema[] =>
  [whenTrue, whenFalse, ...Object.values(dependentSchemas)].filter((part) => part !== undefined);

function anyOfSchema(schemas: readonly JsonSchema[]): JsonSchema {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only = true] = different;
  return different.length < 2 ? only : { anyOf: different };
}

// What two parts say of the same thing is said in words, but for the part that counts.
export interface FlatSchema {
  readonly schema: SchemaObject;
  /** What the plain schema has no room for. */
  readonly words: readonly string[];
  /** The references that were followed. */
  readonly references: ReadonlySet<string>;
}

/** The references at a schema itself, through `allOf`. */
export function referencesAt(
  schema: SchemaObject,
  root: SchemaObject,
  found: Set<string> = new Set(),
): Set<string> {
  const { $ref, allOf = [] } = schema;
  if ($ref !== undefined && !found.has($ref)) {
    found.add($ref);
    const target = resolveReference($ref, root);
    if (target !== undefined) referencesAt(target, root, found);
  }
  for (const part of allOf) if (typeof part === 'object') referencesAt(part, root, found);
  return found;
}

/** Keywords that are joined, and those of which the nearest counts. */
const joinedKeywords: ReadonlySet<string> = new Set([
  '$ref',
  '$defs',
  'allOf',
  'anyOf',
  'oneOf',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'description',
  'title',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
]);

export function flattenSchema(schema: SchemaObject, root: SchemaObject): FlatSchema {
  const merged = mergeSchemas(schema, root);
  const words = new Set<string>();
  for (const part of partsOf(schema, root, new Set())) {
    for (const [keyword, held] of Object.entries(part)) {
      if (joinedKeywords.has(keyword) || JSON.stringify(merged[keyword]) === JSON.stringify(held)) continue;
      const said = keywordWords(keyword, held);
      if (said !== undefined) words.add(said);
    }
    const { additionalProperties: others } = part;
    if (typeof others === 'object' && merged.additionalProperties !== others) {
      const said = keywordWords('additionalProperties', others);
      if (said !== undefined) words.add(said);
    }
  }
  return { schema: merged, words: [...words], references: referencesAt(schema, root) };
}

/** Every schema that speaks of the same value: itself, what it refers to, and its `allOf`. */
function partsOf(schema: SchemaObject, root: SchemaObject, seen: Set<string>): readonly SchemaObject[] {
  const { $ref, allOf = [], ...plain } = schema;
  const parts = [
    plain,
    ...allOf.flatMap((part) => (typeof part === 'object' ? partsOf(part, root, seen) : [])),
  ];
  if ($ref === undefined || seen.has($ref)) return parts;
  seen.add($ref);
  const target = resolveReference($ref, root);
  return target === undefined ? parts : [...parts, ...partsOf(target, root, seen)];
}

// JSON Schema 2020-12 without our annotations, references only into its own `$defs`, and no keyword with something
// under it that it doesn't take. Nothing is ever fetched.
export interface NormalSchema {
  readonly root: SchemaObject;
  readonly changes: readonly SchemaChange[];
}

function normalSchema(shown: SchemaObject): NormalSchema {
  const changes: SchemaChange[] = [];
  const clean = withoutMisused(shown, '', changes);
  const { root, unresolved } = new ReferredRoot(clean, draftOf(clean) ?? '2020-12');
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

// Most providers want no other root.
export interface PlainRoot {
  readonly root: SchemaObject;
  /** What the object alone doesn't say. */
  readonly words: readonly string[];
  /** Whether it looks other than it was written. */
  readonly isChanged: boolean;
}

/** Unions in unions, at most. */
const deepest = 8;

/** Keywords that no provider takes at a root. */
const outOfPlace = ['not', 'enum', 'const'];

function plainRoot(root: SchemaObject): PlainRoot {
  const { schema, words, isChanged } = plainPart(root, root, 0);
  const said = outOfPlace.flatMap((keyword) => {
    const held = schema[keyword];
    return held === undefined ? [] : (keywordWords(keyword, held) ?? []);
  });
  const { not: _not, enum: _enum, const: _const, ...kept } = schema;
  return {
    root: { ...kept, type: 'object', properties: kept.properties ?? {} },
    words: [...words, ...said],
    isChanged: isChanged || said.length > 0,
  };
}

interface PlainPart {
  readonly schema: SchemaObject;
  readonly words: readonly string[];
  readonly isChanged: boolean;
}

function plainPart(part: SchemaObject, root: SchemaObject, depth: number): PlainPart {
  const isJoined = part.$ref !== undefined || part.allOf !== undefined;
  const flat = isJoined ? flattenSchema(part, root) : { schema: part, words: [] };
  const { anyOf, oneOf, ...beside } = flat.schema;
  const branches = anyOf ?? oneOf;
  const other = anyOf === undefined ? undefined : oneOf;
  if (branches === undefined) return { ...flat, isChanged: isJoined };
  const said = requiredWords(branches);
  const next = other === undefined ? beside : { ...beside, oneOf: other };
  if (said !== undefined || depth >= deepest) {
    const rest = plainPart(next, root, depth + 1);
    return {
      ...rest,
      words: [...flat.words, ...rest.words, said ?? ''].filter((text) => text !== ''),
      isChanged: true,
    };
  }
  const whole = branches
    .filter((branch) => branch !== false)
    .map((branch) => plainPart({ allOf: [next, branch] }, root, depth + 1));
  const schema = oneOfAll(
    whole.map((branch) => branch.schema),
    beside,
  );
  return { schema, words: [...flat.words, ...branchesWords(whole)], isChanged: true };
}

/** Properties of any branch; required is what all of them require. */
function oneOfAll(branches: readonly SchemaObject[], beside: SchemaObject): SchemaObject {
  const properties = new Map<string, readonly JsonSchema[]>();
  for (const branch of branches) {
    for (const [key, held] of Object.entries(branch.properties ?? {})) {
      const known = properties.get(key) ?? [];
      const isKnown = known.some((other) => JSON.stringify(other) === JSON.stringify(held));
      properties.set(key, isKnown ? known : [...known, held]);
    }
  }
  const [first, ...others] = branches;
  const required = (first?.required ?? []).filter((key) =>
    others.every((branch) => branch.required?.includes(key)),
  );
  const isClosed = branches.length > 0 && branches.every((branch) => branch.additionalProperties === false);
  const open = branches.map((branch) => branch.additionalProperties).find((held) => typeof held === 'object');
  return {
    ...beside,
    properties: objectOf([...properties].map(([key, schemas]) => [key, joined(schemas)] as const)),
    required,
    ...(isClosed
      ? { additionalProperties: false }
      : open === undefined
        ? {}
        : { additionalProperties: open }),
  };
}

function joined(schemas: readonly JsonSchema[]): JsonSchema {
  const [only = true, ...others] = schemas;
  return others.length === 0 ? only : { anyOf: schemas };
}

/** What each branch requires, and by which constant it is known. */
function branchesWords(branches: readonly PlainPart[]): readonly string[] {
  const said = branches.map(({ schema, words }) => {
    const { properties = {}, required = [] } = schema;
    const keys = required.map((key) => {
      const held = Object.hasOwn(properties, key) ? properties[key] : undefined;
      const constant = typeof held === 'object' ? held.const : undefined;
      return constant === undefined ? key : `${key} ${JSON.stringify(constant)}`;
    });
    const others = Object.keys(properties).filter((key) => !required.includes(key));
    const optional = others.length === 0 ? '' : ` and perhaps ${others.join(', ')}`;
    return [`${keys.join(', ') || 'nothing required'}${optional}`, ...words].join(', ');
  });
  return said.length < 2 ? said : [`Give one of these sets of arguments: ${said.join('; or ')}.`];
}

// Renamed at every depth; the same name is the same key.
const propertyKeys = (root: SchemaObject, rule: NameRule | undefined): ShownNames =>
  legalNames(rule === undefined ? [] : declaredKeys(root), rule);

function declaredKeys(schema: SchemaObject): ReadonlySet<string> {
  const found = new Set(Object.keys(schema.properties ?? {}));
  mapSubschemas(schema, (part) => {
    for (const key of declaredKeys(part)) found.add(key);
    return part;
  });
  return found;
}

/** The schema with the names that are shown, wherever a keyword names a property. */
function withShownKeys(schema: SchemaObject, names: ShownNames): SchemaObject {
  if (names.shown.size === 0) return schema;
  const shown = (key: string): string => names.shown.get(key) ?? key;
  const renamed = (named: object): unknown =>
    objectOf(Object.entries<unknown>({ ...named }).map(([key, held]) => [shown(key), held] as const));
  const entries = Object.entries(schema).map(([keyword, held]): readonly [string, unknown] => {
    if (keyword === 'required' && Array.isArray(held)) return [keyword, held.map(String).map(shown)];
    const isByKey =
      keyword === 'properties' || keyword === 'dependentSchemas' || keyword === 'dependentRequired';
    return isByKey && typeof held === 'object' && held !== null ? [keyword, renamed(held)] : [keyword, held];
  });
  return mapSubschemas(objectOf(entries), (part) => withShownKeys(part, names));
}

// In one draft, with names and a root that the provider takes; what changed so far.
export interface SchemaToLower {
  readonly root: SchemaObject;
  readonly names: ShownNames;
  /** What was said of the root. */
  readonly words: readonly string[];
  readonly changes: readonly SchemaChange[];
}

export function schemaToLower(schema: SchemaObject, rules: SchemaRules): SchemaToLower {
  const normal = normalSchema(schema);
  const names = propertyKeys(normal.root, rules.keys);
  const renamed = withShownKeys(normal.root, names);
  const changes = [...normal.changes, ...keyChanges(names)];
  if (rules.root === 'any') return { root: { ...renamed, type: 'object' }, names, words: [], changes };
  const { root, words, isChanged } = plainRoot(renamed);
  return { root, names, words, changes: isChanged ? [...changes, rootChange] : changes };
}

const rootChange: SchemaChange = {
  kind: 'adapted',
  pointer: '',
  rule: 'root',
  what: 'has a union or something else at its root, and is shown as one object',
};

const keyChanges = ({ shown }: ShownNames): readonly SchemaChange[] =>
  [...shown].map(([own, name]) => ({
    kind: 'adapted',
    pointer: '',
    rule: 'property-key',
    what: `has the property ${JSON.stringify(own)}, which is shown as ${name}`,
  }));
