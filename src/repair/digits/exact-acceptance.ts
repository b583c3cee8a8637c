// Would a value pass if its numbers were what the model wrote, not the nearest that JavaScript has? Judged by both neighbours.
import { isJsonArray, type JsonValue } from '../../json/json-value.ts';
import { objectOf } from '../../json/own-key.ts';
import { type DoublesAround, doublesAround } from '../../json/reader/doubles-around.ts';
import { survivesAsNumber } from '../../json/reader/exact-number.ts';
import type { NumberTexts } from '../../json/reader/number-texts.ts';
import type { Spelled } from './follow-spellings.ts';

/**
 * True if the value passes with each number that lost digits replaced by the next lower one, and by the next higher
 * one: then what lies between passes bounds and types too. Stricter than the schema at an exclusive bound.
 */
export function acceptsExactly(
  accepts: (value: JsonValue) => boolean,
  { value, numberText }: Spelled,
  numbers: NumberTexts,
): boolean {
  const bounds = new Bounds(numbers);
  const low = bounds.of(value, numberText, 0);
  if (!bounds.areKnown) return false;
  if (low === value && bounds.of(value, numberText, 1) === value) return true;
  return accepts(low) && accepts(bounds.of(value, numberText, 1));
}

class Bounds {
  areKnown = true;
  readonly #numbers: NumberTexts;

  constructor(numbers: NumberTexts) {
    this.#numbers = numbers;
  }

  /** A copy with one side of the neighbours; the same value where no digits were lost. */
  of(value: JsonValue, numberText: string | undefined, side: 0 | 1): JsonValue {
    if (typeof value === 'number') return this.#neighbour(value, numberText, side);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const copied = entries.map(
      ([key, member]) => [key, this.of(member, this.#numbers.textAt(value, key), side)] as const,
    );
    if (copied.every(([, member], index) => member === entries[index]?.[1])) return value;
    return isJsonArray(value) ? copied.map(([, member]) => member) : objectOf(copied);
  }

  #neighbour(value: number, text: string | undefined, side: keyof DoublesAround & number): number {
    if (text === undefined || survivesAsNumber(text)) return value;
    const around = doublesAround(text);
    this.areKnown &&= around !== undefined;
    return around?.[side] ?? value;
  }
}
