import {
  type BlankPlace,
  endOfBlanks,
  endOfLooseBlanks,
  bareKeyAt,
  doubledKeyAt,
  scalarAt,
  scalarValue,
} from './tokens.ts';
import { defineKey, isContainer, ownValue } from '../collections/objects.ts';
import { pointerTo } from './pointers.ts';
import { type JsonValue, isSameAs } from './value.ts';
import {
  type ContainerLiterals,
  NumberLiterals,
  literalIn,
  noDifference,
  spelledTwice,
  survivesAsNumber,
} from './number-literals.ts';
import {
  isContentQuote,
  readLooseString,
  readLooseText,
  readStrictString,
  startsName,
} from './strings.ts';

export type JsonReading = ReadValue | Unreadable;

export interface ReadValue {
  readonly kind: 'read';
  readonly value: JsonValue;
  readonly numbers: NumberLiterals;
  /** Keys that came twice with equal values; each keeps its first place. */
  readonly repeatedKeys: readonly RepeatedKey[];
  /**
   * Numbers with a quote after them, as in `{"a": 5"}`. The quote is ignored only if a number is
   * declared there.
   */
  readonly quotedNumbers: readonly number[];
  /** A key has a doubled quote, or a `\u` starts a name: a destructive tool has it confirmed. */
  readonly isUnsure?: true;
}

/** `cut`: the text ends before the value does. `trailing`: something follows the value. */
export type UnreadableReason = 'syntax' | 'cut' | 'trailing' | 'too_deep' | 'duplicate_key';

export interface Unreadable {
  readonly kind: 'unreadable';
  readonly reason: UnreadableReason;
  /** Offset in UTF-16 code units where reading stopped. */
  readonly at: number;
  /** The key that came twice with different values. */
  readonly repeatedKey?: RepeatedKey;
}

/** A value, and the offset after it. */
export type ReadPrefix = ReadValue & { readonly end: number };

/** A key that an object has twice. */
export interface RepeatedKey {
  /** JSON Pointer of the object. */
  readonly path: string;
  readonly key: string;
}

/**
 * `strict`: RFC 8259. `loose`: also what models write instead, if it can be read in only one way.
 */
type ParserMode = 'strict' | 'loose';

/** Reads one value: it stops at the first character that can't be read. */
class JsonReader {
  /** Set when reading fails; all later steps are skipped. */
  failure: UnreadableReason | undefined;
  /** The key that came twice with different values. */
  failedKey: RepeatedKey | undefined;
  at: number;
  readonly #repeatedKeys: RepeatedKey[] = [];
  readonly #quotedNumbers: number[] = [];
  readonly #literals = new Map<object, ContainerLiterals>();
  readonly #text: string;
  readonly #start: number;
  readonly #isLoose: boolean;
  readonly #maxDepth: number;
  /** The keys and indices that lead to the current value. */
  readonly #keys: (string | number)[] = [];
  /** Some number has lost digits. */
  #lossy = false;
  #isUnsure = false;

  constructor(text: string, start: number, mode: ParserMode, maxDepth: number) {
    this.#text = text;
    this.at = start;
    this.#start = start;
    this.#isLoose = mode === 'loose';
    this.#maxDepth = maxDepth;
  }

  read(): ReadPrefix | Unreadable {
    this.#skipBlanks('member');
    const value = this.#readValue(1);
    if (value === undefined) {
      const { failure = 'syntax', at, failedKey: repeatedKey } = this;
      return {
        kind: 'unreadable',
        reason: failure,
        at,
        ...(repeatedKey === undefined ? {} : { repeatedKey }),
      };
    }
    return {
      kind: 'read',
      value,
      numbers: NumberLiterals.of(value, this.#literals, this.#lossy),
      repeatedKeys: this.#repeatedKeys,
      quotedNumbers: this.#quotedNumbers,
      ...(this.#isUnsure ? { isUnsure: true } : {}),
      end: this.at,
    };
  }

  #fail(reason: UnreadableReason): undefined {
    this.failure ??= reason;
    return undefined;
  }

  #readValue(depth: number): JsonValue | undefined {
    if (this.at >= this.#text.length) return this.#fail('cut');
    const character = this.#text.charAt(this.at);
    if (character === '{' || character === '[') {
      if (depth > this.#maxDepth) return this.#fail('too_deep');
      this.at += 1;
      return character === '{' ? this.#readObject(depth) : this.#readList(depth);
    }
    return this.#readString(this.#isLoose ? readLooseText : readStrictString) ?? this.#readScalar();
  }

  #readObject(depth: number): JsonValue | undefined {
    const object: Record<string, JsonValue> = {};
    const sources = new Map<string, string>();
    const literals = new Map<string, string>();
    for (let isFirst = true; !this.#isClosed('}', isFirst, 'member'); isFirst = false) {
      const key = this.#readKey();
      this.#skipBlanks('colon');
      if (key === undefined || !this.#take(':'))
        return this.#fail(this.at < this.#text.length ? 'syntax' : 'cut');
      const start = this.at;
      const earlier = ownValue(object, key);
      const literal =
        typeof earlier === 'number' ? (literals.get(key) ?? String(earlier)) : undefined;
      const value = this.#readMember(depth, literals, key);
      if (value === undefined) return undefined;
      const source = this.#text.slice(start, this.at).trim();
      const earlierSource = sources.get(key);
      if (earlierSource === undefined) {
        sources.set(key, source);
        defineKey(object, key, value);
      } else {
        const repeatedKey = { path: this.#keys.reduce<string>(pointerTo, ''), key };
        this.#repeatedKeys.push(repeatedKey);
        // If digits are lost, different values may look the same.
        if (!isSameAs(earlier, value) || (this.#lossy && earlierSource !== source)) {
          this.failedKey = repeatedKey;
          return this.#fail('duplicate_key');
        }
        if (literal !== undefined && literal !== literalIn(source, 0, source.length))
          literals.set(key, spelledTwice);
        this.#compareSpelling(earlier, value);
      }
      if (!this.#goesOn('}', 'member')) break;
    }
    return this.#finish(object, literals);
  }

  /**
   * Of two equal containers, the numbers in the first that the second spells in another way are
   * marked.
   */
  #compareSpelling(first: JsonValue | undefined, second: JsonValue | undefined): void {
    if (!isContainer(first) || !isContainer(second)) return;
    const one = this.#literals.get(first) ?? noDifference;
    const other = this.#literals.get(second) ?? noDifference;
    const differing = [...one.keys(), ...other.keys()].filter(
      (key) => one.get(key) !== other.get(key),
    );
    this.#literals.set(
      first,
      new Map([...one, ...differing.map((key) => [key, spelledTwice] as const)]),
    );
    const members = new Map(Object.entries<JsonValue>(second));
    for (const [key, member] of Object.entries<JsonValue>(first))
      this.#compareSpelling(member, members.get(key));
  }

  #readList(depth: number): JsonValue | undefined {
    const list: JsonValue[] = [];
    const literals = new Map<string, string>();
    while (!this.#isClosed(']', list.length === 0, 'element')) {
      const value = this.#readMember(depth, literals, list.length);
      if (value === undefined) return undefined;
      list.push(value);
      if (!this.#goesOn(']', 'element')) break;
    }
    return this.#finish(list, literals);
  }

  #finish(container: JsonValue & object, literals: ContainerLiterals): JsonValue | undefined {
    if (literals.size > 0) this.#literals.set(container, literals);
    return this.failure === undefined ? container : undefined;
  }

  /** A value inside a container; a number's literal is kept if JavaScript would print another. */
  #readMember(
    depth: number,
    literals: Map<string, string>,
    key: string | number,
  ): JsonValue | undefined {
    this.#skipBlanks(typeof key === 'number' ? 'element' : 'colon');
    const start = this.at;
    this.#keys.push(key);
    const value = this.#readValue(depth + 1);
    this.#keys.pop();
    if (typeof value !== 'number') return value;
    const literal = literalIn(this.#text, start, this.at);
    if (literal !== String(value)) {
      literals.set(String(key), literal);
      this.#lossy ||= !survivesAsNumber(literal);
    }
    return value;
  }

  /** Whether the container ends before the next member: strict JSON doesn't end after a comma. */
  #isClosed(closer: string, isFirst: boolean, place: BlankPlace): boolean {
    const start = this.at;
    this.#skipBlanks(place);
    if (!(isFirst || this.#isLoose) || !this.#take(closer)) return false;
    // Comments alone in a container may be members that were commented out, so they are refused.
    if (isFirst && /[/#]/.test(this.#text.slice(start, this.at))) this.#fail('syntax');
    return true;
  }

  /** Whether another member follows: a comma goes on, a closer ends, anything else fails. */
  #goesOn(closer: string, place: BlankPlace): boolean {
    this.#skipBlanks(place);
    if (this.#take(closer)) return false;
    if (this.#take(',')) return true;
    this.#fail(this.at < this.#text.length ? 'syntax' : 'cut');
    return false;
  }

  #take(character: string): boolean {
    const isThere = this.#text.charAt(this.at) === character;
    if (isThere) this.at += 1;
    return isThere;
  }

  #skipBlanks(place: BlankPlace): void {
    this.at = this.#isLoose
      ? endOfLooseBlanks(this.#text, this.at, place)
      : endOfBlanks(this.#text, this.at);
  }

  #readKey(): string | undefined {
    const doubledKey = this.#isLoose ? doubledKeyAt(this.#text, this.at) : undefined;
    if (doubledKey !== undefined) {
      this.at = doubledKey.end;
      this.#isUnsure = true;
      return doubledKey.name;
    }
    const string = this.#readString(this.#isLoose ? readLooseString : readStrictString);
    if (string !== undefined || !this.#isLoose) return string;
    const key = bareKeyAt(this.#text, this.at);
    if (key === undefined) return undefined;
    this.at = key.end;
    return key.name;
  }

  #readString(reader: typeof readStrictString): string | undefined {
    if (this.#isLoose && isContentQuote(this.#text, this.at, this.#start))
      return this.#fail('syntax');
    const reading = reader(this.#text, this.at);
    if (reading === undefined) return undefined;
    if (typeof reading === 'string') return this.#fail(reading);
    this.#isUnsure ||= this.#isLoose && startsName(this.#text.slice(this.at, reading.end));
    this.at = reading.end;
    return reading.value;
  }

  #readScalar(): JsonValue | undefined {
    const token = scalarAt(this.#text, this.at, this.#isLoose ? 'loose' : 'strict');
    if (token === undefined) return this.#fail('syntax');
    this.at += token.length;
    const value = scalarValue(token);
    if (this.#isLoose && typeof value === 'number' && this.#take('"'))
      this.#quotedNumbers.push(value);
    return value;
  }
}

/** Reads a whole text. Takes linear time; never throws. */
export function readJson(text: string, mode: ParserMode, maxDepth: number): JsonReading {
  const reading = readJsonPrefix(text, 0, mode, maxDepth);
  if (reading.kind === 'unreadable') return reading;
  const end =
    mode === 'strict'
      ? endOfBlanks(text, reading.end)
      : endOfLooseBlanks(text, reading.end, 'member');
  return end === text.length ? reading : { kind: 'unreadable', reason: 'trailing', at: end };
}

/** Reads the value that starts at `start`, whatever follows it. */
export const readJsonPrefix = (
  text: string,
  start: number,
  mode: ParserMode,
  maxDepth: number,
): ReadPrefix | Unreadable => new JsonReader(text, start, mode, maxDepth).read();
