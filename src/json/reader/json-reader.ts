// How is JSON text read token by token, strictly or as models write it, without losing anything?
import { endOfBlanks, endOfLooseBlanks } from './blanks.ts';
import { nearestNumber, survivesAsNumber } from './exact-number.ts';
import type { JsonValue } from '../json-value.ts';
import { NumberTexts, type SpelledNumbers } from './number-texts.ts';
import { defineKey } from '../own-key.ts';
import { readLooseString, readStrictString, type StringReading } from './read-string.ts';
import { bareKey, looseScalar, scalarWords, strictScalar } from './tokens.ts';
import type { ReadSettings, UnreadableReason } from './reading.ts';
import { sameValue } from '../same-value.ts';

/** What to do with the closers that don't fit, in the order in which they come. */
export type CloserChoice = 'leave-out' | 'read-as-due';

/** One attempt to read a text. It stops at the first thing that can't be read and says why. */
export class JsonReader {
  /** Set as soon as reading failed; every later step is skipped. */
  failure: UnreadableReason | undefined;
  /** A closer didn't fit, and no choice was left for it. */
  wantsChoice = false;
  failedKey: string | undefined;
  readonly repeatedKeys: string[] = [];
  readonly #text: string;
  readonly #settings: ReadSettings;
  readonly #choices: readonly CloserChoice[];
  readonly #spelled: (readonly [object, SpelledNumbers])[] = [];
  #chosen = 0;
  #lossy = false;
  at = 0;

  constructor(text: string, settings: ReadSettings, choices: readonly CloserChoice[] = []) {
    this.#text = text;
    this.#settings = settings;
    this.#choices = choices;
  }

  get numbers(): NumberTexts {
    return new NumberTexts(this.#lossy, this.#spelled);
  }

  /** The whole text as one value; undefined if it is none, and `failure` says why. */
  readWhole(): JsonValue | undefined {
    const value = this.#readValue(1);
    this.#skipBlanks();
    while (this.failure === undefined && this.at < this.#text.length) {
      if (!this.#isLoose || !/[\]}]/.test(this.#text.charAt(this.at))) return this.#fail('syntax');
      // Nothing is due any more: the only reading is that it is one too many.
      if (this.#choose() === 'read-as-due') return this.#fail('syntax');
      this.at += 1;
      this.#skipBlanks();
    }
    return this.failure === undefined ? value : undefined;
  }

  /** One value from an offset on; `at` is behind it then. */
  readOne(start: number): JsonValue | undefined {
    this.at = start;
    const value = this.#readValue(1);
    return this.failure === undefined ? value : undefined;
  }

  get #isLoose(): boolean {
    return this.#settings.mode === 'loose';
  }

  #fail(reason: UnreadableReason): undefined {
    this.failure ??= reason;
    return undefined;
  }

  #readValue(depth: number): JsonValue | undefined {
    this.#skipBlanks();
    if (this.at >= this.#text.length) return this.#fail('cut');
    const character = this.#text.charAt(this.at);
    if (character === '{' || character === '[') {
      if (depth > this.#settings.maxDepth) return this.#fail('too_deep');
      this.at += 1;
      return character === '{' ? this.#readObject(depth) : this.#readList(depth);
    }
    return this.#readString() ?? this.#readScalar();
  }

  #readObject(depth: number): JsonValue | undefined {
    const object: Record<string, JsonValue> = {};
    const texts = new Map<string, string>();
    const starts = new Map<string, string>();
    for (let member = 0; ; member += 1) {
      if (this.#isClosed('}', member > 0 && !this.#isLoose)) break;
      const key = this.#readKey();
      this.#skipBlanks();
      if (key === undefined || !this.#take(':'))
        return this.#fail(this.at < this.#text.length ? 'syntax' : 'cut');
      const start = this.at;
      const value = this.#readMember(depth, texts, key);
      if (value === undefined) return undefined;
      const source = this.#text.slice(start, this.at);
      if (!this.#addMember(object, key, value, { source, starts })) return undefined;
      if (!this.#goesOn('}')) break;
    }
    return this.#finish(object, texts);
  }

  #addMember(
    object: Record<string, JsonValue>,
    key: string,
    value: JsonValue,
    { source, starts }: { source: string; starts: Map<string, string> },
  ): boolean {
    const earlier = starts.get(key);
    if (earlier === undefined) {
      starts.set(key, source);
      defineKey(object, key, value);
      return true;
    }
    // Where digits get lost, values that differ can look the same.
    const same = sameValue(object[key] ?? null, value) && (!this.#lossy || earlier.trim() === source.trim());
    this.repeatedKeys.push(key);
    if (!same) {
      this.failedKey = key;
      this.#fail('duplicate_key');
    }
    return same;
  }

  #readList(depth: number): JsonValue | undefined {
    const list: JsonValue[] = [];
    const texts = new Map<string, string>();
    for (;;) {
      if (this.#isClosed(']', list.length > 0 && !this.#isLoose)) break;
      const value = this.#readMember(depth, texts, String(list.length));
      if (value === undefined) return undefined;
      list.push(value);
      if (!this.#goesOn(']')) break;
    }
    return this.#finish(list, texts);
  }

  #finish(container: JsonValue & object, texts: SpelledNumbers): JsonValue | undefined {
    if (texts.size > 0) this.#spelled.push([container, texts]);
    return this.failure === undefined ? container : undefined;
  }

  /** A value inside a container; a number's spelling is kept if JavaScript would print another. */
  #readMember(depth: number, texts: Map<string, string>, key: string): JsonValue | undefined {
    this.#skipBlanks();
    const start = this.at;
    const value = this.#readValue(depth + 1);
    if (typeof value !== 'number') return value;
    const literal = /^-?[\d.eE+-]+/.exec(this.#text.slice(start, this.at))?.[0] ?? '';
    if (literal !== String(value)) {
      texts.set(key, literal);
      this.#lossy ||= !survivesAsNumber(literal);
    }
    return value;
  }

  /** At the start of a member: does the container end here? Not behind a comma, read strictly. */
  #isClosed(closer: string, behindComma: boolean): boolean {
    this.#skipBlanks();
    return this.failure !== undefined || (!behindComma && this.#closes(closer));
  }

  /** Behind a member: a comma goes on, a closer ends. Anything else fails. */
  #goesOn(closer: string): boolean {
    const behind = this.at;
    this.#skipBlanks();
    if (this.failure !== undefined || this.#closes(closer)) return false;
    if (this.#take(',')) return true;
    if (this.at < this.#text.length) this.#fail('syntax');
    else if (!this.#mayCloseAfter(behind)) this.#fail('cut');
    return false;
  }

  /** A comment that runs to the end may have swallowed members and closers alike. */
  #mayCloseAfter(behind: number): boolean {
    return this.#isLoose && this.#settings.closeAtEnd && !/[#/]/.test(this.#text.slice(behind));
  }

  /** Takes the closer that is due, and in front of it those that are not, as the choices say. */
  #closes(closer: string): boolean {
    for (;;) {
      if (this.#take(closer)) return true;
      const found = this.#text.charAt(this.at);
      if (!this.#isLoose || (found !== '}' && found !== ']')) return false;
      const choice = this.#choose();
      if (choice === undefined) return false;
      this.at += 1;
      if (choice === 'read-as-due') return true;
      this.#skipBlanks();
    }
  }

  #choose(): CloserChoice | undefined {
    const choice = this.#choices[this.#chosen];
    this.#chosen += 1;
    if (choice === undefined) {
      this.wantsChoice = true;
      this.#fail('syntax');
    }
    return choice;
  }

  #take(character: string): boolean {
    if (this.#text.charAt(this.at) !== character) return false;
    this.at += 1;
    return true;
  }

  #skipBlanks(): void {
    this.at = this.#isLoose ? endOfLooseBlanks(this.#text, this.at) : endOfBlanks(this.#text, this.at);
  }

  #readKey(): string | undefined {
    const string = this.#readString();
    if (string !== undefined || this.failure !== undefined || !this.#isLoose) return string;
    // An unquoted key, or one that lost its opening quote.
    bareKey.lastIndex = this.at;
    const [whole, name] = bareKey.exec(this.#text) ?? [];
    if (whole === undefined || name === undefined) return undefined;
    this.at += whole.length;
    return name;
  }

  #readString(): string | undefined {
    const reading = this.#stringHere();
    if (reading === undefined) return undefined;
    if (typeof reading === 'string') return this.#fail(reading);
    this.at = reading.end;
    return reading.value;
  }

  #stringHere(): StringReading | 'syntax' | 'cut' | undefined {
    if (this.#isLoose) return readLooseString(this.#text, this.at);
    return this.#text.charAt(this.at) === '"' ? readStrictString(this.#text, this.at) : undefined;
  }

  #readScalar(): JsonValue | undefined {
    if (this.failure !== undefined) return undefined;
    const scalar = this.#isLoose ? looseScalar : strictScalar;
    scalar.lastIndex = this.at;
    const token = scalar.exec(this.#text)?.[0];
    if (token === undefined) return this.#fail('syntax');
    this.at += token.length;
    const word = scalarWords.get(token);
    if (word !== undefined) return word;
    // A quote that trails a number was left over from quoting it.
    if (this.#isLoose) this.#take('"');
    return nearestNumber(token);
  }
}
