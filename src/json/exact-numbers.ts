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

/** `alike`: a number that is a fraction as the literal is, where its neighbours are whole ones; else the low one. */
export type DoublesAround = readonly [low: number, high: number, alike: number];

/**
 * The neighbours of a literal (JSON's grammar); the same number twice where no larger one is left. undefined for what
 * is too long to be meant as a number.
 */
export function doublesAround(literal: string): DoublesAround | undefined {
  if (literal.length > longestLiteral) return undefined;
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(literal);
  if (parts === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  const around = positiveAround({
    digits: whole + fraction,
    power: boundedExponent(exponent) - fraction.length,
  });
  const [low, high, alike] = around;
  return sign === '' ? around : [-high, 0 - low, -alike];
}

// Far beyond what a double can hold in either direction, and small enough to be written without an exponent of its own.
const boundedExponent = (exponent: string): number => Math.min(Math.max(Number(exponent), -10_000), 10_000);

interface Decimal {
  readonly digits: string;
  /** The power of ten of the last digit. */
  readonly power: number;
}

function positiveAround(decimal: Decimal): DoublesAround {
  const [low, high] = neighbours(decimal);
  return [low, high, low >= 2 ** 52 && !isWhole(decimal) ? largestFraction : low];
}

function neighbours(decimal: Decimal): readonly [number, number] {
  const nearest = Number(`${decimal.digits}e${decimal.power}`);
  if (!Number.isFinite(nearest)) return [Number.MAX_VALUE, Number.MAX_VALUE];
  if (nearest === 0) return [0, Number.MIN_VALUE];
  const difference = compare(decimal, nearest);
  if (difference === 0) return [nearest, nearest];
  return difference < 0 ? [neighbour(nearest, -1n), nearest] : [nearest, neighbour(nearest, 1n)];
}

const largestFraction = 2 ** 52 - 0.5;

const isWhole = ({ digits, power }: Decimal): boolean =>
  power >= 0 || (power >= -digits.length && /^0*$/.test(digits.slice(power)));

/** Below 0 if the decimal is the smaller one. Both are fractions of whole numbers, so nothing is rounded. */
function compare({ digits, power }: Decimal, double: number): number {
  let numerator = double;
  let halvings = 0n;
  // Doubling is exact, and a double has no more than 1074 binary places.
  while (!Number.isInteger(numerator)) {
    numerator *= 2;
    halvings += 1n;
  }
  const left = BigInt(digits) * 10n ** BigInt(Math.max(power, 0)) * 2n ** halvings;
  const right = BigInt(numerator) * 10n ** BigInt(Math.max(-power, 0));
  return left === right ? 0 : left < right ? -1 : 1;
}

/** The next double up or down from a positive one: their bits count as whole numbers do. */
function neighbour(double: number, step: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, double);
  view.setBigUint64(0, view.getBigUint64(0) + step);
  const next = view.getFloat64(0);
  return Number.isFinite(next) ? next : Number.MAX_VALUE;
}

// Kept beside the value, for each container, only where it differs.
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
    const kept = new Map<string, string>(this.#texts?.get(to));
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

// A value with what would be lost in it, or where it stopped.
export type Reading = ReadValue | Unreadable;

export interface ReadValue {
  readonly kind: 'read';
  readonly value: JsonValue;
  readonly numbers: NumberTexts;
  /** Keys that came twice with equal values; the first place is kept. */
  readonly repeatedKeys: readonly RepeatedKey[];
  /** Numbers have the values that were sent, but some were spelled in another way. */
  readonly isApproximate: boolean;
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
