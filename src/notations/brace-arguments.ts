import { matchAt } from '../json/tokens.ts';
import { readLooseSpan } from '../json/strings.ts';
import { afterBlanks } from './json-body.ts';

/** `open`: the text ends before the object does. `none`: it is something else. */
export type BraceReading =
  | { readonly kind: 'none' | 'open' }
  | { readonly kind: 'object'; readonly json: string; readonly end: number };

/** `quoted`: strings have quotes. `words`: a string that is one word may have lost them. */
export type BraceStrings = 'quoted' | 'words';

interface Part {
  readonly json: string;
  readonly end: number;
}

const bareKey = /[\p{L}_$][\p{L}\p{N}_.$-]{0,127}/uy;
const bareKeyAndColon = /\s*[\p{L}_$][\p{L}\p{N}_.$-]{0,127}\s*:/uy;
const quote = /<\|\\?"\|?>|<escape>|["']/y;
const literal = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w."'])/y;
/** A word without quotes, where only a string can stand. */
const bareText =
  /(?!(?:none|null|nil|nan|undefined|infinity|true|false)[\s,}\])])[A-Za-z_][\w-]{0,127}(?=\s*[,}\])])/iy;
const word = /(?:true|false|null|True|False|None)(?!\w)/y;

const anotherCall = /<\|tool_call>|<start_function_call>|call:[\w.-]{1,128}\{/;

const maxDepth = 62;

/** What closes the arguments as a whole. */
const closers = new Map([
  ['{', '}'],
  ['(', ')'],
]);

/**
 * The object at an offset whose keys have no quotes and whose strings are between quote tokens,
 * without any escapes. A comma after a string or a container may be missing. As in Python, the
 * outermost braces may be parentheses, and a colon an equals sign.
 */
export function readBraces(text: string, at: number, strings: BraceStrings): BraceReading {
  const closer = closers.get(text.charAt(at));
  if (closer === undefined) return { kind: 'none' };
  const reader = new BraceReader(text, strings, closer);
  const read = reader.object(at, closer, 0);
  if (read !== undefined) return { kind: 'object', ...read };
  return { kind: reader.isCut ? 'open' : 'none' };
}

class BraceReader {
  readonly #text: string;
  readonly #strings: BraceStrings;
  /** What may come after a string. */
  readonly #followers: string;
  /** The text ended where something had to follow. */
  isCut = false;

  constructor(text: string, strings: BraceStrings, closer: string) {
    this.#text = text;
    this.#strings = strings;
    this.#followers = `,}]:${closer}`;
  }

  value(at: number, depth: number): Part | undefined {
    const mark = this.#text.charAt(at);
    if (depth > maxDepth) return undefined;
    if (matchAt(quote, this.#text, at) !== null) return this.#string(at);
    if (mark === '{') return this.object(at, '}', depth);
    if (mark === '[') return this.#list(at, depth);
    const [number] = matchAt(literal, this.#text, at) ?? [];
    if (number !== undefined) return { json: number, end: at + number.length };
    const [keyword] = matchAt(word, this.#text, at) ?? [];
    const mayBeWord = keyword === undefined && this.#strings === 'words';
    const [text] = mayBeWord ? (matchAt(bareText, this.#text, at) ?? []) : [];
    if (text !== undefined) return { json: JSON.stringify(text), end: at + text.length };
    if (keyword === undefined) {
      this.isCut ||= /^-?[\w.+]*$/.test(this.#text.slice(at, at + 64));
      return undefined;
    }
    const json = keyword === 'None' ? 'null' : keyword.toLowerCase();
    return { json, end: at + keyword.length };
  }

  #list(start: number, depth: number): Part | undefined {
    const elements: string[] = [];
    let at = this.#skip(start + 1);
    while (this.#text.charAt(at) !== ']') {
      const element = this.value(at, depth + 1);
      if (element === undefined) return undefined;
      elements.push(element.json);
      at = this.#skip(element.end);
      if (this.#text.charAt(at) === ',') at = this.#skip(at + 1);
      else if (this.#text.charAt(at) !== ']') return undefined;
    }
    return { json: `[${elements.join(',')}]`, end: at + 1 };
  }

  object(start: number, closer: string, depth: number): Part | undefined {
    const members = new Map<string, string>();
    let at = this.#skip(start + 1);
    while (this.#text.charAt(at) !== closer) {
      const key = this.#key(at);
      const colon = key && this.#skip(key.end);
      if (key === undefined || colon === undefined || !/[:=]/.test(this.#text.charAt(colon)))
        return undefined;
      const value = this.value(this.#skip(colon + 1), depth + 1);
      // A key that comes twice has one value if both are equal.
      if (value === undefined || (members.get(key.json) ?? value.json) !== value.json)
        return undefined;
      members.set(key.json, value.json);
      at = this.#skip(value.end);
      if (this.#text.charAt(at) === ',') at = this.#skip(at + 1);
      else if (this.#text.charAt(at) !== closer && !this.#isCommaLost(value, at)) return undefined;
    }
    const json = Array.from(members, ([key, value]) => `${key}:${value}`).join(',');
    return { json: `{${json}}`, end: at + 1 };
  }

  #isCommaLost({ json }: Part, at: number): boolean {
    return /["\]}]$/.test(json) && matchAt(bareKeyAndColon, this.#text, at) !== null;
  }

  #key(at: number): Part | undefined {
    if (matchAt(quote, this.#text, at) !== null) return this.#string(at);
    const [key] = matchAt(bareKey, this.#text, at) ?? [];
    return key === undefined ? undefined : { json: JSON.stringify(key), end: at + key.length };
  }

  /**
   * A string, which ends at the first quote after which something can follow. Quotes before it are
   * content, if they come in pairs.
   */
  #string(start: number): Part | undefined {
    const [token = '"'] = matchAt(quote, this.#text, start) ?? [];
    const closing = token.length === 1 || token === '<escape>' ? token : '<|"|>';
    let innerQuotes = 0;
    for (let quoteAt = this.#closing(start + token.length, closing); quoteAt !== -1;) {
      const end = quoteAt + closing.length;
      if (this.#mayFollow(end)) {
        if (innerQuotes % 2 === 1) return undefined;
        const content =
          token.length > 1
            ? this.#text.slice(start + token.length, quoteAt)
            : readLooseSpan(this.#text, start, end);
        // Another call between two strings isn't part of one.
        if (content === undefined || (innerQuotes > 0 && anotherCall.test(content)))
          return undefined;
        return { json: JSON.stringify(content), end };
      }
      innerQuotes += 1;
      quoteAt = this.#closing(end, closing);
    }
    this.isCut = true;
    return undefined;
  }

  #closing(from: number, token: string): number {
    if (token.length > 1) return this.#text.indexOf(token, from);
    for (let at = from; at < this.#text.length; at += 1) {
      if (this.#text.charCodeAt(at) === 92) at += 1;
      else if (this.#text.charAt(at) === token) return at;
    }
    return -1;
  }

  #mayFollow(end: number): boolean {
    const next = afterBlanks(this.#text, end);
    return (
      next >= this.#text.length ||
      this.#followers.includes(this.#text.charAt(next)) ||
      matchAt(bareKeyAndColon, this.#text, next) !== null
    );
  }

  /** The offset after blanks; whoever asks expects something there. */
  #skip(at: number): number {
    const end = afterBlanks(this.#text, at);
    if (end >= this.#text.length) this.isCut = true;
    return end;
  }
}
