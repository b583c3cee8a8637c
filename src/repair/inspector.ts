// What does the engine know of a place? Whether it fits, what is wrong, and what a rule may ask.
import type { SchemaView, SchemaViews } from '../contract/schema-view.ts';
import type { ToolContract } from '../contract/tool-contract.ts';
import { pointerTo } from '../json/json-pointer.ts';
import type { JsonSchema } from '../json/json-schema.ts';
import type { JsonObject, JsonType, JsonValue } from '../json/json-value.ts';
import type { Judge } from '../validate/judge.ts';
import { keepsDigits } from './digits/keeps-digits.ts';
import type { RepairLedger } from './repair-ledger.ts';
import type { Spot } from './spot.ts';
import { type PlaceSource, SpotPlace } from './spot-place.ts';

export class Inspector implements PlaceSource {
  readonly #judge: Judge;
  readonly #ledger: RepairLedger;
  readonly #tolerated = new Set<string>();

  constructor(judge: Judge, ledger: RepairLedger) {
    this.#judge = judge;
    this.#ledger = ledger;
  }

  get views(): SchemaViews {
    return this.#judge.views;
  }

  get numbers(): RepairLedger['numbers'] {
    return this.#ledger.numbers;
  }

  /** Edits that one place may still get; none when the budget of judgements is spent. */
  get rounds(): number {
    return this.#ledger.isOverBudget ? 0 : this.#ledger.limits.rounds;
  }

  /** The spelling of what a rule made of the value at a spot, if it is a number; numbers inside keep theirs. */
  spellingAfter(value: JsonValue, { numberText }: Spot, made: JsonValue): string | undefined {
    return this.#ledger.follow({ value, numberText }, made);
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
    return this.#judge.views.of(schema);
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
    const { destination } = this.#ledger;
    const accepts = (asked: JsonValue): boolean => this.accepts(spot.schema, asked);
    return keepsDigits({ value, numberText: spot.numberText }, this.numbers, { destination, accepts });
  }

  #isStrictlyRight(value: JsonValue, spot: Spot): boolean {
    // Only text and what may hold text or keys can fail.
    if (value === null || (typeof value !== 'string' && typeof value !== 'object')) return true;
    const { strict } = this.#judge;
    if (!strict.mayFail(spot) || strict.lookAt(spot.schema).isClean(value)) return true;
    return strict
      .failures(value, spot)
      .every(({ path, key }) => key !== undefined && this.#isTolerated(path, key));
  }

  place<Value extends JsonValue>(value: Value, spot: Spot): SpotPlace<Value> {
    return new SpotPlace(value, spot, this);
  }

  get contract(): ToolContract {
    return this.#judge.contract;
  }

  /** Without those that stay as they came. */
  misspelt(view: SchemaView, value: JsonObject, spot: Spot): readonly (readonly [string, string])[] {
    return this.#judge.strict.misspelt(view, value).filter(([key]) => !this.#isTolerated(spot.path, key));
  }

  /** Whether a declared key came under another spelling, one that stays as it came too. */
  isSpelledOtherwise(view: SchemaView, value: JsonObject, declared: string): boolean {
    return this.#judge.strict.misspelt(view, value).some(([, meant]) => meant === declared);
  }

  sourceOf(value: JsonValue): string | undefined {
    return this.#ledger.sourceOf(value);
  }

  #isTolerated(path: string, key: string): boolean {
    return this.#tolerated.has(pointerTo(path, key));
  }

  /** Whether each condition of a place holds for a value. */
  outcomes(schema: JsonSchema, value: JsonValue): readonly boolean[] {
    return this.views.outcomes(schema, value, (asked, at) => this.accepts(asked, at));
  }

  accepts(schema: JsonSchema, value: JsonValue): boolean {
    const before = this.#judge.stepsTaken;
    const isAccepted = this.#judge.acceptsPart(schema, value);
    this.#ledger.countJudgement(this.#judge.stepsTaken - before);
    return isAccepted;
  }

  /** A path, or a list of them: one link where the list is declared is one path. */
  isPath(view: SchemaView, { name, isPath }: Spot): boolean {
    const { strict } = this.#judge;
    if (strict.isPathPlace(view, name, isPath)) return true;
    const hasElements = view.types.has('array') && typeof view.items !== 'boolean';
    return hasElements && strict.isPathPlace(this.view(view.items), name, isPath);
  }

  read(text: string, spot: Spot): JsonValue | undefined {
    // What is read there is as deep as the place already.
    return spot.decodings < this.#ledger.limits.decodings ? this.#ledger.decode(text, spot.path) : undefined;
  }
}
