import type { ReadValue } from '../../json/lenient-parser.ts';
import { parseJson } from '../../json/parse.ts';
import { readLooseSpan } from '../../json/strings.ts';
import * as edit from './edits.ts';
import {
  endsInToken,
  holdsCloser,
  holdsOpener,
  lacksToken,
  lastString,
  startsWithToken,
} from './displaced-tokens.ts';
import type { Edge, Way } from './lattice.ts';
import { holdsHalves, classifyQuotes } from './quotations.ts';

/** One reading of broken text, with the edits that it took. */
export interface TextReading extends Omit<ReadValue, 'kind'> {
  readonly cost: number;
  /** The bits in `edit` of all edits, combined. */
  readonly edits: number;
  /** It is never accepted: it shows that another reading is not the only one. */
  readonly isWitness: boolean;
  /**
   * A token was put in, or taken for surplus, beside a string that has it, or lacks it, at that end:
   * the string may be another one.
   */
  readonly mayHaveOtherString: boolean;
  /** Strings inside a container that have quotes as content. */
  readonly quotations: readonly string[];
  /**
   * Values that are meant only where their type is declared: words without quotes, and numbers with
   * a quote after them.
   */
  readonly claims: readonly (string | number)[];
  /**
   * Keys that follow an edit of closers, in an object that was open at the edit: they may belong to
   * another object.
   */
  readonly movedKeys: readonly string[];
}

/**
 * `none`: the way has no value. `refused`: the whole text is refused. `escape`: an escape has two
 * readings.
 */
export type Built =
  | { readonly kind: 'built'; readonly reading: TextReading }
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly reason: 'escape' | 'duplicate_key' };

export interface ReadOptions {
  readonly maxDepth: number;
  /** The provider says that the answer ended normally. */
  readonly isComplete: boolean;
  /**
   * `arguments`: the argument text itself, which may have words without quotes. `inside`: text
   * inside a value.
   */
  readonly place: 'arguments' | 'inside';
}

/** Builds the reading of one way: writes it as strict JSON, which is parsed then. */
export function buildReading(text: string, way: Way, { maxDepth, isComplete }: ReadOptions): Built {
  const writer = new Writer();
  for (let step: Way | undefined = way; step?.edge !== undefined; step = step.rest)
    writer.write(text, step.edge);
  const { parts, failure, moves, quotations, claims, movedKeys } = writer;
  if (failure !== undefined) return failure;
  const read = parseJson(parts.join(''), maxDepth);
  if (read.kind === 'unreadable')
    return read.reason === 'duplicate_key' ? { kind: 'refused', reason: 'duplicate_key' } : none;
  const mayHaveOtherString = writer.mayHaveOtherString || writer.hasStringWithToken();
  const { cost, edits } = way;
  const mayBeSplit = (edits & edit.content) !== 0 && holdsHalves(read.value);
  // A key that comes twice may be the second of two objects whose brace was lost.
  const mayBeMerged = (edits & edit.moving) !== 0 && read.repeatedKeys.length > 0;
  const isWitness =
    mayHaveOtherString || mayBeSplit || mayBeMerged || isUnsure(edits, moves, isComplete);
  return {
    kind: 'built',
    reading: {
      ...read,
      cost,
      edits,
      isWitness,
      mayHaveOtherString,
      quotations,
      claims,
      movedKeys,
    },
  };
}

const none: Built = { kind: 'none' };

/**
 * Whether the edits of a reading are such that another one is as likely. `moves`: how many of them
 * may move members.
 */
function isUnsure(edits: number, moves: number, isComplete: boolean): boolean {
  const has = (kinds: number): boolean => (edits & kinds) !== 0;
  return (
    has(edit.doubtful) ||
    moves > 1 ||
    (has(edit.missingCloser) && (!isComplete || has(edit.contentEdits))) ||
    (has(edit.trailingComma) && has(edit.moving | edit.closersAfterRoot | edit.commaAfterCloser))
  );
}

const isCloser = (token: string): boolean => token === '}' || token === ']';

class Writer {
  readonly parts: string[] = [];
  readonly quotations: string[] = [];
  readonly claims: (string | number)[] = [];
  readonly movedKeys: string[] = [];
  failure: Built | undefined;
  mayHaveOtherString = false;
  /** The number of edits that may move members. */
  moves = 0;
  /** Where the current string starts, if quotes in it are content, and their offsets. */
  #start: number | undefined;
  #quotes: number[] = [];
  /**
   * The number of containers that were open at the last edit that may move members, and still are.
   */
  #movedBelow = 0;
  /** The comma or the colon that was put in before the next token. */
  #lacked: string | undefined;
  /** Closers that were put in, and the number of parts before the first of them. */
  readonly #closersPutIn = new Set<string>();
  #putInAt = Infinity;
  readonly #closersLeftOut = new Set<string>();

  write(text: string, edge: Edge): void {
    const { from, to, edits, json, key, claim, mark, lacks } = edge;
    const { depth } = from.stack;
    const isMoving = (edits & edit.moving) !== 0;
    if (to.mode === 'string') {
      this.#start ??= from.at;
      this.#quotes.push(mark ?? from.at);
    } else if (json !== undefined) this.#put(json);
    else if (mark !== undefined) this.#putString(text, this.#start ?? from.at, mark, depth > 0);
    else if (to.stack.depth > depth) this.#put(to.stack.isObject ? '{' : '[');
    const closers: string[] = [];
    for (let open = from.stack; open.depth > to.stack.depth; open = open.parent)
      closers.push(open.isObject ? '}' : ']');
    if (lacks !== undefined) {
      this.#doubtString([lacks], []);
      this.#lacked = lacks;
    } else if ((edits & (edit.moving | edit.closersAfterRoot)) !== 0 && json === undefined)
      this.#changeClosers(closers, Array.from(text.slice(from.at, to.at)).filter(isCloser));
    this.parts.push(...closers);
    if (claim !== undefined) this.claims.push(claim);
    if (key !== undefined && depth <= this.#movedBelow) this.movedKeys.push(key);
    if (isMoving) this.moves += 1;
    this.#movedBelow = isMoving ? to.stack.depth : Math.min(this.#movedBelow, to.stack.depth);
  }

  /** Writes a token, with a comma before it if another one is before it in the container. */
  #put(json: string): void {
    const previousPart = this.parts.at(-1)?.at(-1);
    if (previousPart !== undefined && !'{[:,'.includes(previousPart)) this.parts.push(',');
    this.parts.push(json);
    if (this.#lacked !== undefined && json.startsWith('"'))
      this.mayHaveOtherString ||= startsWithToken(json.slice(1), this.#lacked);
    this.#lacked = undefined;
  }

  /** Tokens are put in or left out after the last string, to which they may belong. */
  #doubtString(putIn: readonly string[], leftOut: readonly string[]): void {
    const last = this.parts.findLast((part) => !isCloser(part));
    const string = lastString(last?.endsWith(':') === true ? last.slice(0, -1) : (last ?? ''));
    if (string !== undefined)
      this.mayHaveOtherString ||= endsInToken(string, putIn) || lacksToken(string, leftOut);
  }

  #changeClosers(putIn: readonly string[], leftOut: readonly string[]): void {
    this.#doubtString(putIn, leftOut);
    if (putIn.length > 0) this.#putInAt = Math.min(this.#putInAt, this.parts.length);
    for (const closer of putIn) this.#closersPutIn.add(closer);
    for (const closer of leftOut) this.#closersLeftOut.add(closer);
  }

  /**
   * Whether a string anywhere may have the partner of a closer that was left out, or one of the
   * closers that were put in. In front of the place where the first of them was put in, a string of
   * the root has none: behind it, the root would be closed.
   */
  hasStringWithToken(): boolean {
    const [putIn, leftOut] = [[...this.#closersPutIn], [...this.#closersLeftOut]];
    if (putIn.length === 0 && leftOut.length === 0) return false;
    let depth = 0;
    return this.parts.some((part, index) => {
      if (part === '{' || part === '[') depth += 1;
      else if (isCloser(part)) depth -= 1;
      const mayHaveCloser = depth > 1 || index >= this.#putInAt || '{['.includes(part.charAt(0));
      return (mayHaveCloser && holdsCloser(part, putIn)) || holdsOpener(part, leftOut);
    });
  }

  #putString(text: string, start: number, end: number, isInside: boolean): void {
    const value = readLooseSpan(text, start, end);
    if (value === undefined) this.failure = { kind: 'refused', reason: 'escape' };
    this.#put(JSON.stringify(value ?? ''));
    if (this.#quotes.length === 0) return;
    const quotes = classifyQuotes(text, start, end, this.#quotes);
    if (quotes === 'delimiters') this.failure ??= none;
    // `\\"`: a backslash and a quote, or a quote that was escaped twice.
    const isTwice = this.#quotes.some((quote) => text.charAt(quote - 1) === '\\');
    this.mayHaveOtherString ||= quotes === 'doubtful' || isTwice;
    if (isInside) this.quotations.push(value ?? '');
    [this.#start, this.#quotes] = [undefined, []];
  }
}
