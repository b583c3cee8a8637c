import { pointerTo } from './json-pointer.ts';
import type { JsonValue } from './value.ts';

/**
 * True if the literal (JSON's grammar) and the number it becomes have the same decimal value:
 * `1.50` and `1e2` do, `12345678901234567890` and `1e400` don't.
 */
export function survivesAsNumber(literal: string): boolean {
  if (literal.length > longestLiteral) return false;
  const number = Number(literal);
  return Number.isFinite(number) && decimalOf(literal) === decimalOf(String(number));
}

/** The number nearest to a literal, always a finite one: what stands in a JSON value has a JSON form. */
export const nearestNumber = (literal: string): number =>
  Math.min(Math.max(Number(literal), -Number.MAX_VALUE), Number.MAX_VALUE);

/** Beyond the 309 digits of the largest number nobody means a number; it keeps the exponent's BigInt small. */
export const longestLiteral = 400;

/** One spelling for every decimal value: its significant digits and the power of ten of the last of them. */
function decimalOf(literal: string): string {
  const parts = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(literal);
  if (parts === null) return literal;
  const [, whole = '', fraction = '', exponent = '0'] = parts;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = withoutTrailingZeros(digits);
  if (significant === '') return '0';
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${literal.startsWith('-') ? '-' : ''}${significant}e${power}`;
}

// A regular expression would look at every run of zeros again from each of its zeros.
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end -= 1;
  return digits.slice(0, end);
}

/** The literal at the start of a piece of text. A loop: a regular expression overflows the stack on millions of digits. */
export function literalIn(text: string, start: number, end: number): string {
  let at = start;
  while (at < end && '0123456789.eE+-'.includes(text.charAt(at))) at += 1;
  return text.slice(start, at);
}

/** The literals of one container's numbers that JavaScript would print differently, by key or index. */
export type SpelledNumbers = ReadonlyMap<string, string>;

const noTexts: SpelledNumbers = new Map();

/**
 * The numbers of a value as its text spells them. A number is looked up by its container and key. A number that has moved
 * to another container is looked up by its value, and is unknown if numbers of that value were spelled in several ways.
 */
export class NumberTexts {
  #lossy: boolean;
  #byContainer = new WeakMap<object, SpelledNumbers>();
  #byNumber = new Map<number, ReadonlySet<string>>();
  /** Reads the literals; undefined once they are known. */
  #later: (() => void) | undefined;

  constructor(lossy: boolean) {
    this.#lossy = lossy;
  }

  /** `spelled`: the literals of the value's containers. */
  static of(value: JsonValue, spelled: ReadonlyMap<object, SpelledNumbers>, lossy: boolean): NumberTexts {
    if (spelled.size === 0) return noNumberTexts;
    const numbers = new NumberTexts(lossy);
    numbers.#index(value, value, (container) => spelled.get(container));
    return numbers;
  }

  /** For a value that has lost no digits. `read` reads its text again, when the first literal is asked for. */
  static later(value: JsonValue, read: () => Reading): NumberTexts {
    const numbers = new NumberTexts(false);
    numbers.#later = () => {
      const reading = read();
      if (reading.kind === 'unreadable') return;
      numbers.#index(value, reading.value, (container) => reading.numbers.#byContainer.get(container));
    };
    return numbers;
  }

  /** A copy, to which the literals of decoded text can be added. */
  copied(): NumberTexts {
    this.#read();
    const copy = new NumberTexts(this.#lossy);
    // Shared: what is added belongs to containers that are not in the original.
    if (this !== noNumberTexts) copy.#byContainer = this.#byContainer;
    copy.#byNumber = new Map(this.#byNumber);
    return copy;
  }

  /** Whether any literal has digits that its number has lost. */
  get lossy(): boolean {
    return this.#lossy;
  }

  /** Takes over the literals of a value that was read from text inside the first one. */
  adopt(other: NumberTexts, value: JsonValue): void {
    if (other === noNumberTexts) return;
    other.#read();
    this.#lossy ||= other.#lossy;
    this.#index(value, value, (container) => other.#byContainer.get(container));
  }

  /** The literal of the number at a key, if it isn't what `String(number)` gives. */
  textAt(container: object, key: string): string | undefined {
    this.#read();
    return this.#byContainer.get(container)?.get(key);
  }

  /** The literal of a number; undefined if it can't be told any more. */
  literal(value: number, container?: object, key: string = ''): string | undefined {
    this.#read();
    const texts = container === undefined ? undefined : this.#byContainer.get(container);
    if (texts !== undefined) return texts.get(key) ?? String(value);
    const [only = String(value), ...others] = this.#byNumber.get(value) ?? [];
    return others.length === 0 ? only : undefined;
  }

  /** Tells of a changed copy of a container. `keyAfter`: the key in the copy, undefined for a number that is gone. */
  carry(from: object, to: object, keyAfter: (key: string) => string | undefined = (key) => key): void {
    if (from === to || this === noNumberTexts) return;
    const read = this.#later;
    this.#later = () => {
      read?.();
      const texts = this.#byContainer.get(from);
      if (texts === undefined) return;
      this.#byContainer.set(to, new Map([...(this.#byContainer.get(to) ?? []), ...moved(texts, keyAfter)]));
    };
    if (read === undefined) this.#read();
  }

  /** The literal of a number that a copy has under a new key. */
  spell(container: object, key: string, text: string): void {
    this.#byContainer.set(container, new Map([...(this.#byContainer.get(container) ?? []), [key, text]]));
  }

  /** The JSON Pointers of numbers below a place that have lost digits. `literal`: of the value itself, if it is a number. */
  unsafePlaces(value: JsonValue, path = '', literal = this.#literalOf(value)): readonly string[] {
    if (!this.#lossy) return [];
    if (typeof value === 'number') return literal === undefined || !survivesAsNumber(literal) ? [path] : [];
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, member]) =>
      this.unsafePlaces(member, pointerTo(path, key), this.#literalOf(member, value, key)),
    );
  }

  #literalOf(value: JsonValue, container?: object, key?: string): string | undefined {
    return typeof value === 'number' ? this.literal(value, container, key) : undefined;
  }

  #read(): void {
    const read = this.#later;
    this.#later = undefined;
    read?.();
  }

  /** `source`: the same value as it was read, whose containers have the literals. */
  #index(
    value: JsonValue,
    source: unknown,
    textsOf: (container: object) => SpelledNumbers | undefined,
  ): void {
    if (typeof value !== 'object' || value === null || typeof source !== 'object' || source === null) return;
    const texts = textsOf(source) ?? noTexts;
    this.#byContainer.set(value, texts);
    for (const [key, member] of Object.entries(value)) {
      if (typeof member === 'number') this.#note(member, texts.get(key) ?? String(member));
      else this.#index(member, Reflect.get(source, key), textsOf);
    }
  }

  #note(value: number, literal: string): void {
    const known = this.#byNumber.get(value);
    if (known?.has(literal) !== true) this.#byNumber.set(value, new Set(known).add(literal));
  }
}

const moved = (
  texts: SpelledNumbers,
  keyAfter: (key: string) => string | undefined,
): ReadonlyMap<string, string> => {
  const after = new Map<string, string>();
  for (const [key, text] of texts) {
    const name = keyAfter(key);
    if (name !== undefined) after.set(name, text);
  }
  return after;
};

/** No literal differs from what JavaScript prints. */
export const noNumberTexts = new NumberTexts(false);

// A value with what would be lost in it, or where it stopped.
export type Reading = ReadValue | Unreadable;

export interface ReadValue {
  readonly kind: 'read';
  readonly value: JsonValue;
  readonly numbers: NumberTexts;
  /** Keys that came twice with equal values; the first place is kept. */
  readonly repeatedKeys: readonly RepeatedKey[];
}

/** `cut`: the text ends before the value does. `ambiguous`: wrong closers can be read in two ways. */
export type UnreadableReason = 'syntax' | 'cut' | 'too_deep' | 'duplicate_key' | 'ambiguous';

export interface Unreadable {
  readonly kind: 'unreadable';
  readonly reason: UnreadableReason;
  /** Offset in UTF-16 code units where reading stopped. */
  readonly at: number;
  /** The key that came twice with different values. */
  readonly repeated?: RepeatedKey;
}

/** A key that an object has twice. */
export interface RepeatedKey {
  /** JSON Pointer of the object. */
  readonly path: string;
  readonly key: string;
}

export interface ReadSettings {
  /** `strict`: RFC 8259. `loose`: also what models write for it, as long as it has one reading. */
  readonly mode: 'strict' | 'loose';
  /** Containers inside containers, the outermost counted. */
  readonly maxDepth: number;
  /** Loose only: closers missing at the end, after a complete value, are read as if they were there. */
  readonly closeAtEnd: boolean;
}

/** What to do with a closer that doesn't fit. */
export type CloserChoice = 'leave-out' | 'read-as-due';

/** Closers that don't fit, at most: each that has two readings doubles the number of attempts. */
export const mostMismatches = 4;
