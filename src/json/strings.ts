import { matchAt } from './tokens.ts';

export interface StringReading {
  readonly value: string;
  /** Offset after the closing quote. */
  readonly end: number;
}

/** `cut`: the text ends inside the string. */
export type StringFailure = 'syntax' | 'cut';

/** Reads the strict string (RFC 8259, section 7) at `start`; undefined if none opens there. */
export function readStrictString(
  text: string,
  start: number,
): StringReading | StringFailure | undefined {
  if (text.charAt(start) !== '"') return undefined;
  const end = endOfBody(text, start + 1, '"');
  if (end === undefined) return 'cut';
  const body = text.slice(start + 1, end);
  if (controlCharacter.test(body)) return 'syntax';
  if (!body.includes('\\')) return { value: body, end: end + 1 };
  return escapesIn(body).some((escape) => !isKnown(escape))
    ? 'syntax'
    : { value: decodeEscapes(body), end: end + 1 };
}

/**
 * Reads a string with any of the delimiters that models use; undefined if none opens at `start`.
 */
export function readLooseString(
  text: string,
  start: number,
): StringReading | StringFailure | undefined {
  const closers = closersAt(text, start);
  if (closers === undefined) return readWholeDelimiters(text, start);
  const end = endOfBody(text, start + 1, closers);
  if (end === undefined) return 'cut';
  const value = decodeLoosely(text.slice(start + 1, end), closers);
  return value === undefined ? 'syntax' : { value, end: end + 1 };
}

/** Reads a value: as any string, or between three quotes, whose content is verbatim. */
export const readLooseText = (
  text: string,
  start: number,
): StringReading | StringFailure | undefined =>
  readTripleQuoted(text, start) ?? readLooseString(text, start);

/**
 * The content of what is a string from `start` to `end`, even if quotes in it aren't escaped;
 * undefined if it can be read in two ways.
 */
export function readLooseSpan(text: string, start: number, end: number): string | undefined {
  const whole = readLooseText(text, start);
  if (typeof whole === 'object' && whole.end === end) return whole.value;
  return decodeLoosely(text.slice(start + 1, end - 1), closersAt(text, start) ?? '"');
}

/** The quotes that end a string that a quote opens at `start`; undefined for other characters. */
export function closersAt(text: string, start: number): string | undefined {
  const code = text.charCodeAt(start);
  if (code === 34) return '"';
  return code === 39 || code > 127 ? closersOf.get(text.charAt(start)) : undefined;
}

const closersOf: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['\u201c', '\u201c\u201d'],
  ['\u201d', '\u201d'],
  // A second one may open a quotation, or the next string after one that was not closed.
  ['\u201e', '\u201c\u201d\u201e'],
  ['\u2018', '\u2018\u2019'],
]);

export const opensString = (text: string, at: number): boolean =>
  closersAt(text, at) !== undefined || text.startsWith('\\"', at) || text.startsWith('<|', at);

/**
 * The offset of the quote that ends a string, from inside it: the first of some that has no
 * backslash before it; undefined if there is none.
 */
export function endOfBody(text: string, start: number, closers: string): number | undefined {
  if (closers === '"') {
    const end = endOfString(text, start - 1);
    return end < text.length ? end : undefined;
  }
  // NaN, which equals nothing, if there are fewer.
  const [first, second, third] = [0, 1, 2].map((index) => closers.charCodeAt(index));
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === first || code === second || code === third) return at;
    if (code === 92) at += 1;
  }
  return undefined;
}

// eslint-disable-next-line no-control-regex -- they are what is looked for
const controlCharacter = /[\u0000-\u001f]/;
/** `\underline` has no code after its `\u`, so that a name starts there. */
const everyEscape = /\\(?:u[0-9a-fA-F]{4}|u[g-z]|[^])/gu;

/**
 * Whether a string, as it is written, has a `\u` with no code after it, where escapes count: not
 * in a path with a drive letter.
 */
export const startsName = (string: string): boolean =>
  string.includes('\\u') && nameAfterU.test(string);

const nameAfterU = /^(?!"""|'''|<\||.[A-Za-z]:\\)[^]*?(?<!\\)\\u[g-z]/;

/** The escapes in a string, as written: `\n`, `\u00e9`, `\d`. */
const escapesIn = (body: string): readonly string[] => body.match(everyEscape) ?? [];

const isKnown = (escape: string): boolean => escape.length === 6 || /^\\["\\/bfnrt]$/.test(escape);

const meanings: ReadonlyMap<string, string> = new Map([
  ['\\b', '\b'],
  ['\\f', '\f'],
  ['\\n', '\n'],
  ['\\r', '\r'],
  ['\\t', '\t'],
  ['\\"', '"'],
  ["\\'", "'"],
  ['\\\\', '\\'],
  ['\\/', '/'],
]);

const decodeEscapes = (body: string): string =>
  body.replace(everyEscape, (escape) => meaningOf(escape));

/** Decodes an escape; one that JSON doesn't know keeps its backslash. */
const meaningOf = (escape: string): string =>
  meanings.get(escape) ??
  (escape.length === 6 ? String.fromCharCode(Number.parseInt(escape.slice(2), 16)) : escape);

/**
 * The content of a string between other quotes, or with escapes that JSON doesn't know; undefined
 * if it can be read in two ways. Unknown escapes keep their backslash. Beside `\n` and the like
 * they are refused, because the whole text or only a part of it may have been written without
 * escapes. In a path with a drive letter, all backslashes are literal.
 */
function decodeLoosely(body: string, closers: string): string | undefined {
  if (!body.includes('\\')) return body;
  const escapes = escapesIn(body);
  // After a drive letter, `\t` may be a tab or the start of a folder's name.
  const isOfDelimiter = (escape: string): boolean => closers === "'" && escape === "\\'";
  if (escapes.every((escape) => isKnown(escape) || isOfDelimiter(escape)))
    return /^[A-Za-z]:\\[bfnrt]/.test(body) ? undefined : decodeEscapes(body);
  if (/^[A-Za-z]:\\/.test(body)) {
    return escapes.includes('\\"') ? undefined : body.replaceAll('\\\\', '\\');
  }
  // The two backslashes before a server's name may be escaped or not.
  if (/^\\\\[\w.$-]+\\/.test(body)) return undefined;
  // What was escaped at one place may not have been at another.
  const isEscaped = (escape: string): boolean => escape.length === 6 || escape === '\\\\';
  if (escapes.some(isEscaped)) return undefined;
  const isRefused = closers === "'" ? refusedInPython : refusedEscape;
  return escapes.some((escape) => isRefused.test(escape)) ||
    /\\N\{/.test(body) ||
    mayEndInBackslash(escapes, body)
    ? undefined
    : decodeEscapes(body);
}

/**
 * Whether the last quote in a string is escaped, and closes none before it. If backslashes are not
 * escaped, as in `"\\dir\\""`, it may end the string, which then ends in a backslash.
 */
const mayEndInBackslash = (escapes: readonly string[], body: string): boolean =>
  body.endsWith('\\"') && escapes.filter((escape) => escape === '\\"').length % 2 === 1;

/**
 * Escapes that JSON decodes, a broken `\u`, whose character is unknown, `\x`, which may be a
 * character too, and a letter outside ASCII, which stands where the rest of an escape is lost.
 */
const refusedEscape = /^\\(?:[bfnrtux]|(?![A-Za-z])\p{L})$/u;
/** Escapes that Python would decode. It drops a backslash before a line break. */
const refusedInPython = /^\\(?:[bfnrtuxUav0-7\n\r]|(?![A-Za-z])\p{L})$/u;

/** Reads a string between escaped quotes or quote tokens: `\"x\"`, `<|"|>x<|"|>`. */
function readWholeDelimiters(
  text: string,
  start: number,
): StringReading | StringFailure | undefined {
  if (text.startsWith('\\"', start)) return readEscapedString(text, start);
  if (matchAt(quoteToken, text, start) === null) return undefined;
  const from = quoteToken.lastIndex;
  const closingToken = /<\|\\?"\|?>/g;
  const end = matchAt(closingToken, text, from);
  return end === null ? 'cut' : { value: text.slice(from, end.index), end: closingToken.lastIndex };
}

const quoteToken = /<\|\\?"\|?>/y;

/**
 * Whether an escaped or a curly quote at an offset is content, because the first quote of the text
 * is another one.
 */
export function isContentQuote(text: string, at: number, start: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 92) return text.charAt(text.indexOf('"', start) - 1) !== '\\';
  if (!(code > 127 && closersOf.has(text.charAt(at)))) return false;
  const [first = ''] = matchAt(firstQuote, text, start) ?? [];
  return !(first.charCodeAt(0) > 127);
}

const firstQuote = /["'“”„‘]/g;

/**
 * The first delimiter is escaped, the last one may be. An escape inside has two readings, so it is
 * refused.
 */
function readEscapedString(text: string, start: number): StringReading | StringFailure {
  const quote = text.indexOf('"', start + 2);
  if (quote === -1) return 'cut';
  const end = text.charAt(quote - 1) === '\\' ? quote - 1 : quote;
  const value = text.slice(start + 2, end);
  return value.includes('\\') ? 'syntax' : { value, end: quote + 1 };
}

/**
 * Python's `"""x"""`; undefined if it isn't one, has nothing but quotes and commas in it, which may
 * be separators, or has a backslash, which has other meanings in Python.
 */
export function readTripleQuoted(text: string, start: number): StringReading | undefined {
  const quotes = text.startsWith('"""', start)
    ? '"""'
    : text.startsWith("'''", start)
      ? "'''"
      : undefined;
  const end = quotes === undefined ? -1 : text.indexOf(quotes, start + 3);
  if (end === -1) return undefined;
  const value = text.slice(start + 3, end);
  const isRefused =
    value.includes('\\') ||
    onlySeparators.test(value) ||
    matchAt(afterTriple, text, end + 3) === null;
  return isRefused ? undefined : { value, end: end + 3 };
}

const onlySeparators = /^\s*[,"'][\s,"']*$/;
const afterTriple = /\s*[,}\])]/y;

/**
 * Text of a container in which all quotes are `\'`, with plain ones; undefined for any other text:
 * beside another quote or another backslash, what is escaped has two readings.
 */
export const withPlainQuotes = (text: string): string | undefined =>
  onlyEscapedQuotes.test(text) ? text.replaceAll("\\'", "'") : undefined;

const onlyEscapedQuotes = /^\s*[[{][^"'\\]*(?:\\'[^"'\\]*)+$/;

/** The offset of the quotation mark that ends the string starting at `start`, or the text's end. */
export function endOfString(text: string, start: number): number {
  for (let at = start; ;) {
    at = text.indexOf('"', at + 1);
    if (at === -1) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 92) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
}
