import type { ReadValue, RepeatedKey } from '../../json/lenient-parser.ts';
import { parseJson } from '../../json/parse.ts';
import { bareKeyAt, scalarValue, matchAt } from '../../json/tokens.ts';
import { closersAt, decodeLoosely, readLooseString, readLooseText } from '../../json/strings.ts';
import * as edit from './edits.ts';
import type { Path } from './explore.ts';
import type { Edge, Stack } from './lattice.ts';

/** One reading of a text, with the edits that it took. */
export interface BuiltReading extends Omit<ReadValue, 'kind'> {
  readonly cost: number;
  /** The bits in `edit` of all edits, combined. */
  readonly edits: number;
  /** Strings that have quotes as content. */
  readonly quoted: readonly QuotedText[];
  readonly bareWords: readonly string[];
  /** Keys that follow an edit of closers, in an object that was open at the edit: they may belong to another object. */
  readonly movedKeys: readonly string[];
  /** Keys that follow an empty object without a comma. */
  readonly keysBehindEmpty: readonly string[];
}

export interface QuotedText {
  readonly text: string;
  /** The number of quotes that are content, without apostrophes between two letters. */
  readonly quotes: number;
  /** Each of the quotes follows a digit and precedes a word, as in `a 5" screen`. */
  readonly areInches: boolean;
  /**
   * The string is a quoted text as a whole, or the text between an opening quote and the next one is empty or ends with a line of
   * brackets, commas and colons: these quotes were delimiters.
   */
  readonly isMisread: boolean;
  /** One of the quotes may be the end of the string: a comment follows, or separators as between two strings. */
  readonly mayEndEarly: boolean;
  readonly isRoot: boolean;
}

/** `none`: the path has no value. `refused`: the whole text is refused. */
export type Built =
  | { readonly kind: 'built'; readonly reading: BuiltReading }
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly reason: 'escape' }
  | { readonly kind: 'refused'; readonly reason: 'duplicate_key'; readonly repeated: RepeatedKey };

const noValue: Built = { kind: 'none' };
/** An escape has two readings. */
const twoReadings: Built = { kind: 'refused', reason: 'escape' };

const onlySeparators = /(?:^|\n)[\s{}[\],:]*$/;

const commentMark = /\s*(?:\/[/*]|#)/y;

/** Builds the value of one path. */
export function buildReading(text: string, path: Path, maxDepth: number): Built {
  return new Builder(text).build(path, maxDepth);
}

/** Writes a path as strict JSON, which is parsed then. */
class Builder {
  readonly #text: string;
  readonly #parts: string[] = [];
  /** By the number of open containers: where the last value of the innermost one starts in the parts. */
  readonly #values: number[] = [];
  readonly #found = {
    quoted: new Array<QuotedText>(),
    bareWords: new Array<string>(),
    quotedNumbers: new Array<number>(),
    movedKeys: new Array<string>(),
    keysBehindEmpty: new Array<string>(),
  };
  /** Offsets of quotes in the current string that are content, and where it starts; -1: outside strings. */
  #contentQuotes: number[] = [];
  #stringStart = -1;
  /** The number of open containers, and of those that were open at the last edit that may move members. */
  #depth = 0;
  #movedBelow = 0;
  #failure: Built | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  build(path: Path, maxDepth: number): Built {
    let [edits, cost] = [0, 0];
    for (const edge of path) {
      edits |= edge.edits;
      cost += edge.cost;
      this.#step(edge);
      this.#depth = edge.to.stack.depth;
      if ((edge.edits & edit.commaBehindEmpty) !== 0)
        this.#found.keysBehindEmpty.push(this.#keyAt(edge.mark));
      const isMoving = (edge.edits & edit.movingEdits & ~edit.brace) !== 0;
      this.#movedBelow = isMoving ? this.#depth : Math.min(this.#movedBelow, this.#depth);
      if (this.#failure !== undefined) return this.#failure;
    }
    const read = parseJson(this.#parts.join(''), maxDepth);
    if (read.kind === 'unreadable') {
      const { repeated } = read;
      return repeated === undefined ? noValue : { kind: 'refused', reason: 'duplicate_key', repeated };
    }
    return { kind: 'built', reading: { ...read, ...this.#found, cost, edits } };
  }

  #step({ from: { at, mode, stack }, to, action, mark }: Edge): void {
    const token = this.#text.slice(at, mark);
    switch (action) {
      case 'structure':
        if (to.stack.depth > stack.depth) this.#open(to.stack);
        for (let open = stack; open.depth > to.stack.depth; open = open.parent)
          this.#parts.push(open.isObject ? '}' : ']');
        break;
      case 'key':
        this.#addKey(this.#decoded(at, mark));
        break;
      case 'bareKey':
        this.#addKey(token);
        break;
      case 'content':
        if (this.#stringStart === -1) this.#stringStart = at;
        this.#contentQuotes.push(mark);
        break;
      case 'string':
        this.#endString(this.#stringStart === -1 ? at : this.#stringStart, mark);
        break;
      case 'scalar':
        this.#addScalar(token);
        break;
      case 'bareWord':
        this.#found.bareWords.push(token);
        this.#addValue(JSON.stringify(token));
        break;
      case 'strict': {
        const copied = this.#text.slice(at, to.at).trimEnd();
        if (mode !== 'after' && mode !== 'rootEnd') this.#separate();
        // A comma at the end is written with what follows it.
        if (copied !== '' && copied !== ',')
          this.#parts.push(copied.endsWith(',') ? copied.slice(0, -1) : copied);
        break;
      }
      default:
    }
  }

  #open({ kind, isObject }: Stack): void {
    if (kind !== 'wrapped') {
      this.#addValue(isObject ? '{' : '[');
      return;
    }
    const last = this.#values[this.#depth] ?? 0;
    const value = this.#parts[last] ?? '';
    if (!value.startsWith('{')) this.#failure = noValue;
    this.#parts[last] = `[${value}`;
  }

  #keyAt(at: number): string {
    const string = readLooseString(this.#text, at);
    return typeof string === 'object' ? string.value : (bareKeyAt(this.#text, at)?.name ?? '');
  }

  /** Writes a comma if something is before it in the container. */
  #separate(): void {
    const before = this.#parts.at(-1)?.at(-1);
    if (before !== undefined && !'{[:,'.includes(before)) this.#parts.push(',');
  }

  #addValue(written: string): void {
    this.#separate();
    this.#values[this.#depth] = this.#parts.length;
    this.#parts.push(written);
  }

  #addScalar(token: string): void {
    const hasQuote = token.endsWith('"');
    const literal = hasQuote ? token.slice(0, -1) : token;
    const value = scalarValue(literal);
    if (hasQuote && typeof value === 'number') this.#found.quotedNumbers.push(value);
    this.#addValue(typeof value === 'number' ? literal : String(value));
  }

  #addKey(key: string): void {
    this.#separate();
    this.#parts.push(JSON.stringify(key), ':');
    if (this.#depth <= this.#movedBelow) this.#found.movedKeys.push(key);
  }

  #endString(start: number, end: number): void {
    const value = this.#decoded(start, end);
    const quotes = this.#contentQuotes;
    this.#contentQuotes = [];
    this.#stringStart = -1;
    if (quotes.length > 0) this.#found.quoted.push(this.#quotedText(value, quotes));
    this.#addValue(JSON.stringify(value));
  }

  #quotedText(text: string, quotes: readonly number[]): QuotedText {
    const isBetween = (at: number): boolean =>
      this.#text.charAt(at) !== '"' && /^\p{L}['’]\p{L}$/u.test(this.#text.slice(at - 1, at + 2));
    const counted = quotes.filter((at) => !isBetween(at));
    const isWhole = /^["'“„‘][^]*["'”“’]$/.test(text) && quotes.length > 1;
    return {
      text,
      quotes: counted.length,
      areInches: counted.every((at) => /^\d[^]\s*[\p{L}\p{N}]/u.test(this.#text.slice(at - 1, at + 9))),
      isMisread:
        isWhole ||
        counted.some(
          (at, index) =>
            index % 2 === 1 && onlySeparators.test(this.#text.slice((counted[index - 1] ?? 0) + 1, at)),
        ),
      mayEndEarly: counted.some((at, index) => index % 2 === 0 && this.#mayEndAt(at, counted[index + 1])),
      isRoot: this.#depth === 0,
    };
  }

  /** Whether a content quote looks like the end of its string, and the next one like the start of another. */
  #mayEndAt(quote: number, next: number | undefined): boolean {
    if (matchAt(commentMark, this.#text, quote + 1) !== null) return true;
    if (next === undefined) return false;
    const [before, between, behind] = [
      this.#text.charAt(quote - 1),
      this.#text.slice(quote + 1, next),
      this.#text.charAt(next + 1),
    ];
    if (/^[\s"']?$/.test(before) || /^[\s"']?$/.test(behind)) return false;
    if (!/^[^\p{L}\p{N}](?:[^]*[^\p{L}\p{N}])?$/u.test(between)) return false;
    if (!/[([{=,:+]/.test(before) && !/[)\]},;:.+=>]/.test(behind)) return true;
    return /^\s[^]*\s$/.test(between) && /[\p{L}\p{N}]/u.test(before + behind);
  }

  /** The string between two offsets. */
  #decoded(start: number, end: number): string {
    const closers = closersAt(this.#text, start);
    const whole = readLooseText(this.#text, start);
    if (typeof whole === 'object' && whole.end === end) return whole.value;
    const body = this.#text.slice(start + 1, end - 1);
    const value = closers === undefined ? undefined : decodeLoosely(body, closers);
    if (value === undefined) this.#failure = twoReadings;
    return value ?? '';
  }
}
