import { pointerTo } from './json-pointer.ts';
import {
  type ContainerLiterals,
  NumberLiterals,
  literalIn,
  nearestNumber,
  survivesAsNumber,
} from './number-literals.ts';
import { type JsonValue, defineKey, sameValue } from './value.ts';

export type Reading = ReadValue | Unreadable;

export interface ReadValue {
  readonly kind: 'read';
  readonly value: JsonValue;
  readonly numbers: NumberLiterals;
  /** Keys that came twice with equal values; each keeps its first place. */
  readonly repeatedKeys: readonly RepeatedKey[];
}

/** `cut`: the text ends before the value does. `ambiguous`: wrong closers have two readings. */
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
  /** `strict`: RFC 8259. `loose`: also what models write instead, as long as it has one reading. */
  readonly mode: 'strict' | 'loose';
  /** Nesting of containers, the outermost counted. */
  readonly maxDepth: number;
  /** Loose only: closers may be missing at the end, after a complete value. */
  readonly closeAtEnd: boolean;
}

/** The readings of a closer that doesn't fit. */
type CloserChoice = 'leave-out' | 'read-as-due';

/** Closers that don't fit, at most: each doubles the number of attempts. */
const maxMismatches = 4;

/** The offset behind JSON's whitespace (RFC 8259, section 2) at `at`. */
export function endOfBlanks(text: string, at: number): number {
  let end = at;
  while (' \t\n\r'.includes(text.charAt(end)) && end < text.length) end += 1;
  return end;
}

/** The offset behind whitespace, comments and `\\n` written out. */
function endOfLooseBlanks(text: string, at: number): number {
  let end = at;
  for (let next = behindOneBlank(text, end); next > end; next = behindOneBlank(text, end)) end = next;
  return end;
}

function behindOneBlank(text: string, at: number): number {
  const character = text.charAt(at);
  if (character === '' || startsToken(character)) return at;
  if (/\s/.test(character)) return at + 1;
  if (character === '#' || text.startsWith('//', at)) return endOfLine(text, at);
  if (text.startsWith('/*', at)) {
    const end = text.indexOf('*/', at + 2);
    return end === -1 ? at : end + 2;
  }
  return character === '\\' && /[nrt]/.test(text.charAt(at + 1)) ? at + 2 : at;
}

/** True for nearly all characters behind a token: quotes, brackets, commas, digits, letters. */
const startsToken = (character: string): boolean =>
  (character > '#' && character < '/') || (character > '/' && character < '\\') || character === '"';

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** An object while it is being read. Of members with one key and equal values, the first is kept. */
class ObjectMembers {
  readonly object: Record<string, JsonValue> = {};
  readonly #sources = new Map<string, string>();

  /** `digits: 'lost'`: different values may look the same, so their texts are compared too. */
  add(
    key: string,
    value: JsonValue,
    written: { readonly source: string; readonly digits: 'kept' | 'lost' },
  ): 'new' | 'equal' | 'different' {
    const { source, digits } = written;
    const earlier = this.#sources.get(key);
    if (earlier === undefined) {
      this.#sources.set(key, source);
      defineKey(this.object, key, value);
      return 'new';
    }
    const isSame = sameValue(this.object[key] ?? null, value);
    return isSame && (digits === 'kept' || earlier.trim() === source.trim()) ? 'equal' : 'different';
  }
}

/** A container without a repeated key that was read without a choice. */
interface KnownContainer {
  readonly value: JsonValue;
  /** Offset behind it. */
  readonly end: number;
  /** Its depth: less deep, it reads the same. */
  readonly depth: number;
}

/** What all attempts to read one text share. */
class ReadMemory {
  /** Some number has lost digits. */
  lossy = false;
  /** Containers are kept once another attempt is certain. */
  keeps = false;
  /** Characters read in all attempts. */
  spent = 0;
  readonly #literals = new Map<object, ContainerLiterals>();
  readonly #known = new Map<number, KnownContainer>();

  numbersOf(value: JsonValue): NumberLiterals {
    return NumberLiterals.of(value, this.#literals, this.lossy);
  }

  /** Notes a literal that JavaScript would print differently, and gives it back. */
  noteNumber(literal: string): string {
    this.lossy ||= !survivesAsNumber(literal);
    return literal;
  }

  noteContainer(container: object, literals: ContainerLiterals): void {
    if (literals.size > 0) this.#literals.set(container, literals);
  }

  keep(start: number, known: KnownContainer): void {
    if (this.keeps) this.#known.set(start, known);
  }

  /** The container at an offset, if it is known: its characters are not read again. */
  recall(start: number, depth: number): KnownContainer | undefined {
    if (!this.keeps) return undefined;
    const known = this.#known.get(start);
    if (known === undefined || known.depth < depth) return undefined;
    this.spent -= known.end - start;
    return known;
  }
}

export interface StringReading {
  readonly value: string;
  /** Offset behind the closing quote. */
  readonly end: number;
}

/** `cut`: the text ends inside the string. */
export type StringFailure = 'syntax' | 'cut';

/** Reads the strict string (RFC 8259, section 7) at `start`; undefined if none opens there. */
function readStrictString(text: string, start: number): StringReading | StringFailure | undefined {
  if (text.charAt(start) !== '"') return undefined;
  const body = bodyOf(text, start + 1, '"');
  if (body === undefined) return 'cut';
  const raw = text.slice(start, body.end + 1);
  if (body.escapes.size === 0 && !controlCharacter.test(raw))
    return { value: raw.slice(1, -1), end: body.end + 1 };
  if (controlCharacter.test(raw) || [...body.escapes].some((escape) => !isKnown(escape))) return 'syntax';
  return { value: decodeEscapes(raw.slice(1, -1)), end: body.end + 1 };
}

/** Reads a string with any of the delimiters that models use; undefined if none opens at `start`. */
function readLooseString(text: string, start: number): StringReading | StringFailure | undefined {
  if (text.startsWith('\\"', start)) return readEscapedString(text, start);
  const closers = closersOf.get(text.charAt(start));
  if (closers === undefined) return undefined;
  const body = bodyOf(text, start + 1, closers);
  if (body === undefined) return 'cut';
  const value = decodeLoosely(text.slice(start + 1, body.end), [...body.escapes]);
  return value === undefined ? 'syntax' : { value, end: body.end + 1 };
}

const closersOf: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['\u201c', '\u201c\u201d'],
  ['\u201d', '\u201d'],
  ['\u201e', '\u201c\u201d'],
  ['\u2018', '\u2018\u2019'],
]);

// eslint-disable-next-line no-control-regex -- they are what is looked for
const controlCharacter = /[\u0000-\u001f]/;

interface StringBody {
  /** Offset of the closing delimiter. */
  readonly end: number;
  /** The different escapes, as written: `\n`, `\u00e9`, `\d`. */
  readonly escapes: ReadonlySet<string>;
}

function bodyOf(text: string, start: number, closers: string): StringBody | undefined {
  const escapes = new Set<string>();
  const plain = plainTextUpTo.get(closers) ?? anyText;
  for (let at = start; at < text.length;) {
    plain.lastIndex = at;
    plain.test(text);
    at = plain.lastIndex;
    if (text.charAt(at) !== '\\') return at < text.length ? { end: at, escapes } : undefined;
    const escape = escapeAt(text, at);
    escapes.add(escape);
    at += escape.length;
  }
  return undefined;
}

const anyText = /[^]*/y;

/** What a string may hold up to its end or its next escape, by the closers that end it. */
const plainTextUpTo: ReadonlyMap<string, RegExp> = new Map(
  ['"', ...closersOf.values()].map((closers) => [closers, new RegExp(`[^\\\\${closers}]*`, 'y')]),
);

const unicodeEscape = /\\u[0-9a-fA-F]{4}/y;

function escapeAt(text: string, at: number): string {
  unicodeEscape.lastIndex = at;
  return unicodeEscape.exec(text)?.[0] ?? text.slice(at, at + 2);
}

const isKnown = (escape: string): boolean => escape.length === 6 || /^\\["\\/bfnrt]$/.test(escape);

const meanings: ReadonlyMap<string, string> = new Map([
  ['\\b', '\b'],
  ['\\f', '\f'],
  ['\\n', '\n'],
  ['\\r', '\r'],
  ['\\t', '\t'],
  ['\\"', '"'],
  ["\\'", "'"],
  ['\\\\', '\\'],
  ['\\/', '/'],
]);

const everyEscape = /\\(?:u[0-9a-fA-F]{4}|[^])/g;

const decodeEscapes = (body: string): string => body.replace(everyEscape, (escape) => meaningOf(escape));

/** A backslash before a character that JSON doesn't escape is a backslash. */
const meaningOf = (escape: string): string =>
  meanings.get(escape) ??
  (escape.length === 6 ? String.fromCharCode(Number.parseInt(escape.slice(2), 16)) : escape);

/**
 * Unknown escapes keep their backslash. Next to `\n` and the like they have two readings, because either the whole text or a
 * part of it was written without escapes. A path with a drive letter was written without them as a whole.
 */
function decodeLoosely(body: string, escapes: readonly string[]): string | undefined {
  if (escapes.every(isKnown)) return decodeEscapes(body);
  if (/^[A-Za-z]:\\/.test(body)) {
    return escapes.includes('\\"') ? undefined : body.replaceAll('\\\\', '\\');
  }
  // The two backslashes before a server's name may be escaped or not.
  if (/^\\\\[\w.$-]+\\/.test(body)) return undefined;
  // The character of a broken \u is unknown.
  if (escapes.some((escape) => /^\\[bfnrtu]$/.test(escape))) return undefined;
  return decodeEscapes(body);
}

/** `\"x\"`: both delimiters are escaped, or the first one. An escape inside has two readings, so it is refused. */
function readEscapedString(text: string, start: number): StringReading | StringFailure {
  const quote = text.indexOf('"', start + 2);
  if (quote === -1) return 'cut';
  const end = text.charAt(quote - 1) === '\\' ? quote - 1 : quote;
  const value = text.slice(start + 2, end);
  return value.includes('\\') ? 'syntax' : { value, end: quote + 1 };
}

const strictWord = /(?:true|false|null)(?![\w.])/y;
const looseWord = /(?:true|false|null|True|False|None)(?![\w.])/y;
/** A key without quotes, or one that lost its opening quote. */
const bareKey = /([A-Za-z_$][\w$.-]{0,999})"?(?=\s*:)/y;
const scalarWords: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
]);

/** The number or word at an offset that ends where neither could go on; undefined if there is none. */
function scalarAt(text: string, start: number, mode: 'strict' | 'loose'): string | undefined {
  if (!isDigit(text, text.charAt(start) === '-' ? start + 1 : start)) {
    const word = mode === 'strict' ? strictWord : looseWord;
    word.lastIndex = start;
    return word.exec(text)?.[0];
  }
  const end = endOfNumber(text, start);
  return /[\w.]/.test(text.charAt(end)) ? undefined : text.slice(start, end);
}

/** A regular expression overflows the stack on millions of digits. */
function endOfNumber(text: string, start: number): number {
  const first = text.charAt(start) === '-' ? start + 1 : start;
  let end = text.charAt(first) === '0' ? first + 1 : endOfDigits(text, first);
  if (text.charAt(end) === '.' && isDigit(text, end + 1)) end = endOfDigits(text, end + 1);
  if (!/[eE]/.test(text.charAt(end))) return end;
  const exponent = /[+-]/.test(text.charAt(end + 1)) ? end + 2 : end + 1;
  return isDigit(text, exponent) ? endOfDigits(text, exponent) : end;
}

function endOfDigits(text: string, start: number): number {
  let end = start;
  while (isDigit(text, end)) end += 1;
  return end;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** One attempt to read a text: it stops at the first character that can't be read. */
class JsonReader {
  /** Set when reading fails; all later steps are skipped. */
  failure: UnreadableReason | undefined;
  /** A closer doesn't fit, and no choice is left for it. */
  wantsChoice = false;
  /** The key that came twice with different values. */
  failedKey: RepeatedKey | undefined;
  readonly repeatedKeys: RepeatedKey[] = [];
  readonly memory: ReadMemory;
  readonly #text: string;
  readonly #settings: ReadSettings;
  readonly #choices: readonly CloserChoice[];
  /** The keys and indices that lead to the current value. */
  readonly #keys: (string | number)[] = [];
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

  /** The whole text as one value; undefined on failure. */
  readWhole(): JsonValue | undefined {
    const value = this.#readValue(1);
    this.#skipBlanks();
    while (this.failure === undefined && this.at < this.#text.length) {
      if (!this.#isLoose || !/[\]}]/.test(this.#text.charAt(this.at))) return this.#fail('syntax');
      // A closer behind the value can only be a surplus one.
      this.#chosen += 1;
      if (this.#chosen > maxMismatches) return this.#fail('syntax');
      this.at += 1;
      this.#skipBlanks();
    }
    return this.failure === undefined ? value : undefined;
  }

  /** One value at an offset; `at` is behind it afterwards. */
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
    const literals = new Map<string, string>();
    for (let member = 0; ; member += 1) {
      if (this.#isClosed('}', member > 0 && !this.#isLoose)) break;
      const key = this.#readKey();
      this.#skipBlanks();
      if (key === undefined || !this.#take(':'))
        return this.#fail(this.at < this.#text.length ? 'syntax' : 'cut');
      const start = this.at;
      const value = this.#readMember(depth, literals, key);
      if (value === undefined) return undefined;
      const source = this.#text.slice(start, this.at);
      if (!this.#addMember(members, key, value, source)) return undefined;
      if (!this.#goesOn('}')) break;
    }
    return this.#finish(members.object, literals);
  }

  #addMember(members: ObjectMembers, key: string, value: JsonValue, source: string): boolean {
    const added = members.add(key, value, { source, digits: this.memory.lossy ? 'lost' : 'kept' });
    if (added === 'new') return true;
    const repeated = { path: this.#keys.reduce<string>(pointerTo, ''), key };
    this.repeatedKeys.push(repeated);
    if (added === 'equal') return true;
    this.failedKey = repeated;
    this.#fail('duplicate_key');
    return false;
  }

  #readList(depth: number): JsonValue | undefined {
    const list: JsonValue[] = [];
    const literals = new Map<string, string>();
    for (;;) {
      if (this.#isClosed(']', list.length > 0 && !this.#isLoose)) break;
      const value = this.#readMember(depth, literals, list.length);
      if (value === undefined) return undefined;
      list.push(value);
      if (!this.#goesOn(']')) break;
    }
    return this.#finish(list, literals);
  }

  #finish(container: JsonValue & object, literals: ContainerLiterals): JsonValue | undefined {
    this.memory.noteContainer(container, literals);
    return this.failure === undefined ? container : undefined;
  }

  /** A value inside a container; a number's literal is kept if JavaScript would print another. */
  #readMember(depth: number, literals: Map<string, string>, key: string | number): JsonValue | undefined {
    this.#skipBlanks();
    const start = this.at;
    this.#keys.push(key);
    const value = this.#readValue(depth + 1);
    this.#keys.pop();
    if (typeof value !== 'number') return value;
    const literal = literalIn(this.#text, start, this.at);
    if (literal !== String(value)) literals.set(String(key), this.memory.noteNumber(literal));
    return value;
  }

  /** Whether the container ends before the next member: read strictly, not behind a comma. */
  #isClosed(closer: string, behindComma: boolean): boolean {
    this.#skipBlanks();
    return this.failure !== undefined || (!behindComma && this.#closes(closer));
  }

  /** Whether another member follows: a comma goes on, a closer ends, anything else fails. */
  #goesOn(closer: string): boolean {
    const behind = this.at;
    this.#skipBlanks();
    if (this.failure !== undefined || this.#closes(closer)) return false;
    if (this.#take(',')) return true;
    if (this.at < this.#text.length) this.#fail('syntax');
    else if (!this.#mayCloseAfter(behind)) this.#fail('cut');
    return false;
  }

  /** Not behind a comment that runs to the end: it may hold members and closers. */
  #mayCloseAfter(behind: number): boolean {
    return this.#isLoose && this.#settings.closeAtEnd && !/[#/]/.test(this.#text.slice(behind));
  }

  /** Takes the closer that is due, and those before it that are not, as the choices say. */
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
    // A quote behind a number is left over from quoting it.
    if (this.#isLoose) this.#take('"');
    return nearestNumber(token);
  }
}

/** Characters that all attempts to read one text may read: its length this often, and some for free. */
const maxPasses = 3;
const freeCharacters = 1_000_000;

/** Reads a whole text, wrong closers in both ways: two different values are ambiguous. Takes linear time; never throws. */
export function readJson(text: string, settings: ReadSettings): Reading {
  const memory = new ReadMemory();
  const readings: ReadValue[] = [];
  const failures: Unreadable[] = [];
  const attempt = (choices: readonly CloserChoice[]): void => {
    const reader = new JsonReader(text, settings, choices, memory);
    const value = reader.readWhole();
    memory.spent += reader.at;
    if (value !== undefined) {
      readings.push(readingOf(reader, value));
    } else if (reader.wantsChoice && choices.length < maxMismatches) {
      memory.keeps = true;
      attempt([...choices, 'leave-out']);
      // An attempt that is not made could give another value.
      if (memory.spent > text.length * maxPasses + freeCharacters) readings.length = 0;
      else attempt([...choices, 'read-as-due']);
    } else {
      failures.push(failureOf(reader));
    }
  };
  attempt([]);
  return onlyReading(readings) ?? failures[0] ?? ambiguous;
}

const ambiguous: Unreadable = { kind: 'unreadable', reason: 'ambiguous', at: 0 };

/** One value that starts at `start`, whatever follows it; undefined if there is none, or a closer doesn't fit. */
export function readJsonPrefix(
  text: string,
  start: number,
  maxDepth: number,
  mode: ReadSettings['mode'] = 'strict',
): (ReadValue & { end: number }) | undefined {
  const reader = new JsonReader(text, { mode, maxDepth, closeAtEnd: false });
  const value = reader.readOne(start);
  if (value === undefined) return undefined;
  return { ...readingOf(reader, value), end: reader.at };
}

const readingOf = ({ memory, repeatedKeys }: JsonReader, value: JsonValue): ReadValue => ({
  kind: 'read',
  value,
  numbers: memory.numbersOf(value),
  repeatedKeys,
});

function onlyReading(readings: readonly ReadValue[]): Reading | undefined {
  const [first, ...others] = readings;
  if (first === undefined) return undefined;
  return others.every((other) => sameValue(first.value, other.value)) ? first : ambiguous;
}

const failureOf = ({ failure = 'syntax', at, failedKey }: JsonReader): Unreadable => ({
  kind: 'unreadable',
  reason: failure,
  at,
  ...(failedKey === undefined ? {} : { repeated: failedKey }),
});
