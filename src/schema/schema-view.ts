import {
  type JsonObject,
  type JsonType,
  type JsonValue,
  defineKey,
  objectOf,
  ownValue,
} from '../json/value.ts';
import {
  type JsonSchema,
  type Relation,
  type SchemaMap,
  type SchemaObject,
  mapSubschemas,
} from './json-schema.ts';
import { type PatternMatcher, readPattern } from './patterns.ts';
import { resolveReference } from './references.ts';

// Our annotations, and `dirge-hints` of other servers' schemas.
/** Ours, `dirge-hints.semantic` and the older `x-dirge-kind`, all three spelled as a kind of path or something else. */
function semanticOf(plain: SchemaObject): string | undefined {
  const hints = plain['dirge-hints'];
  const foreign = isRecord(hints) ? ownValue(hints, 'semantic') : plain['x-dirge-kind'];
  const said = plain['x-toolmend']?.semantic ?? foreign;
  if (typeof said !== 'string') return undefined;
  return /(?:^|[_-])path$/.test(said) ? 'path' : said;
}

/** Ours, and `dirge-hints.relational`, whose entries say `requires`/`defaults` or `fields`/`default`. */
function relationsOf(plain: SchemaObject): readonly Relation[] {
  const hints = plain['dirge-hints'];
  const foreign = isRecord(hints) ? ownValue(hints, 'relational') : undefined;
  return [
    ...(plain['x-toolmend']?.relational ?? []),
    ...(Array.isArray(foreign) ? foreign.flatMap(relationOf) : []),
  ];
}

function relationOf(entry: unknown): readonly Relation[] {
  if (!isRecord(entry)) return [];
  const partners: unknown = ownValue(entry, 'requires') ?? ownValue(entry, 'fields');
  const defaults: unknown = ownValue(entry, 'defaults') ?? ownValue(entry, 'default');
  if (!Array.isArray(partners) || !isJsonRecord(defaults)) return [];
  return [{ requires: partners.filter((name) => typeof name === 'string'), defaults }];
}

// A schema is JSON: what stands in it is.
const isJsonRecord = (value: unknown): value is JsonObject => isRecord(value);

/** Ours, and `dirge-hints.aliases`. */
export function aliasesOf(plain: SchemaObject): readonly string[] {
  const hints = plain['dirge-hints'];
  const foreign = isRecord(hints) ? ownValue(hints, 'aliases') : undefined;
  const names: readonly unknown[] = [
    ...(plain['x-toolmend']?.aliases ?? []),
    ...(Array.isArray(foreign) ? foreign : []),
  ];
  return names.filter((name) => typeof name === 'string');
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Follows local references and merges `allOf`. Every schema that holds together with this one counts once, however often
 * it is referred to. A reference that leads outside or to itself says nothing.
 */
export const mergeSchemas = (schema: SchemaObject, root: SchemaObject): SchemaObject =>
  mergeParts(partsOf(schema, root));

/** The schema itself, what it refers to, what stands in its `allOf`, and so on; each once. */
export function partsOf(schema: SchemaObject, root: SchemaObject): readonly SchemaObject[] {
  const parts = new Set<SchemaObject>();
  const open = [schema];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (parts.has(part)) continue;
    parts.add(part);
    // What is said first counts most: the target of a reference, then `allOf` in its order.
    for (const joined of (part.allOf ?? []).toReversed()) if (typeof joined !== 'boolean') open.push(joined);
    const target = part.$ref === undefined ? undefined : resolveReference(part.$ref, root);
    if (target !== undefined) open.push(target);
  }
  return [...parts];
}

/** One schema that says what all of them say; the same schema where nothing has to be joined. */
function joinSchemas(schemas: readonly JsonSchema[]): JsonSchema {
  const distinct = distinctSchemas(schemas);
  const [only] = distinct;
  return only !== undefined && distinct.length === 1 ? only : { allOf: distinct };
}

/** Without schemas that stand there twice, or are references to the same place and nothing else. */
const distinctSchemas = (schemas: readonly JsonSchema[]): readonly JsonSchema[] => [
  ...new Map(schemas.map((schema) => [identityOf(schema), schema] as const)).values(),
];

function identityOf(schema: JsonSchema): unknown {
  if (typeof schema === 'boolean' || schema.$ref === undefined) return schema;
  return Object.keys(schema).length === 1 ? schema.$ref : schema;
}

/** All say it: properties joined, required united, types intersected; else the first one's word stands. */
function mergeParts(parts: readonly SchemaObject[]): SchemaObject {
  const merged: { [keyword: string]: unknown } = {};
  for (const { $ref: _reference, allOf: _joined, ...part } of parts) {
    for (const [keyword, held] of Object.entries(part))
      if (!Object.hasOwn(merged, keyword)) defineKey(merged, keyword, held);
  }
  if (parts.length === 1) return merged;
  const required = [...new Set(parts.flatMap((part) => part.required ?? []))];
  const type = parts.map((part) => part.type).reduce(mergeTypes);
  const properties = parts.flatMap((part) => (part.properties === undefined ? [] : [part.properties]));
  return {
    ...merged,
    ...(properties.length < 2 ? {} : { properties: mergeProperties(properties) }),
    ...(required.length === 0 ? {} : { required }),
    ...(type === undefined ? {} : { type }),
    ...mergeUnion('anyOf', parts),
    ...mergeUnion('oneOf', parts),
    ...(parts.some((part) => part.additionalProperties === false) ? { additionalProperties: false } : {}),
  };
}

/** One branch of each union holds: a union of all that go together. Of too many, the first union stands. */
function mergeUnion(keyword: 'anyOf' | 'oneOf', parts: readonly SchemaObject[]): SchemaObject {
  const [first, ...others] = parts.flatMap((part) => (part[keyword] === undefined ? [] : [part[keyword]]));
  if (first === undefined || others.length === 0 || hasTooManyBranches(keyword, parts)) return {};
  const combine = (left: readonly JsonSchema[], right: readonly JsonSchema[]): readonly JsonSchema[] =>
    left.flatMap((one) => right.map((other) => joinSchemas([one, other])));
  return { [keyword]: others.reduce(combine, first) };
}

/** Whether more branches of the unions in these parts go together than are looked into. */
const hasTooManyBranches = (keyword: 'anyOf' | 'oneOf', parts: readonly SchemaObject[]): boolean =>
  parts.reduce((product, part) => product * (part[keyword]?.length ?? 1), 1) > mostBranches;

/** Branches of a union, those of unions inside counted, that are looked into; larger ones are validated as a whole. */
const mostBranches = 1000;

function mergeProperties(maps: readonly SchemaMap[]): SchemaMap {
  const merged = new Map<string, JsonSchema[]>();
  for (const [key, schema] of maps.flatMap((map) => Object.entries(map))) {
    const others = merged.get(key);
    if (others === undefined) merged.set(key, [schema]);
    else others.push(schema);
  }
  return objectOf([...merged].map(([key, schemas]) => [key, joinSchemas(schemas)] as const));
}

type SchemaType = SchemaObject['type'];

function mergeTypes(left: SchemaType, right: SchemaType): SchemaType {
  if (left === undefined || right === undefined) return left ?? right;
  const [first, second] = [[left].flat(), [right].flat()];
  const both = first.filter(
    (type) => second.includes(type) || (type === 'integer' && second.includes('number')),
  );
  return second.includes('integer') && first.includes('number') && !both.includes('integer')
    ? [...both, 'integer']
    : both;
}

/** Keywords that say nothing without a condition. */
const conditionalKeywords = ['if', 'then', 'else', 'dependentSchemas', 'dependentRequired'] as const;

/** What holds only for values that meet a condition. */
const conditionalSchemas = (parts: readonly SchemaObject[]): readonly JsonSchema[] =>
  parts
    .flatMap((part) => [part.then, part.else, ...Object.values(part.dependentSchemas ?? {})])
    .filter((schema) => schema !== undefined);

export interface SplitSchema {
  /** Holds for every value. */
  readonly unconditional: SchemaObject;
  /** What stands under the keywords of conditions; a schema for each part that has some. */
  readonly conditional: readonly SchemaObject[];
  /** `unevaluatedProperties` and `unevaluatedItems`: about what nothing that holds together speaks of. */
  readonly leftovers: SchemaObject;
}

const conditional: ReadonlySet<string> = new Set(conditionalKeywords);
const unevaluatedKeywords: ReadonlySet<string> = new Set(['unevaluatedItems', 'unevaluatedProperties']);

/** `merged`: all parts as one; each part may have conditions of its own. */
const splitSchema = (merged: SchemaObject, parts: readonly SchemaObject[]): SplitSchema => ({
  unconditional: keeping(merged, (keyword) => !conditional.has(keyword) && !unevaluatedKeywords.has(keyword)),
  conditional: parts
    .map((part) => keeping(part, (keyword) => conditional.has(keyword)))
    .filter((part) => !isEmpty(part)),
  leftovers: keeping(merged, (keyword) => unevaluatedKeywords.has(keyword)),
});

/** One schema that says what `others` say beside what holds for every value; the only one itself, if nothing else holds. */
function joinedWith(
  { unconditional, leftovers }: Pick<SplitSchema, 'unconditional' | 'leftovers'>,
  others: readonly JsonSchema[],
): JsonSchema {
  const joined = isEmpty(unconditional) && others.length > 0 ? others : [unconditional, ...others];
  const [only] = joined;
  return only !== undefined && joined.length === 1 && isEmpty(leftovers)
    ? only
    : { ...leftovers, allOf: joined };
}

const keeping = (schema: SchemaObject, isKept: (keyword: string) => boolean): SchemaObject =>
  objectOf(Object.entries(schema).filter(([keyword]) => isKept(keyword)));

const isEmpty = (schema: SchemaObject): boolean => Object.keys(schema).length === 0;

// None of too large a union.
export interface Union {
  /** Each joined with what stands beside the union; empty if there is no union, or too large a one. */
  readonly branches: readonly JsonSchema[];
  /** There are more branches than are looked into. */
  readonly isOpaque: boolean;
}

const noUnion: Union = { branches: [], isOpaque: false };
const opaqueUnion: Union = { branches: [], isOpaque: true };

/** Merges the schemas of one root and splits their unions; each once. */
export class UnionBranches {
  readonly #root: SchemaObject;
  readonly #merged = new WeakMap<SchemaObject, SchemaObject>();
  readonly #unions = new WeakMap<SchemaObject, Union>();

  constructor(root: SchemaObject) {
    this.#root = root;
  }

  merged(schema: SchemaObject): SchemaObject {
    let merged = this.#merged.get(schema);
    if (merged === undefined) {
      merged = mergeSchemas(schema, this.#root);
      this.#merged.set(schema, merged);
    }
    return merged;
  }

  of(schema: SchemaObject): Union {
    let union = this.#unions.get(schema);
    if (union === undefined) {
      // Until it is known: a schema that leads back to itself says nothing.
      this.#unions.set(schema, noUnion);
      union = this.#split(schema);
      this.#unions.set(schema, union);
    }
    return union;
  }

  #split(schema: SchemaObject): Union {
    const { anyOf, oneOf, ...others } = this.merged(schema);
    const said = anyOf ?? oneOf;
    if (said === undefined) return noUnion;
    const keyword = anyOf === undefined ? 'oneOf' : 'anyOf';
    const parts = partsOf(schema, this.#root);
    if (hasTooManyBranches(keyword, parts)) return opaqueUnion;
    const found = new Set<JsonSchema>();
    const beside = splitSchema(others, parts);
    for (const branch of distinctSchemas(said)) {
      const inner = this.#innermost(joinedWith(beside, [...beside.conditional, branch]));
      if (inner === undefined) return opaqueUnion;
      for (const innermost of inner) found.add(innermost);
      if (found.size > mostBranches) return opaqueUnion;
    }
    return { branches: distinctSchemas([...found]), isOpaque: false };
  }

  /** The branches of a branch, or the branch itself; undefined where they can't be looked into. */
  #innermost(branch: JsonSchema): readonly JsonSchema[] | undefined {
    if (typeof branch === 'boolean') return [branch];
    const { branches, isOpaque } = this.of(branch);
    if (isOpaque) return undefined;
    return branches.length === 0 ? [branch] : branches;
  }
}

// For looking; validating uses the schema.
/** A schema read once: plain facts, no references, no `allOf`. */
export interface SchemaView {
  /** The schema as the validator takes it. */
  readonly schema: JsonSchema;
  /** Types that may stand here, `number` with its `integer`; all seven where none are said. */
  readonly types: ReadonlySet<JsonType>;
  readonly properties: ReadonlyMap<string, JsonSchema>;
  readonly patternProperties: readonly (readonly [PatternMatcher, JsonSchema])[];
  /** What may stand under other keys: `false` in a closed object. */
  readonly additionalProperties: JsonSchema;
  readonly required: ReadonlySet<string>;
  /** Whether one key can be right or wrong depends on which others are there. */
  readonly relatesKeys: boolean;
  readonly prefixItems: readonly JsonSchema[];
  readonly items: JsonSchema;
  /** The branches of `anyOf` and `oneOf`, each merged with what stands beside it; empty if there is no union. */
  readonly branches: readonly JsonSchema[];
  /** There is a union of too many branches: what stands in them is validated, not known. */
  readonly isOpaque: boolean;
  /** What holds only on a condition. It is validated, and no other member here knows of it. */
  readonly conditional: readonly JsonSchema[];
  readonly members: readonly JsonValue[] | undefined;
  readonly defaultValue: JsonValue | undefined;
  readonly semantic: string | undefined;
  readonly isVerbatim: boolean;
  readonly isSecret: boolean;
  readonly aliases: readonly string[];
  readonly relational: readonly Relation[];
  readonly description: string | undefined;
  readonly examples: readonly JsonValue[];
  readonly format: string | undefined;
  readonly minimum: number | undefined;
}

const allTypes: ReadonlySet<JsonType> = new Set<JsonType>([
  'null',
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
]);

/** Reads the schemas of one root; each is read once. */
export class SchemaViews {
  readonly root: SchemaObject;
  readonly #views = new WeakMap<object, SchemaView>();
  readonly #unions: UnionBranches;
  #rootView: SchemaView | undefined;

  constructor(root: SchemaObject) {
    this.root = root;
    this.#unions = new UnionBranches(root);
  }

  of(schema: JsonSchema): SchemaView {
    if (typeof schema === 'boolean') return schema ? anything : nothing;
    // Asked for with every call.
    if (schema === this.root) return (this.#rootView ??= this.#read(this.root));
    const known = this.#views.get(schema);
    if (known !== undefined) return known;
    const view = this.#read(schema);
    this.#views.set(schema, view);
    return view;
  }

  #read(schema: SchemaObject): SchemaView {
    const parts = partsOf(schema, this.root);
    const union = this.#unions.of(schema);
    const isSecret = parts.some(saysSecret);
    return viewOf(schema, this.#unions.merged(schema), {
      ...union,
      conditional: conditionalSchemas(parts),
      isSecret,
    });
  }
}

/** What may stand under a key: as declared, by its pattern, or as under any other key. */
export function memberSchema(view: SchemaView, key: string): JsonSchema {
  const declared = view.properties.get(key);
  if (declared !== undefined) return declared;
  const pattern = view.patternProperties.find(([expression]) => expression.test(key));
  return pattern?.[1] ?? view.additionalProperties;
}

/** What a schema splits into, and whether one that holds together with it says that it is secret. */
type Splits = Union & Pick<SchemaView, 'conditional' | 'isSecret'>;

const viewOf = (schema: JsonSchema, plain: SchemaObject, splits: Splits): SchemaView => ({
  schema,
  types: typesOf(plain),
  properties: new Map(Object.entries(plain.properties ?? {})),
  patternProperties: Object.entries(plain.patternProperties ?? {}).map(
    ([pattern, below]) => [readPattern(pattern).matcher, below] as const,
  ),
  additionalProperties: plain.additionalProperties ?? unevaluated(plain, 'unevaluatedProperties'),
  required: new Set(plain.required),
  relatesKeys: relatingKeywords.some((keyword) => plain[keyword] !== undefined),
  prefixItems: plain.prefixItems ?? [],
  items: isSchema(plain.items) ? plain.items : unevaluated(plain, 'unevaluatedItems'),
  branches: splits.branches,
  isOpaque: splits.isOpaque,
  conditional: splits.conditional,
  members: plain.const === undefined ? plain.enum : [plain.const],
  defaultValue: plain.default,
  semantic: semanticOf(plain),
  isVerbatim: plain['x-toolmend']?.verbatim === true,
  isSecret: splits.isSecret,
  aliases: aliasesOf(plain),
  relational: relationsOf(plain),
  description: plain.description,
  examples: plain.examples ?? [],
  format: plain.format,
  minimum: plain.minimum,
});

/** Whether a schema says of the very values that it describes that they are secret. */
export const saysSecret = (schema: SchemaObject): boolean =>
  schema['x-toolmend']?.secret === true || schema.writeOnly === true || schema.format === 'password';

const relatingKeywords = [
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'if',
  'not',
  'minProperties',
  'maxProperties',
  'propertyNames',
  'unevaluatedProperties',
];

/** What is said of members that nothing else speaks of; nobody knows which they are where a condition may speak of more. */
function unevaluated(plain: SchemaObject, keyword: 'unevaluatedItems' | 'unevaluatedProperties'): JsonSchema {
  const isConditional = ['if', 'dependentSchemas', 'contains'].some((said) => plain[said] !== undefined);
  return isConditional ? true : (plain[keyword] ?? true);
}

const isSchema = (items: SchemaObject['items']): items is JsonSchema =>
  items !== undefined && !Array.isArray(items);

function typesOf({ type, enum: members, const: constant }: SchemaObject): ReadonlySet<JsonType> {
  const said = typeof type === 'string' ? [type] : type;
  if (said === undefined) {
    if (constant !== undefined) return new Set([typeName(constant)]);
    return members === undefined ? allTypes : new Set(members.map(typeName));
  }
  return new Set(said.includes('number') ? [...said, 'integer' as const] : said);
}

function typeName(value: JsonValue): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const name = typeof value;
  return name === 'number' || name === 'string' || name === 'boolean' ? name : 'object';
}

const alone: Splits = { branches: [], isOpaque: false, conditional: [], isSecret: false };
const anything = viewOf(true, {}, alone);
const nothing = viewOf(false, { type: [] }, alone);

// All but our annotations.
const annotations = ['x-toolmend', 'dirge-hints', 'x-dirge-kind'];

/** Only keywords are taken out: a property of such a name, or a key in a default, is data. */
export function withoutAnnotations(schema: SchemaObject): SchemaObject {
  const kept = Object.entries(schema).filter(([keyword]) => !annotations.includes(keyword));
  return mapSubschemas(Object.fromEntries(kept), withoutAnnotations);
}
