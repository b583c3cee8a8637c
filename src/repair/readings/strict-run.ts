import { endOfBlanks, scalarAt } from '../../json/tokens.ts';
import { readLooseString, readStrictString } from '../../json/strings.ts';
import type { Container, Edge, Lattice, Node, Place } from './lattice.ts';

/** Characters that are read ahead, as a multiple of the text's size. */
const runsPerText = 16;

/**
 * Values and keys before a stop in which an edit may act on what follows it. An edit in a string that could end there costs 2, and
 * 1 for each further string that it swallows.
 */
const reach = 8;

/**
 * Passes over strict JSON, so that edits are looked for only where they may act: finds the edge to the end of the text, or to where
 * edits are looked for; undefined if that is at the node itself.
 */
export function strictEdges(text: string, lattice: Lattice, maxDepth: number) {
  let left = text.length * runsPerText;
  return (node: Node): readonly Edge[] | undefined => {
    const { mode, at } = node;
    if (mode === 'colon' || mode === 'end' || mode === 'string' || left < 0) return undefined;
    const [stop, next] = runStrictly(text, node, maxDepth);
    left -= stop - at;
    const to = next === undefined ? node : lattice.node(next.at, next.mode, next.stack);
    if (to === node) return undefined;
    return [{ from: node, to, action: 'strict', mark: stop, edits: 0, cost: 0 }];
  };
}

/** Containers that are closed by a closer of their own. */
const closers: ReadonlyMap<Container | undefined, string> = new Map([
  ['object', '}'],
  ['list', ']'],
]);

/**
 * Reads strict JSON from a place on, as far as it goes. Returns the offset at which it stops, and the end of the text if it reaches
 * that, else the place before its last values and keys.
 */
function runStrictly(
  text: string,
  from: Place,
  maxDepth: number,
): readonly [stop: number, next: Place | undefined] {
  const last: Place[] = [];
  let [count, { at, mode, stack }] = [0, from];
  for (;;) {
    at = endOfBlanks(text, at);
    if (mode === 'rootEnd') return [at, at === text.length ? { at, mode: 'end', stack } : undefined];
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
  return [at, last[count % reach]];
}

// eslint-disable-next-line no-control-regex -- a string has none
const plainString = /"[^"\\\u0000-\u001f]*"/y;

function endOfString(text: string, at: number): number | undefined {
  plainString.lastIndex = at;
  if (plainString.test(text)) return plainString.lastIndex;
  const string = readStrictString(text, at);
  // The loose reader refuses some escapes behind a drive letter, so they are not passed over.
  return typeof string === 'object' && typeof readLooseString(text, at) === 'object' ? string.end : undefined;
}

function endOfScalar(text: string, at: number): number | undefined {
  const token = scalarAt(text, at, 'strict');
  return token === undefined ? undefined : at + token.length;
}
