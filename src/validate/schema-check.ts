// The fast form of validation: whether a value passes. A schema becomes one check for each of its
// parts, made when a value first reaches the part. No code is generated, and all checks share the
// same few functions, which the engine therefore optimizes once for all tools.
import { memoize } from '../collections/memoize.ts';
import { hasInheritedKeys, isContainer } from '../collections/objects.ts';
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  isJsonObject,
  sameValue,
} from '../json/value.ts';
import { formats } from '../schema/formats.ts';
import {
  type JsonSchema,
  type SchemaMap,
  type SchemaObject,
  isSchema,
} from '../schema/json-schema.ts';
import { hasRepetition, isMultiple, memberTestOf } from '../schema/keywords.ts';
import { readPattern } from '../schema/patterns.ts';
import { resolveReference } from '../schema/references.ts';

/** One bit for each type of a value. A whole number is not a fraction. */
const bits = { null: 1, boolean: 2, string: 4, whole: 8, fraction: 16, array: 32, object: 64 };

const bitsOf = {
  null: bits.null,
  boolean: bits.boolean,
  string: bits.string,
  integer: bits.whole,
  number: bits.whole | bits.fraction,
  array: bits.array,
  object: bits.object,
} as const;

const anyType = 127;

type Passes<Value> = (value: Value) => boolean;

/** The checks of one schema document. The same part has the same check. */
export class SchemaChecks {
  readonly #root: SchemaObject;
  readonly #checkOf: (schema: SchemaObject) => SchemaCheck;

  /**
   * `root`: a schema of 2020-12 whose references stay inside it, without `unevaluatedItems` and
   * `unevaluatedProperties`.
   */
  constructor(root: SchemaObject) {
    this.#root = root;
    this.#checkOf = memoize((schema) => new SchemaCheck(schema, this));
  }

  accepts(value: JsonValue, schema: JsonSchema): boolean {
    return this.of(schema).accepts(value);
  }

  of(schema: JsonSchema): SchemaCheck {
    if (typeof schema === 'boolean') return schema ? anyValueCheck : noValueCheck;
    return this.#checkOf(schema);
  }

  target(reference: string): SchemaObject {
    const target = resolveReference(reference, this.#root);
    if (target === undefined)
      throw new Error(`the schema refers to ${reference}, which is not in it`);
    return target;
  }
}

export class SchemaCheck {
  readonly #schema: SchemaObject;
  readonly #checks: SchemaChecks;
  readonly #types: number;
  // One function for the values of each type. It is made when the first such value comes: a call
  // has few types, and a schema may contain itself.
  #text: Passes<string> | undefined;
  #number: Passes<number> | undefined;
  #elements: Passes<JsonArray> | undefined;
  #members: Passes<JsonObject> | undefined;
  /** The function for the keywords that are about values of any type. */
  #all: Passes<JsonValue> | undefined;

  constructor(
    schema: SchemaObject,
    checks = new SchemaChecks(schema),
    types: number = typesOf(schema),
  ) {
    this.#schema = schema;
    this.#checks = checks;
    this.#types = types;
  }

  accepts(value: JsonValue): boolean {
    const types = this.#types;
    if (typeof value === 'string') {
      if ((types & bits.string) === 0) return false;
      const text = (this.#text ??= conjunctionOf(textDemands(this.#schema)));
      if (text !== acceptAny && !text(value)) return false;
    } else if (typeof value === 'number') {
      if ((types & (Number.isInteger(value) ? bits.whole : bits.fraction)) === 0) return false;
      const number = (this.#number ??= conjunctionOf(numberDemands(this.#schema)));
      if (number !== acceptAny && !number(value)) return false;
    } else if (typeof value === 'boolean') {
      if ((types & bits.boolean) === 0) return false;
    } else if (value === null) {
      if ((types & bits.null) === 0) return false;
    } else if (isArray(value)) {
      if ((types & bits.array) === 0) return false;
      const elements = (this.#elements ??= conjunctionOf(
        elementDemands(this.#schema, this.#checks),
      ));
      if (elements !== acceptAny && !elements(value)) return false;
    } else {
      if ((types & bits.object) === 0) return false;
      const members = (this.#members ??= conjunctionOf(memberDemands(this.#schema, this.#checks)));
      if (members !== acceptAny && !members(value)) return false;
    }
    const all = (this.#all ??= conjunctionOf(demandsOfAnyType(this.#schema, this.#checks)));
    return all === acceptAny || all(value);
  }
}

const isArray = (value: JsonArray | JsonObject): value is JsonArray => Array.isArray(value);

const typesOf = ({ type }: SchemaObject): number =>
  type === undefined ? anyType : [type].flat().reduce((sum, one) => sum | bitsOf[one], 0);

const anyValueCheck = new SchemaCheck({});
const noValueCheck = new SchemaCheck({}, undefined, 0);

const acceptAny = (): boolean => true;

/** One function that makes all demands; `acceptAny` if there are none. */
function conjunctionOf<Value>(demands: Iterable<Passes<Value>>): Passes<Value> {
  const [first = acceptAny, second, ...others] = demands;
  if (second === undefined) return first;
  if (others.length === 0) return (value) => first(value) && second(value);
  const rest = [second, ...others];
  return (value) => {
    if (!first(value)) return false;
    for (const passes of rest) if (!passes(value)) return false;
    return true;
  };
}

const numberAt = (schema: SchemaObject, keyword: string): number | undefined => {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
};

function* textDemands(schema: SchemaObject): Iterable<Passes<string>> {
  const least = numberAt(schema, 'minLength');
  const most = numberAt(schema, 'maxLength');
  if (least !== undefined && least > 0) yield (text) => hasAtLeast(text, least);
  if (most !== undefined) yield (text) => !hasAtLeast(text, Math.floor(most) + 1);
  const { pattern, format = '' } = schema;
  if (pattern !== undefined) {
    const { matcher } = readPattern(pattern);
    yield (text) => matcher.test(text);
  }
  const knownFormat = formats.get(format);
  if (knownFormat?.type === 'string') yield knownFormat.accepts;
}

/** Whether a text has at least this many characters. A pair of surrogates is one character. */
function hasAtLeast(text: string, characters: number): boolean {
  if (text.length < characters) return false;
  if (text.length >= 2 * characters) return true;
  let left = text.length - characters;
  for (let at = 0; at < text.length && left >= 0; at += 1) {
    const code = text.codePointAt(at) ?? 0;
    if (code <= 0xff_ff) continue;
    left -= 1;
    at += 1;
  }
  return left >= 0;
}

function* numberDemands(schema: SchemaObject): Iterable<Passes<number>> {
  const least = numberAt(schema, 'minimum');
  const most = numberAt(schema, 'maximum');
  const exclusiveMinimum = numberAt(schema, 'exclusiveMinimum');
  const exclusiveMaximum = numberAt(schema, 'exclusiveMaximum');
  const divisor = numberAt(schema, 'multipleOf');
  if (least !== undefined) yield (value) => value >= least;
  if (most !== undefined) yield (value) => value <= most;
  if (exclusiveMinimum !== undefined) yield (value) => value > exclusiveMinimum;
  if (exclusiveMaximum !== undefined) yield (value) => value < exclusiveMaximum;
  if (divisor !== undefined) yield (value) => isMultiple(value, divisor);
  const knownFormat = formats.get(schema.format ?? '');
  if (knownFormat?.type === 'number') yield knownFormat.accepts;
}

function* elementDemands(schema: SchemaObject, checks: SchemaChecks): Iterable<Passes<JsonArray>> {
  const { prefixItems = [], items, contains } = schema;
  const least = numberAt(schema, 'minItems');
  const most = numberAt(schema, 'maxItems');
  if (least !== undefined) yield (list) => list.length >= least;
  if (most !== undefined) yield (list) => list.length <= most;
  const first = prefixItems.map((part) => checks.of(part));
  if (items === false) yield (list) => list.length <= first.length;
  if (first.length > 0)
    yield (list) =>
      first.every((check, at) => at >= list.length || check.accepts(list[at] ?? null));
  if (isSchema(items) && typeof items !== 'boolean') {
    const check = checks.of(items);
    yield (list) => {
      for (let at = first.length; at < list.length; at += 1)
        if (!check.accepts(list[at] ?? null)) return false;
      return true;
    };
  }
  if (isSchema(contains)) yield containsDemand(schema, checks.of(contains));
  if (schema['uniqueItems'] === true) yield (list) => !hasRepetition(list);
}

function containsDemand(schema: SchemaObject, check: SchemaCheck): Passes<JsonArray> {
  const least = numberAt(schema, 'minContains') ?? 1;
  const most = numberAt(schema, 'maxContains') ?? Infinity;
  return (list) => {
    let count = 0;
    for (const item of list) if (check.accepts(item)) count += 1;
    return count >= least && count <= most;
  };
}

function* memberDemands(schema: SchemaObject, checks: SchemaChecks): Iterable<Passes<JsonObject>> {
  const { dependentRequired = {}, dependentSchemas = {} } = schema;
  const least = numberAt(schema, 'minProperties');
  const most = numberAt(schema, 'maxProperties');
  if (least !== undefined) yield (object) => Object.keys(object).length >= least;
  if (most !== undefined) yield (object) => Object.keys(object).length <= most;
  const members = new MemberChecks(schema, checks);
  if (members.isNeeded) yield (object) => members.accept(object);
  const names = schema['propertyNames'];
  if (isSchema(names)) {
    const check = checks.of(names);
    yield (object) => Object.keys(object).every((key) => check.accepts(key));
  }
  for (const [key, requiredKeys] of Object.entries(dependentRequired))
    yield (object) =>
      !Object.hasOwn(object, key) || requiredKeys.every((other) => Object.hasOwn(object, other));
  for (const [key, part] of Object.entries(dependentSchemas)) {
    const check = checks.of(part);
    yield (object) => !Object.hasOwn(object, key) || check.accepts(object);
  }
}

/** A key that the schema declares or requires. */
interface Member {
  readonly key: string;
  /** Its place among the members. */
  readonly at: number;
  /** Undefined if the key is only required. */
  readonly check: SchemaCheck | undefined;
  readonly isRequired: boolean;
}

/**
 * `properties`, `required`, `patternProperties` and `additionalProperties`, in one loop over the
 * keys of the object. Keys are expected in the order of the schema, in which most models send them.
 */
class MemberChecks {
  readonly #members: readonly Member[];
  readonly #byKey: ReadonlyMap<string, Member>;
  readonly #requiredCount: number;
  readonly #patterns: readonly (readonly [{ test(key: string): boolean }, SchemaCheck])[];
  readonly #additional: SchemaCheck | undefined;

  constructor(schema: SchemaObject, checks: SchemaChecks) {
    const { properties = {}, required = [], patternProperties = {}, additionalProperties } = schema;
    const requiredKeys = new Set(required);
    const declaredKeys = Object.keys(properties);
    const keys = new Set([...declaredKeys, ...requiredKeys]);
    this.#members = [...keys].map((key, at) => ({
      key,
      at,
      check: checkOfKey(properties, key, checks),
      isRequired: requiredKeys.has(key),
    }));
    this.#byKey = new Map(this.#members.map((member) => [member.key, member]));
    this.#requiredCount = requiredKeys.size;
    this.#patterns = Object.entries(patternProperties).map(([source, part]) => [
      readPattern(source).matcher,
      checks.of(part),
    ]);
    this.#additional =
      isSchema(additionalProperties) && additionalProperties !== true
        ? checks.of(additionalProperties)
        : undefined;
  }

  get isNeeded(): boolean {
    return this.#members.length > 0 || this.#patterns.length > 0 || this.#additional !== undefined;
  }

  accept(object: JsonObject): boolean {
    const members = this.#members;
    let next = 0;
    let missingCount = this.#requiredCount;
    // Only own keys count. A program may have put enumerable keys on the prototype of all objects.
    const mayInherit = hasInheritedKeys();
    for (const key in object) {
      if (mayInherit && !Object.hasOwn(object, key)) continue;
      let member = members[next];
      if (member?.key !== key) member = this.#byKey.get(key);
      const value = object[key] ?? null;
      if (member === undefined) {
        if (!this.#acceptsOther(key, value, false)) return false;
        continue;
      }
      next = member.at + 1;
      const { check } = member;
      if (member.isRequired) missingCount -= 1;
      if (check !== undefined && !check.accepts(value)) return false;
      if (check === undefined || this.#patterns.length > 0)
        if (!this.#acceptsOther(key, value, check !== undefined)) return false;
    }
    return missingCount === 0;
  }

  #acceptsOther(key: string, value: JsonValue, isDeclared: boolean): boolean {
    let isKnown = isDeclared;
    for (const [pattern, check] of this.#patterns) {
      if (!pattern.test(key)) continue;
      isKnown = true;
      if (!check.accepts(value)) return false;
    }
    return isKnown || this.#additional === undefined || this.#additional.accepts(value);
  }
}

function checkOfKey(
  properties: SchemaMap,
  key: string,
  checks: SchemaChecks,
): SchemaCheck | undefined {
  const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
  return schema === undefined ? undefined : checks.of(schema);
}

function* demandsOfAnyType(
  schema: SchemaObject,
  checks: SchemaChecks,
): Iterable<Passes<JsonValue>> {
  const { $ref, const: constant, enum: members, not, anyOf, oneOf, allOf: parts } = schema;
  if (constant !== undefined) yield (value) => sameValue(value, constant);
  if (members !== undefined) yield memberTestOf(members);
  if ($ref !== undefined) {
    const check = checks.of(checks.target($ref));
    yield (value) => check.accepts(value);
  }
  for (const part of parts ?? []) {
    const check = checks.of(part);
    yield (value) => check.accepts(value);
  }
  if (anyOf !== undefined) yield unionDemand(new Union(anyOf, checks), Infinity);
  if (oneOf !== undefined) yield unionDemand(new Union(oneOf, checks), 1);
  if (isSchema(not)) {
    const check = checks.of(not);
    yield (value) => !check.accepts(value);
  }
  if (schema.if !== undefined) {
    const condition = checks.of(schema.if);
    const thenCheck = checks.of(schema.then ?? true);
    const elseCheck = checks.of(schema.else ?? true);
    yield (value) => (condition.accepts(value) ? thenCheck : elseCheck).accepts(value);
  }
}

/** `most`: how many branches may accept a value. */
function unionDemand(union: Union, most: number): Passes<JsonValue> {
  return (value) => {
    let passing = 0;
    for (const branch of union.branchesFor(value)) {
      if (!branch.accepts(value)) continue;
      passing += 1;
      if (most === Infinity) return true;
      if (passing > most) return false;
    }
    return passing > 0;
  };
}

/**
 * The branches of a union. A tag, such as `kind`, is the property for which most branches allow
 * only one value. An object with another value there can't pass such a branch.
 */
class Union {
  readonly #branches: readonly SchemaCheck[];
  readonly #tag: string | undefined;
  readonly #byTag: ReadonlyMap<JsonValue | undefined, readonly SchemaCheck[]>;

  constructor(schemas: readonly JsonSchema[], checks: SchemaChecks) {
    this.#branches = schemas.map((schema) => checks.of(schema));
    const constants = schemas.map((schema) => constantsOf(schema, checks));
    this.#tag = mostFrequent(constants.flatMap((constantsByKey) => [...constantsByKey.keys()]));
    const tags = constants.map((constantsByKey) => constantsByKey.get(this.#tag ?? ''));
    this.#byTag = new Map(
      [undefined, ...tags].map((tag) => [
        tag,
        this.#branches.filter((_, at) => tags[at] === undefined || tags[at] === tag),
      ]),
    );
  }

  branchesFor(value: JsonValue): readonly SchemaCheck[] {
    const tag = this.#tag;
    if (tag === undefined || !isJsonObject(value) || !Object.hasOwn(value, tag))
      return this.#branches;
    return this.#byTag.get(value[tag]) ?? this.#byTag.get(undefined) ?? [];
  }
}

/** The properties of a branch that allow only one value: a string, a number or a boolean. */
function constantsOf(branch: JsonSchema, checks: SchemaChecks): ReadonlyMap<string, JsonValue> {
  if (typeof branch === 'boolean') return new Map();
  const target = branch.$ref === undefined ? undefined : checks.target(branch.$ref);
  const namedProperties = Object.entries({ ...target?.properties, ...branch.properties });
  return new Map(
    namedProperties.flatMap(([key, schema]) => {
      const constant = typeof schema === 'boolean' ? undefined : schema.const;
      return constant === undefined || isContainer(constant) || constant === null
        ? []
        : [[key, constant] as const];
    }),
  );
}

function mostFrequent(names: readonly string[]): string | undefined {
  const counts = Map.groupBy(names, (name) => name);
  let most: readonly string[] = [];
  for (const group of counts.values()) if (group.length > most.length) most = group;
  return most.length > 1 ? most[0] : undefined;
}
