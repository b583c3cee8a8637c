import { isContainer } from '../collections/objects.ts';
import { pointerTo } from './pointers.ts';
import { type JsonValue } from './value.ts';

/**
 * Whether a literal of JSON's grammar keeps its decimal value as a number: `1.50` and `1e2` do,
 * `1e400` doesn't.
 */
export function survivesAsNumber(literal: string): boolean {
  if (literal.length <= certainLength && !literal.includes('e') && !literal.includes('E'))
    return true;
  if (literal.length > longestLiteral) return false;
  const printedNumber = String(Number(literal));
  return literal === printedNumber || decimalOf(literal) === decimalOf(printedNumber);
}

/** A number keeps this many digits, whatever they are. */
const certainLength = 15;

/** The finite number nearest to a literal: a JSON value has no infinity. */
export const nearestNumber = (literal: string): number =>
  Math.min(Math.max(Number(literal), -Number.MAX_VALUE), Number.MAX_VALUE);

/** The largest number has 309 digits. The limit keeps the exponent's BigInt small. */
export const longestLiteral = 400;

/**
 * The same text for the same decimal value but for its sign: its significant digits and the power
 * of ten of the last one.
 */
function decimalOf(literal: string): string {
  const parts = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(literal);
  // `Infinity`.
  if (parts === null) return literal;
  const [, whole = '', fraction = '', exponent = '0'] = parts;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = withoutTrailingZeros(digits);
  if (significant === '') return '0';
  const power =
    BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${significant}e${power}`;
}

// A regular expression takes quadratic time.
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 48) end -= 1;
  return digits.slice(0, end);
}

/**
 * The literal at the start of a piece of text. A regular expression overflows the stack on millions
 * of digits.
 */
export function literalIn(text: string, start: number, end: number): string {
  let at = start;
  while (at < end && '0123456789.eE+-'.includes(text.charAt(at))) at += 1;
  return text.slice(start, at);
}

/**
 * The literals of one container's numbers that JavaScript would print differently, by key or index.
 */
export type ContainerLiterals = ReadonlyMap<string, string>;

/** Of a number that came twice, spelled in two ways. */
export const spelledTwice = '';

export const noDifference: ContainerLiterals = new Map();

/**
 * The numbers of a value as the text spells them, by container and key; one in a new container is
 * found by its value.
 */
export class NumberLiterals {
  #lossy: boolean;
  /** Undefined until a literal is registered: most calls have none. */
  #byContainer: WeakMap<object, ContainerLiterals> | undefined;
  #byNumber: Map<number, ReadonlySet<string>> | undefined;
  /** Reads the literals; undefined once they are known. */
  #pendingRead: (() => void) | undefined;

  constructor(lossy: boolean) {
    this.#lossy = lossy;
  }

  /** `containers`: the literals of the value's containers. */
  static of(
    value: JsonValue,
    containers: ReadonlyMap<object, ContainerLiterals>,
    lossy: boolean,
  ): NumberLiterals {
    if (containers.size === 0) return noLiterals;
    const literals = new NumberLiterals(lossy);
    literals.#index(value, value, (container) => containers.get(container));
    return literals;
  }

  /**
   * For a value that has lost no digits. `read` reads its text again when the first literal is
   * needed.
   */
  static later(
    value: JsonValue,
    read: () => { readonly value: JsonValue; readonly numbers: NumberLiterals } | undefined,
  ): NumberLiterals {
    const literals = new NumberLiterals(false);
    literals.#pendingRead = () => {
      const source = read();
      if (source !== undefined)
        literals.#index(value, source.value, (container) =>
          source.numbers.#byContainer?.get(container),
        );
    };
    return literals;
  }

  /** Whether any literal has digits that its number has lost. */
  get lossy(): boolean {
    return this.#lossy;
  }

  /** The literal of a number; undefined if it is unknown. */
  literal(value: number, container?: object, key: string = ''): string | undefined {
    this.#read();
    const literals = container === undefined ? undefined : this.#byContainer?.get(container);
    const spellings = this.#byNumber?.get(value) ?? [];
    const [only = String(value), ...others] =
      literals === undefined ? spellings : [literals.get(key) ?? String(value)];
    return others.length > 0 || only === spelledTwice ? undefined : only;
  }

  /**
   * JSON Pointers of the numbers in a value that have lost digits. `literal`: of the value, if it
   * is a number itself.
   */
  lostDigits(value: JsonValue, path = '', literal = this.#literalOf(value)): readonly string[] {
    if (!this.#lossy) return [];
    if (typeof value === 'number')
      return literal === undefined || !survivesAsNumber(literal) ? [path] : [];
    if (!isContainer(value)) return [];
    return Object.entries(value).flatMap(([key, member]) =>
      this.lostDigits(member, pointerTo(path, key), this.#literalOf(member, value, key)),
    );
  }

  /** A copy that can take over the literals of other values. */
  copy(): NumberLiterals {
    const copy = new NumberLiterals(this.#lossy);
    if (this.#pendingRead === undefined) copy.#share(this);
    else
      copy.#pendingRead = () => {
        this.#read();
        copy.#share(this);
      };
    return copy;
  }

  /**
   * Shares the literals of containers: new ones are of other containers, which the original doesn't
   * have.
   */
  #share(original: NumberLiterals): void {
    if (original.#byContainer === undefined) return;
    this.#byContainer = original.#byContainer;
    this.#byNumber = new Map(original.#byNumber);
  }

  /** Takes over the literals of a value that was read from text inside the first value. */
  adopt(other: NumberLiterals, value: JsonValue): void {
    if (other === noLiterals) return;
    this.#read();
    other.#read();
    this.#lossy ||= other.#lossy;
    this.#index(value, value, (container) => other.#byContainer?.get(container));
  }

  /**
   * Registers a changed copy of a container. `keyAfter`: the key in the copy; undefined for a
   * number that is gone.
   */
  carry(
    from: object,
    to: object,
    keyAfter: (key: string) => string | undefined = (key) => key,
  ): void {
    if (from === to || this === noLiterals) return;
    const pendingRead = this.#pendingRead;
    if (pendingRead === undefined && this.#byContainer === undefined) return;
    this.#pendingRead = () => {
      pendingRead?.();
      const literals = this.#byContainer?.get(from);
      if (literals === undefined) return;
      const copiedLiterals = new Map(this.#byContainer?.get(to));
      for (const [key, literal] of literals) {
        const newKey = keyAfter(key);
        if (newKey !== undefined) copiedLiterals.set(newKey, literal);
      }
      this.#byContainer?.set(to, copiedLiterals);
    };
    if (pendingRead === undefined) this.#read();
  }

  #literalOf(value: JsonValue, container?: object, key?: string): string | undefined {
    return typeof value === 'number' ? this.literal(value, container, key) : undefined;
  }

  #read(): void {
    const pendingRead = this.#pendingRead;
    this.#pendingRead = undefined;
    pendingRead?.();
  }

  /** `source`: the same value as it was read, whose containers have the literals. */
  #index(
    value: JsonValue,
    source: unknown,
    literalsOf: (container: object) => ContainerLiterals | undefined,
  ): void {
    if (!isContainer(value) || !isContainer(source)) return;
    const literals = literalsOf(source) ?? noDifference;
    (this.#byContainer ??= new WeakMap()).set(value, literals);
    for (const [key, member] of Object.entries(value)) {
      if (typeof member === 'number') this.#note(member, literals.get(key) ?? String(member));
      else this.#index(member, Reflect.get(source, key), literalsOf);
    }
  }

  #note(value: number, literal: string): void {
    const byNumber = (this.#byNumber ??= new Map<number, ReadonlySet<string>>());
    const spellings = byNumber.get(value);
    if (spellings?.has(literal) !== true) byNumber.set(value, new Set(spellings).add(literal));
  }
}

/** Every number is spelled as JavaScript prints it. */
export const noLiterals = new NumberLiterals(false);
