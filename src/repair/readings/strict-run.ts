import { endOfBlanks } from '../../json/blanks.ts';
import { scalarAt } from '../../json/scalars.ts';
import { readStrictString } from '../../json/strings.ts';
import { type Lattice, container, mode } from './lattice.ts';

/** A node's offset, mode and stack. */
export interface Place {
  readonly at: number;
  readonly mode: number;
  readonly stack: number;
}

/** `stop`: the offset at which the text is no longer strict JSON; the text's length if it is to its end. */
export interface StrictRun {
  readonly stop: number;
  readonly isWhole: boolean;
  /** Before the last values and keys of the run; undefined if it has no more of them. */
  readonly before: Place | undefined;
}

/**
 * Values and keys before a stop in which an edit may act on what follows it. An edit in a string that could end there costs 2, and
 * 1 for each further string that it swallows.
 */
const reach = 8;

// eslint-disable-next-line no-control-regex -- a string has none
const plainString = /"[^"\\\u0000-\u001f]*"/y;

/** Reads strict JSON from a node on, as far as it goes. Adds nothing to the lattice but stacks. */
export function runStrictly(text: string, lattice: Lattice, from: Place, maxDepth: number): StrictRun {
  const last: Place[] = [];
  let [count, { at, mode: kind, stack }] = [0, from];
  for (;;) {
    at = endOfBlanks(text, at);
    const code = text.charCodeAt(at);
    if (kind === mode.rootEnd) return { stop: at, isWhole: at === text.length, before: undefined };
    const isObject = lattice.kind[stack] === container.object;
    if (kind === mode.after || kind === mode.firstKey || kind === mode.firstElement) {
      if (code === (isObject ? closeBrace : closeBracket) && isPlain(lattice, stack)) {
        stack = lattice.parent[stack] ?? 0;
        kind = stack === 0 ? mode.rootEnd : mode.after;
        at += 1;
        continue;
      }
      if (kind === mode.after) {
        if (code !== comma || !isPlain(lattice, stack)) break;
        kind = isObject ? mode.key : mode.element;
        at += 1;
        continue;
      }
    }
    const place = { at, mode: kind, stack };
    if (kind === mode.key || kind === mode.firstKey) {
      const end = endOfString(text, at, code);
      const colon = end === undefined ? -1 : endOfBlanks(text, end);
      if (text.charAt(colon) !== ':') break;
      kind = mode.value;
      at = colon + 1;
    } else if (code === openBrace || code === openBracket) {
      if ((lattice.depth[stack] ?? 0) >= maxDepth) break;
      stack = lattice.push(stack, code === openBrace ? container.object : container.list);
      kind = code === openBrace ? mode.firstKey : mode.firstElement;
      at += 1;
    } else {
      const end = code === quote ? endOfString(text, at, code) : endOfScalar(text, at);
      if (end === undefined) break;
      kind = stack === 0 ? mode.rootEnd : mode.after;
      at = end;
    }
    last[count % reach] = place;
    count += 1;
  }
  return { stop: at, isWhole: false, before: last[count % reach] };
}

const quote = 34;
const comma = 44;
const openBracket = 91;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/** Whether the innermost container is closed by a closer of its own. */
const isPlain = ({ kind }: Lattice, stack: number): boolean =>
  kind[stack] === container.object || kind[stack] === container.list;

/** Behind a drive letter, `\t` may be a tab or the start of a folder's name. */
const driveEscape = /"[A-Za-z]:\\[bfnrt]/y;

function endOfString(text: string, at: number, code: number): number | undefined {
  if (code !== quote) return undefined;
  plainString.lastIndex = at;
  if (plainString.test(text)) return plainString.lastIndex;
  const string = readStrictString(text, at);
  // The loose reader refuses these escapes, so they are not passed over.
  driveEscape.lastIndex = at;
  if (driveEscape.test(text)) return undefined;
  return typeof string === 'object' ? string.end : undefined;
}

function endOfScalar(text: string, at: number): number | undefined {
  const token = scalarAt(text, at, 'strict');
  return token === undefined ? undefined : at + token.length;
}
