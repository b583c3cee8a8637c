import { matchAt } from '../json/tokens.ts';
import { readLooseSpan } from '../json/strings.ts';
import { afterBlanks } from './json-body.ts';

/** A call in Python's syntax, with its arguments as JSON text. */
export interface PythonCall {
  readonly name: string;
  readonly json: string;
  readonly keywords: readonly string[];
}

/** `open`: the text ends before the calls do. `none`: it is something else. */
export type PythonReading =
  | { readonly kind: 'none' | 'open' }
  | { readonly kind: 'calls'; readonly calls: readonly PythonCall[]; readonly end: number };

interface Part<Value> {
  readonly value: Value;
  readonly end: number;
}

const head = /([A-Za-z_][\w.]{0,127})\s{0,8}\(/y;
const keyword = /([A-Za-z_]\w{0,127})\s{0,8}=(?!=)\s{0,8}/y;
const word = /[A-Za-z_]\w*/y;
const number = /[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w"'])/y;
const opening = /'''|"""|["']/y;

const maxDepth = 62;

/** The calls at an offset: one, or a list in brackets. */
export function readPython(text: string, at: number): PythonReading {
  const reader = new PythonReader(text);
  const isList = text.charAt(at) === '[';
  const start = isList ? afterBlanks(text, at + 1) : at;
  if (matchAt(head, text, start) === null) return { kind: 'none' };
  const read = isList ? reader.calls(start) : one(reader.call(start));
  if (read !== undefined) return { kind: 'calls', calls: read.value, end: read.end };
  return { kind: reader.isCut ? 'open' : 'none' };
}

const one = (read: Part<PythonCall> | undefined): Part<readonly PythonCall[]> | undefined =>
  read && { ...read, value: [read.value] };

/**
 * Its methods return undefined for what is no call of literals, and say then if the text was cut.
 */
class PythonReader {
  readonly #text: string;
  /** The text ended where something had to follow. */
  isCut = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** The calls of a list, up to its bracket. */
  calls(start: number): Part<readonly PythonCall[]> | undefined {
    const calls: PythonCall[] = [];
    for (let at = start; ;) {
      const read = this.call(at);
      if (read === undefined) return undefined;
      calls.push(read.value);
      const next = this.#skip(read.end);
      const mark = this.#text.charAt(next);
      if (mark === ']') return { value: calls, end: next + 1 };
      if (mark !== ',') return undefined;
      at = this.#skip(next + 1);
      if (this.#text.charAt(at) === ']') return { value: calls, end: at + 1 };
    }
  }

  /** `NAME(…)` with keywords, with one object, or with nothing; also printed. */
  call(from: number): Part<PythonCall> | undefined {
    const name = matchAt(head, this.#text, from)?.[1];
    if (name === undefined) {
      this.isCut ||= /^[\w.]*\s*$/.test(this.#text.slice(from, from + 200));
      return undefined;
    }
    const start = this.#skip(head.lastIndex);
    if (name === 'print') return this.#closedPart(this.call(start));
    if (this.#text.charAt(start) !== '{') return this.#keywords(name, start);
    const object = this.#value(start, 0);
    return this.#closedPart(
      object && { ...object, value: { name, json: object.value, keywords: [] } },
    );
  }

  #keywords(name: string, start: number): Part<PythonCall> | undefined {
    const members: string[] = [];
    const keywords: string[] = [];
    let at = start;
    while (this.#text.charAt(at) !== ')') {
      const key = matchAt(keyword, this.#text, at)?.[1];
      if (key === undefined || keywords.includes(key)) {
        this.isCut ||= /^\w*\s*$/.test(this.#text.slice(at, at + 200));
        return undefined;
      }
      const read = this.#value(keyword.lastIndex, 0);
      if (read === undefined) return undefined;
      keywords.push(key);
      members.push(`${JSON.stringify(key)}:${read.value}`);
      at = this.#skip(read.end);
      const mark = this.#text.charAt(at);
      if (mark === ',') at = this.#skip(at + 1);
      else if (mark !== ')') return undefined;
    }
    return { value: { name, json: `{${members.join(',')}}`, keywords }, end: at + 1 };
  }

  /** What was read, with the parenthesis after it. */
  #closedPart<Value>(read: Part<Value> | undefined): Part<Value> | undefined {
    if (read === undefined) return undefined;
    const end = this.#skip(read.end);
    return this.#text.charAt(end) === ')' ? { ...read, end: end + 1 } : undefined;
  }

  /** A literal of Python or JSON, as JSON. */
  #value(at: number, depth: number): Part<string> | undefined {
    if (at >= this.#text.length) this.isCut = true;
    if (depth > maxDepth) return undefined;
    if (matchAt(opening, this.#text, at) !== null) return this.#string(at);
    const mark = this.#text.charAt(at);
    const closer = closers.get(mark);
    if (closer !== undefined) return this.#container(at, closer, depth);
    const literal = matchAt(number, this.#text, at)?.[0];
    if (literal !== undefined) return { value: numberJson(literal), end: at + literal.length };
    const [wordText = ''] = matchAt(word, this.#text, at) ?? [];
    if (at + wordText.length >= this.#text.length) this.isCut = true;
    const value = words.get(wordText);
    return value === undefined ? undefined : { value, end: at + wordText.length };
  }

  /** A list, a tuple, a set or a dictionary. */
  #container(start: number, closer: string, depth: number): Part<string> | undefined {
    const elements: (readonly [string, string | undefined])[] = [];
    let hasComma = false;
    let at = this.#skip(start + 1);
    while (this.#text.charAt(at) !== closer) {
      const key = this.#value(at, depth + 1);
      if (key === undefined) return undefined;
      at = this.#skip(key.end);
      const isPair = closer === '}' && this.#text.charAt(at) === ':';
      const member = isPair ? this.#value(this.#skip(at + 1), depth + 1) : undefined;
      if (isPair && member === undefined) return undefined;
      elements.push([key.value, member?.value]);
      at = this.#skip(member?.end ?? at);
      const mark = this.#text.charAt(at);
      if (mark === ',') {
        hasComma = true;
        at = this.#skip(at + 1);
      } else if (mark !== closer) return undefined;
    }
    // One value in parentheses is not a tuple.
    if (closer === ')' && elements.length === 1 && !hasComma) return undefined;
    const value = containerJson(elements, closer);
    return value === undefined ? undefined : { value, end: at + 1 };
  }

  /**
   * A string, which ends at the first quote after which something can follow. Quotes before it are
   * content, if they come in pairs.
   */
  #string(start: number): Part<string> | undefined {
    const [quote = '"'] = matchAt(opening, this.#text, start) ?? [];
    let innerQuotes = 0;
    for (let quoteAt = this.#quoteFrom(start + quote.length, quote); quoteAt !== -1;) {
      const end = quoteAt + quote.length;
      if (mayFollowString.test(this.#text.slice(end, end + 64))) {
        const value = innerQuotes % 2 === 0 ? this.#content(start, end, quote) : undefined;
        return value === undefined ? undefined : { value, end };
      }
      // What follows a quote and an operator is an expression.
      const textAfter = this.#text.slice(end, end + 64);
      // A comma may be lost there, before a keyword or another string.
      if (operator.test(textAfter) || nextArgument.test(textAfter)) return undefined;
      const isInWord = isLetter(this.#text.charAt(quoteAt - 1)) && isLetter(this.#text.charAt(end));
      if (!isInWord) innerQuotes += 1;
      quoteAt = this.#quoteFrom(end, quote);
    }
    this.isCut = true;
    return undefined;
  }

  /** The next quote that has no backslash before it. */
  #quoteFrom(from: number, quote: string): number {
    for (let at = from; at < this.#text.length; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === 92) at += 1;
      else if (code === quote.charCodeAt(0) && this.#text.startsWith(quote, at)) return at;
    }
    return -1;
  }

  /** The string's content as JSON; undefined if one of its escapes has several meanings. */
  #content(start: number, end: number, quote: string): string | undefined {
    const body = this.#text.slice(start + quote.length, end - quote.length);
    if (!body.includes('\\')) return JSON.stringify(body);
    if (quote.length === 3 || pythonEscape.test(body)) return undefined;
    const value = readLooseSpan(`${quote}${body}${quote}`, 0, body.length + 2);
    return value === undefined ? undefined : JSON.stringify(value);
  }

  /** The offset after blanks; whoever asks expects something there. */
  #skip(at: number): number {
    const end = afterBlanks(this.#text, at);
    if (end >= this.#text.length) this.isCut = true;
    return end;
  }
}

const isLetter = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);

const mayFollowString = /^\s*(?:[,)\]}:]|$)/;
const nextArgument = /^\s*(?:[A-Za-z_]\w*\s*=(?!=)|\s["'])/;
const operator = /^\s*(?:[+%*]|\.[A-Za-z_]|if\s|for\s|or\s|and\s)/;

/** Escapes that mean a character in Python, and in JSON nothing; a line break is left out. */
const pythonEscape = /(?<!\\)(?:\\\\)*\\(?:[\n\r0-7avUx]|N\{)/;

const closers: ReadonlyMap<string, string> = new Map([
  ['[', ']'],
  ['{', '}'],
  ['(', ')'],
]);

const words: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['true', 'true'],
  ['False', 'false'],
  ['false', 'false'],
  ['None', 'null'],
  ['null', 'null'],
]);

/** A number as JSON; one that JSON doesn't write so is text, which the schema decides about. */
const numberJson = (literal: string): string =>
  /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(literal) ? literal : JSON.stringify(literal);

/** A list for what is one, and an object for a dictionary. */
function containerJson(
  elements: readonly (readonly [string, string | undefined])[],
  closer: string,
): string | undefined {
  const pairs = elements.filter(([, value]) => value !== undefined);
  if (closer !== '}' || (pairs.length === 0 && elements.length > 0))
    return pairs.length > 0 ? undefined : `[${elements.map(([key]) => key).join(',')}]`;
  if (pairs.length < elements.length) return undefined;
  const keys = elements.map(([key]) => (key.startsWith('"') ? key : JSON.stringify(key)));
  if (new Set(keys).size < keys.length) return undefined;
  return `{${elements.map(([, value = ''], index) => `${keys[index] ?? ''}:${value}`).join(',')}}`;
}
