import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from './value.ts';

/** Characters of a string in a preview, at most. */
const longestPreview = 64;
/** Keys of an object in a preview, and of a path: the innermost ones. */
const mostPreviewKeys = 3;
const mostPathKeys = 6;

/** Whether the content of a value may be shown, or only its kind. */
export type Visibility = 'shown' | 'hidden';

/**
 * The type of a value and a short, safe piece of it: `the string "a.txt"`, `the number 5`,
 * `an array of 3`, `an object with "path"`.
 */
export function preview(value: JsonValue, visibility: Visibility = 'shown'): string {
  if (value === null) return 'null';
  if (isJsonArray(value))
    return value.length === 0 ? 'an empty array' : `an array of ${value.length}`;
  if (isJsonObject(value)) return previewObject(value, visibility);
  if (visibility === 'hidden') return `a ${typeof value}`;
  if (typeof value === 'string')
    return value === '' ? 'an empty string' : `the string ${quote(value)}`;
  return typeof value === 'number' ? `the number ${value}` : `${value}`;
}

/** The same without the type of a string or number: `"a.txt"`, `5`. */
export function previewLiteral(value: JsonValue): string {
  if (typeof value === 'string' && value !== '') return quote(value);
  return typeof value === 'number' ? `${value}` : preview(value);
}

function previewObject(value: JsonObject, visibility: Visibility): string {
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an empty object';
  if (visibility === 'hidden') return 'an object';
  const shownKeys = keys.slice(0, mostPreviewKeys).map((key) => quote(key, 24));
  return `an object with ${shownKeys.join(', ')}${keys.length > mostPreviewKeys ? ', …' : ''}`;
}

/** A JSON string, as `printable` makes it. */
export const quote = (text: string, longest: number = longestPreview): string =>
  JSON.stringify(printable(text, longest));

/**
 * Text that is safe to show: cut at whole characters, without invisible ones and a chat template's
 * control tokens.
 */
export const printable = (text: string, longest: number = longestPreview): string =>
  text.length <= longest && isPlain(text) ? text : cleanText(text, longest);

function cleanText(text: string, longest: number): string {
  // The cost must not grow with the text, so only a few times as many characters as are kept are
  // read.
  const start = text.slice(0, longest * 4);
  const isAscii = printableAscii.test(start);
  if (isAscii && !mayHoldToken.test(start))
    return text.length > longest ? `${start.slice(0, longest - 1)}…` : text;
  const visible = isAscii ? start : start.toWellFormed().replace(invisible, ' ');
  const clean = visible.replace(controlToken, '…');
  const characters = isAscii ? clean.length : [...clean].length;
  if (characters <= longest && text.length <= longest * 4) return clean;
  return `${isAscii ? clean.slice(0, longest - 1) : [...clean].slice(0, longest - 1).join('')}…`;
}

/**
 * The first character that has no width, in words; undefined if there is none in the first 10,000
 * characters.
 */
export function invisibleCharacter(text: string): string | undefined {
  const character = /(?!\u00ad)\p{Cf}/u.exec(text.slice(0, 10_000))?.[0];
  if (character === undefined) return undefined;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `the invisible character U+${code}`;
}

/** Most texts: printable ASCII without the first character of a token. */
function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < space || code > tilde || code === lessThan) return false;
    if (code === openBracket && mayFollowBracket(text.charCodeAt(at + 1))) return false;
  }
  return true;
}

const space = 32;
const tilde = 126;
const lessThan = 60;
const openBracket = 91;

/** Whether a character may be the second one of a token: `[INST]`, `[/INST]`. */
const mayFollowBracket = (code: number): boolean =>
  code === slash || ((code | lowerCase) >= letterA && (code | lowerCase) <= letterZ);

const slash = 47;
const lowerCase = 32;
const letterA = 97;
const letterZ = 122;

const printableAscii = /^[ -~]*$/;

/** A quick test that most texts fail, so that they need no search for tokens. */
const mayHoldToken = /<|\[\/?[A-Z]/i;

/**
 * Control, format (bidi, zero-width, tags), private, surrogate and unassigned characters; line
 * separators.
 */
const invisible = /[\p{C}\u2028\u2029]/gu;

/**
 * The tokens that chat templates put between turns and calls: <|im_end|>, <｜tool▁calls▁end｜>,
 * </tool_call>, [/INST].
 */
const controlToken =
  /<[|｜][^<>]{0,40}[|｜]>|<\/?(?:s|think|thinking|tool_call|tool_calls|tool_response|function|function_calls|invoke|parameter)\b[^<>]{0,60}>|\[\/?(?:INST|SYS|AVAILABLE_TOOLS|TOOL_CALLS?|TOOL_RESULTS)\]/gi;

/** Keys as a path for a reader: `edits[0].find`; keys that are not plain names are quoted. */
export const displayPath = (keys: readonly string[]): string =>
  keys.slice(-mostPathKeys).reduce(joinKey, '');

function joinKey(path: string, key: string): string {
  if (/^\d+$/.test(key)) return `${path}[${key}]`;
  const name = /^[\w$-]{1,64}$/.test(key) ? key : quote(key);
  return path === '' ? name : `${path}.${name}`;
}
