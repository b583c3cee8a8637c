// What does the engine know of a place? Whether it fits, what is wrong, and what a rule may ask.
import type { SchemaView, SchemaViews } from '../contract/schema-view.ts';
import { pointerTo } from '../json/json-pointer.ts';
import type { JsonSchema } from '../json/json-schema.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import type { Judge } from '../validate/judge.ts';
import { keepsDigits } from './digits/keeps-digits.ts';
import type { RepairLedger } from './repair-ledger.ts';
import type { KeyComplaint, Place, ValueComplaint } from './repair-rule.ts';
import type { Spot } from './spot.ts';
import { complaintAbout, complaintsAboutKeys } from './complaints.ts';

export class Inspector {
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

  /** One record for each key that came twice in the text that a value was decoded from. */
  repeatedKeys(value: JsonValue, { path }: Spot): ReturnType<RepairLedger['repeatedKeys']> {
    return this.#ledger.repeatedKeys(value, path);
  }

  /** A misspelt key that stays as it came. */
  tolerate(spot: Spot, key: string): void {
    this.#tolerated.add(pointerTo(spot.path, key));
  }

  view(schema: JsonSchema): SchemaView {
    return this.#judge.views.of(schema);
  }

  /** The place passes its schema and the strict readings, and no digit of it is lost. */
  fits(value: JsonValue, spot: Spot): boolean {
    if (this.#ledger.isOverBudget || !this.#accepts(spot.schema, value)) return false;
    if (!this.#isStrictlyRight(value, spot)) return false;
    const { destination } = this.#ledger;
    const accepts = (asked: JsonValue): boolean => this.#accepts(spot.schema, asked);
    return keepsDigits({ value, numberText: spot.numberText }, this.numbers, { destination, accepts });
  }

  #isStrictlyRight(value: JsonValue, spot: Spot): boolean {
    const { strict } = this.#judge;
    if (!strict.mayFail(spot) || strict.lookAt(spot.schema).isClean(value)) return true;
    return strict
      .failures(value, spot)
      .every(({ path, key }) => key !== undefined && this.#isTolerated(path, key));
  }

  complaint(value: JsonValue, spot: Spot): ValueComplaint {
    const view = this.view(spot.schema);
    return complaintAbout(value, { view, isPath: this.#isPath(view, spot), numberText: spot.numberText });
  }

  keyComplaints(object: JsonObject, spot: Spot): ReadonlySet<KeyComplaint> {
    return complaintsAboutKeys(object, this.view(spot.schema));
  }

  place(value: JsonValue, spot: Spot): Place {
    const view = this.view(spot.schema);
    return {
      value,
      view,
      name: spot.name,
      types: spot.types ?? view.types,
      isPath: this.#isPath(view, spot),
      isElement: spot.isElement,
      numberText: spot.numberText,
      ask: {
        toolName: this.#judge.contract.name,
        effects: this.#judge.contract.effects,
        unknownArguments: this.#judge.contract.unknownArguments,
        accepts: (schema, asked) => this.#accepts(schema, asked),
        view: (schema) => this.view(schema),
        misspelt: (of, object) =>
          this.#judge.strict.misspelt(of, object).filter(([key]) => !this.#isTolerated(spot.path, key)),
        sourceOf: (asked) => this.#ledger.sourceOf(asked),
        read: (text) => this.#read(text, spot),
      },
    };
  }

  #isTolerated(path: string, key: string): boolean {
    return this.#tolerated.has(pointerTo(path, key));
  }

  #accepts(schema: JsonSchema, value: JsonValue): boolean {
    this.#ledger.countJudgement();
    return this.#judge.acceptsPart(schema, value);
  }

  /** A path, or a list of them: one link where the list is declared is one path. */
  #isPath(view: SchemaView, { name, isPath }: Spot): boolean {
    const { strict } = this.#judge;
    if (strict.isPathPlace(view, name, isPath)) return true;
    const hasElements = view.types.has('array') && typeof view.items !== 'boolean';
    return hasElements && strict.isPathPlace(this.view(view.items), name, isPath);
  }

  #read(text: string, spot: Spot): JsonValue | undefined {
    // What is read there is as deep as the place already.
    const around = spot.path.split('/').length - 1;
    return spot.decodings < this.#ledger.limits.decodings ? this.#ledger.decode(text, around) : undefined;
  }
}
