import { type OutputUnit, type Schema, format as formatTable, validate } from '@cfworker/json-schema';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { pointerKeys, pointerTo, splitPointer, valueAt } from '../json/json-pointer.ts';
import { type JsonValue, defineKey, isJsonObject, ownValue } from '../json/value.ts';
import { type JsonSchema, type SchemaObject, mapSubschemas } from '../schema/json-schema.ts';
import { readPattern } from '../schema/patterns.ts';
import { isSchemaObject, referencesIn, resolveReference } from '../schema/references.ts';
import type { Validator, SchemaFailure } from '../tool/tool-contract.ts';
import { StepBudget, mayTakeLong } from './ajv-validator.ts';

// A copy of its own.
/** Formats stand in the library's own table, which all its users share: ours have names of their own. */
const nameOf = (format: string): string => `toolmend:${format}`;

/** What a format of numbers says, as keywords. */
const numberFormats: ReadonlyMap<string, Schema> = new Map([
  ['int32', { multipleOf: 1, minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }],
  ['int64', { multipleOf: 1 }],
]);

/** Makes the copies of one root's schemas; the same copy for the same schema. */
export class SchemaAdapter {
  readonly #adapted = new WeakMap<SchemaObject, Schema>();
  readonly #onMet: (() => void) | undefined;

  /** `onMet`: called each time that the library looks at a value by one of the schemas. */
  constructor(onMet?: () => void) {
    this.#onMet = onMet;
  }

  adapt(schema: JsonSchema): Schema | boolean {
    return typeof schema === 'boolean' ? schema : this.#adaptObject(schema);
  }

  #adaptObject(schema: SchemaObject): Schema {
    const known = this.#adapted.get(schema);
    if (known !== undefined) return known;
    const adapted: Schema = {};
    const below = mapSubschemas(schema, (part) => this.#adaptObject(part));
    for (const [keyword, value] of Object.entries(below)) defineKey(adapted, keyword, value);
    if (typeof schema.format === 'string') adaptFormat(adapted, schema.format);
    if (schema.pattern !== undefined) adaptPattern(adapted, schema.pattern);
    for (const pattern of Object.keys(schema.patternProperties ?? {})) assertNative(pattern);
    // A keyword that no schema here has, and that the library asks every schema for.
    if (this.#onMet !== undefined) Object.defineProperty(adapted, '$recursiveAnchor', { get: this.#onMet });
    this.#adapted.set(schema, adapted);
    return adapted;
  }
}

/** The library has an engine of its own for patterns; its formats can use another one. */
function adaptPattern(adapted: Schema, pattern: string): void {
  const { kind, matcher } = readPattern(pattern);
  if (kind !== 'linear') return;
  const name = `toolmend:pattern:${pattern}`;
  formatTable[name] = (text) => matcher.test(text);
  delete adapted.pattern;
  adapted.allOf = [...(adapted.allOf ?? []), { format: name }];
}

function assertNative(pattern: string): void {
  if (readPattern(pattern).kind === 'linear')
    throw new Error(`keys that match ${pattern} can't be validated without making code`);
}

function adaptFormat(adapted: Schema, format: string): void {
  const keywords = numberFormats.get(format);
  // Behind the last of its own: a failure there is known as one of the format's.
  if (keywords !== undefined) adapted.allOf = [...(adapted.allOf ?? []), keywords];
  adapted.format = nameOf(format);
}

for (const [name, definition] of Object.entries(fullFormats)) {
  const accepts = testOf(definition);
  if (accepts !== undefined) formatTable[nameOf(name)] = accepts;
}

function testOf(definition: unknown): ((text: string) => boolean) | undefined {
  if (definition instanceof RegExp) return (text) => definition.test(text);
  if (typeof definition === 'function')
    return (text) => Boolean(Reflect.apply(definition, undefined, [text]));
  if (typeof definition !== 'object' || definition === null) return undefined;
  const facts = Object.fromEntries(Object.entries(definition));
  return ownValue<unknown>(facts, 'type') === 'number'
    ? undefined
    : testOf(ownValue<unknown>(facts, 'validate'));
}

// As Ajv lists them, so that both validators make the same message.
const groups: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  ['any', ['$ref', 'not', 'anyOf', 'oneOf', 'allOf', 'then', 'else', 'if', 'const', 'enum']],
  ['number', ['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum', 'multipleOf']],
  ['string', ['maxLength', 'minLength', 'pattern', 'format']],
  [
    'array',
    [
      'maxItems',
      'minItems',
      'prefixItems',
      'items',
      'contains',
      'minContains',
      'maxContains',
      'uniqueItems',
      'unevaluatedItems',
    ],
  ],
  [
    'object',
    [
      'maxProperties',
      'minProperties',
      'required',
      'propertyNames',
      'additionalProperties',
      'properties',
      'patternProperties',
      'dependentRequired',
      'dependentSchemas',
      'unevaluatedProperties',
    ],
  ],
];

const orders: ReadonlyMap<string, number> = new Map(
  groups.flatMap(([, keywords], group) =>
    keywords.map((keyword, at) => [keyword, group * 100 + at + 1] as const),
  ),
);

/** A type stands first, or, as the only one, with the keywords that speak of its values; `integer` always first. */
export function orderOf(keyword: string, schema: JsonSchema): number {
  if (keyword !== 'type' || typeof schema === 'boolean') return orders.get(keyword) ?? 1000;
  const group = groups.findIndex(([name]) => name === schema.type);
  const keywords = groups[group]?.[1] ?? [];
  return keywords.some((said) => Object.hasOwn(schema, said)) ? group * 100 : 0;
}

/** Compares two such orders; what is on the way to the other comes first. */
export function compareOrders(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((number, index) => number !== right[index]);
  if (at === -1) return left.length - right.length;
  return (left[at] ?? 0) - (right[at] ?? -1);
}

// Walked from the root, through references.
/** Where a keyword stands. */
export interface KeywordPlace {
  readonly keyword: string;
  readonly schema: JsonSchema;
  /** As the port asks for it. */
  readonly schemaPath: string;
  /** The keywords on the way and their members, as they are listed one after the other. */
  readonly order: readonly number[];
  /** It speaks of an object's names, not of their values. */
  readonly isOfNames?: boolean;
}

const holdsMany: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
  'properties',
  'patternProperties',
  'dependentSchemas',
]);

/** The place of a location such as `#/properties/a/$ref/type`; what was added to a copy is its format's. */
export function keywordPlace(location: string, root: SchemaObject): KeywordPlace {
  const keys = pointerKeys(decodeURIComponent(location.slice(1)));
  let schema: JsonSchema = root;
  let schemaPath = '#';
  let isOfNames = false;
  const order: number[] = [];
  for (let at = 0; at < keys.length - 1; at += 1) {
    const keyword = keys[at] ?? '';
    if (typeof schema === 'boolean') break;
    order.push(orderOf(keyword, schema));
    if (keyword === '$ref') {
      schemaPath = schema.$ref ?? '#';
      schema = resolveReference(schemaPath, root) ?? true;
      continue;
    }
    isOfNames ||= keyword === 'propertyNames';
    const before = schemaPath;
    schemaPath = pointerTo(schemaPath, keyword);
    let held: unknown = schema[keyword];
    if (holdsMany.has(keyword)) {
      at += 1;
      const name = keys[at] ?? '';
      const members: ReadonlyMap<string, unknown> = new Map(Object.entries(held ?? {}));
      order.push([...members.keys()].indexOf(name));
      held = members.get(name);
      if (held === undefined) return addedPlace(keys.at(-1), schema, { schemaPath: before, order });
      schemaPath = pointerTo(schemaPath, name);
    }
    schema = asSchema(held);
  }
  const keyword = keys.at(-1) ?? '';
  order.push(orderOf(keyword, schema));
  return { keyword, schema, schemaPath: pointerTo(schemaPath, keyword), order, isOfNames };
}

/** What the copy has beside the schema's own: a pattern written as a format, or a format of numbers. */
function addedPlace(
  failed: string | undefined,
  schema: JsonSchema,
  { schemaPath, order }: Pick<KeywordPlace, 'schemaPath' | 'order'>,
): KeywordPlace {
  const keyword = failed === 'format' ? 'pattern' : 'format';
  return {
    keyword,
    schema,
    schemaPath: pointerTo(schemaPath, keyword),
    order: [...order.slice(0, -2), orderOf(keyword, schema)],
  };
}

const asSchema = (held: unknown): JsonSchema =>
  typeof held === 'boolean' || isSchemaObject(held) ? held : true;

// Without containers' own, and with the keys that it names in sentences only.
/** What was validated, and by what. */
export interface Validated {
  readonly root: SchemaObject;
  readonly value: JsonValue;
}

interface Located extends KeywordPlace {
  readonly path: string;
  readonly location: string;
}

/** Failures in the port's words and in Ajv's order. */
export function failuresOf(output: readonly OutputUnit[], validated: Validated): readonly SchemaFailure[] {
  const units = locatedIn(output, validated);
  return units
    .flatMap((unit, at) =>
      failuresAt(unit, units[at - 1], validated).map((failure) => ({ failure, order: unit.order })),
    )
    .filter(({ failure }, at, all) => !isRepeated(failure, all[at - 1]?.failure))
    .toSorted((left, right) => compareOrders(left.order, right.order))
    .map(({ failure }) => failure);
}

/** A list that is too long fails once, not with each element. */
const isRepeated = (failure: SchemaFailure, before: SchemaFailure | undefined): boolean =>
  (failure.keyword === 'items' || failure.keyword === 'unevaluatedItems') &&
  failure.keyword === before?.keyword &&
  failure.path === before.path;

/** Where each unit stands; without those inside a union that failed, which says all. */
function locatedIn(output: readonly OutputUnit[], { root }: Validated): readonly Located[] {
  const located: Located[] = [];
  let union: string | undefined;
  let isSkipped = false;
  for (const { keyword, keywordLocation, instanceLocation } of output) {
    const location = keywordLocation.replace(/\/dependantRequired$/, '/dependentRequired');
    const path = decodeURIComponent(instanceLocation.slice(1));
    // Where nothing may stand, the library says where the value is, not the keyword: it belongs to what stands before.
    const isInside: boolean =
      keyword === 'false' ? isSkipped : union !== undefined && location.startsWith(`${union}/`);
    const before = located.at(-1);
    isSkipped = isInside;
    if (isInside) continue;
    const place = keyword === 'false' ? falsePlace(before) : keywordPlace(location, root);
    located.push({ ...place, path, location });
    isSkipped = unions.has(place.keyword);
    if (isSkipped) union = location;
  }
  return located;
}

const unions: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'contains', 'minContains', 'maxContains']);

/** A unit that only says where the value is belongs to the container before it. */
const falsePlace = (before: Located | undefined): KeywordPlace => ({
  keyword: 'false schema',
  schema: false,
  schemaPath: `${before?.schemaPath ?? '#'}/false schema`,
  order: [...(before?.order ?? []), 0],
});

/** Keywords whose failure is only that something below them fails. */
const containers: ReadonlySet<string> = new Set([
  '$ref',
  'additionalProperties',
  'allOf',
  'dependentSchemas',
  'if',
  'items',
  'patternProperties',
  'prefixItems',
  'properties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

function failuresAt(
  unit: Located,
  before: Located | undefined,
  { value }: Validated,
): readonly SchemaFailure[] {
  const { keyword, path, location, schemaPath, schema, isOfNames } = unit;
  if (containers.has(keyword)) return [];
  if (keyword === 'false schema') return [closedFailure(unit, before)];
  if (keyword === 'required' || keyword === 'dependentRequired') {
    // The library names each missing key in a unit of its own, but only in a sentence.
    if (before?.location === location && before.path === path) return [];
    const keys = missingKeys(keyword, schema, valueAt(value, path) ?? null);
    return keys.map((key) => ({ keyword, path, schemaPath, key, schema }));
  }
  if (keyword === 'minContains' || keyword === 'maxContains')
    return [{ keyword: 'contains', path, schemaPath: schemaPath.replace(keyword, 'contains'), schema }];
  const place = isOfNames === true ? nameAt(path) : { path };
  return [{ keyword, ...place, schemaPath, schema }];
}

/** A failure of a name is the object's that has the key. */
function nameAt(path: string): { readonly path: string; readonly key: string } {
  const { parent, key } = splitPointer(path);
  return { path: parent, key };
}

function closedFailure({ path, schemaPath }: Located, before: Located | undefined): SchemaFailure {
  if (before === undefined) return { keyword: 'false schema', path, schemaPath, schema: false };
  const { keyword, schema } = before;
  const closing = { keyword, path: before.path, schemaPath: before.schemaPath, schema };
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')
    return { ...closing, key: splitPointer(path).key };
  const isTuple = keyword === 'items' && typeof schema !== 'boolean' && schema.prefixItems !== undefined;
  if (isTuple || keyword === 'unevaluatedItems') return closing;
  const place = keyword === 'propertyNames' ? nameAt(path) : { path };
  return { keyword: 'false schema', ...place, schemaPath, schema: false };
}

function missingKeys(
  keyword: 'required' | 'dependentRequired',
  schema: JsonSchema,
  value: JsonValue,
): readonly string[] {
  if (!isSchemaObject(schema) || !isJsonObject(value)) return [];
  const needed =
    keyword === 'required'
      ? (schema.required ?? [])
      : Object.entries(schema.dependentRequired ?? {}).flatMap(([key, keys]) =>
          Object.hasOwn(value, key) ? keys : [],
        );
  return needed.filter((key) => !Object.hasOwn(value, key));
}

// It takes the square of a list's length for `uniqueItems`.
/** Elements of a list that is validated, where a schema asks anywhere for lists without repetitions. */
const longestList = 1000;

export function holdsUniqueItems(schema: SchemaObject): boolean {
  let holds = schema['uniqueItems'] === true;
  mapSubschemas(schema, (below) => {
    holds ||= holdsUniqueItems(below);
    return below;
  });
  return holds;
}

export function hasLongList(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members: readonly JsonValue[] = Object.values(value);
  return (Array.isArray(value) && members.length > longestList) || members.some(hasLongList);
}

// By @cfworker/json-schema, which walks the schema.
/**
 * For places that forbid code generation (Workers, `--disallow-code-generation-from-strings`): give it as `validator`.
 * Some thirty times slower than Ajv for a valid call; needs the package `@cfworker/json-schema`.
 */
export const interpretingValidator = (root: SchemaObject): Validator => {
  const budget = mayTakeLong(root) ? new StepBudget(steps) : undefined;
  const adapter = new SchemaAdapter(budget === undefined ? undefined : () => budget.step(undefined));
  const lookup: Record<string, Schema | boolean> = {};
  Reflect.setPrototypeOf(lookup, null);
  for (const reference of referencesIn(root)) {
    const target = resolveReference(reference, root);
    if (target !== undefined) lookup[reference] = adapter.adapt(target);
  }
  const isBounded = holdsUniqueItems(root) ? (value: JsonValue) => !hasLongList(value) : () => true;
  const outputOf = (value: JsonValue, schema: Schema | boolean, extent: 'first' | 'all') =>
    validate(value, schema, '2020-12', lookup, extent === 'first');
  const beyond: readonly SchemaFailure[] = [{ ...unreadable(root), keyword: 'budget_exceeded' }];
  const counted = <Answer>(value: JsonValue, ask: () => Answer, otherwise: Answer): Answer =>
    budget === undefined ? ask() : budget.within(value, ask, otherwise);
  return {
    compile: (part) => {
      const schema = adapter.adapt(part);
      const accepts = (value: JsonValue): boolean =>
        isBounded(value) && orFailing(() => outputOf(value, schema, 'first').valid, false);
      return (value) => counted(value, () => accepts(value), false);
    },
    failures: (value) => {
      if (!isBounded(value)) return beyond;
      const listed = (): readonly SchemaFailure[] => {
        const output = orFailing(() => outputOf(value, adapter.adapt(root), 'all').errors, undefined);
        return output === undefined ? [unreadable(root)] : failuresOf(output, { root, value });
      };
      return counted(value, listed, beyond);
    },
    ...(budget === undefined ? {} : { stepsTaken: () => budget.taken * stepWeight }),
  };
};

/** A step takes as long as so many of Ajv's, about. */
const stepWeight = 20;

/** Steps of one validation, if the schema could take steps without end. */
const steps = 5000;

const unreadable = (root: SchemaObject): SchemaFailure => ({
  keyword: 'not_plain',
  path: '',
  schemaPath: '#',
  schema: root,
});

/**
 * The library throws for a key with half a surrogate pair, which its locations can't name, and where more places fail
 * than a call takes arguments: such values don't pass.
 */
function orFailing<Made, Other>(make: () => Made, failing: Other): Made | Other {
  try {
    return make();
  } catch (error) {
    if (error instanceof URIError || error instanceof RangeError) return failing;
    throw error;
  }
}
