import { once } from '../../collections/once.ts';
import { readJsonPrefix } from '../../json/lenient-parser.ts';
import { exactJson } from '../../json/parse.ts';
import {
  closersAt,
  endOfBody,
  isContentQuote,
  opensString,
  readLooseString,
  readTripleQuoted,
} from '../../json/strings.ts';
import {
  bareKeyAt,
  barePathAt,
  containerPattern,
  endOfLooseBlanks,
  matchAt,
  scalarAt,
  scalarPattern,
  scalarValue,
} from '../../json/tokens.ts';
import type { ReadOptions } from './build-reading.ts';
import * as edit from './edits.ts';
import type { Edge, Lattice, Mode, Node, Stack } from './lattice.ts';

/** `everywhere`: also in strict JSON, and closers may be missing or surplus at places that fit. */
export type Look = 'near' | 'everywhere';

type Step = Partial<Omit<Edge, 'from' | 'to' | 'sibling'>>;

const missingCloser: Step = { edits: edit.moving | edit.missingCloser };
/** It is costly, so that it explains a text only if hardly anything else does. */
const wrongOpener: Step = { edits: edit.moving | edit.doubtful, cost: 2 };
const lostOpener: Step = { edits: edit.moving | edit.doubtful, cost: 1 };
const quotes = `"'\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f`;

/**
 * Finds the edges out of a node: one for the token at its offset, and one for each edit after which
 * reading could go on.
 */
export class Grammar {
  readonly #text: string;
  readonly #lattice: Lattice;
  readonly #options: ReadOptions;
  readonly #look: Look;
  /** The node that is expanded, with its offset and stack. */
  #node: Node;
  #at = 0;
  #stack: Stack;
  /** Characters that may still be read ahead: sixteen times the text. */
  #ahead: number;

  constructor(text: string, lattice: Lattice, options: ReadOptions, look: Look) {
    this.#text = text;
    this.#lattice = lattice;
    this.#options = options;
    this.#look = look;
    this.#node = lattice.start;
    this.#stack = lattice.root;
    this.#ahead = text.length * 16;
  }

  expand(node: Node): void {
    const { mode, at, stack } = node;
    [this.#node, this.#at, this.#stack] = [node, at, stack];
    if (mode === 'string')
      this.#readQuote(at, closersAt(this.#text, at) ?? this.#text.charAt(at), 0);
    else if (mode === 'after' && stack.depth === 0) this.#readEnd();
    else if (mode !== 'value' && this.#is(at, ']}')) this.#readCloser(mode);
    else if (mode === 'after') this.#readSeparator();
    else if (mode !== 'value' && stack.isObject) this.#readKey();
    else this.#readValue(mode);
  }

  #readValue(mode: Mode): void {
    const { isObject, depth } = this.#stack;
    const mayRun = this.#look === 'near' && !isObject && depth > 0;
    const run = mayRun ? matchAt(strictElements, this.#text, this.#at)?.[0] : undefined;
    if (run !== undefined)
      return this.#to(this.#at + run.length, 'next', { json: run.trimEnd().slice(0, -1) });
    if (this.#is(this.#at, '{[')) this.#readOpener();
    else if (!isContentQuote(this.#text, this.#at, 0) && !this.#isClosingQuote()) this.#readToken();
    const mayLackBracket =
      this.#look === 'everywhere' && this.#stack.isObject && !this.#is(this.#at, '[');
    if (mayLackBracket && this.#text.includes(']', this.#at))
      this.#open(this.#at, 'next', false, wrongOpener);
    if (this.#look === 'everywhere' && mode !== 'value' && this.#isKeyInList())
      this.#open(this.#at, 'next', true, lostOpener);
  }

  /** Whether a member stands in a list, so that the opener of an object may be missing. */
  #isKeyInList(): boolean {
    const { isObject, depth } = this.#stack;
    return !isObject && depth > 0 && this.#keyAt(this.#at)?.hasColon === true;
  }

  /** Whether the quote at the node ends strings, because others open them: `“x”`. */
  #isClosingQuote(): boolean {
    return this.#is(this.#at, '\u201d') && this.#text.includes('\u201c');
  }

  #readOpener(): void {
    const isObject = this.#is(this.#at, '{');
    // An edit in strict JSON would not help, if what is due follows it.
    const strict = this.#stack.isObject ? containerInObject : containersInArray;
    const json = this.#look === 'near' ? matchAt(strict(), this.#text, this.#at)?.[0] : undefined;
    if (json !== undefined) return this.#to(this.#at + json.length, 'after', { json });
    this.#open(this.#at + 1, 'first', isObject);
    // Of an empty container, either end may be the wrong one.
    const next = this.#blanks(this.#at + 1);
    if (this.#is(next, isObject ? ']' : '}'))
      this.#to(next + 1, 'after', { ...lostOpener, json: isObject ? '[]' : '{}' });
    if (!isObject && this.#stack.depth > 0) this.#to(this.#at + 1, 'value', wrongOpener);
    if (!isObject) return;
    const innerString = this.#readAhead(this.#blanks(this.#at + 1));
    if (innerString !== undefined && this.#is(innerString.next, '}'))
      this.#to(innerString.next + 1, 'after', { json: innerString.json, edits: edit.moving });
    if (this.#stack.isObject) this.#readObjects();
  }

  /** Reads several objects as a list whose brackets are missing. */
  #readObjects(): void {
    const objects: string[] = [];
    let [end, at] = [this.#at, this.#at];
    for (let object = this.#readAhead(at); object !== undefined; object = this.#readAhead(at)) {
      objects.push(object.json);
      end = object.next;
      if (!this.#is(end, ',')) break;
      at = this.#blanks(end + 1);
    }
    if (objects.length > 1)
      this.#to(end, 'after', { json: `[${objects.join(',')}]`, edits: edit.moving });
  }

  /**
   * The object at an offset, if the loose reader can read it, and the offset of what follows it.
   */
  #readAhead(at: number): { readonly json: string; readonly next: number } | undefined {
    if (this.#ahead < 0 || !this.#is(at, '{')) return undefined;
    const read = readJsonPrefix(
      this.#text,
      at,
      'loose',
      this.#options.maxDepth - this.#stack.depth,
    );
    this.#ahead -= (read.kind === 'read' ? read.end : read.at) - at;
    if (read.kind !== 'read' || read.quotedNumbers.length > 0) return undefined;
    return { json: exactJson(read.value, read.numbers), next: this.#blanks(read.end) };
  }

  /** A string, a number, a word. */
  #readToken(): void {
    const closers = closersAt(this.#text, this.#at);
    if (closers !== undefined) return this.#readString(closers);
    const string = readLooseString(this.#text, this.#at);
    if (typeof string === 'object') this.#to(string.end, 'after', { mark: string.end });
    if (string !== undefined) return;
    const token = scalarAt(this.#text, this.#at, 'loose');
    if (token === undefined) return this.#readBareWord();
    const end = this.#at + token.length;
    const value = scalarValue(token);
    if (typeof value !== 'number') return this.#to(end, 'after', { json: String(value) });
    this.#to(end, 'after', { json: token });
    if (this.#is(end, '"')) this.#to(end + 1, 'after', { json: token, claim: value });
  }

  #readBareWord(): void {
    const isMember = this.#options.place === 'arguments' && this.#stack.isObject;
    const claim = isMember ? barePathAt(this.#text, this.#at) : undefined;
    if (claim === undefined) return;
    this.#to(this.#at + claim.length, 'after', {
      json: JSON.stringify(claim),
      claim,
      edits: edit.bareWord,
    });
  }

  /** A string that one of some quotes ends; quotes before it may be content. */
  #readString(closers: string): void {
    const triple = readTripleQuoted(this.#text, this.#at);
    if (triple !== undefined) this.#to(triple.end, 'after', { mark: triple.end });
    const quote = endOfBody(this.#text, this.#at + 1, closers);
    if (quote !== undefined) this.#readQuote(quote, closers, 1);
  }

  /**
   * A quote inside a string ends it, or is content. `first`: the cost of the first one that is
   * content.
   */
  #readQuote(quote: number, closers: string, first: number): void {
    const nextPosition = this.#blanks(quote + 1);
    const canEnd = this.#canEnd(quote + 1, nextPosition);
    if (canEnd) this.#to(quote + 1, 'after', { mark: quote + 1 });
    const next = endOfBody(this.#text, quote + 1, closers);
    if (next === undefined) return;
    const isFollowed =
      this.#is(nextPosition, ':') || closersAt(this.#text, nextPosition) !== undefined;
    // The quote after it ends the string, so this one can't.
    const isDoubled = next === quote + 1 && this.#endsMember(next);
    const cost = isDoubled ? first : first + Number(isFollowed) + Number(canEnd);
    const edits = canEnd && !isDoubled ? edit.content | edit.doubtful : edit.content;
    this.#to(next, 'string', { cost, edits, mark: quote });
  }

  /** Whether a string can end before what follows. */
  #canEnd(end: number, nextPosition: number): boolean {
    const isLast = nextPosition === this.#text.length;
    if (this.#stack.depth === 0 || isLast) return isLast;
    if (this.#is(nextPosition, ',]}')) return true;
    const closers = closersAt(this.#text, nextPosition);
    if (closers === undefined) return this.#isKeyOnNewLine(end, nextPosition);
    return endOfBody(this.#text, nextPosition + 1, closers) !== undefined;
  }

  /** Whether a quote stands before a comma or a closer, in a container. */
  #endsMember(quote: number): boolean {
    return this.#stack.depth > 0 && this.#is(this.#blanks(quote + 1), ',]}');
  }

  #isKeyOnNewLine(end: number, nextPosition: number): boolean {
    const isNewLine = this.#stack.isObject && /[\n\r]/.test(this.#text.slice(end, nextPosition));
    return isNewLine && bareKeyAt(this.#text, nextPosition) !== undefined;
  }

  #readKey(): void {
    const key = this.#keyAt(this.#at);
    if (key === undefined) return;
    const { name, end, colon, hasColon, hasQuote } = key;
    if (!hasColon && !this.#opensValue(colon) && scalarAt(this.#text, colon, 'loose') === undefined)
      return;
    const edits = hasColon && !hasQuote ? edit.none : edit.separator;
    this.#to(hasColon ? colon + 1 : end, 'value', {
      json: `${JSON.stringify(name)}:`,
      key: name,
      edits,
      ...(hasColon ? {} : { lacks: ':' }),
    });
  }

  /**
   * The key at an offset, in quotes or bare, and the offset of what follows it, which may be its
   * colon. `hasQuote`: it lost its opening quote.
   */
  #keyAt(at: number) {
    const string = readLooseString(this.#text, at);
    const inQuotes =
      typeof string === 'object' ? { ...string, name: string.value, hasQuote: false } : undefined;
    const key = inQuotes ?? bareKeyAt(this.#text, at);
    if (key === undefined) return undefined;
    const colon = endOfLooseBlanks(this.#text, key.end, 'colon');
    return { ...key, colon, hasColon: this.#is(colon, ':') };
  }

  /**
   * Whether a container, a number or a string opens. The comma or the colon that is missing is not
   * at the start of a string.
   */
  #opensValue(at: number): boolean {
    const opensText =
      opensString(this.#text, at) && !/^.\s*[:,]/.test(this.#text.slice(at, at + 9));
    return opensText || this.#is(at, '{[0123456789');
  }

  /** Expects a comma after a value in a container; it may be missing. */
  #readSeparator(): void {
    if (this.#is(this.#at, ',')) this.#readComma();
    else if (this.#at === this.#text.length)
      this.#to(this.#at, 'end', this.#missingEnd(), this.#lattice.root);
    else if (this.#opensValue(this.#at) || this.#isKeyOnNewLine(this.#endOfToken(), this.#at))
      this.#to(this.#at, 'next', { edits: edit.separator | this.#doubts(), lacks: ',' });
  }

  #missingEnd(): Step {
    const endsWithDigit = /\d/.test(this.#text.charAt(this.#text.length - 1));
    const open = endsWithDigit ? edit.openNumber : edit.none;
    return { edits: edit.moving | edit.missingCloser | edit.missingEnd | open };
  }

  /**
   * Whether a missing comma is after a closer, between two quotes that touch and may be content, or
   * before two quotes that touch the token before them, which may be its own.
   */
  #doubts(): number {
    if (this.#is(this.#endOfToken() - 1, ']}')) return edit.commaAfterCloser;
    const touchesQuotes =
      this.#text.startsWith('""', this.#at) && !/\s/.test(this.#text.charAt(this.#at - 1));
    const areQuotes =
      touchesQuotes || (this.#is(this.#at - 1, quotes) && opensString(this.#text, this.#at));
    const isKey = this.#stack.isObject && this.#keyAt(this.#at)?.hasColon === true;
    return areQuotes && !isKey ? edit.doubtful : edit.none;
  }

  #readComma(): void {
    const { parent, isObject } = this.#stack;
    this.#to(this.#at + 1, 'next');
    const mayBeOpen = (!isObject || this.#look === 'everywhere') && parent.holds(true);
    if (mayBeOpen && this.#keyAt(this.#blanks(this.#at + 1))?.hasColon === true)
      this.#to(this.#at, 'after', missingCloser, parent);
  }

  /** A closer, which may be of another kind than the one that is due, or one too many. */
  #readCloser(mode: Mode): void {
    const { parent, isObject } = this.#stack;
    const isDue = this.#is(this.#at, isObject ? '}' : ']');
    const nextPosition = this.#blanks(this.#at + 1);
    // The closer of an empty element whose opener was lost, or a surplus one.
    if (mode === 'first' && !isObject)
      this.#to(nextPosition, 'after', {
        ...lostOpener,
        json: this.#is(this.#at, '}') ? '{}' : '[]',
      });
    if (mode === 'next') {
      if (isDue) this.#to(nextPosition, 'after', { edits: edit.trailingComma, cost: 0 }, parent);
    } else if (isDue) {
      this.#to(nextPosition, 'after', {}, parent);
      this.#readEarlyCloser(mode, nextPosition);
    } else {
      this.#to(nextPosition, 'after', { edits: edit.moving }, parent);
      this.#to(nextPosition, mode, { edits: edit.moving | this.#doubtsBeforeString(nextPosition) });
      if (parent.holds(!isObject)) this.#to(this.#at, 'after', { edits: edit.moving }, parent);
    }
  }

  /** A closer in a list, before a string, may be the string's own first character. */
  #doubtsBeforeString(nextPosition: number): number {
    const isInList = !this.#stack.isObject;
    return isInList && closersAt(this.#text, nextPosition) !== undefined
      ? edit.doubtful
      : edit.none;
  }

  /** Leaves out a closer that is due, but may be the surplus one if another member follows. */
  #readEarlyCloser(mode: Mode, nextPosition: number): void {
    const opens = closersAt(this.#text, nextPosition) !== undefined;
    const goesOn = this.#is(nextPosition, ',') && !this.#is(this.#blanks(nextPosition + 1), ']}');
    const endsRoot = this.#stack.parent.depth === 0;
    const isEarly = endsRoot
      ? goesOn || opens || this.#is(nextPosition, ']}')
      : goesOn && this.#look === 'everywhere';
    // In an empty container, the comma would be surplus, too.
    const isDoubtful = goesOn && (!this.#stack.isObject || mode === 'first');
    const edits = isDoubtful ? edit.moving | edit.doubtful : edit.moving;
    if (opens && mode === 'first') this.#to(nextPosition, mode, { edits: edit.doubtful });
    else if (isEarly) this.#to(nextPosition, 'after', { edits });
  }

  #readEnd(): void {
    const edits = this.#at === this.#text.length ? edit.none : edit.closersAfterRoot;
    if (matchAt(closersToEnd, this.#text, this.#at) !== null)
      this.#to(this.#text.length, 'end', { edits });
  }

  #open(at: number, mode: Mode, isObject: boolean, step: Step = {}): void {
    if (this.#stack.depth < this.#options.maxDepth)
      this.#to(at, mode, step, this.#stack.push(isObject));
  }

  /** Adds an edge to the offset after the blanks at an offset. */
  #to(at: number, mode: Mode, step: Step = {}, stack = this.#stack): void {
    const { edits = edit.none, cost = edits === edit.none ? 0 : 1 } = step;
    const next = endOfLooseBlanks(this.#text, at, mode === 'value' ? 'colon' : placeIn(stack));
    this.#lattice.add({
      ...step,
      from: this.#node,
      to: this.#lattice.node(next, mode, stack),
      edits,
      cost,
    });
  }

  #blanks(at: number): number {
    return endOfLooseBlanks(this.#text, at, placeIn(this.#stack));
  }

  /** Whether one of some characters is at an offset. */
  #is(at: number, characters: string): boolean {
    return at < this.#text.length && characters.includes(this.#text.charAt(at));
  }

  /** The offset after the token before the node. */
  #endOfToken(): number {
    return this.#text.slice(0, this.#at).trimEnd().length;
  }
}

const placeIn = ({ depth, isObject }: Stack) => (depth === 0 || isObject ? 'member' : 'element');

/**
 * An edit in a string that could end there costs more with each string that it swallows, so the
 * last elements are not passed over.
 */
const strictElement = String.raw`(?:${scalarPattern}\s*,\s*)`;
const strictElements = new RegExp(`${strictElement}+(?=${strictElement}{8})`, 'y');
const isDue = String.raw`(?=\s*[,\]}])`;
const containerInObject = once(() => new RegExp(containerPattern + isDue, 'y'));
const containersInArray = once(
  () => new RegExp(`${containerPattern}(?:\\s*,\\s*${containerPattern})*${isDue}`, 'y'),
);

const closersToEnd = /[\]}\s]*$/y;
