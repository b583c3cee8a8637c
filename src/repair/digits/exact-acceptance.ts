// Would a value pass if its numbers were what the model wrote, not the nearest that JavaScript has? Judged by both neighbours.
import { isJsonArray, type JsonValue } from '../../json/json-value.ts';
import { objectOf } from '../../json/own-key.ts';
import { doublesAround } from '../../json/reader/doubles-around.ts';
import { survivesAsNumber } from '../../json/reader/exact-number.ts';
import type { NumberTexts } from '../../json/reader/number-texts.ts';
import type { Spelled } from './follow-spellings.ts';

/**
 * True if the value passes with each number that lost digits replaced by the next lower one, by the next higher one,
 * and by a fraction where it is one: then what lies between passes bounds and types too. Stricter than the schema at
 * an exclusive bound, and for a fraction beyond 2^52 where no smaller one is allowed.
 */
export function acceptsExactly(
  accepts: (value: JsonValue) => boolean,
  { value, numberText }: Spelled,
  numbers: NumberTexts,
): boolean {
  const bounds = new Bounds(numbers);
  const copies = ([0, 1, 2] as const).map((side) => bounds.of(value, numberText, side));
  return bounds.areKnown && copies.every((copy) => copy === value || accepts(copy));
}

/** Low, high, and one that is as whole as the literal. */
type Side = 0 | 1 | 2;

class Bounds {
  areKnown = true;
  readonly #numbers: NumberTexts;

  constructor(numbers: NumberTexts) {
    this.#numbers = numbers;
  }

  /** A copy with one side of the neighbours; the same value where no digits were lost. */
  of(value: JsonValue, numberText: string | undefined, side: Side): JsonValue {
    if (typeof value === 'number') return this.#neighbour(value, numberText, side);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const copied = entries.map(
      ([key, member]) => [key, this.of(member, this.#numbers.textAt(value, key), side)] as const,
    );
    if (copied.every(([, member], index) => member === entries[index]?.[1])) return value;
    return isJsonArray(value) ? copied.map(([, member]) => member) : objectOf(copied);
  }

  #neighbour(value: number, text: string | undefined, side: Side): number {
    if (text === undefined || survivesAsNumber(text)) return value;
    const around = doublesAround(text);
    this.areKnown &&= around !== undefined;
    return around?.[side] ?? value;
  }
}
