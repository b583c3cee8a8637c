import { memoize } from '../collections/memoize.ts';
import { objectOf, ownValue } from '../collections/objects.ts';
import {
  type JsonObject,
  type JsonType,
  type JsonValue,
  jsonTypeOf,
  jsonTypes,
  sameValue,
  isAnyType,
} from '../json/value.ts';
import {
  type JsonSchema,
  type Relation,
  type SchemaMap,
  type SchemaObject,
  filterKeywords,
  isSchemaObject,
  isString,
  schemasIn,
} from './json-schema.ts';
import {
  distinctSchemas,
  hasTooManyBranches,
  maxBranches,
  mergeParts,
  schemaParts,
} from './merge-schemas.ts';
import { type PatternMatcher, readPattern } from './patterns.ts';

/**
 * A schema with references and `allOf` merged in. For reading only: values are validated against
 * `schema`.
 */
export interface SchemaView {
  readonly schema: JsonSchema;
  readonly mergedSchema: SchemaObject;
  /**
   * The allowed types; all seven if the schema has none. Contains `integer` if it contains
   * `number`.
   */
  readonly types: ReadonlySet<JsonType>;
  readonly properties: ReadonlyMap<string, JsonSchema>;
  readonly patternProperties: readonly (readonly [PatternMatcher, JsonSchema])[];
  /** The schema of other keys: `false` in a closed object. */
  readonly additionalProperties: JsonSchema;
  readonly required: ReadonlySet<string>;
  /** Whether the validity of a key can depend on other keys. */
  readonly relatesKeys: boolean;
  readonly prefixItems: readonly JsonSchema[];
  readonly items: JsonSchema;
  /**
   * The branches of a union, nested unions flattened, each joined with the schema around it; empty
   * without a union.
   */
  readonly branches: readonly JsonSchema[];
  /** The schema has a union with too many branches to read, and `branches` is empty. */
  readonly isOpaque: boolean;
  /** Keys in `then`, `else` and `dependentSchemas`, which are validated but not read otherwise. */
  readonly conditionalKeys: ReadonlySet<string>;
  /** The values of `enum`, or that of `const`. */
  readonly members: readonly JsonValue[] | undefined;
  readonly defaultValue: JsonValue | undefined;
  /** The meaning of a string, for example `path`. */
  readonly semantic: string | undefined;
  readonly isVerbatim: boolean;
  /** Undeclared keys are removed, and the model is told. */
  readonly strips: boolean;
  readonly isSecret: boolean;
  readonly aliases: readonly string[];
  readonly relational: readonly Relation[];
  readonly examples: readonly JsonValue[];
  readonly format: string | undefined;
}

/** The schema of a key: the declared one, that of a pattern, or that of additional keys. */
export function memberSchema(view: SchemaView, key: string): JsonSchema {
  const property = view.properties.get(key);
  if (property !== undefined) return property;
  const pattern = view.patternProperties.find(([matcher]) => matcher.test(key));
  return pattern?.[1] ?? view.additionalProperties;
}

type Union = Pick<SchemaView, 'branches' | 'isOpaque'>;

const noUnion: Union = { branches: [], isOpaque: false };
const opaqueUnion: Union = { branches: [], isOpaque: true };

/**
 * Views of a root and of the schemas in it, whose references lead into the root. Made once for each
 * schema.
 */
export class SchemaViews {
  readonly root: SchemaObject;

  constructor(root: SchemaObject) {
    this.root = root;
  }

  of(schema: JsonSchema): SchemaView {
    if (typeof schema === 'boolean') return schema ? anything : nothing;
    return this.#viewOf(schema);
  }

  /** The branches of a union; a list of types is a union of them. */
  branchesOf(schema: JsonSchema): readonly JsonSchema[] {
    return branchesIn(this.of(schema));
  }

  /** The types that a schema allows in any of its branches. */
  typesOf(schema: JsonSchema): ReadonlySet<JsonType> {
    const { branches, types } = this.of(schema);
    return branches.length === 0
      ? types
      : new Set(branches.flatMap((branch) => [...this.typesOf(branch)]));
  }

  /** Whether types and members of some branch admit a value. */
  admits(schema: JsonSchema, value: JsonValue): boolean {
    const { branches, types, members } = this.of(schema);
    if (branches.length > 0) return branches.some((branch) => this.admits(branch, value));
    const isMember = members === undefined || members.some((member) => sameValue(member, value));
    return types.has(jsonTypeOf(value)) && isMember;
  }

  readonly #viewOf = memoize((schema: SchemaObject): SchemaView => {
    const { parts, merged: mergedSchema } = this.#schemaParts(schema);
    const { anyOf, oneOf } = mergedSchema;
    return readSchema(schema, mergedSchema, {
      union: anyOf === undefined && oneOf === undefined ? noUnion : this.#unionOf(schema),
      conditionalKeys: parts.some(isConditional) ? this.#conditionalKeysOf(parts) : noKeys,
      isSecret: parts.some(saysSecret),
    });
  });

  #conditionalKeysOf(parts: readonly SchemaObject[]): ReadonlySet<string> {
    const conditionalParts = parts.flatMap((part) => [
      part.then,
      part.else,
      ...Object.values(part.dependentSchemas ?? {}),
    ]);
    return new Set(
      conditionalParts.flatMap((part) =>
        isSchemaObject(part) ? Object.keys(this.#schemaParts(part).merged.properties ?? {}) : [],
      ),
    );
  }

  /** The declared defaults of properties, by name. */
  readonly defaultsOf = memoize((view: SchemaView) =>
    [...view.properties].flatMap(([key, schema]) => {
      const { defaultValue } = this.of(schema);
      return defaultValue === undefined ? [] : [[key, defaultValue] as const];
    }),
  );

  readonly #schemaParts = memoize((schema: SchemaObject) => {
    const parts = schemaParts(schema, this.root);
    return { parts, merged: mergeParts(parts) };
  });

  /** A branch that leads back to its union adds nothing to it. */
  readonly #unionOf = memoize((schema: SchemaObject): Union => {
    const { parts, merged: mergedSchema } = this.#schemaParts(schema);
    const keyword = mergedSchema.anyOf === undefined ? 'oneOf' : 'anyOf';
    const declaredBranches = mergedSchema[keyword];
    if (declaredBranches === undefined) return noUnion;
    if (hasTooManyBranches(keyword, parts)) return opaqueUnion;
    const wrapBranch = schemaAround(keyword, parts);
    const branches = new Set<JsonSchema>();
    for (const branch of distinctSchemas(declaredBranches)) {
      const wholeBranch = wrapBranch(branch);
      const inner = typeof wholeBranch === 'boolean' ? noUnion : this.#unionOf(wholeBranch);
      if (inner.isOpaque) return opaqueUnion;
      for (const innermost of inner.branches.length === 0 ? [wholeBranch] : inner.branches)
        branches.add(innermost);
      if (branches.size > maxBranches) return opaqueUnion;
    }
    return { branches: distinctSchemas([...branches]), isOpaque: false };
  }, noUnion);
}

const isConditional = (part: SchemaObject): boolean =>
  part.then !== undefined || part.else !== undefined || part.dependentSchemas !== undefined;

/** The views of a root, which are made once for it. */
export const viewsIn = memoize((root: SchemaObject) => new SchemaViews(root));

/** The branches of a union; a list of types is a union of them. */
export const branchesIn = (view: SchemaView): readonly JsonSchema[] =>
  view.branches.length > 0 || view.types.size < 2 ? view.branches : branchesByType(view);

/**
 * One branch for each type of a list of types. None for one type beside null, for any type, and for
 * an enum.
 */
const branchesByType = memoize(({ schema, types, members }: SchemaView): readonly JsonSchema[] => {
  const kinds = [...types].filter((type) => type !== 'integer' || !types.has('number'));
  const kindsBesideNull = kinds.length - (types.has('null') ? 1 : 0);
  if (kindsBesideNull < 2 || isAnyType(types) || members !== undefined) return [];
  return kinds.map((type) => ({ allOf: [schema, { type }] }));
});

/** Joins a branch of a union with everything around the union. */
function schemaAround(
  keyword: 'anyOf' | 'oneOf',
  parts: readonly SchemaObject[],
): (branch: JsonSchema) => JsonSchema {
  const droppedKeywords = new Set([keyword, '$ref', 'allOf', '$defs', ...unevaluatedKeywords]);
  const others = parts
    .map((part) => filterKeywords(part, (name) => !droppedKeywords.has(name)))
    .filter((part) => Object.keys(part).length > 0);
  // For the keys and elements that no schema in the conjunction covers.
  const leftovers = objectOf(
    unevaluatedKeywords.flatMap((name) => {
      const part = parts.find((candidate) => candidate[name] !== undefined);
      return part === undefined ? [] : [[name, part[name]] as const];
    }),
  );
  const isAlone = others.length === 0 && Object.keys(leftovers).length === 0;
  return (branch) => (isAlone ? branch : { ...leftovers, allOf: [...others, branch] });
}

const unevaluatedKeywords = ['unevaluatedItems', 'unevaluatedProperties'];

const relatingKeywords =
  'dependentRequired dependentSchemas if not minProperties maxProperties propertyNames unevaluatedProperties'.split(
    ' ',
  );

/** What a view has from elsewhere than the merged schema. */
interface ViewParts extends Pick<SchemaView, 'conditionalKeys' | 'isSecret'> {
  readonly union: Union;
}

// Most schemas have none of these, and share them.
const noProperties: SchemaView['properties'] = new Map();
const noPatterns: SchemaView['patternProperties'] = [];
const noKeys: ReadonlySet<string> = new Set();

/**
 * Whether an object with declared keys takes any other key: `{}` means `true`. In a map, which
 * declares none, all keys are data.
 */
const isOpen = ({ properties, additionalProperties: others }: SchemaObject): boolean =>
  properties !== undefined && isSchemaObject(others) && Object.keys(others).length === 0;

const readSchema = (
  schema: JsonSchema,
  mergedSchema: SchemaObject,
  { union, conditionalKeys, isSecret }: ViewParts,
): SchemaView => ({
  schema,
  mergedSchema,
  types: typesOf(mergedSchema),
  properties:
    mergedSchema.properties === undefined
      ? noProperties
      : new Map(Object.entries(mergedSchema.properties)),
  patternProperties:
    mergedSchema.patternProperties === undefined
      ? noPatterns
      : patternsOf(mergedSchema.patternProperties),
  additionalProperties: isOpen(mergedSchema)
    ? true
    : (mergedSchema.additionalProperties ?? unevaluated(mergedSchema, 'unevaluatedProperties')),
  required: mergedSchema.required === undefined ? noKeys : new Set(mergedSchema.required),
  relatesKeys: relatesKeys(mergedSchema),
  prefixItems: mergedSchema.prefixItems ?? [],
  items: itemsOf(mergedSchema),
  branches: union.branches,
  isOpaque: union.isOpaque,
  conditionalKeys,
  members: mergedSchema.const === undefined ? mergedSchema.enum : [mergedSchema.const],
  defaultValue: mergedSchema.default,
  semantic: semanticOf(mergedSchema),
  isVerbatim: mergedSchema['x-toolmend']?.verbatim === true,
  strips: mergedSchema['x-toolmend']?.strips === true,
  isSecret,
  aliases: aliasesOf(mergedSchema),
  relational: relationsOf(mergedSchema),
  examples: mergedSchema.examples ?? [],
  format: mergedSchema.format,
});

function relatesKeys(mergedSchema: SchemaObject): boolean {
  for (const keyword of relatingKeywords) if (mergedSchema[keyword] !== undefined) return true;
  return false;
}

const patternsOf = (patternProperties: SchemaMap): SchemaView['patternProperties'] =>
  Object.entries(patternProperties).map(([pattern, schema]) => [
    readPattern(pattern).matcher,
    schema,
  ]);

/**
 * The schema of the elements that `prefixItems` doesn't cover; `false` if `maxItems` allows none.
 */
function itemsOf(mergedSchema: SchemaObject): JsonSchema {
  const { items, prefixItems = [], maxItems } = mergedSchema;
  if (prefixItems.length > 0 && typeof maxItems === 'number' && maxItems <= prefixItems.length)
    return false;
  return isSchemaObject(items) || typeof items === 'boolean'
    ? items
    : unevaluated(mergedSchema, 'unevaluatedItems');
}

/**
 * The schema of keys or elements that other keywords don't cover; `true` if a condition may cover
 * some.
 */
function unevaluated(
  mergedSchema: SchemaObject,
  keyword: 'unevaluatedItems' | 'unevaluatedProperties',
): JsonSchema {
  if (mergedSchema[keyword] === undefined) return true;
  const mayBeCovered = ['if', 'dependentSchemas', 'contains'].some(
    (name) => mergedSchema[name] !== undefined,
  );
  return mayBeCovered ? true : mergedSchema[keyword];
}

const allTypes: ReadonlySet<JsonType> = new Set(jsonTypes);

function typesOf({ type, enum: members, const: constant }: SchemaObject): ReadonlySet<JsonType> {
  const typeSetOfOne = typeof type === 'string' ? setsOfOneType.get(type) : undefined;
  if (typeSetOfOne !== undefined) return typeSetOfOne;
  const values = constant === undefined ? members : [constant];
  if (type === undefined && values === undefined) return allTypes;
  return typeSet(type === undefined ? (values ?? []).map(typeOfMember) : [type].flat());
}

/** `integer` too for `number`, because rules treat all numeric members alike. */
const typeSet = (types: readonly JsonType[]): ReadonlySet<JsonType> =>
  new Set(types.includes('number') ? [...types, 'integer' as const] : types);

const setsOfOneType = new Map(jsonTypes.map((type) => [type, typeSet([type])]));

const typeOfMember = (value: JsonValue): JsonType =>
  typeof value === 'number' ? 'number' : jsonTypeOf(value);

const viewOfBoolean = (schema: boolean): SchemaView =>
  readSchema(schema, schema ? {} : { type: [] }, {
    union: noUnion,
    conditionalKeys: noKeys,
    isSecret: false,
  });

/** The schema's own annotation, and that of other programs. */
const hintKeywords = ['x-toolmend', 'dirge-hints'] as const;

const hasHints = (schema: SchemaObject): boolean =>
  schema['x-toolmend'] !== undefined || schema['dirge-hints'] !== undefined;

/** The hints of one name: our own, then that of `dirge-hints`. */
function hintsNamed(schema: SchemaObject, name: string): readonly unknown[] {
  if (!hasHints(schema)) return noHints;
  return hintKeywords.flatMap((keyword) => {
    const hints: unknown = schema[keyword];
    const hint = isSchemaObject(hints) ? ownValue(hints, name) : undefined;
    return hint === undefined ? [] : [hint];
  });
}

const noHints: readonly unknown[] = [];

/**
 * The meaning of a string, such as `path` or `content`, by our annotation, `dirge-hints.semantic`
 * or `x-dirge-kind`.
 */
function semanticOf(schema: SchemaObject): string | undefined {
  const semantic = [...hintsNamed(schema, 'semantic'), schema['x-dirge-kind']].find(isString);
  return semantic !== undefined && /(?:^|[_-])path$/.test(semantic) ? 'path' : semantic;
}

/** Our relations, and those of `dirge-hints.relational`. Malformed ones are left out. */
export const relationsOf = (schema: SchemaObject): readonly Relation[] =>
  hintsNamed(schema, 'relational').flatMap((list) =>
    Array.isArray(list) ? list.flatMap((entry: unknown) => readRelation(entry) ?? []) : [],
  );

/** An entry has `requires` and `defaults`, or `fields` and `default`. */
function readRelation(entry: unknown): Relation | undefined {
  if (!isSchemaObject(entry)) return undefined;
  const requires: unknown = ownValue(entry, 'requires') ?? ownValue(entry, 'fields');
  const defaults: unknown = ownValue(entry, 'defaults') ?? ownValue(entry, 'default');
  return isTexts(requires) && isJsonRecord(defaults) ? { requires, defaults } : undefined;
}

/** Our aliases, and those of `dirge-hints.aliases`. */
export const aliasesOf = (schema: SchemaObject): readonly string[] =>
  hintsNamed(schema, 'aliases').flatMap((list) =>
    Array.isArray(list) ? list.filter(isString) : [],
  );

/**
 * Hints that have no effect because they are malformed, in all parts of a schema, with what to
 * write instead.
 */
export const malformedHints = (root: SchemaObject): readonly string[] =>
  schemasIn(root).flatMap(ownMalformedHints);

function ownMalformedHints(schema: SchemaObject): readonly string[] {
  if (!hasHints(schema) && schema['x-dirge-kind'] === undefined) return noWords;
  const malformedKeywords = hintKeywords.flatMap((keyword) => {
    const hints: unknown = schema[keyword];
    if (hints === undefined) return [];
    if (!isSchemaObject(hints)) return [`${keyword}: write an object`];
    return malformedIn(hints, schema).map((what) => `${keyword}.${what}`);
  });
  const kind = schema['x-dirge-kind'];
  const kinds = kind === undefined || isString(kind) ? [] : ['x-dirge-kind: write a string'];
  return [...malformedKeywords, ...kinds];
}

const noWords: readonly string[] = [];

function malformedIn(hints: SchemaObject, { properties = {} }: SchemaObject): readonly string[] {
  const semantic = ownValue(hints, 'semantic');
  const aliases = ownValue(hints, 'aliases');
  const relational = ownValue(hints, 'relational');
  const entries: readonly unknown[] = Array.isArray(relational) ? relational : [];
  return [
    ...(semantic === undefined || isString(semantic) ? [] : ['semantic: write a string']),
    ...(aliases === undefined || isTexts(aliases) ? [] : ['aliases: write an array of strings']),
    ...(relational === undefined || Array.isArray(relational)
      ? []
      : ['relational: write an array']),
    ...entries.flatMap((entry, index) =>
      isRelationOf(properties, readRelation(entry))
        ? []
        : [`relational[${index}]: write requires and their defaults`],
    ),
  ];
}

const isRelationOf = (properties: SchemaMap, relation: Relation | undefined): boolean =>
  relation !== undefined &&
  relation.requires.length > 1 &&
  relation.requires.every((name) => Object.hasOwn(properties, name)) &&
  Object.keys(relation.defaults).length > 0 &&
  Object.keys(relation.defaults).every((name) => relation.requires.includes(name));

/** Whether a schema declares its values to be secret. */
export const saysSecret = (schema: SchemaObject): boolean =>
  schema['x-toolmend']?.secret === true ||
  schema.writeOnly === true ||
  schema.format === 'password';

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(isString);

// A schema is JSON, and so is everything in it.
const isJsonRecord = (value: unknown): value is JsonObject => isSchemaObject(value);

const anything = viewOfBoolean(true);
const nothing = viewOfBoolean(false);
