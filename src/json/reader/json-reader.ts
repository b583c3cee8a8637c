// How is JSON text read token by token, strictly or as models write it, without losing anything?
import { endOfBlanks, endOfLooseBlanks } from './blanks.ts';
import { nearestNumber, literalIn } from './exact-number.ts';
import type { JsonValue } from '../json-value.ts';
import { pointerTo } from '../json-pointer.ts';
import { ObjectMembers } from './object-members.ts';
import { ReadMemory } from './read-memory.ts';
import { readLooseString, readStrictString } from './read-string.ts';
import { bareKey, scalarAt, scalarWords } from './tokens.ts';
import {
  type CloserChoice,
  mostMismatches,
  type ReadSettings,
  type RepeatedKey,
  type UnreadableReason,
} from './reading.ts';

/** One attempt to read a text. It stops at the first thing that can't be read and says why. */
export class JsonReader {
  /** Set as soon as reading failed; every later step is skipped. */
  failure: UnreadableReason | undefined;
  /** A closer didn't fit, and no choice was left for it. */
  wantsChoice = false;
  /** The key that came twice with different values. */
  failedKey: RepeatedKey | undefined;
  readonly repeatedKeys: RepeatedKey[] = [];
  readonly memory: ReadMemory;
  readonly #text: string;
  readonly #settings: ReadSettings;
  readonly #choices: readonly CloserChoice[];
  /** The keys that lead to where the reader is. */
  readonly #way: (string | number)[] = [];
  #chosen = 0;
  at = 0;

  constructor(
    text: string,
    settings: ReadSettings,
    choices: readonly CloserChoice[] = [],
    memory: ReadMemory = new ReadMemory(),
  ) {
    this.#text = text;
    this.#settings = settings;
    this.#choices = choices;
    this.memory = memory;
  }

  /** The whole text as one value; undefined if it is none, and `failure` says why. */
  readWhole(): JsonValue | undefined {
    const value = this.#readValue(1);
    this.#skipBlanks();
    while (this.failure === undefined && this.at < this.#text.length) {
      if (!this.#isLoose || !/[\]}]/.test(this.#text.charAt(this.at))) return this.#fail('syntax');
      // Nothing is due any more: the only reading is that it is one too many.
      this.#chosen += 1;
      if (this.#chosen > mostMismatches) return this.#fail('syntax');
      this.at += 1;
      this.#skipBlanks();
    }
    return this.failure === undefined ? value : undefined;
  }

  /** One value from an offset on; `at` is behind it then. */
  readOne(start: number): JsonValue | undefined {
    this.at = start;
    return this.#readValue(1);
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
      return this.#readContainer(character, depth);
    }
    return this.#readString() ?? this.#readScalar();
  }

  #readContainer(opener: '{' | '[', depth: number): JsonValue | undefined {
    const [start, chosen, repeated] = [this.at, this.#chosen, this.repeatedKeys.length];
    const known = this.memory.recall(start, depth);
    this.at = known?.end ?? start + 1;
    if (known !== undefined) return known.value;
    const value = opener === '{' ? this.#readObject(depth) : this.#readList(depth);
    const isPlain = this.#chosen === chosen && this.repeatedKeys.length === repeated;
    if (value !== undefined && isPlain) this.memory.keep(start, { value, end: this.at, depth });
    return value;
  }

  #readObject(depth: number): JsonValue | undefined {
    const members = new ObjectMembers();
    const texts = new Map<string, string>();
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
      if (!this.#addMember(members, key, value, source)) return undefined;
      if (!this.#goesOn('}')) break;
    }
    return this.#finish(members.object, texts);
  }

  #addMember(members: ObjectMembers, key: string, value: JsonValue, source: string): boolean {
    const added = members.add(key, value, { source, digits: this.memory.lossy ? 'lost' : 'kept' });
    if (added === 'new') return true;
    const repeated = { path: this.#way.reduce<string>(pointerTo, ''), key };
    this.repeatedKeys.push(repeated);
    if (added === 'equal') return true;
    this.failedKey = repeated;
    this.#fail('duplicate_key');
    return false;
  }

  #readList(depth: number): JsonValue | undefined {
    const list: JsonValue[] = [];
    const texts = new Map<string, string>();
    for (;;) {
      if (this.#isClosed(']', list.length > 0 && !this.#isLoose)) break;
      const value = this.#readMember(depth, texts, list.length);
      if (value === undefined) return undefined;
      list.push(value);
      if (!this.#goesOn(']')) break;
    }
    return this.#finish(list, texts);
  }

  #finish(container: JsonValue & object, texts: ReadonlyMap<string, string>): JsonValue | undefined {
    this.memory.noteSpelled(container, texts);
    return this.failure === undefined ? container : undefined;
  }

  /** A value inside a container; a number's spelling is kept if JavaScript would print another. */
  #readMember(depth: number, texts: Map<string, string>, key: string | number): JsonValue | undefined {
    this.#skipBlanks();
    const start = this.at;
    this.#way.push(key);
    const value = this.#readValue(depth + 1);
    this.#way.pop();
    if (typeof value !== 'number') return value;
    const literal = literalIn(this.#text, start, this.at);
    if (literal !== String(value)) texts.set(String(key), this.memory.noteNumber(literal));
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
    const isThere = this.#text.charAt(this.at) === character;
    if (isThere) this.at += 1;
    return isThere;
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
    const read = this.#isLoose ? readLooseString : readStrictString;
    const reading = read(this.#text, this.at);
    if (reading === undefined) return undefined;
    if (typeof reading === 'string') return this.#fail(reading);
    this.at = reading.end;
    return reading.value;
  }

  #readScalar(): JsonValue | undefined {
    if (this.failure !== undefined) return undefined;
    const token = scalarAt(this.#text, this.at, this.#isLoose ? 'loose' : 'strict');
    if (token === undefined) return this.#fail('syntax');
    this.at += token.length;
    const word = scalarWords.get(token);
    if (word !== undefined) return word;
    // A quote that trails a number was left over from quoting it.
    if (this.#isLoose) this.#take('"');
    return nearestNumber(token);
  }
}
