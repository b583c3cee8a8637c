import { once } from '../collections/once.ts';
import { nearestNumber } from './number-literals.ts';

/** What may come next after blanks. This decides which comments count as blanks. */
export type BlankPlace = 'member' | 'element' | 'colon';

/** What a sticky pattern finds at an offset. `pattern.lastIndex` is then the offset after it. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The offset after JSON's whitespace (RFC 8259, section 2) at `at`. */
export function endOfBlanks(text: string, at: number): number {
  let end = at;
  for (let code = text.charCodeAt(end); isBlank(code); code = text.charCodeAt(end)) end += 1;
  return end;
}

const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/** The offset after whitespace, comments and `\n` written out. */
export function endOfLooseBlanks(text: string, at: number, place: BlankPlace): number {
  let end = at;
  for (
    let nextEnd = afterOneBlank(text, end, place);
    nextEnd > end;
    nextEnd = afterOneBlank(text, end, place)
  )
    end = nextEnd;
  return end;
}

function afterOneBlank(text: string, at: number, place: BlankPlace): number {
  const code = text.charCodeAt(at);
  if (isBlank(code)) return at + 1;
  if (startsToken(code)) return at;
  const character = text.charAt(at);
  if (character === '#') return endOfComment(text, at, 1, place) ?? at;
  if (character === '/') {
    if (text.startsWith('/*', at)) return endOfBlock(text, at);
    return text.startsWith('//', at) ? (endOfComment(text, at, 2, place) ?? at) : at;
  }
  if (character === '\\') return /[nrt]/.test(text.charAt(at + 1)) ? at + 2 : at;
  return /\s/.test(character) ? at + 1 : at;
}

/** True for nearly all characters after a token: quotes, brackets, commas, digits, letters. */
const startsToken = (code: number): boolean =>
  (code > 35 && code < 47) || (code > 47 && code < 92) || (code > 92 && code < 127) || code === 34;

/**
 * The offset after a comment, which ends with its line; undefined if it may be content: if it
 * follows a colon, touches a value, has a quote in it, is a value or bracket that was commented
 * out, or ends the text. In a list, `#ff0000` and `//cdn.example` are content too.
 */
function endOfComment(
  text: string,
  at: number,
  mark: number,
  place: BlankPlace,
): number | undefined {
  if (place === 'colon' || !/^[\s,{[]?$/.test(text.charAt(at - 1))) return undefined;
  const end = text.indexOf('\n', at);
  if (end === -1 || endOfBlanks(text, end) === text.length) return undefined;
  const line = text.slice(at + mark, end);
  if (quoteInLine.test(line) || commentedOut.test(line)) return undefined;
  const mayBeElement = place === 'element' && (!/^\s/.test(line) || /,\s*$/.test(line));
  return mayBeElement ? undefined : end;
}

/** A literal alone or after a name and a colon, or a bracket at either end. */
const commentedOut =
  /^\s*(?:[\w$-]+\s*:\s*)?(?:-?\d[\d.eE+-]*|true|false|null|True|False|None)\s*,?\s*$|^\s*[{}[\]]|[{}[\]]\s*$/;

/** An apostrophe between two letters is not a quote. */
const quoteInLine = /["“”„‘]|(?<!\p{L})['’]|['’](?!\p{L})/u;

function endOfBlock(text: string, at: number): number {
  const end = text.indexOf('*/', at + 2);
  const content = text.slice(at + 2, Math.max(at + 2, end));
  const mayBeContent = quoteInLine.test(content) || commentedOut.test(content);
  return end === -1 || mayBeContent ? at : end + 2;
}

const strictWord = /(?:true|false|null)(?![\w.])/y;
/** JSON's, Python's, and those of languages that write literals in capitals. */
const looseWord = /(?:[Tt]rue|TRUE|[Ff]alse|FALSE|[Nn]ull|NULL|None)(?![\w.])/y;
/** A key without quotes, or one that lost its opening quote. */
const bareKey = /((?:[A-Za-z_$]|-?\d)[\w$.-]{0,999})("?)(?=\s*:)/y;
/** By their lower case. */
const words: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
  ['none', null],
]);

/** The value of a number or word as the text spells it. */
export function scalarValue(token: string): number | boolean | null {
  const word = words.get(token.toLowerCase());
  return word === undefined ? nearestNumber(token) : word;
}

/**
 * The number or word at an offset that ends where neither could go on; undefined if there is none.
 */
export function scalarAt(
  text: string,
  start: number,
  mode: 'strict' | 'loose',
): string | undefined {
  if (!isDigit(text, text.charAt(start) === '-' ? start + 1 : start)) {
    const word = mode === 'strict' ? strictWord : looseWord;
    return matchAt(word, text, start)?.[0];
  }
  const end = endOfNumber(text, start);
  return /[\w.]/.test(text.charAt(end)) ? undefined : text.slice(start, end);
}

/** A regular expression overflows the stack on millions of digits. */
function endOfNumber(text: string, start: number): number {
  const first = text.charAt(start) === '-' ? start + 1 : start;
  let end = text.charAt(first) === '0' ? first + 1 : endOfDigits(text, first);
  if (text.charAt(end) === '.' && isDigit(text, end + 1)) end = endOfDigits(text, end + 1);
  if (!/[eE]/.test(text.charAt(end))) return end;
  const exponent = /[+-]/.test(text.charAt(end + 1)) ? end + 2 : end + 1;
  return isDigit(text, exponent) ? endOfDigits(text, exponent) : end;
}

function endOfDigits(text: string, start: number): number {
  let end = start;
  while (isDigit(text, end)) end += 1;
  return end;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/**
 * The key without an opening quote at an offset, if a colon follows; `hasQuote`: it has a closing
 * quote.
 */
export function bareKeyAt(
  text: string,
  start: number,
): { readonly name: string; readonly end: number; readonly hasQuote: boolean } | undefined {
  const [whole, name = '', quote] = matchAt(bareKey, text, start) ?? [];
  return whole === undefined
    ? undefined
    : { name, end: start + whole.length, hasQuote: quote === '"' };
}

/** The key at an offset whose opening quote is doubled: `""path":`. */
export function doubledKeyAt(
  text: string,
  start: number,
): { readonly name: string; readonly end: number } | undefined {
  const key = text.startsWith('""', start) ? bareKeyAt(text, start + 2) : undefined;
  return key?.hasQuote === true ? key : undefined;
}

/**
 * The word at an offset that can only be a path: it has a slash or a drive letter, and goes up to a
 * comma or a closer.
 */
export const barePathAt = (text: string, at: number): string | undefined =>
  matchAt(barePath(), text, at)?.[0];

/** Backslashes are only those of a path with a drive letter; others may be escapes. */
const barePath = once(
  () =>
    /(?:[A-Za-z]:\\(?!\\)(?:[\p{L}\p{N}_\-./:@~+$]|\\(?!\\))*|(?![\d+\-$])(?=[^,}\]]*\p{L})[\p{L}\p{N}_\-.:@~+$]*\/[\p{L}\p{N}_\-./:@~+$]*)(?<!:)(?=\s*[,}\]])/uy,
);

// Strict JSON as patterns. A string with a drive letter before `\t` and the like isn't matched: it
// may be a tab or start a folder's name.

const string = String.raw`"(?![A-Za-z]:\\[bfnrt])[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"`;
const tokenList = (token: string): string => String.raw`\s*(?:${token}\s*(?:,\s*${token}\s*)*)?`;
const containerOf = (value: string): string =>
  String.raw`(?:\[${tokenList(value)}\]|\{${tokenList(String.raw`${string}\s*:\s*${value}`)}\})`;
const orContainerOf = (value: string): string => `(?:${scalarPattern}|${containerOf(value)})`;

export const scalarPattern = String.raw`(?:${string}|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)`;
/** A container of at most three levels. */
export const containerPattern = containerOf(orContainerOf(orContainerOf(scalarPattern)));
