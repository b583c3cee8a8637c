// The form of validation that lists every failure, and the only one for schemas whose keywords
// depend on what other keywords have covered, or whose steps are counted. `schema-check.ts` has the
// fast form.
import { memoize } from '../collections/memoize.ts';
import { defined, ownValue } from '../collections/objects.ts';
import { pointerTo } from '../json/pointers.ts';
import { type JsonValue, isJsonArray, isJsonObject, jsonTypeOf, sameValue } from '../json/value.ts';
import { formats, hasFormat } from '../schema/formats.ts';
import {
  type JsonSchema,
  type SchemaMap,
  type SchemaObject,
  isSchema,
} from '../schema/json-schema.ts';
import { hasRepetition, isMember, limits } from '../schema/keywords.ts';
import { readPattern } from '../schema/patterns.ts';
import { resolveReference } from '../schema/references.ts';
import type { SchemaFailure } from '../tool/tool-contract.ts';
import type { StepBudget } from './step-budget.ts';

/**
 * Collects the failures of a value: those at one place. Without a list, a check ends at the first
 * failure.
 */
type List = FailureList | undefined;

interface FailureList {
  readonly failures: SchemaFailure[];
  readonly path: string;
  /** A property name that fails is a failure of the object, with the key. */
  readonly propertyName?: string;
}

const listAt = (list: List, key: string | number): List =>
  list && { failures: list.failures, path: pointerTo(list.path, key) };

/**
 * Keys and indexes that keywords have covered, for `unevaluatedProperties` and `unevaluatedItems`.
 */
type Evaluated = Set<string | number>;

/** Whether a value passes. With a list, only the list tells. */
type Check = (value: JsonValue, list: List, evaluation: Evaluated | undefined) => boolean;

const pass: Check = () => true;
const refuse: Check = (_value, list) => addFailure(list, 'false schema', false);

function addFailure(
  list: List,
  keyword: string,
  schema: JsonSchema,
  key = list?.propertyName,
): false {
  list?.failures.push({ keyword, path: list.path, ...defined({ key }), schema });
  return false;
}

/**
 * The checks of one schema document, 2020-12, with a list of failures or without. Reads each schema
 * once, when a value first meets it.
 */
export class ListingChecks {
  readonly #root: SchemaObject;
  readonly #budget: StepBudget | undefined;

  /** `budget`: counts the steps. Default: they are not counted. */
  constructor(root: SchemaObject, budget?: StepBudget) {
    this.#root = root;
    this.#budget = budget;
  }

  accepts(value: JsonValue, schema: JsonSchema): boolean {
    return this.#checkOf(schema)(value, undefined, undefined);
  }

  failures(value: JsonValue, schema: JsonSchema): readonly SchemaFailure[] {
    const list: FailureList = { failures: [], path: '' };
    this.#checkOf(schema)(value, list, undefined);
    return list.failures;
  }

  #checkOf(schema: JsonSchema): Check {
    if (typeof schema === 'boolean') return schema ? pass : refuse;
    return this.#checkOfObject(schema);
  }

  readonly #checkOfObject = memoize((schema: SchemaObject): Check => {
    const budget = this.#budget;
    const isCovering =
      schema.unevaluatedItems !== undefined || schema.unevaluatedProperties !== undefined;
    let checks: readonly Check[] | undefined;
    return (value, list, outerEvaluated) => {
      budget?.step(value);
      // Read now and not before, because a schema may contain itself.
      checks ??= [...this.#checksIn(schema)];
      const evaluation: Evaluated | undefined =
        isCovering || outerEvaluated !== undefined ? new Set() : undefined;
      for (const check of checks)
        if (!check(value, list, evaluation) && list === undefined) return false;
      for (const key of evaluation ?? []) outerEvaluated?.add(key);
      return true;
    };
  });

  *#checksIn(schema: SchemaObject): Iterable<Check> {
    yield* typeCheck(schema);
    yield* this.#inPlaceChecks(schema);
    yield* constraintChecks(schema);
    yield* this.#arrayChecks(schema);
    yield* this.#objectChecks(schema);
    yield* this.#unevaluatedChecks(schema);
  }

  /** Keywords whose schemas apply to the same value. */
  *#inPlaceChecks(schema: SchemaObject): Iterable<Check> {
    const { $ref, not, anyOf, oneOf, allOf, if: condition, dependentSchemas } = schema;
    if ($ref !== undefined) {
      const target = resolveReference($ref, this.#root);
      if (target === undefined) throw new Error(`the schema refers to ${$ref}, which is not in it`);
      yield this.#checkOf(target);
    }
    if (isSchema(not)) {
      const check = this.#checkOf(not);
      yield test(schema, 'not', (value) => !check(value, undefined, undefined));
    }
    if (anyOf !== undefined) yield this.#unionCheck(schema, 'anyOf', anyOf, Infinity);
    if (oneOf !== undefined) yield this.#unionCheck(schema, 'oneOf', oneOf, 1);
    for (const part of allOf ?? []) yield this.#checkOf(part);
    if (condition !== undefined) {
      const meets = this.#checkOf(condition);
      const [thenCheck, elseCheck] = [
        this.#checkOf(schema.then ?? true),
        this.#checkOf(schema.else ?? true),
      ];
      yield (value, list, evaluation) =>
        (meets(value, undefined, evaluation) ? thenCheck : elseCheck)(value, list, evaluation);
    }
    for (const [key, check] of this.#checksByKey(dependentSchemas))
      yield (value, list, evaluation) => !hasKey(value, key) || check(value, list, evaluation);
  }

  /** At least one branch passes, and at most `most`. */
  #unionCheck(
    schema: SchemaObject,
    keyword: string,
    branches: readonly JsonSchema[],
    most: number,
  ): Check {
    const checks = branches.map(
      (branch) => [this.#constantsOf(branch), this.#checkOf(branch)] as const,
    );
    return (value, list, evaluation) => {
      let passing = 0;
      for (const [constants, check] of checks) {
        if (hasOther(value, constants) || !check(value, undefined, evaluation)) continue;
        passing += 1;
        // Further branches matter only for the keys that they cover.
        if (passing > most || (most > 1 && evaluation === undefined)) break;
      }
      return (passing > 0 && passing <= most) || addFailure(list, keyword, schema);
    };
  }

  /**
   * The properties of a branch that allow one string, number or boolean, such as a discriminator.
   */
  #constantsOf(branch: JsonSchema): readonly (readonly [string, JsonValue])[] {
    const { $ref = '', properties }: SchemaObject = typeof branch === 'boolean' ? {} : branch;
    const target = resolveReference($ref, this.#root);
    return Object.entries({ ...target?.properties, ...properties }).flatMap(([key, schema]) => {
      const constant = typeof schema === 'boolean' ? undefined : schema.const;
      return constant === undefined || typeof constant === 'object'
        ? []
        : [[key, constant] as const];
    });
  }

  *#arrayChecks(schema: SchemaObject): Iterable<Check> {
    const { prefixItems = [], items, contains } = schema;
    const first = prefixItems.map((part) => this.#checkOf(part));
    if (items === false)
      yield test(schema, 'items', (value) => !isJsonArray(value) || value.length <= first.length);
    const rest = isSchema(items) && items !== false ? this.#checkOf(items) : undefined;
    if (first.length > 0 || rest !== undefined)
      yield (value, list, evaluation) => {
        if (!isJsonArray(value)) return true;
        for (const [index, item] of value.entries()) {
          const check = first[index] ?? rest;
          if (check === undefined) break;
          evaluation?.add(index);
          if (!check(item, listAt(list, index), undefined) && list === undefined) return false;
        }
        return true;
      };
    if (isSchema(contains)) yield this.#containsCheck(schema, this.#checkOf(contains));
    if (schema['uniqueItems'] === true)
      yield test(schema, 'uniqueItems', (value) => !isJsonArray(value) || !hasRepetition(value));
  }

  #containsCheck(schema: SchemaObject, check: Check): Check {
    const least = numberAt(schema, 'minContains') ?? 1;
    const most = numberAt(schema, 'maxContains') ?? Infinity;
    return (value, list, evaluation) => {
      if (!isJsonArray(value)) return true;
      let matchCount = 0;
      for (const [index, item] of value.entries()) {
        if (!check(item, undefined, undefined)) continue;
        matchCount += 1;
        evaluation?.add(index);
      }
      return (matchCount >= least && matchCount <= most) || addFailure(list, 'contains', schema);
    };
  }

  *#objectChecks(schema: SchemaObject): Iterable<Check> {
    const { required, dependentRequired = {} } = schema;
    if (required !== undefined) yield requiredCheck(schema, 'required', required);
    const names = schema['propertyNames'];
    if (isSchema(names)) {
      const check = this.#checkOf(names);
      yield (value, list) =>
        every(value, list, (key) => check(key, list && { ...list, propertyName: key }, undefined));
    }
    yield* this.#memberChecks(schema);
    for (const [key, requiredKeys] of Object.entries(dependentRequired)) {
      const check = requiredCheck(schema, 'dependentRequired', requiredKeys);
      yield (value, list, evaluation) => !hasKey(value, key) || check(value, list, evaluation);
    }
  }

  /** `properties`, `patternProperties`, and `additionalProperties` for the other keys. */
  *#memberChecks(schema: SchemaObject): Iterable<Check> {
    const declaredChecks = new Map(this.#checksByKey(schema.properties));
    const patterns = this.#checksByKey(schema.patternProperties).map(
      ([pattern, check]) => [readPattern(pattern).matcher, check] as const,
    );
    const additional = isSchema(schema.additionalProperties)
      ? this.#checkOf(schema.additionalProperties)
      : undefined;
    if (additional !== undefined) {
      yield (value, list, evaluation) =>
        every(value, list, (key, member) => {
          if (declaredChecks.has(key) || patterns.some(([pattern]) => pattern.test(key)))
            return true;
          evaluation?.add(key);
          return additional === refuse
            ? addFailure(list, 'additionalProperties', schema, key)
            : additional(member, listAt(list, key), undefined);
        });
    }
    for (const [key, check] of declaredChecks)
      yield (value, list, evaluation) => {
        const member = isJsonObject(value) ? ownValue(value, key) : undefined;
        if (member === undefined) return true;
        evaluation?.add(key);
        return check(member, listAt(list, key), undefined);
      };
    for (const [pattern, check] of patterns)
      yield (value, list, evaluation) =>
        every(value, list, (key, member) => {
          if (!pattern.test(key)) return true;
          evaluation?.add(key);
          return check(member, listAt(list, key), undefined);
        });
  }

  *#unevaluatedChecks(schema: SchemaObject): Iterable<Check> {
    const { unevaluatedItems, unevaluatedProperties } = schema;
    if (unevaluatedItems !== undefined) {
      const check = this.#checkOf(unevaluatedItems);
      yield (value, list, evaluation) => {
        if (!isJsonArray(value)) return true;
        const left = [...value.keys()].filter((index) => evaluation?.has(index) !== true);
        for (const index of left) evaluation?.add(index);
        if (check === refuse)
          return left.length === 0 || addFailure(list, 'unevaluatedItems', schema);
        const failingIndexes = left.filter(
          (index) => !check(value[index] ?? null, listAt(list, index), undefined),
        );
        return failingIndexes.length === 0;
      };
    }
    if (unevaluatedProperties !== undefined) {
      const check = this.#checkOf(unevaluatedProperties);
      yield (value, list, evaluated) =>
        every(value, list, (key, member) => {
          if (evaluated?.has(key) === true) return true;
          evaluated?.add(key);
          return check === refuse
            ? addFailure(list, 'unevaluatedProperties', schema, key)
            : check(member, listAt(list, key), undefined);
        });
    }
  }

  #checksByKey(schemas: SchemaMap | undefined): readonly (readonly [string, Check])[] {
    return Object.entries(schemas ?? {}).map(
      ([key, schema]) => [key, this.#checkOf(schema)] as const,
    );
  }
}

/**
 * Whether a test holds for each member of an object; every member is tested if failures are listed.
 */
const every = (
  value: JsonValue,
  list: List,
  holds: (key: string, member: JsonValue) => boolean,
): boolean =>
  !isJsonObject(value) ||
  Object.entries(value).every(([key, member]) => holds(key, member) || list !== undefined);

/**
 * Whether an object has another value for one of these keys: decides most branches of a large union
 * quickly.
 */
const hasOther = (
  value: JsonValue,
  constants: readonly (readonly [string, JsonValue])[],
): boolean =>
  isJsonObject(value) &&
  constants.some(([key, constant]) => Object.hasOwn(value, key) && value[key] !== constant);

const hasKey = (value: JsonValue, key: string): boolean =>
  isJsonObject(value) && Object.hasOwn(value, key);

const requiredCheck =
  (schema: SchemaObject, keyword: string, requiredKeys: readonly string[]): Check =>
  (value, list) => {
    if (!isJsonObject(value)) return true;
    const missingKeys = requiredKeys.filter((key) => !Object.hasOwn(value, key));
    for (const key of missingKeys) addFailure(list, keyword, schema, key);
    return missingKeys.length === 0;
  };

/** A check of a keyword without subschemas. */
const test =
  (schema: SchemaObject, keyword: string, passes: (value: JsonValue) => boolean): Check =>
  (value, list) =>
    passes(value) || addFailure(list, keyword, schema);

function* typeCheck(schema: SchemaObject): Iterable<Check> {
  if (schema.type === undefined) return;
  const types = new Set([schema.type].flat());
  yield test(schema, 'type', (value) => {
    const type = jsonTypeOf(value);
    return types.has(type) || (type === 'integer' && types.has('number'));
  });
}

/** `const`, `enum`, limits, `pattern` and `format`. */
function* constraintChecks(schema: SchemaObject): Iterable<Check> {
  const { const: constant, enum: members, pattern, format = '' } = schema;
  if (constant !== undefined) yield test(schema, 'const', (value) => sameValue(value, constant));
  if (members !== undefined) yield test(schema, 'enum', (value) => isMember(members, value));
  for (const [keyword, measure, holds] of limits) {
    const limit = numberAt(schema, keyword);
    if (limit === undefined) continue;
    yield test(schema, keyword, (value) => {
      const size = measure(value);
      return size === undefined || holds(size, limit);
    });
  }
  if (pattern !== undefined) {
    const { matcher } = readPattern(pattern);
    yield test(schema, 'pattern', (value) => typeof value !== 'string' || matcher.test(value));
  }
  const knownFormat = formats.get(format);
  if (knownFormat !== undefined)
    yield test(schema, 'format', (value) => hasFormat(knownFormat, value));
}

function numberAt(schema: SchemaObject, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
}
