import { type ReadValue, type RepeatedKey, readJson } from '../json/lenient-parser.ts';
import type { NumberLiterals } from '../json/number-literals.ts';
import { parseJson } from '../json/parse.ts';
import { isContainer } from '../collections/objects.ts';
import { pointerTo, splitPointer } from '../json/pointers.ts';
import {
  type JsonArray,
  type JsonObject,
  type JsonType,
  type JsonValue,
  isJsonObject,
  maxTextDepth,
} from '../json/value.ts';
import { sourceSlices } from '../json/json-edits.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { SchemaView, SchemaViews } from '../schema/schema-view.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import type { ContractValidator } from '../validate/validator.ts';
import type { ContractRules } from './contract-rules.ts';
import { recordRepeatedKeys } from './edits.ts';
import { sourceOf } from './read-text.ts';
import { chooseReading, lossyEdits } from './choose-reading.ts';
import type { TextReading } from '../text/readings/build-reading.ts';
import { moving } from '../text/readings/edits.ts';
import { readBrokenText } from '../text/readings/read-broken-text.ts';
import type { RepairPlan } from './repair-plan.ts';
import type { RepairRecord, RuleContext } from './repair-rule.ts';
import { readingOf } from '../text/text-rule.ts';

/**
 * Validations of values and of parts of them, and further ones for each character of what was sent.
 */
const maxValidations = 50_000;
const validationsPerCharacter = 0.25;
/** Steps of a validator that cost as much as one validation. */
const stepsPerValidation = 20;
/** Texts decoded on one path. */
const maxDecodings = 3;
/** Characters decoded in all, as a multiple of the size of what was sent. */
export const decodedRatio = 2;

export interface RepairRequest {
  readonly value: JsonValue;
  readonly numbers: NumberLiterals;
  /** The number of characters that were sent. */
  readonly size: number;
  /** The argument text, if it is strict JSON, and its value. */
  readonly source?: SourceText | undefined;
  /** Absent if the model has the contract's own schema. */
  readonly restoreAt?: RestoreAtPlace | undefined;
}

export interface SourceText {
  readonly text: string;
  readonly value: JsonObject;
}

/**
 * Maps a value that repair found in text, in an envelope or under another key from the provider's
 * schema to the contract's. `path`: the JSON Pointer of the place. Returns the same value if
 * nothing differs.
 */
export type RestoreAtPlace = (value: JsonValue, path: string, numbers: NumberLiterals) => JsonValue;

/** A place in the arguments, with its schema. */
export interface Location {
  /** JSON Pointer. */
  readonly path: string;
  readonly plan: RepairPlan;
  /** The types of all branches, if the schema is a branch of a union; else undefined. */
  readonly types: ReadonlySet<JsonType> | undefined;
  /** The union that the schema is a branch of, else undefined. */
  readonly union: JsonSchema | undefined;
  readonly isElement: boolean;
  /** A list that is tried as the one element of a list of lists. */
  readonly isOneElement?: true;
  /** The object or list around the value; empty for the root. */
  readonly container: JsonObject | JsonArray;
  /** Texts decoded on the way here. */
  readonly decodings: number;
  /** The rules that act only once, and have acted on this value or on a list around it. */
  readonly usedRules: readonly string[];
}

const noRules: readonly string[] = Object.freeze([]);

export const rootLocation = (plan: RepairPlan): Location => ({
  path: '',
  plan,
  types: undefined,
  union: undefined,
  isElement: false,
  container: {},
  decodings: 0,
  usedRules: noRules,
});

/** `plan`: of the member. */
export const memberLocation = (
  { path, decodings }: Location,
  plan: RepairPlan,
  key: string,
  container: JsonObject,
): Location => ({
  path: pointerTo(path, key),
  plan,
  types: undefined,
  union: undefined,
  isElement: false,
  container,
  decodings,
  usedRules: noRules,
});

export const elementLocation = (list: Location, index: number, container: JsonArray): Location => ({
  ...list,
  path: pointerTo(list.path, index),
  plan: list.plan.element(index),
  types: undefined,
  union: undefined,
  isElement: true,
  container,
});

/**
 * The result for one value. `repairedPaths`: JSON Pointers below a failed value where values were
 * repaired.
 */
export type Repair =
  | { readonly kind: 'fits'; readonly value: JsonValue; readonly records: readonly RepairRecord[] }
  | { readonly kind: 'failed'; readonly repairedPaths: readonly string[] };

export const failedRepair: Repair = { kind: 'failed', repairedPaths: [] };

/** Repairing text of at most this many characters again costs less than remembering it. */
const shortText = 64;

type FailedRepair = readonly [value: JsonValue, ignoredCount: number, repair: Repair];

/** Failed repairs, remembered because later passes and other branches try the same ones again. */
class FailedRepairs {
  #byPath: Map<string, Map<JsonSchema, FailedRepair>> | undefined;

  /**
   * `ignoredCount`: the number of keys that are left as they were sent. If it has grown, the value
   * may fit now.
   */
  find(value: JsonValue, { path, plan }: Location, ignoredCount: number): Repair | undefined {
    if (this.#byPath === undefined) return undefined;
    const [sentValue, ignoredBefore, repair] = this.#byPath.get(path)?.get(plan.schema) ?? [];
    return sentValue === value && ignoredBefore === ignoredCount ? repair : undefined;
  }

  keep(repair: Repair, value: JsonValue, { path, plan }: Location, ignoredCount: number): void {
    const isCostly = typeof value === 'string' ? value.length > shortText : isContainer(value);
    if (!isCostly) return;
    const byPath = (this.#byPath ??= new Map<string, Map<JsonSchema, FailedRepair>>());
    const bySchema = byPath.get(path) ?? new Map<JsonSchema, FailedRepair>();
    byPath.set(path, bySchema.set(plan.schema, [value, ignoredCount, repair]));
  }
}

/** A value, and two that it could mean. */
export interface Ambiguity {
  readonly sentValue: JsonValue;
  readonly one: JsonValue;
  readonly other: JsonValue;
}

/** `isRefused`: the schema has refused the value. */
export type RepairIn = (
  context: RepairContext,
  value: JsonValue,
  location: Location,
  isRefused: boolean,
) => Repair;

/**
 * The state of one call's repair: its budget, decoded texts, and keys that are left as they were
 * sent. Most calls need little of it, so its collections are made when something is put in.
 */
export class RepairContext {
  /** The literals of numbers, those in decoded texts included. */
  readonly numbers: NumberLiterals;
  readonly failures = new FailedRepairs();
  readonly rules: ContractRules;
  readonly texts: DecodedTexts;
  readonly contract: ToolContract;
  readonly views: SchemaViews;
  readonly #validator: ContractValidator;
  readonly #request: RepairRequest;
  readonly #repairIn: RepairIn;
  #ambiguities: Map<string, Ambiguity> | undefined;
  #slices: ReadonlyMap<JsonObject, string> | undefined;
  #ignoredKeys: Set<string> | undefined;
  #validations: number;

  /** `repairIn`: repairs a value in this context. */
  constructor(
    validator: ContractValidator,
    request: RepairRequest,
    repairIn: RepairIn,
    rules: ContractRules,
  ) {
    this.#repairIn = repairIn;
    this.rules = rules;
    this.contract = validator.contract;
    this.views = validator.views;
    this.numbers = request.numbers.copy();
    this.#validator = validator;
    this.#request = request;
    this.texts = new DecodedTexts(this, request.size);
    this.#validations = maxValidations + request.size * validationsPerCharacter;
  }

  /** Returns the value itself if it fits, else a repaired value that fits, or a failure. */
  repair(value: JsonValue, location: Location): Repair {
    return this.#repairIn(this, value, location, false);
  }

  /** The same for a value that its schema has refused. */
  repairRefused(value: JsonValue, location: Location): Repair {
    return this.#repairIn(this, value, location, true);
  }

  /** By JSON Pointer: values that two branches of a union repair differently. */
  get ambiguities(): ReadonlyMap<string, Ambiguity> {
    return this.#ambiguities ?? noAmbiguities;
  }

  noteAmbiguity(path: string, ambiguity: Ambiguity): void {
    (this.#ambiguities ??= new Map<string, Ambiguity>()).set(path, ambiguity);
  }

  get isOverBudget(): boolean {
    return this.#validations < 0;
  }

  view(schema: JsonSchema): SchemaView {
    return this.views.of(schema);
  }

  /** Whether a value passes a schema, strict checks aside. */
  accepts(schema: JsonSchema, value: JsonValue): boolean {
    const stepsBefore = this.#validator.stepsTaken;
    const isAccepted = this.#validator.acceptsPart(schema, value);
    this.#validations -= 1 + (this.#validator.stepsTaken - stepsBefore) / stepsPerValidation;
    return isAccepted;
  }

  /** Whether a value passes its schema and the strict checks, with all its digits. */
  fits(value: JsonValue, location: Location): boolean {
    if (this.isOverBudget || !this.accepts(location.plan.schema, value)) return false;
    return this.#passesStrictChecks(value, location) && !this.#losesDigits(value, location);
  }

  /**
   * Whether a member or an element fits, as most do, or its schema refuses it. This needs no
   * location. If it is unknown, `repair` finds out.
   */
  glanceAt(value: JsonValue, { schema, check }: RepairPlan): 'fits' | 'refused' | 'unknown' {
    if (this.numbers.lossy || this.isOverBudget || !check.isClean(value)) return 'unknown';
    return this.accepts(schema, value) ? 'fits' : 'refused';
  }

  #passesStrictChecks(value: JsonValue, { path: root, plan: { check } }: Location): boolean {
    if (check.isClean(value)) return true;
    const failures = check.failures(value, root);
    return failures.every(
      ({ path, key }) => key !== undefined && this.#ignoredKeys?.has(pointerTo(path, key)) === true,
    );
  }

  #losesDigits(value: JsonValue, location: Location): boolean {
    if (!this.numbers.lossy) return false;
    const literal = typeof value === 'number' ? this.literalOf(value, location) : undefined;
    return this.numbers.lostDigits(value, '', literal).length > 0;
  }

  literalOf(value: number, { container, path }: Location): string | undefined {
    const { key } = splitPointer(path);
    // A rule may have put another value in the place.
    return Reflect.get(container, key) === value
      ? this.numbers.literal(value, container, key)
      : this.numbers.literal(value);
  }

  /**
   * Whether text at a location is a path. It is one for a list of paths, too: a link can be sent
   * instead of the list.
   */
  isPath({ view, name, isPath }: RepairPlan): boolean {
    const { strict } = this.#validator;
    if (strict.isPath(view, name, isPath)) return true;
    return view.types.has('array') && strict.isPath(this.view(view.items), name, isPath);
  }

  /** Leaves a misspelt key as it was sent. */
  ignoreKey({ path }: Location, key: string): void {
    (this.#ignoredKeys ??= new Set<string>()).add(pointerTo(path, key));
  }

  get ignoredCount(): number {
    return this.#ignoredKeys?.size ?? 0;
  }

  /** Misspelt keys with the declared key of each, even those that are left as they were sent. */
  misspelt(view: SchemaView, value: JsonObject): readonly (readonly [string, string])[] {
    return this.#validator.strict.misspellings(view, value);
  }

  /** Maps a value that was found at a path to the contract's own schema. */
  restoreText(value: JsonValue, path: string): JsonValue {
    const { restoreAt } = this.#request;
    return restoreAt === undefined ? value : restoreAt(value, path, this.numbers);
  }

  /**
   * An object as it was written in the argument text, or as JSON text; undefined if digits are
   * lost.
   */
  sourceOf(value: JsonValue): string | undefined {
    const { source } = this.#request;
    if (source !== undefined) this.#slices ??= sourceSlices(source.text, source.value);
    const slice = isJsonObject(value) ? this.#slices?.get(value) : undefined;
    return slice ?? sourceOf(value, this.numbers);
  }

  /** What a rule sees of a value. */
  ruleContext<Value extends JsonValue>(value: Value, location: Location): RuleContext<Value> {
    return new LocatedValue(this, value, location);
  }
}

const noAmbiguities: ReadonlyMap<string, Ambiguity> = new Map();

/** Most rules skip after a look at the type, so the rest is computed when a rule asks. */
class LocatedValue<Value extends JsonValue> implements RuleContext<Value> {
  readonly value: Value;
  readonly view: SchemaView;
  readonly #context: RepairContext;
  readonly #location: Location;

  constructor(context: RepairContext, value: Value, location: Location) {
    this.value = value;
    this.view = location.plan.view;
    this.#context = context;
    this.#location = location;
  }

  get name(): string | undefined {
    return this.#location.plan.name;
  }

  get siblings(): JsonObject {
    const { container } = this.#location;
    return isJsonObject(container) ? container : {};
  }

  get types(): ReadonlySet<JsonType> {
    return this.#location.types ?? this.view.types;
  }

  get place(): JsonSchema {
    return this.#location.union ?? this.#location.plan.schema;
  }

  get isRoot(): boolean {
    return this.#location.path === '';
  }

  get isElement(): boolean {
    return this.#location.isElement;
  }

  get contract(): ToolContract {
    return this.#context.contract;
  }

  isPath(): boolean {
    return this.#context.isPath(this.#location.plan);
  }

  literal(): string | undefined {
    return typeof this.value === 'number'
      ? this.#context.literalOf(this.value, this.#location)
      : undefined;
  }

  accepts(schema: JsonSchema, value: JsonValue): boolean {
    return this.#context.accepts(schema, value);
  }

  viewOf(schema: JsonSchema): SchemaView {
    return this.#context.view(schema);
  }

  typesOf(schema: JsonSchema): ReadonlySet<JsonType> {
    return this.#context.views.typesOf(schema);
  }

  misspelt(view: SchemaView, value: JsonObject): readonly (readonly [string, string])[] {
    return this.#context.misspelt(view, value);
  }

  sourceOf(value: JsonValue): string | undefined {
    return this.#context.sourceOf(value);
  }

  read(text: string): JsonValue | undefined {
    return this.#context.texts.read(text, this.#location);
  }
}

/**
 * The texts inside the values of one call, read as JSON or nearly JSON within the limits of the
 * call.
 */
class DecodedTexts {
  /** Text was read with edits of closers, braces or brackets. */
  movesMembers = false;
  readonly #context: RepairContext;
  /** The first text, and those after it. */
  #first: DecodedText | undefined;
  #others: Map<string, DecodedText> | undefined;
  #repeatedKeys: Map<object, readonly RepeatedKey[]> | undefined;
  #lossy: Set<object> | undefined;
  #decodable: number;

  /** `size`: characters of what was sent. */
  constructor(context: RepairContext, size: number) {
    this.#context = context;
    this.#decodable = size * decodedRatio;
  }

  /**
   * The value of text found at a location; undefined if it can't be read or a limit is reached. The
   * same text gives the same value at one path, and another one at another path.
   */
  read(text: string, location: Location): JsonValue | undefined {
    const { path, decodings } = location;
    if (decodings >= maxDecodings) return undefined;
    if (this.#first?.path === path && this.#first.text === text) return this.#first.value;
    const id = `${path.length}:${path}${text}`;
    const knownText = this.#others?.get(id);
    if (knownText !== undefined) return knownText.value;
    this.#decodable -= text.length;
    if (this.#decodable < 0) return undefined;
    const decodedText = { path, text, value: this.#decode(text, location) };
    if (this.#first === undefined) this.#first = decodedText;
    else (this.#others ??= new Map<string, DecodedText>()).set(id, decodedText);
    return decodedText.value;
  }

  #decode(text: string, location: Location): JsonValue | undefined {
    const depth = maxTextDepth - depthOf(location.path);
    const strict = parseJson(text, depth);
    if (strict.kind === 'read') return this.#adopt(strict, location);
    const loose = readJson(text, 'loose', depth);
    if (loose.kind === 'read')
      return loose.quotedNumbers.length === 0
        ? this.#adopt(loose, location)
        : this.#choose([readingOf(loose)], location);
    const brokenText = readBrokenText(text, {
      maxDepth: depth,
      isComplete: false,
      place: 'inside',
    });
    return brokenText.kind === 'readings' ? this.#choose(brokenText.readings, location) : undefined;
  }

  #adopt({ value, numbers, repeatedKeys }: Omit<ReadValue, 'kind'>, { path }: Location): JsonValue {
    this.#context.numbers.adopt(numbers, value);
    const restoredValue = this.#context.restoreText(value, path);
    if (repeatedKeys.length > 0 && isContainer(restoredValue))
      (this.#repeatedKeys ??= new Map<object, readonly RepeatedKey[]>()).set(
        restoredValue,
        repeatedKeys,
      );
    return restoredValue;
  }

  /** The one reading that fits or can be repaired to fit. */
  #choose(readings: readonly TextReading[], location: Location): JsonValue | undefined {
    const { views, rules } = this.#context;
    const { schema } = location.plan;
    const innerLocation = { ...location, decodings: location.decodings + 1 };
    const choice = chooseReading(readings, { views, schema, rules }, (reading) => {
      const value = this.#adopt(reading, location);
      const repair = this.#context.repair(value, innerLocation);
      return repair.kind === 'failed' ? undefined : { ...repair, metaKeys: [], result: value };
    });
    if (choice.kind !== 'one') return undefined;
    const { result, reading } = choice;
    if ((reading.edits & lossyEdits) !== 0 && isContainer(result))
      (this.#lossy ??= new Set<object>()).add(result);
    this.movesMembers ||= (reading.edits & moving) !== 0;
    return result;
  }

  /** Whether a value was read from text by edits that a destructive tool must have confirmed. */
  isLossy(value: JsonValue): boolean {
    return isContainer(value) && this.#lossy?.has(value) === true;
  }

  /** Records the keys that came twice, with one value, in the text that a value was read from. */
  recordsOfReading(value: JsonValue, { path }: Location): readonly RepairRecord[] {
    const repeatedKeysHere = isContainer(value) ? this.#repeatedKeys?.get(value) : undefined;
    return repeatedKeysHere === undefined ? noRecords : recordRepeatedKeys(repeatedKeysHere, path);
  }
}

export function depthOf(pointer: string): number {
  let depth = 0;
  for (let at = pointer.indexOf('/'); at !== -1; at = pointer.indexOf('/', at + 1)) depth += 1;
  return depth;
}

interface DecodedText {
  readonly path: string;
  readonly text: string;
  readonly value: JsonValue | undefined;
}

const noRecords: readonly RepairRecord[] = Object.freeze([]);
