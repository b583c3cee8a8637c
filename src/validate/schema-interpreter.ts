import { fullFormats } from 'ajv-formats/dist/formats.js';
import { pointerTo } from '../json/json-pointer.ts';
import { canonicalJson } from '../json/serialize.ts';
import {
  type JsonValue,
  defined,
  isJsonArray,
  isJsonObject,
  jsonTypeOf,
  ownValue,
  sameValue,
} from '../json/value.ts';
import type { JsonSchema, SchemaMap, SchemaObject } from '../schema/json-schema.ts';
import { readPattern } from '../schema/patterns.ts';
import { resolveReference } from '../schema/references.ts';
import type { SchemaFailure } from '../tool/tool-contract.ts';
import type { StepBudget } from './step-budget.ts';

/** Where failures at one place of a value are listed. */
class FailureList {
  readonly failures: SchemaFailure[];
  readonly #path: string;
  readonly #propertyName: string | undefined;

  constructor(failures: SchemaFailure[] = [], path = '', propertyName?: string) {
    this.failures = failures;
    this.#path = path;
    this.#propertyName = propertyName;
  }

  below(key: string | number): FailureList {
    return new FailureList(this.failures, pointerTo(this.#path, key));
  }

  /** What fails for the name of a property is listed as the object's failure, with the key. */
  forName(name: string): FailureList {
    return new FailureList(this.failures, this.#path, name);
  }

  add(keyword: string, schema: JsonSchema, key = this.#propertyName): void {
    this.failures.push({ keyword, path: this.#path, ...defined({ key }), schema });
  }
}

/** Keys and indexes that a schema has covered, for `unevaluatedProperties` and `unevaluatedItems` beside it. */
type Evaluated = Set<string | number>;

/** Whether a value passes. Without a list the first failure ends the check. */
type Check = (value: JsonValue, list: FailureList | undefined, evaluated: Evaluated | undefined) => boolean;

const pass: Check = () => true;
const refuse: Check = (_value, list) => failed(list, 'false schema', false);

function failed(list: FailureList | undefined, keyword: string, schema: JsonSchema, key?: string): false {
  list?.add(keyword, schema, key);
  return false;
}

/** Evaluates JSON Schema 2020-12 with resolved references. Each schema is read once, when a value first meets it. */
export class SchemaInterpreter {
  readonly #root: SchemaObject;
  readonly #budget: StepBudget | undefined;
  readonly #checks = new WeakMap<SchemaObject, Check>();

  constructor(root: SchemaObject, budget: StepBudget | undefined) {
    this.#root = root;
    this.#budget = budget;
  }

  accepts(value: JsonValue, schema: JsonSchema): boolean {
    const check = this.#checkOf(schema);
    return this.#budget === undefined
      ? check(value, undefined, undefined)
      : this.#budget.within(value, () => check(value, undefined, undefined), false);
  }

  /** In the order of the schema, outermost first. A failing union is one failure, whatever fails in its branches. */
  failures(value: JsonValue, schema: JsonSchema): readonly SchemaFailure[] {
    const listed = (): readonly SchemaFailure[] => {
      const list = new FailureList();
      this.#checkOf(schema)(value, list, undefined);
      return list.failures;
    };
    const beyond = [{ keyword: 'budget_exceeded', path: '', schema }];
    return this.#budget === undefined ? listed() : this.#budget.within(value, listed, beyond);
  }

  #checkOf(schema: JsonSchema): Check {
    if (typeof schema === 'boolean') return schema ? pass : refuse;
    const known = this.#checks.get(schema);
    if (known !== undefined) return known;
    const check = this.#checkOfObject(schema);
    this.#checks.set(schema, check);
    return check;
  }

  #checkOfObject(schema: SchemaObject): Check {
    const budget = this.#budget;
    const isCovering = schema.unevaluatedItems !== undefined || schema.unevaluatedProperties !== undefined;
    let checks: readonly Check[] | undefined;
    return (value, list, around) => {
      budget?.step(value);
      // Read late, because a schema may contain itself.
      checks ??= [...this.#checksIn(schema)];
      const evaluated: Evaluated | undefined = isCovering || around !== undefined ? new Set() : undefined;
      let passes = true;
      for (const check of checks) {
        if (check(value, list, evaluated)) continue;
        if (list === undefined) return false;
        passes = false;
      }
      if (around !== undefined && evaluated !== undefined) for (const key of evaluated) around.add(key);
      return passes;
    };
  }

  *#checksIn(schema: SchemaObject): Iterable<Check> {
    yield* typeCheck(schema);
    yield* this.#inPlaceChecks(schema);
    yield* constantChecks(schema);
    yield* limitChecks(schema);
    yield* textChecks(schema);
    yield* this.#arrayChecks(schema);
    yield* this.#objectChecks(schema);
    yield* this.#unevaluatedChecks(schema);
  }

  /** Keywords whose schemas apply to the same value. */
  *#inPlaceChecks(schema: SchemaObject): Iterable<Check> {
    const { $ref, not, anyOf, oneOf, allOf, if: condition, dependentSchemas } = schema;
    if ($ref !== undefined) yield this.#checkOfReference($ref);
    if (isSchema(not)) {
      const check = this.#checkOf(not);
      yield (value, list) => !check(value, undefined, undefined) || failed(list, 'not', schema);
    }
    if (anyOf !== undefined) yield this.#unionCheck(schema, 'anyOf', anyOf, Infinity);
    if (oneOf !== undefined) yield this.#unionCheck(schema, 'oneOf', oneOf, 1);
    for (const part of allOf ?? []) yield this.#checkOf(part);
    if (condition !== undefined) {
      const meets = this.#checkOf(condition);
      const [thenCheck, elseCheck] = [this.#checkOf(schema.then ?? true), this.#checkOf(schema.else ?? true)];
      yield (value, list, evaluated) =>
        (meets(value, undefined, evaluated) ? thenCheck : elseCheck)(value, list, evaluated);
    }
    for (const [key, check] of this.#checksByKey(dependentSchemas))
      yield (value, list, evaluated) => !hasKey(value, key) || check(value, list, evaluated);
  }

  #checkOfReference(reference: string): Check {
    const target = resolveReference(reference, this.#root);
    if (target === undefined) throw new Error(`the schema refers to ${reference}, which is not in it`);
    return this.#checkOf(target);
  }

  /** At least one branch passes, and at most `most`. */
  #unionCheck(schema: SchemaObject, keyword: string, branches: readonly JsonSchema[], most: number): Check {
    const checks = branches.map((branch) => [this.#constantsOf(branch), this.#checkOf(branch)] as const);
    return (value, list, evaluated) => {
      let passing = 0;
      for (const [constants, check] of checks) {
        if (hasOther(value, constants) || !check(value, undefined, evaluated)) continue;
        passing += 1;
        // What else passes matters only for what it covers.
        if (passing > most || (most > 1 && evaluated === undefined)) break;
      }
      return (passing > 0 && passing <= most) || failed(list, keyword, schema);
    };
  }

  /** The properties of a branch that allow one string, number or boolean, such as a discriminator. */
  #constantsOf(branch: JsonSchema): readonly (readonly [string, JsonValue])[] {
    if (typeof branch === 'boolean') return [];
    const target = branch.$ref === undefined ? undefined : resolveReference(branch.$ref, this.#root);
    return Object.entries({ ...target?.properties, ...branch.properties }).flatMap(([key, schema]) => {
      const constant = typeof schema === 'boolean' ? undefined : schema.const;
      return constant === undefined || typeof constant === 'object' ? [] : [[key, constant] as const];
    });
  }

  *#arrayChecks(schema: SchemaObject): Iterable<Check> {
    const { prefixItems = [], items, contains } = schema;
    const first = prefixItems.map((part) => this.#checkOf(part));
    if (items === false)
      yield (value, list) =>
        !isJsonArray(value) || value.length <= first.length || failed(list, 'items', schema);
    const rest = isSchema(items) && items !== false ? this.#checkOf(items) : undefined;
    if (first.length > 0 || rest !== undefined)
      yield (value, list, evaluated) => {
        if (!isJsonArray(value)) return true;
        let passes = true;
        for (const [index, item] of value.entries()) {
          const check = first[index] ?? rest;
          if (check === undefined) break;
          evaluated?.add(index);
          if (check(item, list?.below(index), undefined)) continue;
          if (list === undefined) return false;
          passes = false;
        }
        return passes;
      };
    if (isSchema(contains)) yield this.#containsCheck(schema, this.#checkOf(contains));
    if (schema['uniqueItems'] === true)
      yield (value, list) =>
        !isJsonArray(value) || !hasRepetition(value) || failed(list, 'uniqueItems', schema);
  }

  #containsCheck(schema: SchemaObject, check: Check): Check {
    const least = numberAt(schema, 'minContains') ?? 1;
    const most = numberAt(schema, 'maxContains') ?? Infinity;
    return (value, list, evaluated) => {
      if (!isJsonArray(value)) return true;
      let found = 0;
      for (const [index, item] of value.entries()) {
        if (!check(item, undefined, undefined)) continue;
        found += 1;
        evaluated?.add(index);
      }
      return (found >= least && found <= most) || failed(list, 'contains', schema);
    };
  }

  *#objectChecks(schema: SchemaObject): Iterable<Check> {
    const { required = [], dependentRequired = {} } = schema;
    if (required.length > 0) yield requiredCheck(schema, 'required', required);
    const names = schema['propertyNames'];
    if (isSchema(names)) {
      const check = this.#checkOf(names);
      yield (value, list) => every(value, list, (key) => check(key, list?.forName(key), undefined));
    }
    yield* this.#memberChecks(schema);
    for (const [key, needed] of Object.entries(dependentRequired)) {
      const check = requiredCheck(schema, 'dependentRequired', needed);
      yield (value, list, evaluated) => !hasKey(value, key) || check(value, list, evaluated);
    }
  }

  /** `properties`, `patternProperties`, and `additionalProperties` for the other keys. */
  *#memberChecks(schema: SchemaObject): Iterable<Check> {
    const declared = new Map(this.#checksByKey(schema.properties));
    const patterns = this.#checksByKey(schema.patternProperties).map(
      ([pattern, check]) => [readPattern(pattern).matcher, check] as const,
    );
    const additional = isSchema(schema.additionalProperties)
      ? this.#checkOf(schema.additionalProperties)
      : undefined;
    if (additional !== undefined) {
      yield (value, list, evaluated) =>
        every(value, list, (key, member) => {
          if (declared.has(key) || patterns.some(([pattern]) => pattern.test(key))) return true;
          evaluated?.add(key);
          return additional === refuse
            ? failed(list, 'additionalProperties', schema, key)
            : additional(member, list?.below(key), undefined);
        });
    }
    for (const [key, check] of declared) {
      yield (value, list, evaluated) => {
        const member = isJsonObject(value) ? ownValue(value, key) : undefined;
        if (member === undefined) return true;
        evaluated?.add(key);
        return check(member, list?.below(key), undefined);
      };
    }
    for (const [pattern, check] of patterns) {
      yield (value, list, evaluated) =>
        every(value, list, (key, member) => {
          if (!pattern.test(key)) return true;
          evaluated?.add(key);
          return check(member, list?.below(key), undefined);
        });
    }
  }

  *#unevaluatedChecks(schema: SchemaObject): Iterable<Check> {
    const { unevaluatedItems, unevaluatedProperties } = schema;
    if (unevaluatedItems !== undefined) {
      const check = this.#checkOf(unevaluatedItems);
      yield (value, list, evaluated) => {
        if (!isJsonArray(value)) return true;
        const left = [...value.keys()].filter((index) => evaluated?.has(index) !== true);
        for (const index of left) evaluated?.add(index);
        if (check === refuse) return left.length === 0 || failed(list, 'unevaluatedItems', schema);
        return (
          left.filter((index) => !check(value[index] ?? null, list?.below(index), undefined)).length === 0
        );
      };
    }
    if (unevaluatedProperties !== undefined) {
      const check = this.#checkOf(unevaluatedProperties);
      yield (value, list, evaluated) =>
        every(value, list, (key, member) => {
          if (evaluated?.has(key) === true) return true;
          evaluated?.add(key);
          return check === refuse
            ? failed(list, 'unevaluatedProperties', schema, key)
            : check(member, list?.below(key), undefined);
        });
    }
  }

  #checksByKey(schemas: SchemaMap | undefined): readonly (readonly [string, Check])[] {
    return Object.entries(schemas ?? {}).map(([key, schema]) => [key, this.#checkOf(schema)] as const);
  }
}

/** Whether a test holds for each member of an object; every member is tested if failures are listed. */
function every(
  value: JsonValue,
  list: FailureList | undefined,
  holds: (key: string, member: JsonValue) => boolean,
): boolean {
  if (!isJsonObject(value)) return true;
  let passes = true;
  for (const key of Object.keys(value)) {
    if (holds(key, value[key] ?? null)) continue;
    if (list === undefined) return false;
    passes = false;
  }
  return passes;
}

/** Whether an object has other values than these: the quick answer for most branches of a large union. */
const hasOther = (value: JsonValue, constants: readonly (readonly [string, JsonValue])[]): boolean =>
  isJsonObject(value) &&
  constants.some(([key, constant]) => Object.hasOwn(value, key) && value[key] !== constant);

const hasKey = (value: JsonValue, key: string): boolean => isJsonObject(value) && Object.hasOwn(value, key);

const requiredCheck =
  (schema: SchemaObject, keyword: string, needed: readonly string[]): Check =>
  (value, list) => {
    if (!isJsonObject(value)) return true;
    const missing = needed.filter((key) => !Object.hasOwn(value, key));
    for (const key of missing) list?.add(keyword, schema, key);
    return missing.length === 0;
  };

function* typeCheck(schema: SchemaObject): Iterable<Check> {
  if (schema.type === undefined) return;
  const types = new Set([schema.type].flat());
  yield (value, list) => {
    const type = jsonTypeOf(value);
    return types.has(type) || (type === 'integer' && types.has('number')) || failed(list, 'type', schema);
  };
}

function* constantChecks(schema: SchemaObject): Iterable<Check> {
  const { const: constant, enum: members } = schema;
  if (constant !== undefined)
    yield (value, list) => sameValue(value, constant) || failed(list, 'const', schema);
  if (members !== undefined)
    yield (value, list) => members.some((member) => sameValue(value, member)) || failed(list, 'enum', schema);
}

type Measure = (value: JsonValue) => number | undefined;

const numberOf: Measure = (value) => (typeof value === 'number' ? value : undefined);
/** In code points. */
const lengthOf: Measure = (value) => (typeof value === 'string' ? [...value].length : undefined);
const itemsOf: Measure = (value) => (isJsonArray(value) ? value.length : undefined);
const keysOf: Measure = (value) => (isJsonObject(value) ? Object.keys(value).length : undefined);
const atMost = (measured: number, limit: number): boolean => measured <= limit;
const atLeast = (measured: number, limit: number): boolean => measured >= limit;

const limits: readonly (readonly [string, Measure, (measured: number, limit: number) => boolean])[] = [
  ['maximum', numberOf, atMost],
  ['minimum', numberOf, atLeast],
  ['exclusiveMaximum', numberOf, (measured, limit) => measured < limit],
  ['exclusiveMinimum', numberOf, (measured, limit) => measured > limit],
  ['multipleOf', numberOf, isMultiple],
  ['maxLength', lengthOf, atMost],
  ['minLength', lengthOf, atLeast],
  ['maxItems', itemsOf, atMost],
  ['minItems', itemsOf, atLeast],
  ['maxProperties', keysOf, atMost],
  ['minProperties', keysOf, atLeast],
];

/** To nine decimals, as Ajv is set to: `0.3` is a multiple of `0.1`. */
export function isMultiple(value: number, divisor: number): boolean {
  const quotient = value / divisor;
  return Math.abs(Math.round(quotient) - quotient) <= 1e-9;
}

function* limitChecks(schema: SchemaObject): Iterable<Check> {
  for (const [keyword, measure, holds] of limits) {
    const limit = numberAt(schema, keyword);
    if (limit === undefined) continue;
    yield (value, list) => {
      const measured = measure(value);
      return measured === undefined || holds(measured, limit) || failed(list, keyword, schema);
    };
  }
}

function* textChecks(schema: SchemaObject): Iterable<Check> {
  if (schema.pattern !== undefined) {
    const { matcher } = readPattern(schema.pattern);
    yield (value, list) =>
      typeof value !== 'string' || matcher.test(value) || failed(list, 'pattern', schema);
  }
  const accepts = schema.format === undefined ? undefined : formats.get(schema.format);
  if (accepts !== undefined) yield (value, list) => accepts(value) || failed(list, 'format', schema);
}

/** Tests of the known formats. A format is about strings or about numbers, and any other value passes. */
const formats: ReadonlyMap<string, (value: JsonValue) => boolean> = new Map(
  Object.entries(fullFormats).flatMap(([name, format]) => {
    const { type = 'string', validate = format }: { type?: unknown; validate?: unknown } = Object(format);
    const test =
      validate instanceof RegExp
        ? (value: JsonValue) => typeof value === 'string' && validate.test(value)
        : validate;
    if (typeof test !== 'function') return [];
    const accepts = (value: JsonValue): boolean =>
      typeof value !== type || Boolean(Reflect.apply(test, undefined, [value]));
    return [[name, accepts] as const];
  }),
);

/** Whether two elements are the same as JSON; the order of an object's keys doesn't count. */
export function hasRepetition(list: readonly JsonValue[]): boolean {
  const seen = new Set<unknown>();
  for (const item of list) {
    // The quotation mark keeps a string apart from the text of a container.
    const key = typeof item === 'string' ? `"${item}` : typeof item === 'object' ? canonicalJson(item) : item;
    if (seen.has(key)) return true;
    seen.add(key);
  }
  return false;
}

const isSchema = (held: unknown): held is JsonSchema =>
  typeof held === 'boolean' || (typeof held === 'object' && held !== null && !Array.isArray(held));

function numberAt(schema: SchemaObject, keyword: string): number | undefined {
  const held = schema[keyword];
  return typeof held === 'number' ? held : undefined;
}
