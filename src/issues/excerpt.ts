// How is a value shown to a model or in a record? By its kind and a short, harmless piece of it.
import { isJsonArray, isJsonObject, type JsonValue } from '../json/json-value.ts';

/** Characters of a text that are shown, at most. */
const longestExcerpt = 64;

/** `the text "a.txt"`, `the number 5`, `a list of 3`, `an object with "path"`; hidden: the kind alone. */
export function excerptOf(value: JsonValue, visibility: 'shown' | 'hidden' = 'shown'): string {
  if (value === null) return 'null';
  if (isJsonArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (isJsonObject(value)) return describeObject(value, visibility);
  if (visibility === 'hidden') return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
  if (typeof value === 'string') return value === '' ? 'empty text' : `the text ${quote(value)}`;
  return typeof value === 'number' ? `the number ${value}` : `${value}`;
}

function describeObject(
  value: { readonly [key: string]: JsonValue },
  visibility: 'shown' | 'hidden',
): string {
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an empty object';
  if (visibility === 'hidden') return 'an object';
  const more = keys.length > 3 ? ', …' : '';
  return `an object with ${keys
    .slice(0, 3)
    .map((key) => quote(key, 24))
    .join(', ')}${more}`;
}

/** JSON-quoted, cut at whole characters, without control, bidi, zero-width or tag characters and control tokens. */
export const quote = (text: string, longest: number = longestExcerpt): string =>
  JSON.stringify(harmless(text, longest));

/** The same without quotes. */
export function harmless(text: string, longest: number = longestExcerpt): string {
  // A few times as many as are kept are looked at, so that the cost doesn't grow with the text.
  const start = text.slice(0, longest * 4);
  const isAscii = printable.test(start);
  if (isAscii && !mayHoldToken.test(start))
    return text.length > longest ? `${start.slice(0, longest - 1)}…` : text;
  const visible = isAscii ? start : start.toWellFormed().replace(invisible, ' ');
  const clean = visible.replace(controlToken, '…');
  const characters = isAscii ? clean.length : [...clean].length;
  if (characters <= longest && text.length <= longest * 4) return clean;
  return `${isAscii ? clean.slice(0, longest - 1) : [...clean].slice(0, longest - 1).join('')}…`;
}

// ASCII without control characters: one unit a character, and nothing that can't be seen.
const printable = /^[ -~]*$/;

// How each control token starts: a quick look that most texts need no other than.
const mayHoldToken = /<|\[\/?[A-Z]/i;

// Control, format (bidi, zero-width, tags), private use, surrogates, unassigned; and the two separators of lines.
const invisible = /[\p{C}\u2028\u2029]/gu;

// What chat templates set between turns and calls: <|im_end|>, <｜tool▁calls▁end｜>, </tool_call>, [/INST].
const controlToken =
  /<[|｜][^<>]{0,40}[|｜]>|<\/?(?:s|think|thinking|tool_call|tool_calls|tool_response|function|function_calls|invoke|parameter)\b[^<>]{0,60}>|\[\/?(?:INST|SYS|AVAILABLE_TOOLS|TOOL_CALLS?|TOOL_RESULTS)\]/gi;
