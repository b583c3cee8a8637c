import { once } from '../collections/once.ts';
import { lacksToken } from './readings/displaced-tokens.ts';

/**
 * Closers that were written too early leave the rest of the last value behind the object:
 * `{"limit":2}6` may be the limit 26. What touches an object is around it only if it can't belong
 * to it: what ends a statement, a sentence or a fence, markup, and a sentence of several words.
 */
export const mayBelongToObject = (textBefore: string, textAfter: string): boolean =>
  !endsObject().test(textAfter) ||
  isLiteral.test(textAfter) ||
  onlySigns.test(textBefore.slice(-longestNumber)) ||
  isLiteral.test(textBefore);

const longestNumber = 64;

const terminators = '[.;!。！…)\\]}*_~`]{0,8}';
/** Letters without case begin a sentence, too. */
const sentence = '[\\p{Lu}\\p{Lt}\\p{Lo}][^\\n<]*?(?:[.!。！…]|\\s\\S+\\s\\S)';
const endsObject = once(
  () => new RegExp(`^${terminators}(?:$|\\s|\`|/?>|<[/|｜!?\\p{L}]|\\[/?\\p{L}|${sentence})`, 'u'),
);

/** One more value, and nothing else. */
const isLiteral = /^\s*(?:[+-]?\d[\d.,_eE+-]{0,64}|true|false|null|none)\s*$/i;

/** A number or signs directly before the object, which are the end of no word. */
const onlySigns = /(?:^|[\s>\]`])(?:\d[\d.,]*(?<=\d)|[+\-/\\%$€£^~@#&|]{1,8}\d{0,16})$/u;

/**
 * Whether what touches an object may belong to its last string: a closer whose opener is in the
 * string (`{"a":"f(x"})`), the mark that the string ends with, or one that it may have opened.
 */
export function goesOnInString(lastString: string, textAfter: string): boolean {
  const [closers = ''] = closersAtStart.exec(textAfter) ?? [];
  const mark = textAfter.charAt(closers.length);
  return (
    lacksToken(lastString, Array.from(closers)) ||
    (marks.has(mark) && lastString.includes(mark)) ||
    (stops.has(mark) && lastString.endsWith(mark))
  );
}

const closersAtStart = /^[\s)\]}>]{0,8}/;
const marks: ReadonlySet<string> = new Set('`*_~');
const stops: ReadonlySet<string> = new Set('.!');
