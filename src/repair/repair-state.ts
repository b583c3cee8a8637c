import type { NumberTexts, RepeatedKey } from '../json/exact-numbers.ts';
import { pointerTo, splitPointer } from '../json/json-pointer.ts';
import { readJson } from '../json/lenient-parser.ts';
import { parseJson } from '../json/parse.ts';
import type { JsonObject, JsonType, JsonValue } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { type SchemaView, type SchemaViews, memberSchema } from '../schema/schema-view.ts';
import type { Effects, ToolContract } from '../tool/tool-contract.ts';
import type { ContractValidator } from '../validate/validator.ts';
import { recordRepeatedKeys } from './edits.ts';
import { sourceOf } from './read-text.ts';
import type { Place, Questions } from './repair-rule.ts';

// Beyond a limit the call is rejected with that reason.
export interface RepairLimits {
  /** Nesting of containers, the outermost counted. */
  readonly depth: number;
  /** Decodings of text on one path. */
  readonly decodings: number;
  /** Characters decoded in all, as a multiple of the size of what was sent. */
  readonly decodedRatio: number;
  /** Questions to the validator, whatever the size of what was sent. */
  readonly validations: number;
  /** Questions to the validator beside those, for each character of what was sent. */
  readonly validationsPerCharacter: number;
  /** Edits at one place. */
  readonly rounds: number;
}

const defaultRepairLimits: RepairLimits = Object.freeze({
  depth: 64,
  decodings: 3,
  decodedRatio: 2,
  validations: 50_000,
  validationsPerCharacter: 0.25,
  rounds: 8,
});

// A value that was sent, and how its numbers were spelled.
export interface RepairRequest {
  readonly value: JsonValue;
  readonly numbers: NumberTexts;
  /** Characters of what was sent; decoding is bounded by it. */
  readonly size: number;
  readonly limits?: RepairLimits;
  /** Where a model was shown other forms than the contract's. Absent: they are the same. */
  readonly readAt?: ReadAtPlace | undefined;
}

/**
 * What a value says in the contract's own form that was found at a place (JSON Pointer) where the model put it in the form
 * that it was shown: inside text, in an envelope, under another key. The very same value where nothing differs.
 */
export type ReadAtPlace = (value: JsonValue, path: string, numbers: NumberTexts) => JsonValue;

// Validations and decoded characters are counted; nothing else changes during a run.
/** Steps of a validator that count as much as one question to it. */
const stepsPerValidation = 20;

export class RepairLedger {
  readonly limits: RepairLimits;
  readonly #repeated = new WeakMap<object, readonly RepeatedKey[]>();
  readonly #decoded = new Map<string, Map<string, JsonValue | undefined>>();
  #validations: number;
  #decodable: number;

  /** How numbers were spelled, also those in texts that were decoded on the way. */
  readonly numbers: NumberTexts;

  readonly #readAt: RepairRequest['readAt'];

  constructor({ limits = defaultRepairLimits, size, numbers, readAt }: RepairRequest) {
    this.limits = limits;
    this.numbers = numbers.copied();
    this.#readAt = readAt;
    this.#decodable = size * limits.decodedRatio;
    this.#validations = limits.validations + size * limits.validationsPerCharacter;
  }

  get isOverBudget(): boolean {
    return this.#validations < 0;
  }

  /** `steps`: those that the validator counted. */
  countValidation(steps: number): void {
    this.#validations -= 1 + steps / stepsPerValidation;
  }

  /** One record for each key that came twice, with one value, in the text that this value was decoded from. */
  repeatedKeys(value: JsonValue, path: string): ReturnType<typeof recordRepeatedKeys> {
    const repeated = typeof value === 'object' && value !== null ? this.#repeated.get(value) : undefined;
    return recordRepeatedKeys(repeated ?? [], path);
  }

  /** A value as JSON text, with its numbers as the model spelled them; undefined where digits are lost already. */
  sourceOf(value: JsonValue): string | undefined {
    return sourceOf(value, this.numbers);
  }

  /**
   * Decodes text found at a place inside a value; undefined if it can't be read or the budget is spent. To ask about it
   * again costs nothing and gives the same value; two places never share one.
   */
  decode(text: string, path: string): JsonValue | undefined {
    const known = this.#decoded.get(path) ?? new Map<string, JsonValue | undefined>();
    if (known.has(text)) return known.get(text);
    this.#decodable -= text.length;
    if (this.#decodable < 0) return undefined;
    const read = this.#read(text, path.split('/').length - 1);
    const value = read === undefined ? undefined : this.inOwnForm(read, path);
    this.#keepRepeated(read, value);
    this.#decoded.set(path, known.set(text, value));
    return value;
  }

  /** What a value that was found at a place says there, for a model that was shown another form of it. */
  inOwnForm(value: JsonValue, path: string): JsonValue {
    return this.#readAt === undefined ? value : this.#readAt(value, path, this.numbers);
  }

  #keepRepeated(read: JsonValue | undefined, value: JsonValue | undefined): void {
    if (read === value || typeof read !== 'object' || typeof value !== 'object') return;
    const repeated = read === null ? undefined : this.#repeated.get(read);
    if (repeated !== undefined && value !== null) this.#repeated.set(value, repeated);
  }

  /** `around`: containers around the text. */
  #read(text: string, around: number): JsonValue | undefined {
    const maxDepth = this.limits.depth - around;
    const strict = parseJson(text, maxDepth);
    const reading =
      strict.kind === 'unreadable' && strict.reason !== 'too_deep' && strict.reason !== 'duplicate_key'
        ? readJson(text, { mode: 'loose', maxDepth, closeAtEnd: false })
        : strict;
    if (reading.kind === 'unreadable') return undefined;
    const { value, numbers, repeatedKeys } = reading;
    this.numbers.adopt(numbers, value);
    if (repeatedKeys.length > 0 && typeof value === 'object' && value !== null)
      this.#repeated.set(value, repeatedKeys);
    return value;
  }
}

export interface Spot {
  readonly schema: JsonSchema;
  readonly path: string;
  /** The declared key that governs the place; a list's elements have the list's. */
  readonly name: string | undefined;
  /** The list around the place was declared as one of paths. */
  readonly isPath: boolean;
  /** What the place as a whole allows, set where a union is entered; else its own types count. */
  readonly types: ReadonlySet<JsonType> | undefined;
  /** The place is an element of a list. */
  readonly isElement: boolean;
  /** The container that the value was found in, which knows how a number is spelled. */
  readonly within: object | undefined;
  /** Texts decoded on the way here. */
  readonly decodings: number;
}

/** The arguments as a whole. */
export const rootSpot = (schema: JsonSchema): Spot => ({
  schema,
  path: '',
  name: undefined,
  isPath: false,
  types: undefined,
  isElement: false,
  within: undefined,
  decodings: 0,
});

/** Where a member or an element stands. */
export interface Below {
  readonly view: SchemaView;
  readonly parent: Spot;
  readonly within: object;
}

/** The spot of an object's member; undefined where nothing is said about its key. */
export function memberSpot({ view, parent, within }: Below, key: string): Spot | undefined {
  const schema = memberSchema(view, key);
  if (typeof schema === 'boolean') return undefined;
  const { decodings } = parent;
  // The keys of a map are data: they say nothing of what stands there.
  const name = view.properties.has(key) ? key : undefined;
  return {
    schema,
    path: pointerTo(parent.path, key),
    name,
    isPath: false,
    types: undefined,
    isElement: false,
    within,
    decodings,
  };
}

export function elementSpot({ view, parent, within }: Below, index: number): Spot {
  const schema = view.prefixItems[index] ?? view.items;
  const isPath = parent.isPath || view.semantic === 'path';
  const path = pointerTo(parent.path, index);
  return { ...parent, schema, path, isPath, types: undefined, isElement: true, within };
}

// Most rules say no at a glance, so nothing is made early.
/** Who answers for all places of one call. */
export interface PlaceSource {
  readonly contract: ToolContract;
  view(schema: JsonSchema): SchemaView;
  accepts(schema: JsonSchema, value: JsonValue): boolean;
  isPath(view: SchemaView, spot: Spot): boolean;
  misspelt(view: SchemaView, value: JsonObject, spot: Spot): readonly (readonly [string, string])[];
  literalOf(value: number, spot: Spot): string | undefined;
  sourceOf(value: JsonValue): string | undefined;
  read(text: string, spot: Spot): JsonValue | undefined;
}

export class SpotPlace<Value extends JsonValue> implements Place {
  readonly value: Value;
  readonly view: SchemaView;
  readonly #spot: Spot;
  readonly #source: PlaceSource;
  #isPath: boolean | undefined;
  #ask: Questions | undefined;

  constructor(value: Value, spot: Spot, source: PlaceSource) {
    this.value = value;
    this.view = source.view(spot.schema);
    this.#spot = spot;
    this.#source = source;
  }

  get name(): string | undefined {
    return this.#spot.name;
  }

  get types(): ReadonlySet<JsonType> {
    return this.#spot.types ?? this.view.types;
  }

  get isPath(): boolean {
    return (this.#isPath ??= this.#source.isPath(this.view, this.#spot));
  }

  get isElement(): boolean {
    return this.#spot.isElement;
  }

  get literal(): string | undefined {
    return typeof this.value === 'number' ? this.#source.literalOf(this.value, this.#spot) : undefined;
  }

  get ask(): Questions {
    return (this.#ask ??= new SpotQuestions(this.#spot, this.#source));
  }
}

class SpotQuestions implements Questions {
  readonly #spot: Spot;
  readonly #source: PlaceSource;

  constructor(spot: Spot, source: PlaceSource) {
    this.#spot = spot;
    this.#source = source;
  }

  get toolName(): string {
    return this.#source.contract.name;
  }

  get effects(): Effects | undefined {
    return this.#source.contract.effects;
  }

  get unknownArguments(): 'reject' | 'strip' {
    return this.#source.contract.unknownArguments;
  }

  accepts(schema: JsonSchema, value: JsonValue): boolean {
    return this.#source.accepts(schema, value);
  }

  view(schema: JsonSchema): SchemaView {
    return this.#source.view(schema);
  }

  misspelt(view: SchemaView, value: JsonObject): readonly (readonly [string, string])[] {
    return this.#source.misspelt(view, value, this.#spot);
  }

  sourceOf(value: JsonValue): string | undefined {
    return this.#source.sourceOf(value);
  }

  read(text: string): JsonValue | undefined {
    return this.#source.read(text, this.#spot);
  }
}

// Whether it fits, what is wrong, and what a rule may ask.
export class Inspector implements PlaceSource {
  readonly #validator: ContractValidator;
  readonly #ledger: RepairLedger;
  readonly #tolerated = new Set<string>();

  constructor(validator: ContractValidator, ledger: RepairLedger) {
    this.#validator = validator;
    this.#ledger = ledger;
  }

  get views(): SchemaViews {
    return this.#validator.views;
  }

  get numbers(): RepairLedger['numbers'] {
    return this.#ledger.numbers;
  }

  /** Edits that one place may still get; none when the budget of validations is spent. */
  get rounds(): number {
    return this.#ledger.isOverBudget ? 0 : this.#ledger.limits.rounds;
  }

  /** The literal of a number at a spot; undefined if it can't be told any more. */
  literalOf(value: number, { within, path }: Spot): string | undefined {
    const key = within === undefined ? '' : splitPointer(path).key;
    const isThere = within !== undefined && Reflect.get(within, key) === value;
    return this.numbers.literal(value, isThere ? within : undefined, key);
  }

  /** What a value that was found at a place says there, for a model that was shown another form of it. */
  inOwnForm(value: JsonValue, path: string): JsonValue {
    return this.#ledger.inOwnForm(value, path);
  }

  /** One record for each key that came twice in the text that a value was decoded from. */
  repeatedKeys(value: JsonValue, { path }: Spot): ReturnType<RepairLedger['repeatedKeys']> {
    return this.#ledger.repeatedKeys(value, path);
  }

  /** A misspelt key that stays as it came. */
  tolerate(spot: Spot, key: string): void {
    this.#tolerated.add(pointerTo(spot.path, key));
  }

  /** How many misspelt keys stay as they came so far. */
  get tolerations(): number {
    return this.#tolerated.size;
  }

  view(schema: JsonSchema): SchemaView {
    return this.#validator.views.of(schema);
  }

  /** What a place allows in any of its branches. */
  typesOf(schema: JsonSchema): ReadonlySet<JsonType> {
    const { branches, types } = this.view(schema);
    return branches.length === 0 ? types : new Set(branches.flatMap((branch) => [...this.typesOf(branch)]));
  }

  /** The place passes its schema and the strict readings, and no digit of it is lost. */
  fits(value: JsonValue, spot: Spot): boolean {
    if (this.#ledger.isOverBudget || !this.accepts(spot.schema, value)) return false;
    if (!this.#isStrictlyRight(value, spot)) return false;
    if (!this.numbers.lossy) return true;
    const literal = typeof value === 'number' ? this.literalOf(value, spot) : undefined;
    return this.numbers.unsafePlaces(value, '', literal).length === 0;
  }

  #isStrictlyRight(value: JsonValue, spot: Spot): boolean {
    // Only text and what may hold text or keys can fail.
    if (value === null || (typeof value !== 'string' && typeof value !== 'object')) return true;
    const { strict } = this.#validator;
    if (!strict.mayFail(spot) || strict.lookAt(spot.schema).isClean(value)) return true;
    return strict
      .failures(value, spot)
      .every(({ path, key }) => key !== undefined && this.#isTolerated(path, key));
  }

  place<Value extends JsonValue>(value: Value, spot: Spot): SpotPlace<Value> {
    return new SpotPlace(value, spot, this);
  }

  get contract(): ToolContract {
    return this.#validator.contract;
  }

  /** Without those that stay as they came. */
  misspelt(view: SchemaView, value: JsonObject, spot: Spot): readonly (readonly [string, string])[] {
    return this.#validator.strict.misspelt(view, value).filter(([key]) => !this.#isTolerated(spot.path, key));
  }

  /** Whether a declared key came under another spelling, one that stays as it came too. */
  isSpelledOtherwise(view: SchemaView, value: JsonObject, declared: string): boolean {
    return this.#validator.strict.misspelt(view, value).some(([, meant]) => meant === declared);
  }

  sourceOf(value: JsonValue): string | undefined {
    return this.#ledger.sourceOf(value);
  }

  #isTolerated(path: string, key: string): boolean {
    return this.#tolerated.has(pointerTo(path, key));
  }

  accepts(schema: JsonSchema, value: JsonValue): boolean {
    const before = this.#validator.stepsTaken;
    const isAccepted = this.#validator.acceptsPart(schema, value);
    this.#ledger.countValidation(this.#validator.stepsTaken - before);
    return isAccepted;
  }

  /** A path, or a list of them: one link where the list is declared is one path. */
  isPath(view: SchemaView, { name, isPath }: Spot): boolean {
    const { strict } = this.#validator;
    if (strict.isPathPlace(view, name, isPath)) return true;
    const hasElements = view.types.has('array') && typeof view.items !== 'boolean';
    return hasElements && strict.isPathPlace(this.view(view.items), name, isPath);
  }

  read(text: string, spot: Spot): JsonValue | undefined {
    // What is read there is as deep as the place already.
    return spot.decodings < this.#ledger.limits.decodings ? this.#ledger.decode(text, spot.path) : undefined;
  }
}
