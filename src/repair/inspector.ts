// What does the engine know of a place? Whether it fits, what is wrong, what a rule may ask, and how an edit is recorded.
import { holdsSecret } from '../contract/secret-places.ts';
import type { SchemaView } from '../contract/schema-view.ts';
import { excerptOf } from '../issues/excerpt.ts';
import { survivesAsNumber } from '../json/exact-number.ts';
import { pointerTo } from '../json/json-pointer.ts';
import type { JsonSchema } from '../json/json-schema.ts';
import {
  isJsonArray,
  isJsonObject,
  jsonTypeOf,
  type JsonObject,
  type JsonValue,
} from '../json/json-value.ts';
import { NumberTexts } from '../json/number-texts.ts';
import { defineKey } from '../json/own-key.ts';
import type { Judge } from '../validate/judge.ts';
import type { MemberChange } from './edit-keys.ts';
import type { RepairLedger } from './repair-ledger.ts';
import type { RepairRecord } from './repair-record.ts';
import type { KeyEdit, Place, ValueRule } from './repair-rule.ts';
import type { Spot } from './spot.ts';

export class Inspector {
  readonly #judge: Judge;
  readonly #ledger: RepairLedger;
  readonly numbers: NumberTexts;

  constructor(judge: Judge, ledger: RepairLedger, numbers: NumberTexts) {
    this.#judge = judge;
    this.#ledger = ledger;
    this.numbers = numbers;
  }

  view(schema: JsonSchema): SchemaView {
    return this.#judge.views.of(schema);
  }

  /** The place passes its schema and the strict readings, and no digit of it is lost. */
  fits(value: JsonValue, spot: Spot): boolean {
    if (this.#ledger.isOverBudget || !this.#accepts(spot.schema, value)) return false;
    const { schema, path, name, isPath } = spot;
    const failures = this.#judge.strict.failures(value, { schema, path, name, isPath });
    return failures.length === 0 && !this.#losesDigits(value);
  }

  /** The kind of failure that value rules answer. */
  complaint(value: JsonValue, spot: Spot): ValueRule['answers'] | undefined {
    const view = this.view(spot.schema);
    if (!view.types.has(jsonTypeOf(value))) return 'type';
    return typeof value === 'string' && this.#isPath(view, spot) ? 'path' : undefined;
  }

  place(value: JsonValue, spot: Spot): Place {
    const view = this.view(spot.schema);
    return {
      value,
      view,
      name: spot.name,
      types: spot.types ?? view.types,
      isPath: this.#isPath(view, spot),
      ask: {
        accepts: (schema, asked) => this.#accepts(schema, asked),
        view: (schema) => this.view(schema),
        misspelt: (of, object) => this.#judge.strict.misspelt(of, object),
        read: (text) => this.#read(text, spot),
      },
    };
  }

  /** A copy with changed members; the same object if there are none. */
  withMembers(object: JsonObject, changes: readonly MemberChange[]): JsonObject {
    if (changes.length === 0) return object;
    const copy = { ...object };
    for (const [key, value] of changes) defineKey(copy, key, value);
    return this.carryNumbers(object, copy);
  }

  carryNumbers<Container extends object>(from: object, to: Container): Container {
    this.numbers.carry(from, to, (key) => key);
    return to;
  }

  recordReplacement(
    rule: string,
    value: JsonValue,
    { value: before, spot }: { value: JsonValue; spot: Spot },
  ): RepairRecord {
    return {
      rule,
      path: spot.path,
      was: this.#excerpt(before, spot.schema),
      tell: false,
      operations: [{ op: 'replace', path: spot.path, value }],
    };
  }

  recordKeyEdit(
    rule: string,
    edit: KeyEdit,
    { before, spot }: { before: JsonObject; spot: Spot },
  ): RepairRecord {
    const path = pointerTo(spot.path, edit.key);
    const was = this.#excerpt(before[edit.key] ?? null, spot.schema);
    if (edit.op === 'set') {
      return { rule, path, was: 'absent', tell: false, operations: [{ op: 'add', path, value: edit.value }] };
    }
    if (edit.op === 'remove') return { rule, path, was, tell: false, operations: [{ op: 'remove', path }] };
    return {
      rule,
      path,
      was,
      tell: false,
      operations: [{ op: 'move', from: path, path: pointerTo(spot.path, edit.to) }],
    };
  }

  #excerpt(value: JsonValue, schema: JsonSchema): string {
    return excerptOf(value, holdsSecret(this.#judge.views, schema) ? 'hidden' : 'shown');
  }

  #accepts(schema: JsonSchema, value: JsonValue): boolean {
    this.#ledger.countJudgement();
    return this.#judge.acceptsPart(schema, value);
  }

  #isPath(view: SchemaView, { name, isPath }: Spot): boolean {
    return this.#judge.strict.isPathPlace(view, name, isPath);
  }

  #read(text: string, spot: Spot): JsonValue | undefined {
    if (spot.decodings >= this.#ledger.limits.decodings) return undefined;
    const reading = this.#ledger.decode(text);
    if (reading === undefined) return undefined;
    this.numbers.adopt(reading.numbers, reading.value);
    return reading.value;
  }

  #losesDigits(value: JsonValue): boolean {
    if (!this.numbers.lossy || (!isJsonArray(value) && !isJsonObject(value))) return false;
    const own = this.numbers.of(value);
    if (own !== undefined && [...own.values()].some((text) => !survivesAsNumber(text))) return true;
    return Object.values(value).some((member) => this.#losesDigits(member));
  }
}
