import { ObjectMembers, type RepeatedKey } from '../../json/lenient-parser.ts';
import { pointerTo } from '../../json/json-pointer.ts';
import { type ContainerLiterals, NumberLiterals, survivesAsNumber } from '../../json/number-literals.ts';
import { scalarValue } from '../../json/scalars.ts';
import { closersAt, decodeLoosely, readLooseText } from '../../json/strings.ts';
import type { JsonValue } from '../../json/value.ts';
import { edit, movingEdits } from './edits.ts';
import type { Path } from './explore.ts';
import { type Lattice, action } from './lattice.ts';

/** One reading of a text, with the edits that it took. */
export interface BuiltReading {
  readonly value: JsonValue;
  readonly numbers: NumberLiterals;
  readonly repeatedKeys: readonly RepeatedKey[];
  readonly cost: number;
  /** The bits in `edit` of all edits, combined. */
  readonly edits: number;
  /** Strings that have quotes as content. */
  readonly quoted: readonly QuotedText[];
  readonly bareWords: readonly string[];
  /** Numbers with a quote behind them. */
  readonly quotedNumbers: readonly number[];
  /** Keys that follow an edit of closers, in an object that was open at the edit: they may belong to another object. */
  readonly movedKeys: readonly string[];
  /** Keys that follow an empty object without a comma. */
  readonly keysBehindEmpty: readonly string[];
  readonly keys: ReadonlySet<string>;
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

interface OpenObject {
  readonly kind: 'object';
  readonly members: ObjectMembers;
  readonly literals: Map<string, string>;
  key: string;
  valueStart: number;
  /** The value of the last member. It is added when the next token shows that it isn't the first element of a list without brackets. */
  last: JsonValue | undefined;
  lastEnd: number;
}

interface OpenList {
  readonly kind: 'list';
  readonly list: JsonValue[];
  readonly literals: Map<string, string>;
}

const onlySeparators = /(?:^|\n)[\s{}[\],:]*$/;

const commentMark = /\s*(?:\/[/*]|#)/y;

/** Builds the value of one path. */
export function buildReading(text: string, lattice: Lattice, path: Path): Built {
  return new Builder(text, lattice).build(path);
}

class Builder {
  readonly #text: string;
  readonly #lattice: Lattice;
  readonly #open: (OpenObject | OpenList)[] = [];
  readonly #literals = new Map<object, ContainerLiterals>();
  readonly #repeatedKeys: RepeatedKey[] = [];
  readonly #quoted: QuotedText[] = [];
  readonly #bareWords: string[] = [];
  readonly #quotedNumbers: number[] = [];
  readonly #movedKeys = new Set<string>();
  readonly #keysBehindEmpty: string[] = [];
  readonly #keys = new Set<string>();
  /** Offsets of quotes in the current string that are content, and where it starts; -1: outside strings. */
  #contentQuotes: number[] = [];
  #stringStart = -1;
  /** The number of containers that were open at the last edit that may move members. */
  #movedBelow = 0;
  #isBehindEmpty = false;
  #lossy = false;
  #root: JsonValue | undefined;
  #failure: Exclude<Built, { readonly kind: 'built' }> | undefined;

  constructor(text: string, lattice: Lattice) {
    this.#text = text;
    this.#lattice = lattice;
  }

  build(path: Path): Built {
    let edits = 0;
    let cost = 0;
    for (const edge of path) {
      const bits = this.#lattice.edits[edge] ?? 0;
      edits |= bits;
      cost += this.#lattice.cost[edge] ?? 0;
      this.#step(edge);
      if ((bits & edit.commaBehindEmpty) !== 0) this.#isBehindEmpty = true;
      if ((bits & movingEdits & ~edit.brace) !== 0) this.#movedBelow = this.#open.length;
      if (this.#failure !== undefined) return this.#failure;
    }
    const value = this.#root;
    if (value === undefined) return { kind: 'invalid' };
    const numbers = NumberLiterals.of(value, this.#literals, this.#lossy);
    return {
      kind: 'built',
      reading: {
        value,
        numbers,
        repeatedKeys: this.#repeatedKeys,
        cost,
        edits,
        quoted: this.#quoted,
        bareWords: this.#bareWords,
        quotedNumbers: this.#quotedNumbers,
        movedKeys: [...this.#movedKeys],
        keysBehindEmpty: this.#keysBehindEmpty,
        keys: this.#keys,
      },
    };
  }

  #step(edge: number): void {
    const start = this.#lattice.at[this.#lattice.from[edge] ?? 0] ?? 0;
    const mark = this.#lattice.mark[edge] ?? 0;
    switch (this.#lattice.action[edge]) {
      case action.openObject:
        this.#startValue(start);
        this.#open.push({
          kind: 'object',
          members: new ObjectMembers(),
          literals: new Map(),
          key: '',
          valueStart: 0,
          last: undefined,
          lastEnd: 0,
        });
        break;
      case action.openList:
        this.#startValue(start);
        this.#open.push({ kind: 'list', list: [], literals: new Map() });
        break;
      case action.close:
        this.#closeOne(mark);
        break;
      case action.closeAll:
        while (this.#open.length > 0) this.#closeOne(mark);
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
        this.#addScalar(start, mark);
        break;
      case action.bareWord: {
        const word = this.#text.slice(start, mark);
        this.#bareWords.push(word);
        this.#startValue(start);
        this.#addValue(word, mark);
        break;
      }
      case action.wrapLast:
        this.#wrapLast();
        break;
      default:
    }
  }

  #startValue(start: number): void {
    const open = this.#open.at(-1);
    if (open?.kind === 'object') open.valueStart = start;
  }

  #addScalar(start: number, end: number): void {
    const hasQuote = this.#text.charAt(end - 1) === '"';
    const token = this.#text.slice(start, hasQuote ? end - 1 : end);
    const value = scalarValue(token);
    if (typeof value === 'number') {
      if (hasQuote) this.#quotedNumbers.push(value);
      if (token !== String(value)) this.#noteLiteral(token);
    }
    this.#startValue(start);
    this.#addValue(value, end);
  }

  #noteLiteral(literal: string): void {
    const open = this.#open.at(-1);
    if (open === undefined) return;
    open.literals.set(open.kind === 'object' ? open.key : String(open.list.length), literal);
    this.#lossy ||= !survivesAsNumber(literal);
  }

  #addKey(key: string | undefined): void {
    const open = this.#open.at(-1);
    if (key === undefined || open?.kind !== 'object') {
      this.#failure = key === undefined ? { kind: 'escape' } : { kind: 'invalid' };
      return;
    }
    this.#addLast(open);
    open.key = key;
    this.#keys.add(key);
    if (this.#isBehindEmpty) this.#keysBehindEmpty.push(key);
    this.#isBehindEmpty = false;
    if (this.#open.length <= this.#movedBelow) this.#movedKeys.add(key);
  }

  #addValue(value: JsonValue, end: number): void {
    const open = this.#open.at(-1);
    if (open === undefined) this.#root = value;
    else if (open.kind === 'list') open.list.push(value);
    else {
      open.last = value;
      open.lastEnd = end;
    }
  }

  #addLast(open: OpenObject): void {
    if (open.last === undefined) return;
    const source = this.#text.slice(open.valueStart, open.lastEnd);
    const added = open.members.add(open.key, open.last, { source, digits: this.#lossy ? 'lost' : 'kept' });
    open.last = undefined;
    if (added === 'new') return;
    const repeated = { path: this.#pathOf(open), key: open.key };
    this.#repeatedKeys.push(repeated);
    if (added === 'different') this.#failure = { kind: 'duplicate_key', repeated };
  }

  #pathOf(object: OpenObject): string {
    const around = this.#open.slice(0, this.#open.indexOf(object));
    return around.reduce(
      (path, open) => pointerTo(path, open.kind === 'object' ? open.key : open.list.length),
      '',
    );
  }

  #closeOne(end: number): void {
    const closed = this.#open.at(-1);
    if (closed === undefined) return;
    if (closed.kind === 'object') this.#addLast(closed);
    this.#open.pop();
    this.#movedBelow = Math.min(this.#movedBelow, this.#open.length);
    const value = closed.kind === 'object' ? closed.members.object : closed.list;
    if (closed.literals.size > 0) this.#literals.set(value, closed.literals);
    this.#addValue(value, end);
  }

  #endString(start: number, end: number): void {
    const value = this.#decoded(start, end);
    const quotes = this.#contentQuotes;
    this.#contentQuotes = [];
    this.#stringStart = -1;
    if (value === undefined) {
      this.#failure = { kind: 'escape' };
      return;
    }
    if (quotes.length > 0) this.#quoted.push(this.#quotedText(value, quotes));
    this.#startValue(start);
    this.#addValue(value, end);
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

  #wrapLast(): void {
    const open = this.#open.at(-1);
    const value = open?.kind === 'object' ? open.last : undefined;
    if (open?.kind !== 'object' || typeof value !== 'object' || value === null) {
      this.#failure = { kind: 'invalid' };
      return;
    }
    open.last = undefined;
    this.#open.push({ kind: 'list', list: [value], literals: new Map() });
  }
}
