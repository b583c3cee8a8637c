// How did the model spell a number? Kept beside the value, for each container, only where it differs.

import type { JsonValue } from '../json-value.ts';

/** A container's numbers whose text is not what JavaScript would print, by key or index. */
export type SpelledNumbers = ReadonlyMap<string, string>;

/** A spelling that is no number's: which of several it was can't be known any more, so its digits count as lost. */
export const unknownSpelling = '';

/** The spellings of a whole value. Objects and lists are the keys, so a copy has to be told about. */
export class NumberTexts {
  // Made when the first spelling comes: nearly all texts have none.
  #texts: WeakMap<object, SpelledNumbers> | undefined;
  #lossy: boolean;

  constructor(lossy: boolean, entries?: Iterable<readonly [object, SpelledNumbers]>) {
    this.#lossy = lossy;
    if (entries === undefined) return;
    for (const [container, texts] of entries) this.#set(container, texts);
  }

  /** The same spellings, to which those of copies and of decoded texts can be added without changing these. */
  copied(): NumberTexts {
    const copy = new NumberTexts(this.#lossy);
    // By container: what is added belongs to containers that are not in the original.
    copy.#texts = this.#texts;
    return copy;
  }

  /** Whether any number lost digits on the way. */
  get lossy(): boolean {
    return this.#lossy;
  }

  /** Takes over the spellings of a value that was read from text inside the first one. */
  adopt(other: NumberTexts, value: JsonValue): void {
    this.#lossy ||= other.lossy;
    if (other.#texts === undefined) return;
    if (typeof value !== 'object' || value === null) return;
    const texts = other.of(value);
    if (texts !== undefined) this.#set(value, texts);
    for (const member of Object.values(value)) this.adopt(other, member);
  }

  /** The model's text of the number at a key, if it isn't what `String(number)` gives. */
  textAt(container: object, key: string): string | undefined {
    return this.#texts?.get(container)?.get(key);
  }

  /** No number's spelling differs from what JavaScript prints. */
  get isEmpty(): boolean {
    return this.#texts === undefined;
  }

  /** The model's text of a number that stands in another container now. */
  spell(container: object, key: string, text: string): void {
    this.#set(container, new Map([...(this.of(container) ?? []), [key, text]]));
  }

  of(container: object): SpelledNumbers | undefined {
    return this.#texts?.get(container);
  }

  /** The same spellings, known of a copy with fewer keys too. */
  carried(from: object, to: object): this {
    this.carry(from, to, (key) => (Object.hasOwn(to, key) ? key : undefined));
    return this;
  }

  /** A copy of a container keeps the spellings; `moved` says which key went where, or away. */
  carry(from: object, to: object, keyAfter: (key: string) => string | undefined): void {
    const texts = this.#texts?.get(from);
    if (texts === undefined || from === to) return;
    const kept = new Map<string, string>();
    for (const [key, text] of texts) {
      const after = keyAfter(key);
      if (after !== undefined) kept.set(after, text);
    }
    this.#set(to, kept);
  }

  /** A copy to which keys were added at any depth has the same spellings. */
  follow(from: JsonValue, to: JsonValue): void {
    if (this.isEmpty || from === to || typeof from !== 'object' || from === null) return;
    if (typeof to !== 'object' || to === null) return;
    this.carry(from, to, (key) => key);
    const members = new Map(Object.entries(to));
    for (const [key, member] of Object.entries(from)) this.follow(member, members.get(key) ?? null);
  }

  #set(container: object, texts: SpelledNumbers): void {
    this.#texts ??= new WeakMap();
    this.#texts.set(container, texts);
  }
}

/** Every number stands as JavaScript prints it. Copied before anything is added. */
export const noNumberTexts = new NumberTexts(false);
