// What do several attempts at one text share? How its numbers are spelled, and what needs no second reading.
import type { JsonValue } from '../json-value.ts';
import { survivesAsNumber } from './exact-number.ts';
import { NumberTexts, type SpelledNumbers } from './number-texts.ts';

/** A container that was read without a choice, and without a key that comes twice. */
interface KnownContainer {
  readonly value: JsonValue;
  /** Offset behind it. */
  readonly end: number;
  /** How deep it stood: less deep it reads the same. */
  readonly depth: number;
}

export class ReadMemory {
  /** Some number has lost digits. */
  lossy = false;
  /** Containers are kept only once it is known that there will be another attempt. */
  keeps = false;
  /** Characters that were read in all attempts. */
  spent = 0;
  readonly #spelled: (readonly [object, SpelledNumbers])[] = [];
  readonly #known = new Map<number, KnownContainer>();

  get numbers(): NumberTexts {
    return new NumberTexts(this.lossy, this.#spelled);
  }

  /** A literal that JavaScript would print differently; the same one. */
  noteNumber(literal: string): string {
    this.lossy ||= !survivesAsNumber(literal);
    return literal;
  }

  noteSpelled(container: object, texts: SpelledNumbers): void {
    if (texts.size > 0) this.#spelled.push([container, texts]);
  }

  keep(start: number, known: KnownContainer): void {
    if (this.keeps) this.#known.set(start, known);
  }

  /** What stands at an offset, if it is known; what it covers is not spent again. */
  recall(start: number, depth: number): KnownContainer | undefined {
    if (!this.keeps) return undefined;
    const known = this.#known.get(start);
    if (known === undefined || known.depth < depth) return undefined;
    this.spent -= known.end - start;
    return known;
  }
}
