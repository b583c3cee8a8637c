// Why is an argument text no JSON? Only what is certain of it: no object, several, or where strict reading stopped.
import { quote } from '../issues/excerpt.ts';
import { readJson, readJsonPrefix } from '../json/reader/read-json.ts';
import type { Unreadable } from '../json/reader/reading.ts';

export interface ReadText {
  readonly limits: { readonly depth: number };
  /** `hidden`: the text may hold a secret, so nothing of it is shown. */
  readonly excerpts: 'shown' | 'hidden';
}

/** Characters of the text that are shown, at most. */
const longestExcerpt = 24;

/** A few words for the model. `reading`: of the whole text, by the rules of JSON. */
export function whyNoJson(text: string, reading: Unreadable, { limits, excerpts }: ReadText): string {
  const start = text.indexOf('{');
  if (start === -1) return 'there is no object in the text';
  const first = readJsonPrefix(text, start, limits.depth);
  if (first !== undefined) {
    const next = text.indexOf('{', first.end);
    const isSecond = next !== -1 && readJsonPrefix(text, next, limits.depth) !== undefined;
    if (isSecond) return 'there is more than one object in the text, send one';
  }
  // Words in front of an object are not what is wrong with it.
  const isInFront = reading.at < start && first === undefined;
  const at = isInFront ? start + stopIn(text.slice(start), limits.depth) : reading.at;
  const after = text.slice(at, at + longestExcerpt * 8);
  const shown = excerpts === 'hidden' || after === '' ? '' : `, before ${quote(after, longestExcerpt)}`;
  return `reading stopped at ${positionOf(text, at)}${shown}`;
}

function stopIn(text: string, maxDepth: number): number {
  const reading = readJson(text, { mode: 'strict', maxDepth, closeAtEnd: false });
  return reading.kind === 'unreadable' ? reading.at : 0;
}

/** Both count from 1; characters in UTF-16 units. */
function positionOf(text: string, at: number): string {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  return `line ${before.split('\n').length}, character ${at - lineStart + 1}`;
}
