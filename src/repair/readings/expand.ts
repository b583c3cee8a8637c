import { endOfLooseBlanks } from '../../json/blanks.ts';
import { bareKeyAt, scalarAt } from '../../json/scalars.ts';
import {
  closersAt,
  endOfBody,
  isContentQuote,
  opensString,
  readLooseString,
  readTripleQuoted,
} from '../../json/strings.ts';
import { edit } from './edits.ts';
import { type Lattice, action, container, mode } from './lattice.ts';

export interface ExpandOptions {
  readonly maxDepth: number;
  /** `fits`: closers may also be missing or surplus at places that fit. */
  readonly closers: 'misfits' | 'fits';
  /** Bare words are read only in the argument text itself. */
  readonly bareWords: boolean;
}

const delimiters = ['"', "'", '\u201c\u201d', '\u201d', '\u2018\u2019'] as const;

/** Adds the edges out of a node: one for the token at its offset, and one for each edit after which reading could go on. */
export class Expander {
  readonly #lattice: Lattice;
  readonly #text: string;
  readonly #options: ExpandOptions;
  /** The node that is expanded, with its offset and stack. */
  #node = 0;
  #at = 0;
  #stack = 0;

  constructor(text: string, lattice: Lattice, options: ExpandOptions) {
    this.#text = text;
    this.#lattice = lattice;
    this.#options = options;
    lattice.node(endOfLooseBlanks(text, 0, 'member'), mode.value, 0);
  }

  expand(node: number): void {
    const { mode: modes, at, stack } = this.#lattice;
    const kind = modes[node] ?? mode.end;
    this.#node = node;
    this.#at = at[node] ?? 0;
    this.#stack = stack[node] ?? 0;
    if (kind >= mode.string) this.#readQuote(this.#at, delimiters[kind - mode.string] ?? '"', false);
    else if (kind === mode.after) this.#expandAfter();
    else if (kind === mode.key || kind === mode.firstKey) this.#expandKey(kind === mode.firstKey);
    else if (kind === mode.colon) this.#expandColon();
    else if (kind === mode.rootEnd) this.#expandRootEnd();
    else if (kind !== mode.end) this.#expandValue(kind);
  }

  #expandValue(kind: number): void {
    const character = this.#text.charAt(this.#at);
    if (character === '{') this.#openObject();
    else if (character === '[') this.#openList();
    else if (character === ']' || character === '}') {
      if (kind === mode.firstElement) this.#expandCloser(true);
      else if (kind === mode.element && this.#isDue()) this.#closeBehindComma();
    } else if (closersAt(this.#text, this.#at) !== undefined) {
      if (!isContentQuote(this.#text, this.#at, 0)) this.#openString();
    } else this.#readToken();
    const mayLackBracket = this.#options.closers === 'fits' && this.#isObject() && character !== '[';
    if (!mayLackBracket || this.#isFull() || !this.#text.includes(']', this.#at)) return;
    const list = this.#lattice.push(this.#stack, container.list);
    this.#lattice.markEdit(this.#to(this.#at, mode.element, action.openList, list), edit.opener);
  }

  #openObject(): void {
    if (this.#isFull()) return;
    const inside = this.#blanks(this.#at + 1, 'member');
    const object = this.#lattice.push(this.#stack, container.object);
    this.#to(inside, mode.firstKey, action.openObject, object);
    if (this.#text.charAt(inside) !== '{') return;
    const doubled = this.#lattice.push(this.#stack, container.doubled);
    const edge = this.#to(this.#blanks(inside + 1, 'member'), mode.firstKey, action.openObject, doubled);
    this.#lattice.markEdit(edge, edit.brace);
  }

  #openList(): void {
    if (this.#isFull()) return;
    const list = this.#lattice.push(this.#stack, container.list);
    this.#to(this.#blanks(this.#at + 1, 'element'), mode.firstElement, action.openList, list);
    if (this.#stack === 0) return;
    const inside = this.#blanks(this.#at + 1, 'colon');
    this.#lattice.markEdit(this.#to(inside, mode.value, action.skip, this.#stack), edit.opener);
  }

  /** A string without a choice, a number, a word. */
  #readToken(): void {
    const text = this.#text;
    const string = readLooseString(text, this.#at);
    if (string !== undefined) {
      if (typeof string === 'object' && !isContentQuote(text, this.#at, 0))
        this.#behind(string.end, action.string, this.#stack);
      return;
    }
    const token = scalarAt(text, this.#at, 'loose');
    if (token !== undefined) {
      const end = this.#at + token.length;
      this.#behind(end, action.scalar, this.#stack);
      if (/\d$/.test(token) && text.charAt(end) === '"') this.#behind(end + 1, action.scalar, this.#stack);
      return;
    }
    if (!this.#options.bareWords || !this.#isObject()) return;
    bareWord.lastIndex = this.#at;
    const word = bareWord.exec(text)?.[0] ?? '';
    if (!isBarePath(word)) return;
    this.#lattice.markEdit(this.#behind(this.#at + word.length, action.bareWord, this.#stack), edit.bareWord);
  }

  #openString(): void {
    const isTriple = this.#text.charCodeAt(this.#at) === this.#text.charCodeAt(this.#at + 1);
    const triple = isTriple ? readTripleQuoted(this.#text, this.#at) : undefined;
    if (triple !== undefined) this.#behind(triple.end, action.string, this.#stack);
    const closers = closersAt(this.#text, this.#at) ?? '"';
    const quote = endOfBody(this.#text, this.#at + 1, closers);
    if (quote !== undefined) this.#readQuote(quote, closers, true);
  }

  /** A quote inside a string ends it, or is content. */
  #readQuote(quote: number, closers: string, isFirst: boolean): void {
    const text = this.#text;
    const behind = this.#blanks(quote + 1);
    const canEnd = this.#canEnd(quote + 1, behind);
    if (canEnd) this.#behind(quote + 1, action.string, this.#stack);
    const next = endOfBody(text, quote + 1, closers);
    if (next === undefined) return;
    const delimiter = delimiters.findIndex((known) => known === closers);
    const kind = mode.string + Math.max(0, delimiter);
    const edge = this.#lattice.edge(
      this.#node,
      this.#lattice.node(next, kind, this.#stack),
      action.content,
      quote,
    );
    const isFollowed = text.charAt(behind) === ':' || closersAt(text, behind) !== undefined;
    const cost = Number(isFirst) + Number(isFollowed) + Number(canEnd);
    this.#lattice.markEdit(edge, canEnd ? edit.content | edit.contentAtEnd : edit.content, cost);
  }

  /** Whether a string can end before what follows. */
  #canEnd(end: number, behind: number): boolean {
    const isLast = behind === this.#text.length;
    if (this.#stack === 0 || isLast) return isLast;
    if (this.#text.charCodeAt(behind) === 44 || this.#isCloser(behind)) return true;
    if (opensString(this.#text, behind)) return this.#mayBeString(behind);
    return this.#isObject() && this.#isKeyOnNewLine(end, behind);
  }

  /** Whether a string may open at a quote: it ends, and a key has a letter or a digit. */
  #mayBeString(at: number): boolean {
    const closers = closersAt(this.#text, at);
    if (closers === undefined) return true;
    const end = endOfBody(this.#text, at + 1, closers);
    if (end === undefined) return false;
    return !this.#isObject() || /[\p{L}\p{N}]/u.test(this.#text.slice(at + 1, end));
  }

  #isKeyOnNewLine(end: number, behind: number): boolean {
    return /[\n\r]|\\[nr]/.test(this.#text.slice(end, behind)) && bareKeyAt(this.#text, behind) !== undefined;
  }

  #expandKey(isFirst: boolean): void {
    const text = this.#text;
    if (this.#isCloser(this.#at)) {
      if (isFirst) this.#expandCloser(true);
      else if (this.#isDue()) this.#closeBehindComma();
      return;
    }
    const string = readLooseString(text, this.#at);
    const key = string === undefined ? bareKeyAt(text, this.#at) : undefined;
    if (typeof string === 'object') this.#toColon(string.end, action.key);
    else if (key !== undefined) {
      const edge = this.#toColon(key.end, action.bareKey);
      if (key.hasQuote) this.#lattice.markEdit(edge, edit.keyQuote);
    }
  }

  #toColon(end: number, actionKind: number): number {
    const colon = this.#lattice.node(this.#blanks(end, 'colon'), mode.colon, this.#stack);
    return this.#lattice.edge(this.#node, colon, actionKind, end);
  }

  #expandColon(): void {
    const text = this.#text;
    const character = text.charAt(this.#at);
    if (character === ':')
      this.#to(this.#blanks(this.#at + 1, 'colon'), mode.value, action.skip, this.#stack);
    else if (
      /[[{\-\d]/.test(character) ||
      this.#opensText(this.#at) ||
      scalarAt(text, this.#at, 'loose') !== undefined
    )
      this.#lattice.markEdit(this.#to(this.#at, mode.value, action.skip, this.#stack), edit.colon);
  }

  /** Expects a comma or a closer behind a value in a container; either may be missing. */
  #expandAfter(): void {
    const text = this.#text;
    const character = text.charAt(this.#at);
    if (this.#lattice.kind[this.#stack] === container.wrapped) this.#expandWrapped();
    else if (character === ',') this.#expandComma();
    else if (this.#isCloser(this.#at)) this.#expandCloser();
    else if (this.#at === text.length) this.#expandEnd();
    else if (this.#isObject()) {
      if (this.#opensText(this.#at) || this.#isKeyOnNewLine(this.#endOfToken(), this.#at))
        this.#lattice.markEdit(this.#to(this.#at, mode.key, action.skip, this.#stack), this.#commaEdits());
    } else if (this.#opensText(this.#at) || /[[{\d]/.test(character)) {
      const isEmpty = /[[{]/.test(character) && this.#isCloser(this.#blanks(this.#at + 1));
      const edits = isEmpty ? this.#commaEdits() | edit.emptyContainer : this.#commaEdits();
      this.#lattice.markEdit(this.#to(this.#at, mode.value, action.skip, this.#stack), edits);
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
      const behindEmpty = this.#isObject() ? edit.commaBehindEmpty : edit.listGoesOn;
      return edit.comma | edit.commaBehindCloser | (isEmpty ? behindEmpty : edit.none);
    }
    return this.#isBetweenQuotes() ? edit.comma | edit.betweenQuotes : edit.comma;
  }

  /** Whether the node is between two quotes that touch, and may be content. A key with its colon is none. */
  #isBetweenQuotes(): boolean {
    const touch =
      /["'\u2018-\u201f]/.test(this.#text.charAt(this.#at - 1)) && opensString(this.#text, this.#at);
    return touch && !(this.#isObject() && this.#isKey(this.#at));
  }

  #expandComma(): void {
    const isObject = this.#isObject();
    const next = this.#blanks(this.#at + 1);
    this.#to(next, isObject ? mode.key : mode.element, action.skip, this.#stack);
    const around = this.#lattice.parent[this.#stack] ?? 0;
    const mayLackCloser =
      this.#lattice.kind[this.#stack] !== container.doubled &&
      this.#lattice.holds(around, container.object, container.doubled);
    if (mayLackCloser && (!isObject || this.#options.closers === 'fits') && this.#isKey(next))
      this.#lattice.markEdit(
        this.#to(this.#at, mode.after, action.close, around),
        edit.closer | edit.missingCloser,
      );
    const isBehindObject = this.#text.charAt(this.#endOfToken() - 1) === '}';
    if (!isObject || !isBehindObject || this.#text.charAt(next) !== '{' || this.#isFull()) return;
    const wrapped = this.#lattice.push(this.#stack, container.wrapped);
    this.#lattice.markEdit(this.#to(next, mode.value, action.wrapLast, wrapped), edit.listBracket);
  }

  /** A list without brackets continues with a comma and an object; anything else ends it. */
  #expandWrapped(): void {
    const isComma = this.#text.charAt(this.#at) === ',';
    const next = isComma ? this.#blanks(this.#at + 1) : this.#at;
    if (isComma && this.#text.charAt(next) === '{') this.#to(next, mode.value, action.skip, this.#stack);
    else this.#to(this.#at, mode.after, action.close, this.#lattice.parent[this.#stack] ?? 0);
  }

  /** A closer behind a value or an opener, which may be the wrong one, or one too many. */
  #expandCloser(isEmpty = false): void {
    const closer = this.#text.charAt(this.#at);
    if (this.#isDue()) {
      this.#close();
      this.#expandEarlyCloser();
      return;
    }
    if (this.#lattice.kind[this.#stack] === container.doubled && closer === '}') return;
    const closed = isEmpty ? edit.closer | edit.emptyContainer : edit.closer;
    this.#leaveOut(edit.closer, isEmpty);
    this.#lattice.markEdit(this.#close(), closed);
    const around = this.#lattice.parent[this.#stack] ?? 0;
    if (this.#lattice.holds(around, closer === ']' ? container.list : container.object))
      this.#lattice.markEdit(this.#to(this.#at, mode.after, action.close, around), closed);
  }

  /** A closer that fits may be the surplus one if another member follows. */
  #expandEarlyCloser(): void {
    const behind = this.#blanks(this.#at + 1);
    const isComma = this.#text.charAt(behind) === ',';
    const goesOn = isComma && !this.#isCloser(this.#blanks(behind + 1));
    const endsRoot = (this.#lattice.parent[this.#stack] ?? 0) === 0;
    const isFollowed = goesOn || this.#isCloser(behind) || closersAt(this.#text, behind) !== undefined;
    if (endsRoot ? !isFollowed : !goesOn || this.#options.closers !== 'fits') return;
    this.#leaveOut(goesOn && !this.#isObject() ? edit.closer | edit.listGoesOn : edit.closer);
  }

  #leaveOut(edits: number, isEmpty = false): void {
    const kind = isEmpty ? (this.#isObject() ? mode.firstKey : mode.firstElement) : mode.after;
    this.#lattice.markEdit(this.#to(this.#blanks(this.#at + 1), kind, action.skip, this.#stack), edits);
  }

  #expandEnd(): void {
    if (this.#lattice.holds(this.#stack, container.doubled)) return;
    this.#lattice.markEdit(
      this.#to(this.#at, mode.end, action.closeAll, 0),
      edit.closer | edit.missingCloser,
    );
  }

  #expandRootEnd(): void {
    const { length } = this.#text;
    const isEnd = this.#at === length;
    closersToEnd.lastIndex = this.#at;
    if (!isEnd && !closersToEnd.test(this.#text)) return;
    const edge = this.#to(length, mode.end, action.skip, 0);
    if (!isEnd) this.#lattice.markEdit(edge, edit.closersBehind);
  }

  #closeBehindComma(): void {
    this.#lattice.markEdit(this.#close(), edit.trailingComma, 0);
  }

  /** Closes the innermost container behind the closer, or behind both of a doubled object. */
  #close(): number {
    const { kind, parent } = this.#lattice;
    const end = this.#at + 1;
    const isDoubled = kind[this.#stack] === container.doubled;
    return this.#behind(isDoubled ? this.#blanks(end) + 1 : end, action.close, parent[this.#stack] ?? 0);
  }

  /** An edge to a node. */
  #to(at: number, modeKind: number, actionKind: number, stack: number): number {
    return this.#lattice.edge(this.#node, this.#lattice.node(at, modeKind, stack), actionKind, at);
  }

  /** An edge to behind a value. */
  #behind(end: number, actionKind: number, stack: number): number {
    const next = endOfLooseBlanks(this.#text, end, this.#placeIn(stack));
    const node = this.#lattice.node(next, stack === 0 ? mode.rootEnd : mode.after, stack);
    return this.#lattice.edge(this.#node, node, actionKind, end);
  }

  #blanks(at: number, place: 'member' | 'element' | 'colon' = this.#placeIn(this.#stack)): number {
    return endOfLooseBlanks(this.#text, at, place);
  }

  #placeIn(stack: number): 'member' | 'element' {
    return stack === 0 || this.#isObject(stack) ? 'member' : 'element';
  }

  #isObject(stack: number = this.#stack): boolean {
    const kind = this.#lattice.kind[stack];
    return kind === container.object || kind === container.doubled;
  }

  #isFull(): boolean {
    return (this.#lattice.depth[this.#stack] ?? 0) >= this.#options.maxDepth;
  }

  #isCloser(at: number): boolean {
    const code = this.#text.charCodeAt(at);
    return code === 93 || code === 125;
  }

  /** Whether the closer at the node is the one that is due. */
  #isDue(): boolean {
    const kind = this.#lattice.kind[this.#stack];
    const closer = this.#text.charAt(this.#at);
    if (kind === container.list || closer !== '}') return kind === container.list && closer === ']';
    return kind === container.object || this.#text.charAt(this.#blanks(this.#at + 1)) === '}';
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
