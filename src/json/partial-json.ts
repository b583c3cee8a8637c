// What JSON text says before it ends, for programs that show arguments while a model writes them.
import { defineKey } from '../collections/objects.ts';
import { plainJson } from './parse.ts';
import { type JsonValue, maxTextDepth } from './value.ts';

/**
 * The value of the beginning of JSON text; undefined if it has none yet. A string may go on; a
 * number, `true`, `false`, `null` and a key are left out until they have ended. At the first
 * character that is no JSON, reading ends. Takes time that grows with the length of the text.
 */
export function partialJson(text: string): JsonValue | undefined {
  return new PartialReader(text).value(0);
}

const blank = /[ \t\n\r]*/y;
const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=[ \t\n\r,\]}])/y;
// eslint-disable-next-line no-control-regex -- JSON has none in a string
const stringStart = /"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y;

class PartialReader {
  readonly #text: string;
  #at = 0;
  /** The text has ended, or goes on with something else. */
  #isOver = false;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): JsonValue | undefined {
    switch (this.#next()) {
      case '{':
        return depth < maxTextDepth ? this.#object(depth) : this.#end();
      case '[':
        return depth < maxTextDepth ? this.#list(depth) : this.#end();
      case '"':
        return this.#string();
      default: {
        const literal = this.#match(scalar);
        return literal === '' ? this.#end() : plainJson(literal);
      }
    }
  }

  #object(depth: number): JsonValue {
    const members: Record<string, JsonValue> = {};
    this.#at += 1;
    while (!this.#closes('}')) {
      const key = this.#next() === '"' ? this.#string() : this.#end();
      if (key === undefined || this.#isOver || !this.#takes(':')) break;
      const member = this.value(depth + 1);
      if (member !== undefined) defineKey(members, key, member);
      if (this.#isOver || !this.#takesCommaBefore('}')) break;
    }
    return members;
  }

  #list(depth: number): JsonValue {
    const elements: JsonValue[] = [];
    this.#at += 1;
    while (!this.#closes(']')) {
      const element = this.value(depth + 1);
      if (element !== undefined) elements.push(element);
      if (this.#isOver || !this.#takesCommaBefore(']')) break;
    }
    return elements;
  }

  /** A string without its end is over. Half of a surrogate pair, and of an escape, is left out. */
  #string(): string {
    const start = this.#match(stringStart);
    if (this.#text[this.#at] === '"') this.#at += 1;
    else this.#isOver = true;
    const read = plainJson(`${start}"`);
    const text = typeof read === 'string' ? read : '';
    return this.#isOver ? text.replace(/[\uD800-\uDBFF]$/, '') : text;
  }

  #next(): string | undefined {
    this.#match(blank);
    return this.#text[this.#at];
  }

  #closes(closer: string): boolean {
    if (this.#isOver || this.#next() !== closer) return this.#isOver;
    this.#at += 1;
    return true;
  }

  #takesCommaBefore(closer: string): boolean {
    return this.#next() === closer || this.#takes(',');
  }

  #takes(sign: string): boolean {
    const isThere = this.#next() === sign;
    if (isThere) this.#at += 1;
    else this.#end();
    return isThere;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [match = ''] = pattern.exec(this.#text) ?? [];
    this.#at += match.length;
    return match;
  }

  #end(): undefined {
    this.#isOver = true;
  }
}
