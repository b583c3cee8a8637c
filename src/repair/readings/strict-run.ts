import { endOfBlanks, scalarAt } from '../../json/tokens.ts';
import { readStrictString } from '../../json/strings.ts';
import type { Container, Place } from './lattice.ts';

interface StrictRun {
  /** The offset at which the text is no longer strict JSON; the text's length if it is to its end. */
  readonly stop: number;
  /** The end of the text if the run reaches it, else before its last values and keys; undefined if it has no more of them. */
  readonly next: Place | undefined;
}

/**
 * Values and keys before a stop in which an edit may act on what follows it. An edit in a string that could end there costs 2, and
 * 1 for each further string that it swallows.
 */
const reach = 8;

/** Containers that are closed by a closer of their own. */
const closers: ReadonlyMap<Container | undefined, string> = new Map([
  ['object', '}'],
  ['list', ']'],
]);

/** Reads strict JSON from a place on, as far as it goes. */
export function runStrictly(text: string, from: Place, maxDepth: number): StrictRun {
  const last: Place[] = [];
  let [count, { at, mode, stack }] = [0, from];
  for (;;) {
    at = endOfBlanks(text, at);
    if (mode === 'rootEnd')
      return { stop: at, next: at === text.length ? { at, mode: 'end', stack } : undefined };
    const character = text.charAt(at);
    const closer = closers.get(stack.kind);
    if (character === closer && (mode === 'after' || mode === 'firstKey' || mode === 'firstElement')) {
      stack = stack.parent;
      mode = stack.depth === 0 ? 'rootEnd' : 'after';
      at += 1;
      continue;
    }
    if (mode === 'after') {
      if (character !== ',' || closer === undefined) break;
      mode = stack.isObject ? 'key' : 'element';
      at += 1;
      continue;
    }
    const place = { at, mode, stack };
    if (mode === 'key' || mode === 'firstKey') {
      const end = endOfString(text, at);
      const colon = end === undefined ? -1 : endOfBlanks(text, end);
      if (text.charAt(colon) !== ':') break;
      mode = 'value';
      at = colon + 1;
    } else if (character === '{' || character === '[') {
      if (stack.depth >= maxDepth) break;
      stack = stack.push(character === '{' ? 'object' : 'list');
      mode = character === '{' ? 'firstKey' : 'firstElement';
      at += 1;
    } else {
      const end = character === '"' ? endOfString(text, at) : endOfScalar(text, at);
      if (end === undefined) break;
      mode = stack.depth === 0 ? 'rootEnd' : 'after';
      at = end;
    }
    last[count % reach] = place;
    count += 1;
  }
  return { stop: at, next: last[count % reach] };
}

// eslint-disable-next-line no-control-regex -- a string has none
const plainString = /"[^"\\\u0000-\u001f]*"/y;

/** Behind a drive letter, `\t` may be a tab or the start of a folder's name. */
const driveEscape = /"[A-Za-z]:\\[bfnrt]/y;

function endOfString(text: string, at: number): number | undefined {
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
