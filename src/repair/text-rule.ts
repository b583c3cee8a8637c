import { types } from 'node:util';
import type { NumberTexts, RepeatedKey, Unreadable } from '../json/exact-numbers.ts';
import { readJson, readJsonPrefix } from '../json/lenient-parser.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';
import { quote } from '../json/preview.ts';
import type { Issue } from '../messages/issue.ts';
import { namesAnotherTool } from './named-tool.ts';

// UTF-8 or none: a character that is replaced is a character that is lost.
/** Bytes of any realm. */
export const isBytes = (sent: unknown): sent is Uint8Array => types.isUint8Array(sent);

/** `cut`: the bytes end inside a character. A byte order mark is no part of the text. */
export type BytesReading =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'invalid_utf8' | 'cut' };

/** Decodes strictly; never throws. */
export function decodeBytes(bytes: Uint8Array): BytesReading {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const whole = attempt(() => decoder.decode(bytes, { stream: true }));
  if (whole === undefined) return { kind: 'invalid_utf8' };
  const rest = attempt(() => decoder.decode());
  return rest === undefined ? { kind: 'cut' } : { kind: 'text', text: whole + rest };
}

function attempt(decode: () => string): string | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

// `{"a": 1}, "b": 2}`. Told only where no other closer could be the one too many: no object in front goes on with a
// key behind an object, so that it could have gone on inside it.
/** The text without that closer; undefined if there is none. */
export function withoutEarlyEnd(text: string, maxDepth: number): string | undefined {
  const start = text.search(/\S/);
  if (start === -1 || text.charAt(start) !== '{') return undefined;
  const first = readJsonPrefix(text, start, maxDepth, 'loose');
  if (first === undefined || text.charAt(first.end - 1) !== '}') return undefined;
  nextMember.lastIndex = first.end;
  if (!nextMember.test(text) || mayEndLater(first.value)) return undefined;
  return text.slice(0, first.end - 1) + text.slice(first.end);
}

const nextMember = /\s*,\s*(?:"[^"\\]*"|'[^'\\]*'|[A-Za-z_$][\w$]*)\s*:/y;

/** Somewhere in it a key follows a closed object. */
function mayEndLater(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.some(mayEndLater);
  if (!isJsonObject(value)) return false;
  const members = Object.values(value);
  // Keys that are numbers are no longer in the order in which they were written.
  const isInOrder = !Object.keys(value).some((key) => /^\d+$/.test(key));
  const earlier = isInOrder ? members.slice(0, -1) : members;
  return earlier.some((member) => isJsonObject(member)) || members.some(mayEndLater);
}

// It sees argument text that is no JSON object and proposes what it says, losing no character of a value.
/** A rule's own facts: its row in docs/rules.md. */
export interface TextRule {
  /** snake_case; the file's name with underscores. */
  readonly id: string;
  readonly sends: string;
  readonly becomes: string;
  readonly notWhen: string;
  /** `lossless`: it acts on destructive tools too. */
  readonly keeps: 'lossless' | 'lossy';
  propose(question: TextQuestion): TextProposal;
}

/** How the text ended, as the provider says; `unknown` never mends an end. */
export type TextEnd = 'normal' | 'cut' | 'unknown';

export interface TextQuestion {
  readonly text: string;
  /** The root, where the text is JSON of something else than an object. */
  readonly root: JsonValue | undefined;
  readonly end: TextEnd;
  readonly maxDepth: number;
  /** undefined: nobody has said. */
  readonly toolName: string | undefined;
  /** `none`: the tool declares no arguments. `optional`: it requires none. */
  readonly declared: 'none' | 'optional' | 'required';
}

/** `text`: less around it, looked at again. `object`: what it says. `repeated`: a key with two values, so nothing. */
export type TextProposal =
  | { readonly kind: 'silent' }
  | { readonly kind: 'text'; readonly text: string }
  | RepeatedInText
  | ObjectInText;

export interface RepeatedInText {
  readonly kind: 'repeated';
  readonly repeated: RepeatedKey | undefined;
}

export interface ObjectInText {
  readonly kind: 'object';
  readonly value: JsonObject;
  readonly numbers: NumberTexts;
  readonly repeatedKeys: readonly RepeatedKey[];
}

export const silent: TextProposal = { kind: 'silent' };

// Only what is certain of it: no object, several, or where strict reading stopped.
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
function whyNoJson(text: string, reading: Unreadable, facts: ReadText): string {
  const { limits, excerpts } = facts;
  if (namesAnotherTool(text, facts.toolName)) return 'they call another tool';
  const start = text.indexOf('{');
  if (start === -1) return 'they contain no object';
  const first = readJsonPrefix(text, start, limits.depth);
  if (first !== undefined) {
    const next = text.indexOf('{', first.end);
    const isSecond = next !== -1 && readJsonPrefix(text, next, limits.depth) !== undefined;
    if (isSecond) return 'they contain more than one object, send only one';
  }
  // Words in front of an object are not what is wrong with it.
  const at = first === undefined ? start + stopIn(text.slice(start), limits.depth) : reading.at;
  const after = text.slice(at, at + longestExcerpt * 8);
  const shown = excerpts === 'hidden' || after === '' ? '' : `, before ${quote(after, longestExcerpt)}`;
  return `the error is at ${positionOf(text, at)}${shown}${escapeAdvice(text.slice(0, at), after)}`;
}

/** What is written with a backslash inside a text, where that is what stopped the reading. */
function escapeAdvice(before: string, after: string): string {
  if (unknownEscape.test(after)) return '; inside a string a backslash is written \\\\';
  return quoteInside.test(before) && /^\p{L}/u.test(after) ? '; inside a string a quote is written \\"' : '';
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
  return `line ${before.split('\n').length}, column ${at - lineStart + 1}`;
}

// One issue, about the call as a whole.
export interface Refused {
  readonly kind: 'refused';
  readonly issue: Issue;
}

export const refuse = (keyword: string, facts: Partial<Issue>): Refused => ({
  kind: 'refused',
  issue: { keyword, path: '', ...facts },
});

/** The provider says that the answer ended too early. */
export const refuseCut = (): Refused =>
  refuse('truncated', { advice: 'if they are too long, split the work into several calls' });

export const refuseRepeated = (repeated: RepeatedKey | undefined): Refused =>
  refuse('duplicate_key', repeated === undefined ? {} : { path: repeated.path, key: repeated.key });

/** A number or a word of JSON's that goes on. */
const unfinishedWord = /^(?:-|-?\d+(?:\.|(?:\.\d+)?[eE][+-]?)|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/;

/** `reading`: of the whole text, by the rules of JSON. */
export function refuseReading(
  text: string,
  reading: Unreadable,
  facts: ReadText & { readonly end: TextEnd },
): Refused {
  const { reason, repeated } = reading;
  const { end, limits } = facts;
  if (reason === 'too_deep') return refuse('too_deep', { expected: `at most ${limits.depth} levels` });
  if (reason === 'duplicate_key') return refuseRepeated(repeated);
  // Nothing came, and nobody says that there was more.
  if (end !== 'cut' && text.trim() === '') return refuse('not_sent', {});
  if (end === 'cut') return refuseCut();
  if (reason === 'cut' || unfinishedWord.test(text.slice(reading.at)))
    return refuse('truncated', { advice: 'close every string, array and object' });
  return refuse('not_json', { advice: whyNoJson(text, reading, facts) });
}

// Each provider has its own words for it.
const normal: ReadonlySet<string> = new Set([
  'stop',
  'tool_calls',
  'tool_use',
  'function_call',
  'end_turn',
  'tool-calls',
  'tool_call',
  'completed',
]);
const cut: ReadonlySet<string> = new Set([
  'length',
  'max_tokens',
  'max_output_tokens',
  'content_filter',
  'content-filter',
  'content_filtered',
  'guardrail_intervened',
  'refusal',
  'safety',
  'model_length',
  'model_context_window_exceeded',
  'incomplete',
  'cancelled',
  'failed',
  'abort',
  'error',
]);

/** Any word that isn't known says nothing of the end. */
export function textEndOf(finishReason: string | undefined): TextEnd {
  if (finishReason === undefined) return 'unknown';
  const word = finishReason.toLowerCase();
  if (normal.has(word)) return 'normal';
  return cut.has(word) ? 'cut' : 'unknown';
}

/** What the end of a whole answer says of a call that another one follows: it had ended before. */
export const endOfEarlier = (finishReason: string | null | undefined): string | undefined =>
  textEndOf(finishReason ?? undefined) === 'cut' ? undefined : (finishReason ?? undefined);
