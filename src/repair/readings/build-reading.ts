import type { ReadValue, RepeatedKey } from '../../json/lenient-parser.ts';
import { parseJson } from '../../json/parse.ts';
import { bareKeyAt, scalarValue } from '../../json/scalars.ts';
import { closersAt, decodeLoosely, readLooseString, readLooseText } from '../../json/strings.ts';
import { edit, movingEdits } from './edits.ts';
import type { Path } from './explore.ts';
import { type Lattice, action, container, mode } from './lattice.ts';

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

/** `duplicate_key`, `escape`: the whole text is refused. `invalid`: the path has no value. */
export type Built =
  | { readonly kind: 'built'; readonly reading: BuiltReading }
  | { readonly kind: 'duplicate_key'; readonly repeated: RepeatedKey }
  | { readonly kind: 'escape' }
  | { readonly kind: 'invalid' };

/** A container that is being written. */
interface OpenContainer {
  readonly isObject: boolean;
  isEmpty: boolean;
  /** Where the last value starts in the parts. */
  lastValue: number;
}

const onlySeparators = /(?:^|\n)[\s{}[\],:]*$/;

const commentMark = /\s*(?:\/[/*]|#)/y;

/** Builds the value of one path. */
export function buildReading(text: string, lattice: Lattice, path: Path, maxDepth: number): Built {
  return new Builder(text, lattice).build(path, maxDepth);
}

/** Writes a path as strict JSON, which is parsed then. */
class Builder {
  readonly #text: string;
  readonly #lattice: Lattice;
  readonly #parts: string[] = [];
  readonly #open: OpenContainer[] = [];
  readonly #quoted: QuotedText[] = [];
  readonly #bareWords: string[] = [];
  readonly #quotedNumbers: number[] = [];
  readonly #movedKeys = new Set<string>();
  readonly #keysBehindEmpty: string[] = [];
  /** Offsets of quotes in the current string that are content, and where it starts; -1: outside strings. */
  #contentQuotes: number[] = [];
  #stringStart = -1;
  /** The number of containers that were open at the last edit that may move members. */
  #movedBelow = 0;
  #failure: 'escape' | 'invalid' | undefined;

  constructor(text: string, lattice: Lattice) {
    this.#text = text;
    this.#lattice = lattice;
  }

  build(path: Path, maxDepth: number): Built {
    let edits = 0;
    let cost = 0;
    for (const edge of path) {
      const bits = this.#lattice.edits[edge] ?? 0;
      edits |= bits;
      cost += this.#lattice.cost[edge] ?? 0;
      this.#step(edge);
      if ((bits & edit.commaBehindEmpty) !== 0)
        this.#keysBehindEmpty.push(this.#keyAt(this.#lattice.mark[edge] ?? 0));
      if ((bits & movingEdits & ~edit.brace) !== 0) this.#movedBelow = this.#open.length;
      if (this.#failure !== undefined) return { kind: this.#failure };
    }
    const read = parseJson(this.#parts.join(''), maxDepth);
    if (read.kind === 'unreadable')
      return read.repeated === undefined
        ? { kind: 'invalid' }
        : { kind: 'duplicate_key', repeated: read.repeated };
    return {
      kind: 'built',
      reading: {
        ...read,
        cost,
        edits,
        quoted: this.#quoted,
        bareWords: this.#bareWords,
        quotedNumbers: this.#quotedNumbers,
        movedKeys: [...this.#movedKeys],
        keysBehindEmpty: this.#keysBehindEmpty,
      },
    };
  }

  #step(edge: number): void {
    const { from, at, mark: marks, action: actions } = this.#lattice;
    const node = from[edge] ?? 0;
    const start = at[node] ?? 0;
    const mark = marks[edge] ?? 0;
    switch (actions[edge]) {
      case action.openObject:
      case action.openList:
        this.#addValue(actions[edge] === action.openObject ? '{' : '[');
        this.#open.push({ isObject: actions[edge] === action.openObject, isEmpty: true, lastValue: 0 });
        break;
      case action.close:
        this.#close();
        break;
      case action.closeAll:
        while (this.#open.length > 0) this.#close();
        break;
      case action.key:
        this.#addKey(this.#decoded(start, mark));
        break;
      case action.bareKey:
        this.#addKey(this.#text.slice(start, mark));
        break;
      case action.content:
        if (this.#stringStart === -1) this.#stringStart = start;
        this.#contentQuotes.push(mark);
        break;
      case action.string:
        this.#endString(this.#stringStart === -1 ? start : this.#stringStart, mark);
        break;
      case action.scalar:
        this.#addScalar(this.#text.slice(start, mark));
        break;
      case action.bareWord: {
        const word = this.#text.slice(start, mark);
        this.#bareWords.push(word);
        this.#addValue(JSON.stringify(word));
        break;
      }
      case action.wrapLast: {
        const last = this.#open.at(-1)?.lastValue ?? 0;
        const value = this.#parts[last] ?? '';
        if (!value.startsWith('{')) this.#failure = 'invalid';
        this.#parts[last] = `[${value}`;
        this.#open.push({ isObject: false, isEmpty: false, lastValue: 0 });
        break;
      }
      case action.strict:
        this.#copy(node, this.#lattice.to[edge] ?? 0);
        break;
      default:
    }
  }

  #keyAt(at: number): string {
    const string = readLooseString(this.#text, at);
    return typeof string === 'object' ? string.value : (bareKeyAt(this.#text, at)?.name ?? '');
  }

  /** Copies the text between two nodes, and opens the containers that are open at the second one. */
  #copy(from: number, to: number): void {
    const { at, stack, kind, parent, mode: modes } = this.#lattice;
    const open = this.#open.at(-1);
    const isNext = modes[from] === mode.key || modes[from] === mode.element;
    if (isNext || (modes[from] === mode.value && open?.isObject === false)) this.#separate();
    this.#parts.push(this.#text.slice(at[from], at[to]).replace(/,\s*$/, ''));
    this.#open.length = 0;
    for (let inner = stack[to] ?? 0; inner !== 0; inner = parent[inner] ?? 0)
      this.#open.unshift({
        isObject: kind[inner] === container.object || kind[inner] === container.doubled,
        isEmpty: false,
        lastValue: 0,
      });
    const innermost = this.#open.at(-1);
    const isFirst = modes[to] === mode.firstKey || modes[to] === mode.firstElement;
    if (innermost !== undefined) innermost.isEmpty = isFirst;
  }

  #separate(): void {
    const open = this.#open.at(-1);
    if (open?.isEmpty === false) this.#parts.push(',');
    if (open !== undefined) open.isEmpty = false;
  }

  #addValue(written: string): void {
    const open = this.#open.at(-1);
    if (open?.isObject === false) this.#separate();
    if (open !== undefined) open.lastValue = this.#parts.length;
    this.#parts.push(written);
  }

  #addScalar(token: string): void {
    const hasQuote = token.endsWith('"');
    const literal = hasQuote ? token.slice(0, -1) : token;
    const value = scalarValue(literal);
    if (hasQuote && typeof value === 'number') this.#quotedNumbers.push(value);
    this.#addValue(typeof value === 'number' ? literal : String(value));
  }

  #addKey(key: string | undefined): void {
    if (key === undefined) {
      this.#failure = 'escape';
      return;
    }
    this.#separate();
    this.#parts.push(JSON.stringify(key), ':');
    if (this.#open.length <= this.#movedBelow) this.#movedKeys.add(key);
  }

  #close(): void {
    this.#parts.push(this.#open.pop()?.isObject === true ? '}' : ']');
    this.#movedBelow = Math.min(this.#movedBelow, this.#open.length);
  }

  #endString(start: number, end: number): void {
    const value = this.#decoded(start, end);
    const quotes = this.#contentQuotes;
    this.#contentQuotes = [];
    this.#stringStart = -1;
    if (value === undefined) {
      this.#failure = 'escape';
      return;
    }
    if (quotes.length > 0) this.#quoted.push(this.#quotedText(value, quotes));
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
      isRoot: this.#open.length === 0,
    };
  }

  /** Whether a content quote looks like the end of its string, and the next one like the start of another. */
  #mayEndAt(quote: number, next: number | undefined): boolean {
    commentMark.lastIndex = quote + 1;
    if (commentMark.test(this.#text)) return true;
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

  /** The string between two offsets; undefined if an escape has two readings. */
  #decoded(start: number, end: number): string | undefined {
    const closers = closersAt(this.#text, start);
    const whole = readLooseText(this.#text, start);
    if (typeof whole === 'object' && whole.end === end) return whole.value;
    return closers === undefined ? undefined : decodeLoosely(this.#text.slice(start + 1, end - 1), closers);
  }
}
