// How is a string read from JSON text, and from what models write for it?

export interface StringReading {
  readonly value: string;
  /** Offset behind the closing quote. */
  readonly end: number;
}

/** Why no string could be read: `cut` if the text ended inside. */
export type StringFailure = 'syntax' | 'cut';

/** Reads the strict string (RFC 8259, section 7) at `start`; undefined if none opens there. */
export function readStrictString(text: string, start: number): StringReading | StringFailure | undefined {
  if (text.charAt(start) !== '"') return undefined;
  const body = bodyOf(text, start + 1, '"');
  if (body === undefined) return 'cut';
  const raw = text.slice(start, body.end + 1);
  if (body.escapes.size === 0 && !controlCharacter.test(raw))
    return { value: raw.slice(1, -1), end: body.end + 1 };
  if (controlCharacter.test(raw) || [...body.escapes].some((escape) => !isKnown(escape))) return 'syntax';
  return { value: decodeEscapes(raw.slice(1, -1)), end: body.end + 1 };
}

/** Reads a string with any of the delimiters that models use; undefined if none opens at `start`. */
export function readLooseString(text: string, start: number): StringReading | StringFailure | undefined {
  if (text.startsWith('\\"', start)) return readEscapedString(text, start);
  const closers = closersOf.get(text.charAt(start));
  if (closers === undefined) return undefined;
  const body = bodyOf(text, start + 1, closers);
  if (body === undefined) return 'cut';
  const value = decodeLoosely(text.slice(start + 1, body.end), [...body.escapes]);
  return value === undefined ? 'syntax' : { value, end: body.end + 1 };
}

const closersOf: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['\u201c', '\u201c\u201d'],
  ['\u201d', '\u201d'],
  ['\u201e', '\u201c\u201d'],
  ['\u2018', '\u2018\u2019'],
]);

// eslint-disable-next-line no-control-regex -- they are what is looked for
const controlCharacter = /[\u0000-\u001f]/;

interface StringBody {
  /** Offset of the closing delimiter. */
  readonly end: number;
  /** The different escapes, as written: `\n`, `\u00e9`, `\d`. */
  readonly escapes: ReadonlySet<string>;
}

function bodyOf(text: string, start: number, closers: string): StringBody | undefined {
  const escapes = new Set<string>();
  const plain = plainTextUpTo.get(closers) ?? anyText;
  for (let at = start; at < text.length;) {
    plain.lastIndex = at;
    plain.test(text);
    at = plain.lastIndex;
    if (text.charAt(at) !== '\\') return at < text.length ? { end: at, escapes } : undefined;
    const escape = escapeAt(text, at);
    escapes.add(escape);
    at += escape.length;
  }
  return undefined;
}

const anyText = /[^]*/y;

/** What a string may hold up to its end or its next escape, by the closers that end it. */
const plainTextUpTo: ReadonlyMap<string, RegExp> = new Map(
  ['"', ...closersOf.values()].map((closers) => [closers, new RegExp(`[^\\\\${closers}]*`, 'y')]),
);

const unicodeEscape = /\\u[0-9a-fA-F]{4}/y;

function escapeAt(text: string, at: number): string {
  unicodeEscape.lastIndex = at;
  return unicodeEscape.exec(text)?.[0] ?? text.slice(at, at + 2);
}

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

const everyEscape = /\\(?:u[0-9a-fA-F]{4}|[^])/g;

const decodeEscapes = (body: string): string => body.replace(everyEscape, (escape) => meaningOf(escape));

// A backslash before anything that JSON doesn't know was meant as a backslash.
const meaningOf = (escape: string): string =>
  meanings.get(escape) ??
  (escape.length === 6 ? String.fromCharCode(Number.parseInt(escape.slice(2), 16)) : escape);

/**
 * Unknown escapes keep their backslash. Beside `\n` and its like they have two readings: was the whole
 * text written without escaping, or only a part? In a path with a drive letter it was the whole.
 */
function decodeLoosely(body: string, escapes: readonly string[]): string | undefined {
  if (escapes.every(isKnown)) return decodeEscapes(body);
  if (/^[A-Za-z]:\\/.test(body)) {
    return escapes.includes('\\"') ? undefined : body.replaceAll('\\\\', '\\');
  }
  // Two backslashes in front of a server's name: as they are, or escaped once?
  if (/^\\\\[\w.$-]+\\/.test(body)) return undefined;
  // A broken \u stands for a character that nobody can know.
  if (escapes.some((escape) => /^\\[bfnrtu]$/.test(escape))) return undefined;
  return decodeEscapes(body);
}

/** `\"x\"`: the delimiters came escaped, or the first one did. An escape inside has two readings, so none is read. */
function readEscapedString(text: string, start: number): StringReading | StringFailure {
  const quote = text.indexOf('"', start + 2);
  if (quote === -1) return 'cut';
  const end = text.charAt(quote - 1) === '\\' ? quote - 1 : quote;
  const value = text.slice(start + 2, end);
  return value.includes('\\') ? 'syntax' : { value, end: quote + 1 };
}
