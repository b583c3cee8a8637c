import { quote } from '../json/preview.ts';
import { namesAnotherTool } from './notations/read-notation.ts';
import {
  type LooseText,
  type RefusedText,
  type TextEnd,
  earlyEnds,
  refuseRepeatedKey,
  refuseText,
} from './text-rule.ts';

interface UnreadableText {
  readonly text: string;
  readonly loose: LooseText;
}

interface TextOptions {
  readonly end: TextEnd;
  readonly toolName: string | undefined;
  /** `hidden`: the text may hold a secret. */
  readonly previews: 'shown' | 'hidden';
}

/** The provider says that the answer ended too early. */
export const refuseCut = (end: TextEnd): RefusedText =>
  refuseText('truncated', {
    advice:
      end === 'filtered'
        ? "the provider's content filter stopped them, so use other words"
        : 'if they are too long, split the work into several calls',
  });

export const refuseDepth = (maxDepth: number): RefusedText =>
  refuseText('too_deep', { expected: `at most ${maxDepth} levels` });

/** The refusal of text that is not JSON and that no rule can read, with the reason. */
export function refuseUnreadable(unreadable: UnreadableText, options: TextOptions): RefusedText {
  const { text, loose } = unreadable;
  if (earlyEnds.has(options.end)) return refuseCut(options.end);
  if (text.trim() === '') return refuseText('not_sent');
  const reading = loose.whole;
  if (reading.kind === 'read') return refuseText('not_json');
  if (reading.reason === 'duplicate_key') return refuseRepeatedKey(reading.repeated);
  if (reading.reason === 'cut' || unfinishedWord.test(text.slice(reading.at)))
    return refuseText('truncated', { advice: 'close every string, array and object' });
  return refuseText('not_json', { advice: explain(unreadable, reading.at, options) });
}

/** The start of a number or of a word of JSON. */
const unfinishedWord = /^(?:-|-?\d+(?:\.|(?:\.\d+)?[eE][+-]?)|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/;

/** The reason, if it is certain: no object or several; else the place where reading stopped. */
function explain({ text, loose }: UnreadableText, stop: number, options: TextOptions): string {
  if (namesAnotherTool(text, options.toolName)) return 'they call another tool';
  const start = text.indexOf('{');
  if (start === -1) return 'no object was found';
  const first = loose.valueAt(start);
  if (first.kind === 'read') {
    const next = text.indexOf('{', first.end);
    const isSecond = next !== -1 && loose.valueAt(next).kind === 'read';
    if (isSecond) return 'more than one object was found, send only one';
  }
  // Words before a broken object are not the error.
  const at = first.kind === 'read' ? stop : first.at;
  const after = text.slice(at, at + longestPreview * 8);
  const isHidden = options.previews === 'hidden' || after === '';
  const shown = isHidden ? '' : `, before ${quote(after, longestPreview)}`;
  return `the error is at ${positionOf(text, at)}${shown}${escapeAdvice(text.slice(0, at), after)}`;
}

/** The most characters of the text that are shown. */
const longestPreview = 24;

/** How to write a backslash or a quote inside a string, if one of them stopped the reading. */
function escapeAdvice(before: string, after: string): string {
  if (unknownEscape.test(after)) return '; inside a string a backslash is written \\\\';
  return quoteInside.test(before) && /^\p{L}/u.test(after) ? '; inside a string a quote is written \\"' : '';
}

/** A quote before a word is inside a string, unless it belongs to a key that lost its own quote. */
const quoteInside = /[^:\s]\s?["']\s?$/;
const unknownEscape = /^"[^"\\]*(?:\\["\\/bfnrtu][^"\\]*)*\\[^"\\/bfnrtu]/;

/** Both count from 1; characters in UTF-16 units. */
function positionOf(text: string, at: number): string {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  return `line ${before.split('\n').length}, column ${at - lineStart + 1}`;
}
