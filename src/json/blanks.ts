/** What may come next after blanks. This decides which comments count as blanks. */
export type BlankPlace = 'member' | 'element' | 'colon';

/** The offset behind JSON's whitespace (RFC 8259, section 2) at `at`. */
export function endOfBlanks(text: string, at: number): number {
  let end = at;
  for (let code = text.charCodeAt(end); isBlank(code); code = text.charCodeAt(end)) end += 1;
  return end;
}

const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/** The offset behind whitespace, comments and `\n` written out. */
export function endOfLooseBlanks(text: string, at: number, place: BlankPlace): number {
  // Most tokens have no blanks between them.
  if (startsToken(text.charCodeAt(at))) return at;
  let end = at;
  for (let next = behindOneBlank(text, end, place); next > end; next = behindOneBlank(text, end, place))
    end = next;
  return end;
}

function behindOneBlank(text: string, at: number, place: BlankPlace): number {
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
  return character !== '' && /\s/.test(character) ? at + 1 : at;
}

/** True for nearly all characters behind a token: quotes, brackets, commas, digits, letters. */
const startsToken = (code: number): boolean =>
  (code > 35 && code < 47) || (code > 47 && code < 92) || (code > 92 && code < 127) || code === 34;

/**
 * The offset behind a comment, which ends with its line; undefined if it may be content: if it follows a colon, touches a value,
 * has a quote in it, is a value or bracket that was commented out, or ends the text. In a list, `#ff0000` and `//cdn.example` are
 * content too.
 */
function endOfComment(text: string, at: number, mark: number, place: BlankPlace): number | undefined {
  if (place === 'colon' || !/^[\s,{[]?$/.test(text.charAt(at - 1))) return undefined;
  const end = text.indexOf('\n', at);
  if (end === -1 || endOfBlanks(text, end) === text.length) return undefined;
  const line = text.slice(at + mark, end);
  if (quoteInLine.test(line) || commentedOut.test(line)) return undefined;
  const mayBeElement = place === 'element' && (!/^\s/.test(line) || /,\s*$/.test(line));
  return mayBeElement ? undefined : end;
}

/** A literal alone, or a bracket at either end. */
const commentedOut = /^\s*(?:-?\d[\d.eE+-]*|true|false|null|True|False|None)\s*$|^\s*[{}[\]]|[{}[\]]\s*$/;

/** An apostrophe between two letters is not a quote. */
const quoteInLine = /["“”„‘]|(?<!\p{L})['’]|['’](?!\p{L})/u;

function endOfBlock(text: string, at: number): number {
  const end = text.indexOf('*/', at + 2);
  return end === -1 || quoteInLine.test(text.slice(at, end)) ? at : end + 2;
}
