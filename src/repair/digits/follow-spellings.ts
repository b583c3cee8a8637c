// Where did the numbers of a place go when a rule made another value of it? By value: a rule moves numbers, it makes none.
import type { JsonValue } from '../../json/json-value.ts';
import { survivesAsNumber } from '../../json/reader/exact-number.ts';
import { type NumberTexts, unknownSpelling } from '../../json/reader/number-texts.ts';

/** A value, and how it was spelled if it is a number. */
export interface Spelled {
  readonly value: JsonValue;
  readonly numberText: string | undefined;
}

/**
 * Spells the numbers in what a place became as they were spelled before; gives the spelling of the value itself where
 * it is a number. Two numbers that lost digits and look the same now can't be told apart: no spelling is theirs.
 */
export function followSpellings(numbers: NumberTexts, from: Spelled, to: JsonValue): string | undefined {
  if (numbers.isEmpty && from.numberText === undefined) return undefined;
  const search = new SpellingSearch(numbers);
  search.collect(from.value, from.numberText);
  return search.spell(to);
}

class SpellingSearch {
  readonly #numbers: NumberTexts;
  readonly #spellings = new Map<number, string>();
  readonly #known = new Set<object>();

  constructor(numbers: NumberTexts) {
    this.#numbers = numbers;
  }

  collect(value: JsonValue, numberText: string | undefined): void {
    if (typeof value === 'number') {
      const text = numberText ?? String(value);
      const earlier = this.#spellings.get(value) ?? text;
      this.#spellings.set(value, earlier === text ? text : sharedSpelling(value, [earlier, text]));
    } else if (typeof value === 'object' && value !== null) {
      this.#known.add(value);
      for (const [key, member] of Object.entries(value)) {
        this.collect(member, this.#numbers.textAt(value, key));
      }
    }
  }

  spell(value: JsonValue): string | undefined {
    if (typeof value === 'number') {
      const text = this.#spellings.get(value);
      return text === String(value) ? undefined : text;
    }
    if (typeof value !== 'object' || value === null || this.#known.has(value)) return undefined;
    for (const [key, member] of Object.entries(value)) {
      const text = this.spell(member);
      if (text !== undefined) this.#numbers.spell(value, key, text);
    }
    return undefined;
  }
}

const sharedSpelling = (value: number, texts: readonly string[]): string =>
  texts.every(survivesAsNumber) ? String(value) : unknownSpelling;
