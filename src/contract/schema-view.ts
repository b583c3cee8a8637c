// What does a schema say about a place, with `$ref` followed and `allOf` merged? For looking; judging uses the schema.
import type { JsonSchema, Relation, SchemaObject } from '../json/json-schema.ts';
import type { JsonType, JsonValue } from '../json/json-value.ts';
import { aliasesOf, relationsOf, semanticOf } from './annotations.ts';
import { Assumptions } from './schema-parts/assumptions.ts';
import { type Condition, conditionsOf, outcomesOf } from './schema-parts/conditions.ts';
import { type PatternMatcher, readPattern } from './patterns/pattern-matcher.ts';
import { partsOf } from './merge-schemas.ts';
import { splitSchema } from './schema-parts/split-schema.ts';
import { type Union, UnionBranches } from './schema-parts/union-branches.ts';

/** A schema read once: plain facts, no references, no `allOf`. */
export interface SchemaView {
  /** The schema as the judge takes it. */
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
  /** There is a union of too many branches: what stands in them is judged, not known. */
  readonly isOpaque: boolean;
  /** What is said only on a condition, and in no other fact here; in the branches where there is a union. */
  readonly conditions: readonly Condition[];
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
  readonly #assumptions = new WeakMap<SchemaObject, Assumptions>();
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
    const conditions = union.branches.length > 0 ? [] : conditionsOf(parts);
    const isSecret = parts.some(saysSecret);
    return viewOf(schema, this.#unions.merged(schema), { ...union, conditions, isSecret });
  }

  /** What of a schema holds for every value: nothing that is said on a condition. */
  unconditional(schema: JsonSchema): JsonSchema {
    return typeof schema === 'boolean' ? schema : this.#assumptionsOf(schema).unconditional;
  }

  /** What of a schema holds where its view's conditions have these outcomes. */
  assuming(schema: JsonSchema, outcomes: readonly boolean[]): JsonSchema {
    return typeof schema === 'boolean' ? schema : this.#assumptionsOf(schema).assuming(outcomes);
  }

  /** Whether each condition of a schema's view holds for a value. `accepts`: whether a value passes a schema. */
  outcomes(
    schema: JsonSchema,
    value: JsonValue,
    accepts: (schema: JsonSchema, value: JsonValue) => boolean,
  ): readonly boolean[] {
    return outcomesOf(this.of(schema).conditions, value, accepts);
  }

  #assumptionsOf(schema: SchemaObject): Assumptions {
    let known = this.#assumptions.get(schema);
    if (known === undefined) {
      const split = splitSchema(this.#unions.merged(schema), partsOf(schema, this.root));
      known = new Assumptions(split, this.of(schema).conditions);
      this.#assumptions.set(schema, known);
    }
    return known;
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
type Splits = Union & Pick<SchemaView, 'conditions' | 'isSecret'>;

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
  conditions: splits.conditions,
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

const alone: Splits = { branches: [], isOpaque: false, conditions: [], isSecret: false };
const anything = viewOf(true, {}, alone);
const nothing = viewOf(false, { type: [] }, alone);
