import type { Unreadable } from '../json/lenient-parser.ts';
import { readJson, readJsonPrefix } from '../json/lenient-parser.ts';
import { quote } from '../json/preview.ts';
import type { TextEnd } from './finish-reason.ts';
import { namesAnotherTool } from './named-tool.ts';
import { type RefusedText, refuseRepeatedKey, refuseText } from './text-rule.ts';

export interface UnreadableText {
  readonly text: string;
  /** Why it can't be read as strict JSON. */
  readonly reading: Unreadable;
  readonly maxDepth: number;
}

interface TextOptions {
  readonly end: TextEnd;
  readonly toolName: string | undefined;
  /** `hidden`: the text may hold a secret. */
  readonly previews: 'shown' | 'hidden';
}

/** The provider says that the answer ended too early. */
export const refuseCut = (): RefusedText =>
  refuseText('truncated', { advice: 'if they are too long, split the work into several calls' });

/** Says what is wrong with text that neither strict JSON nor a rule can read. */
export function refuseUnreadable(unreadable: UnreadableText, options: TextOptions): RefusedText {
  const { text, reading, maxDepth } = unreadable;
  if (reading.reason === 'too_deep')
    return refuseText('too_deep', { expected: `at most ${maxDepth} levels` });
  if (reading.reason === 'duplicate_key') return refuseRepeatedKey(reading.repeated);
  if (options.end === 'cut') return refuseCut();
  if (text.trim() === '') return refuseText('not_sent');
  if (reading.reason === 'cut' || unfinishedWord.test(text.slice(reading.at)))
    return refuseText('truncated', { advice: 'close every string, array and object' });
  return refuseText('not_json', { advice: explain(unreadable, options) });
}

/** The start of a number or of a word of JSON. */
const unfinishedWord = /^(?:-|-?\d+(?:\.|(?:\.\d+)?[eE][+-]?)|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/;

/** Says only what is certain: no object, several objects, or where reading stopped. */
function explain({ text, reading, maxDepth }: UnreadableText, options: TextOptions): string {
  if (namesAnotherTool(text, options.toolName)) return 'they call another tool';
  const start = text.indexOf('{');
  if (start === -1) return 'they contain no object';
  const first = readJsonPrefix(text, start, maxDepth);
  if (first !== undefined) {
    const next = text.indexOf('{', first.end);
    const isSecond = next !== -1 && readJsonPrefix(text, next, maxDepth) !== undefined;
    if (isSecond) return 'they contain more than one object, send only one';
  }
  // The words before an object are not what is wrong with it.
  const at = first === undefined ? start + stopIn(text.slice(start), maxDepth) : reading.at;
  const after = text.slice(at, at + longestPreview * 8);
  const isHidden = options.previews === 'hidden' || after === '';
  const shown = isHidden ? '' : `, before ${quote(after, longestPreview)}`;
  return `the error is at ${positionOf(text, at)}${shown}${escapeAdvice(text.slice(0, at), after)}`;
}

/** Characters of the text that are shown, at most. */
const longestPreview = 24;

/** How to write a backslash or a quote inside a string, if one of them stopped the reading. */
function escapeAdvice(before: string, after: string): string {
  if (unknownEscape.test(after)) return '; inside a string a backslash is written \\\\';
  return quoteInside.test(before) && /^\p{L}/u.test(after) ? '; inside a string a quote is written \\"' : '';
}

/** A quote before a word is inside a string, unless it belongs to a key that lost its own quote. */
const quoteInside = /[^:\s]\s?["']\s?$/;
const unknownEscape = /^"[^"\\]*(?:\\["\\/bfnrtu][^"\\]*)*\\[^"\\/bfnrtu]/;

/** Reads loosely, too: other quotes and commas are not what is wrong. */
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
  return `line ${before.split('\n').length}, column ${at - lineStart + 1}`;
}
