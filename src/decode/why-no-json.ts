// Why is an argument text no JSON? Only what is certain of it: no object, several, or where strict reading stopped.
import { quote } from '../issues/excerpt.ts';
import { readJson, readJsonPrefix } from '../json/reader/read-json.ts';
import { namesAnotherTool } from './named-tool.ts';
import type { Unreadable } from '../json/reader/reading.ts';

export interface ReadText {
  readonly limits: { readonly depth: number };
  /** undefined: nobody has said. */
  readonly toolName: string | undefined;
  /** `hidden`: the text may hold a secret, so nothing of it is shown. */
  readonly excerpts: 'shown' | 'hidden';
}

/** Characters of the text that are shown, at most. */
const longestExcerpt = 24;

/** A few words for the model. `reading`: of the whole text, by the rules of JSON. */
export function whyNoJson(text: string, reading: Unreadable, facts: ReadText): string {
  const { limits, excerpts } = facts;
  if (namesAnotherTool(text, facts.toolName)) return 'the text calls another tool';
  const start = text.indexOf('{');
  if (start === -1) return 'there is no object in the text';
  const first = readJsonPrefix(text, start, limits.depth);
  if (first !== undefined) {
    const next = text.indexOf('{', first.end);
    const isSecond = next !== -1 && readJsonPrefix(text, next, limits.depth) !== undefined;
    if (isSecond) return 'there is more than one object in the text, send one';
  }
  // Words in front of an object are not what is wrong with it.
  const at = first === undefined ? start + stopIn(text.slice(start), limits.depth) : reading.at;
  const after = text.slice(at, at + longestExcerpt * 8);
  const shown = excerpts === 'hidden' || after === '' ? '' : `, before ${quote(after, longestExcerpt)}`;
  return `reading stopped at ${positionOf(text, at)}${shown}${escapeAdvice(text.slice(0, at), after)}`;
}

/** What is written with a backslash inside a text, where that is what stopped the reading. */
function escapeAdvice(before: string, after: string): string {
  if (unknownEscape.test(after)) return '; inside a text a backslash is written \\\\';
  return quoteInside.test(before) && /^\p{L}/u.test(after) ? '; inside a text a quote is written \\"' : '';
}

/** A closing quote, but not of a key that lost its own; a word behind it says that it was inside the text. */
const quoteInside = /[^:\s]\s?["']\s?$/;
const unknownEscape = /^"[^"\\]*(?:\\["\\/bfnrtu][^"\\]*)*\\[^"\\/bfnrtu]/;

/** What models write is read as far as it goes: its other quotes and commas are not what is wrong with it. */
function stopIn(text: string, maxDepth: number): number {
  const stops = (['strict', 'loose'] as const).map((mode) => {
    const reading = readJson(text, { mode, maxDepth, closeAtEnd: false });
    return reading.kind === 'unreadable' ? reading.at : 0;
  });
  return Math.max(...stops);
}

/** Both count from 1; characters in UTF-16 units. */
function positionOf(text: string, at: number): string {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  return `line ${before.split('\n').length}, character ${at - lineStart + 1}`;
}
