import { type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';

// By its kind and a short, harmless piece of it.
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

// No sentence is made here, and none is ever read to decide.
/** One thing that is wrong with a call's arguments. */
export interface Issue {
  /**
   * JSON Schema's keyword (`type`, `required`, `enum`, …), or one of ours: `path`, `misspelt`, `duplicate_key`,
   * `unsafe_number`, `not_json`, `not_sent`, `truncated`, `too_large`, `too_deep`, `invalid_utf8`, `not_plain`, `budget_exceeded`, `check`,
   * `broken_check` (a check that threw: no mistake of the model's), `meta`.
   */
  readonly keyword: string;
  /** JSON Pointer (RFC 6901) of the value that fails; '' is the arguments as a whole. */
  readonly path: string;
  /** The key that is missing, unknown or double, where the issue is about one. */
  readonly key?: string;
  /** What was expected, in words made from the schema: "a list of strings". */
  readonly expected?: string;
  /** What came: its kind and a short excerpt, safe to show; never a secret. */
  readonly received?: string;
  /** The way out: the nearest declared key, the allowed values, the author's own sentence. */
  readonly advice?: string;
}

// That there was one, and an id to look it up by.
/** The keyword of a check that threw, or that answered with a promise. */
export const brokenCheckKeyword = 'broken_check';

/** Whether nothing but the developer's own code stands between the arguments and the tool. */
export const isInternalError = (issues: readonly Issue[]): boolean =>
  issues.length > 0 && issues.every(({ keyword }) => keyword === brokenCheckKeyword);

/** For a tool that was not executed; without an id where nothing is logged. */
export const internalErrorMessage = (tool: string, errorId?: string): string =>
  `${tool} was not executed because of an internal error${errorId === undefined ? '' : ` (error ${errorId})`}.`;

// Only ever a suggestion: nothing is done on its account.
const longestName = 64;
const mostSuggestions = 3;

/**
 * The one name nearest to what was written; undefined if none is near, or if two are equally near.
 * Case and separators don't count, nor does a surplus word: `functions.read_file` is near `read_file`.
 */
export function nearestName(wanted: string, names: Iterable<string>): string | undefined {
  const [nearest] = groupsByDistance(wanted, names);
  return nearest?.length === 1 ? nearest[0] : undefined;
}

/** Up to three near names, nearest first. Names equally near come all together or not at all. */
export function nearestNames(wanted: string, names: Iterable<string>): readonly string[] {
  const found: string[] = [];
  for (const group of groupsByDistance(wanted, names)) {
    if (found.length + group.length > mostSuggestions) break;
    found.push(...group);
  }
  return found;
}

function groupsByDistance(wanted: string, names: Iterable<string>): readonly (readonly string[])[] {
  if (wanted.length > longestName) return [];
  const groups = new Map<number, string[]>();
  const words = wordsOf(wanted);
  for (const name of new Set(names)) {
    const distance = distanceIfNear(words, wordsOf(name));
    if (distance !== undefined) groups.set(distance, [...(groups.get(distance) ?? []), name]);
  }
  return [...groups].toSorted(([left], [right]) => left - right).map(([, group]) => group);
}

/** `readFiles`, `read_files` and `READ-FILES` have the same two words. */
const wordsOf = (name: string): readonly string[] =>
  name
    .slice(0, longestName)
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

function distanceIfNear(wanted: readonly string[], known: readonly string[]): number | undefined {
  const [left, right] = [wanted.join(''), known.join('')];
  if (left === '' || right === '') return undefined;
  const longer = Math.max(left.length, right.length);
  if (hasWords(wanted, known) || hasWords(known, wanted)) return Math.abs(left.length - right.length);
  const most = Math.max(1, Math.floor(longer / 3));
  if (longer === 1 || Math.abs(left.length - right.length) > most) return undefined;
  const distance = editDistance(left, right, most);
  return distance <= most ? distance : undefined;
}

const hasWords = (words: readonly string[], part: readonly string[]): boolean =>
  part.join('').length > 2 && ` ${words.join(' ')} `.includes(` ${part.join(' ')} `);

/** Insertions, deletions, replacements and exchanges of neighbours (optimal string alignment). Above `most`: far. */
function editDistance(left: string, right: string, most: number): number {
  let beforeLast = new Float64Array(right.length + 1);
  let last = Float64Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = new Float64Array(right.length + 1).fill(far);
    current[0] = row;
    let least = row;
    // Farther from the diagonal than `most`, no way leads back within it.
    for (
      let column = row > most ? row - most : 1;
      column <= right.length && column <= row + most;
      column += 1
    ) {
      const same = left[row - 1] === right[column - 1];
      let distance = at(last, column - 1) + (same ? 0 : 1);
      distance = smaller(distance, smaller(at(last, column), at(current, column - 1)) + 1);
      if (!same && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        distance = smaller(distance, at(beforeLast, column - 2) + 1);
      }
      current[column] = distance;
      least = smaller(least, distance);
    }
    if (least > most) return far;
    [beforeLast, last] = [last, current];
  }
  return at(last, right.length);
}

const far = 1_000;
const smaller = (one: number, other: number): number => (one < other ? one : other);
const at = (row: Float64Array, column: number): number => row[column] ?? far;

/** A call that has failed in the same way before. */
export interface Repetition {
  /** How often in a row, this time counted: 2 or more. */
  readonly times: number;
  /** From this many on the model is told to stop. */
  readonly limit: number;
}

/** The sentence that says so. */
export const repetitionSentence = ({ times }: Repetition): string =>
  `This is the same call again: it has failed in the same way ${times} times in a row.`;

/** The sentence that ends the message. `listed`: what of the arguments the model reads to be wrong. */
export function closingOfRepetition({ times, limit }: Repetition, listed: 'issues' | 'nothing'): string {
  if (times >= limit)
    return 'Stop trying: do not send this call again. Do it in another way, or say what is missing.';
  return listed === 'issues'
    ? 'Do not send the same arguments again: correct what is listed, then send the whole call.'
    : 'Do not send it unchanged: send other arguments, or do it in another way.';
}

// As a path: `edits[0].find`.
/** Keys that are shown, at most; the innermost ones. */
const mostKeys = 6;

/** Names as they are where they are plain, else quoted and cut. */
export const shownPath = (keys: readonly string[]): string => keys.slice(-mostKeys).reduce(joinKey, '');

function joinKey(path: string, key: string): string {
  if (/^\d+$/.test(key)) return `${path}[${key}]`;
  const name = /^[\w$-]{1,64}$/.test(key) ? key : quote(key);
  return path === '' ? name : `${path}.${name}`;
}
