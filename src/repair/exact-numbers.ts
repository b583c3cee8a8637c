import { type NumberTexts, doublesAround, survivesAsNumber, unknownSpelling } from '../json/exact-numbers.ts';
import { pointerTo } from '../json/json-pointer.ts';
import { type JsonValue, isJsonArray, isJsonObject, objectOf } from '../json/value.ts';
import type { OutputForm } from './repair-state.ts';

// By value: a rule moves numbers, it makes none.
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

// Validated by both neighbours.
/**
 * True if the value passes with each number that lost digits replaced by the next lower one, by the next higher one,
 * and by a fraction where it is one: then what lies between passes bounds and types too. Stricter than the schema at
 * an exclusive bound, and for a fraction beyond 2^52 where no smaller one is allowed.
 */
function acceptsExactly(
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

// Its spelling tells.
/** A number has lost digits; its text has not. */
export const isInexact = ({ numberText }: Pick<Spelled, 'numberText'>): boolean =>
  numberText !== undefined && !survivesAsNumber(numberText);

/** Any number inside a value has lost digits. */
const losesDigits = (value: JsonValue, numbers: NumberTexts): boolean =>
  numbers.lossy && lossyPlaces(value, numbers, '').length > 0;

/** The places of numbers that have lost digits: '' alone where they stand in text that was decoded on the way. */
export function lostDigits(value: JsonValue, numbers: NumberTexts): readonly string[] {
  if (!numbers.lossy) return [];
  const places = lossyPlaces(value, numbers, '');
  return places.length === 0 ? [''] : places;
}

function lossyPlaces(value: JsonValue, numbers: NumberTexts, path: string): readonly string[] {
  if (!isJsonArray(value) && !isJsonObject(value)) return [];
  const own = [...(numbers.of(value) ?? [])].filter(([, text]) => !survivesAsNumber(text));
  return [
    ...own.map(([key]) => pointerTo(path, key)),
    ...Object.entries(value).flatMap(([key, member]) => lossyPlaces(member, numbers, pointerTo(path, key))),
  ];
}

/** `accepts`: the validator's word on other values at the same place. */
export function keepsDigits(
  spelled: Spelled,
  numbers: NumberTexts,
  { output, accepts }: { output: OutputForm; accepts: (value: JsonValue) => boolean },
): boolean {
  if (!numbers.lossy) return true;
  return output === 'json'
    ? acceptsExactly(accepts, spelled, numbers)
    : !isLossy(spelled) && !losesDigits(spelled.value, numbers);
}

/** What is no number has lost no digits, whatever stood at the place before: a union is asked again of what became of it. */
const isLossy = (spelled: Spelled): boolean => typeof spelled.value === 'number' && isInexact(spelled);
