// What has one repair spent so far? Judgements and decoded characters are counted; nothing else changes during a run.
import type { JsonValue } from '../json/json-value.ts';
import type { NumberTexts } from '../json/reader/number-texts.ts';
import { parseJson } from '../json/reader/parse-json.ts';
import type { RepeatedKey } from '../json/reader/reading.ts';
import { readJson } from '../json/reader/read-json.ts';
import { followSpellings, type Spelled } from './digits/follow-spellings.ts';
import { sourceOf } from './reading/source-of.ts';
import { recordRepeatedKeys } from './edits/record-edit.ts';
import { defaultRepairLimits, type RepairLimits } from './repair-limits.ts';
import type { Destination, RepairRequest } from './repair-request.ts';

/** Steps of a judge that count as much as one question to it. */
const stepsPerJudgement = 20;

export class RepairLedger {
  readonly limits: RepairLimits;
  readonly destination: Destination;
  readonly #repeated = new WeakMap<object, readonly RepeatedKey[]>();
  readonly #decoded = new Map<string, Map<string, JsonValue | undefined>>();
  #judgements: number;
  #decodable: number;

  /** How numbers were spelled, also those in texts that were decoded on the way. */
  readonly numbers: NumberTexts;

  readonly #readAt: RepairRequest['readAt'];

  constructor({ limits = defaultRepairLimits, size, numbers, destination, readAt }: RepairRequest) {
    this.limits = limits;
    this.numbers = numbers;
    this.destination = destination;
    this.#readAt = readAt;
    this.#decodable = size * limits.decodedRatio;
    this.#judgements = limits.judgements + size * limits.judgementsPerCharacter;
  }

  get isOverBudget(): boolean {
    return this.#judgements < 0;
  }

  /** `steps`: those that the judge counted. */
  countJudgement(steps: number): void {
    this.#judgements -= 1 + steps / stepsPerJudgement;
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

  /** The numbers of one value keep their spellings in what was made of it. */
  follow(from: Spelled, to: JsonValue): string | undefined {
    return followSpellings(this.numbers, from, to);
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
    const strict = parseJson(text, maxDepth, 'exact');
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
