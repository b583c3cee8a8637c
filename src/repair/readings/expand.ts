import { type BlankPlace, bareKeyAt, endOfLooseBlanks, scalarAt, matchAt } from '../../json/tokens.ts';
import {
  closersAt,
  endOfBody,
  isContentQuote,
  opensString,
  readLooseString,
  readTripleQuoted,
} from '../../json/strings.ts';
import * as edit from './edits.ts';
import type { Action, Edge, Lattice, Mode, Node, Stack } from './lattice.ts';

export interface ExpandOptions {
  readonly maxDepth: number;
  /** `fits`: closers may also be missing or surplus at places that fit. */
  readonly closers: 'misfits' | 'fits';
  /** Bare words are read only in the argument text itself. */
  readonly bareWords: boolean;
}

/** Finds the edges out of a node: one for the token at its offset, and one for each edit after which reading could go on. */
export class Expander {
  readonly start: Node;
  readonly #lattice: Lattice;
  readonly #text: string;
  readonly #options: ExpandOptions;
  /** The node that is expanded, with its offset and stack, and the edges that were found. */
  #node: Node;
  #at = 0;
  #stack: Stack;
  #edges: Edge[] = [];

  constructor(text: string, lattice: Lattice, options: ExpandOptions) {
    this.#text = text;
    this.#lattice = lattice;
    this.#options = options;
    this.start = lattice.node(endOfLooseBlanks(text, 0, 'member'), 'value', lattice.root);
    this.start.cost = 0;
    this.#node = this.start;
    this.#stack = lattice.root;
  }

  expand(node: Node): readonly Edge[] {
    const { mode, at, stack, closers } = node;
    this.#node = node;
    this.#at = at;
    this.#stack = stack;
    this.#edges = [];
    if (mode === 'string') this.#readQuote(at, closers, false);
    else if (mode === 'colon') this.#expandColon();
    else if (mode === 'rootEnd') this.#expandRootEnd();
    else if (mode !== 'value' && mode !== 'end' && this.#isCloser(at)) this.#expandCloser();
    else if (mode === 'after') this.#expandAfter();
    else if (mode === 'key' || mode === 'firstKey') this.#expandKey();
    else if (mode !== 'end') this.#expandValue();
    return this.#edges;
  }

  #expandValue(): void {
    const character = this.#text.charAt(this.#at);
    if (character === '{') this.#openObject();
    else if (character === '[') this.#openList();
    else if (closersAt(this.#text, this.#at) !== undefined) {
      if (!isContentQuote(this.#text, this.#at, 0)) this.#openString();
    } else this.#readToken();
    const mayLackBracket = this.#options.closers === 'fits' && this.#stack.isObject && character !== '[';
    if (!mayLackBracket || this.#isFull() || !this.#text.includes(']', this.#at)) return;
    this.#to(this.#at, 'element', edit.opener, this.#stack.push('list'));
  }

  #openObject(): void {
    if (this.#isFull()) return;
    const inside = this.#blanks(this.#at + 1, 'member');
    this.#to(inside, 'firstKey', edit.none, this.#stack.push('object'));
    if (this.#text.charAt(inside) !== '{') return;
    const behind = this.#blanks(inside + 1, 'member');
    this.#to(behind, 'firstKey', edit.brace, this.#stack.push('doubled'));
  }

  #openList(): void {
    if (this.#isFull()) return;
    const inside = this.#blanks(this.#at + 1, 'element');
    this.#to(inside, 'firstElement', edit.none, this.#stack.push('list'));
    if (this.#stack.depth > 0) this.#to(this.#blanks(this.#at + 1, 'colon'), 'value', edit.opener);
  }

  /** A string without a choice, a number, a word. */
  #readToken(): void {
    const text = this.#text;
    const string = readLooseString(text, this.#at);
    if (string !== undefined) {
      if (typeof string === 'object' && !isContentQuote(text, this.#at, 0))
        this.#behind(string.end, 'string');
      return;
    }
    const token = scalarAt(text, this.#at, 'loose');
    if (token !== undefined) {
      const end = this.#at + token.length;
      this.#behind(end, 'scalar');
      if (/\d$/.test(token) && text.charAt(end) === '"') this.#behind(end + 1, 'scalar');
      return;
    }
    if (!this.#options.bareWords || !this.#stack.isObject) return;
    const word = matchAt(bareWord, text, this.#at)?.[0] ?? '';
    if (!isBarePath(word)) return;
    this.#behind(this.#at + word.length, 'bareWord', edit.bareWord);
  }

  #openString(): void {
    const isTriple = this.#text.charCodeAt(this.#at) === this.#text.charCodeAt(this.#at + 1);
    const triple = isTriple ? readTripleQuoted(this.#text, this.#at) : undefined;
    if (triple !== undefined) this.#behind(triple.end, 'string');
    const closers = closersAt(this.#text, this.#at) ?? '"';
    const quote = endOfBody(this.#text, this.#at + 1, closers);
    if (quote !== undefined) this.#readQuote(quote, closers, true);
  }

  /** A quote inside a string ends it, or is content. */
  #readQuote(quote: number, closers: string, isFirst: boolean): void {
    const text = this.#text;
    const behind = this.#blanks(quote + 1);
    const canEnd = this.#canEnd(quote + 1, behind);
    if (canEnd) this.#behind(quote + 1, 'string');
    const next = endOfBody(text, quote + 1, closers);
    if (next === undefined) return;
    const isFollowed = text.charAt(behind) === ':' || closersAt(text, behind) !== undefined;
    const cost = Number(isFirst) + Number(isFollowed) + Number(canEnd);
    const edits = canEnd ? edit.content | edit.doubtful : edit.content;
    const to = this.#lattice.node(next, 'string', this.#stack, closers);
    this.#edges.push({ from: this.#node, to, action: 'content', mark: quote, edits, cost });
  }

  /** Whether a string can end before what follows. */
  #canEnd(end: number, behind: number): boolean {
    const isLast = behind === this.#text.length;
    if (this.#stack.depth === 0 || isLast) return isLast;
    if (this.#text.charCodeAt(behind) === 44 || this.#isCloser(behind)) return true;
    if (opensString(this.#text, behind)) return this.#mayBeString(behind);
    return this.#stack.isObject && this.#isKeyOnNewLine(end, behind);
  }

  /** Whether a string may open at a quote: it ends, and a key has a letter or a digit. */
  #mayBeString(at: number): boolean {
    const closers = closersAt(this.#text, at);
    if (closers === undefined) return true;
    const end = endOfBody(this.#text, at + 1, closers);
    if (end === undefined) return false;
    return !this.#stack.isObject || /[\p{L}\p{N}]/u.test(this.#text.slice(at + 1, end));
  }

  #isKeyOnNewLine(end: number, behind: number): boolean {
    return /[\n\r]|\\[nr]/.test(this.#text.slice(end, behind)) && bareKeyAt(this.#text, behind) !== undefined;
  }

  #expandKey(): void {
    const text = this.#text;
    const string = readLooseString(text, this.#at);
    const key = string === undefined ? bareKeyAt(text, this.#at) : undefined;
    if (typeof string === 'object') this.#toColon(string.end, 'key', edit.none);
    else if (key !== undefined) this.#toColon(key.end, 'bareKey', key.hasQuote ? edit.keyQuote : edit.none);
  }

  #toColon(end: number, action: Action, edits: number): void {
    const colon = this.#lattice.node(this.#blanks(end, 'colon'), 'colon', this.#stack);
    this.#add(colon, action, end, edits);
  }

  #expandColon(): void {
    const text = this.#text;
    const character = text.charAt(this.#at);
    if (character === ':') this.#to(this.#blanks(this.#at + 1, 'colon'), 'value');
    else if (
      /[[{\-\d]/.test(character) ||
      this.#opensText(this.#at) ||
      scalarAt(text, this.#at, 'loose') !== undefined
    )
      this.#to(this.#at, 'value', edit.colon);
  }

  /** Expects a comma or a closer behind a value in a container; either may be missing. */
  #expandAfter(): void {
    const text = this.#text;
    const character = text.charAt(this.#at);
    if (this.#stack.kind === 'wrapped') this.#expandWrapped();
    else if (character === ',') this.#expandComma();
    else if (this.#at === text.length) {
      if (!this.#stack.holds('doubled'))
        this.#to(this.#at, 'end', edit.closer | edit.missingCloser, this.#lattice.root);
    } else if (this.#stack.isObject) {
      if (this.#opensText(this.#at) || this.#isKeyOnNewLine(this.#endOfToken(), this.#at))
        this.#to(this.#at, 'key', this.#commaEdits());
    } else if (this.#opensText(this.#at) || /[[{\d]/.test(character)) {
      const isEmpty = /[[{]/.test(character) && this.#isCloser(this.#blanks(this.#at + 1));
      const edits = isEmpty ? this.#commaEdits() | edit.emptyContainer : this.#commaEdits();
      this.#to(this.#at, 'value', edits);
    }
  }

  /** Whether a string opens that doesn't begin with the comma or the colon that is missing before it. */
  #opensText(at: number): boolean {
    return opensString(this.#text, at) && !/^.\s*[:,]/.test(this.#text.slice(at, at + 9));
  }

  #commaEdits(): number {
    const closer = this.#endOfToken() - 1;
    if (this.#isCloser(closer)) {
      const isEmpty = /[[{]\s*$/.test(this.#text.slice(Math.max(0, closer - longestEmpty), closer));
      const behindEmpty = this.#stack.isObject ? edit.commaBehindEmpty : edit.doubtful;
      return edit.comma | edit.commaBehindCloser | (isEmpty ? behindEmpty : edit.none);
    }
    return this.#isBetweenQuotes() ? edit.comma | edit.doubtful : edit.comma;
  }

  /** Whether the node is between two quotes that touch, and may be content. A key with its colon is none. */
  #isBetweenQuotes(): boolean {
    const touch =
      /["'\u2018-\u201f]/.test(this.#text.charAt(this.#at - 1)) && opensString(this.#text, this.#at);
    return touch && !(this.#stack.isObject && this.#isKey(this.#at));
  }

  #expandComma(): void {
    const isObject = this.#stack.isObject;
    const next = this.#blanks(this.#at + 1);
    this.#to(next, isObject ? 'key' : 'element');
    const around = this.#stack.parent;
    const mayLackCloser = this.#stack.kind !== 'doubled' && around.holds('object', 'doubled');
    if (mayLackCloser && (!isObject || this.#options.closers === 'fits') && this.#isKey(next))
      this.#to(this.#at, 'after', edit.closer | edit.missingCloser, around);
    const isBehindObject = this.#text.charAt(this.#endOfToken() - 1) === '}';
    if (!isObject || !isBehindObject || this.#text.charAt(next) !== '{' || this.#isFull()) return;
    this.#to(next, 'value', edit.listBracket, this.#stack.push('wrapped'));
  }

  /** A list without brackets continues with a comma and an object; anything else ends it. */
  #expandWrapped(): void {
    const isComma = this.#text.charAt(this.#at) === ',';
    const next = isComma ? this.#blanks(this.#at + 1) : this.#at;
    if (isComma && this.#text.charAt(next) === '{') this.#to(next, 'value');
    else this.#to(this.#at, 'after', edit.none, this.#stack.parent);
  }

  /** A closer behind a value, an opener or a comma, which may be the wrong one, or one too many. */
  #expandCloser(): void {
    const { mode } = this.#node;
    const closer = this.#text.charAt(this.#at);
    if (this.#stack.kind === 'wrapped') this.#expandWrapped();
    else if (mode === 'key' || mode === 'element') {
      if (this.#isDue()) this.#close(edit.trailingComma);
    } else if (this.#isDue()) {
      this.#close();
      this.#expandEarlyCloser();
    } else if (this.#stack.kind !== 'doubled' || closer !== '}') {
      const closed = mode === 'after' ? edit.closer : edit.closer | edit.emptyContainer;
      this.#to(this.#blanks(this.#at + 1), mode, edit.closer);
      this.#close(closed);
      const around = this.#stack.parent;
      if (around.holds(closer === ']' ? 'list' : 'object')) this.#to(this.#at, 'after', closed, around);
    }
  }

  /** A closer that fits may be the surplus one if another member follows. */
  #expandEarlyCloser(): void {
    const behind = this.#blanks(this.#at + 1);
    const isComma = this.#text.charAt(behind) === ',';
    const goesOn = isComma && !this.#isCloser(this.#blanks(behind + 1));
    const endsRoot = this.#stack.parent.depth === 0;
    const isFollowed = goesOn || this.#isCloser(behind) || closersAt(this.#text, behind) !== undefined;
    if (endsRoot ? !isFollowed : !goesOn || this.#options.closers !== 'fits') return;
    this.#to(behind, 'after', goesOn && !this.#stack.isObject ? edit.closer | edit.doubtful : edit.closer);
  }

  #expandRootEnd(): void {
    const { length } = this.#text;
    const isEnd = this.#at === length;
    if (isEnd || matchAt(closersToEnd, this.#text, this.#at) !== null)
      this.#to(length, 'end', isEnd ? edit.none : edit.closersBehind);
  }

  /** Closes the innermost container behind the closer, or behind both of a doubled object. */
  #close(edits: number = edit.none): void {
    const { kind, parent } = this.#stack;
    const end = this.#at + 1;
    this.#behind(kind === 'doubled' ? this.#blanks(end) + 1 : end, 'structure', edits, parent);
  }

  /** Adds an edge to a node. */
  #to(at: number, mode: Mode, edits: number = edit.none, stack = this.#stack): void {
    this.#add(this.#lattice.node(at, mode, stack), 'structure', at, edits);
  }

  /** Adds an edge to behind a value. */
  #behind(end: number, action: Action, edits: number = edit.none, stack = this.#stack): void {
    const next = endOfLooseBlanks(this.#text, end, placeIn(stack));
    this.#add(this.#lattice.node(next, stack.depth === 0 ? 'rootEnd' : 'after', stack), action, end, edits);
  }

  #add(to: Node, action: Action, mark: number, edits: number): void {
    const cost = edits === edit.none || edits === edit.trailingComma ? 0 : 1;
    this.#edges.push({ from: this.#node, to, action, mark, edits, cost });
  }

  #blanks(at: number, place: BlankPlace = placeIn(this.#stack)): number {
    return endOfLooseBlanks(this.#text, at, place);
  }

  #isFull(): boolean {
    return this.#stack.depth >= this.#options.maxDepth;
  }

  #isCloser(at: number): boolean {
    const code = this.#text.charCodeAt(at);
    return code === 93 || code === 125;
  }

  /** Whether the closer at the node is the one that is due. */
  #isDue(): boolean {
    const kind = this.#stack.kind;
    const closer = this.#text.charAt(this.#at);
    if (kind === 'list' || closer !== '}') return kind === 'list' && closer === ']';
    return kind === 'object' || this.#text.charAt(this.#blanks(this.#at + 1)) === '}';
  }

  /** Whether a key with its colon is at an offset. */
  #isKey(at: number): boolean {
    const string = readLooseString(this.#text, at);
    if (string === undefined) return bareKeyAt(this.#text, at) !== undefined;
    return typeof string === 'object' && this.#text.charAt(this.#blanks(string.end, 'colon')) === ':';
  }

  /** The offset behind the token before the node. */
  #endOfToken(): number {
    let end = this.#at;
    while (end > 0 && /\s/.test(this.#text.charAt(end - 1))) end -= 1;
    return end;
  }
}

const placeIn = (stack: Stack): BlankPlace => (stack.depth === 0 || stack.isObject ? 'member' : 'element');

/** Up to a comma or a closer. */
const bareWord = /(?![\d+\-$])[\p{L}\p{N}_\-./\\:@~+$]+(?<!:)(?=\s*[,}\]])/uy;

/** Backslashes are those of a path with a drive letter; others may be escapes. */
const isBarePath = (word: string): boolean =>
  word.includes('\\')
    ? /^[A-Za-z]:\\/.test(word) && !word.includes('\\\\')
    : word.includes('/') && /\p{L}/u.test(word);

/** Blanks inside an empty container, at most. */
const longestEmpty = 64;

const closersToEnd = /[\]}\s]*$/y;
