// What may stand between two tokens? JSON's blanks; read loosely also comments, and `\\n` written out.

/** The offset behind JSON's blanks (RFC 8259, section 2) that start at `at`. */
export function endOfBlanks(text: string, at: number): number {
  let end = at;
  while (' \t\n\r'.includes(text.charAt(end)) && end < text.length) end += 1;
  return end;
}

/** The offset behind everything that a model may put between tokens and that says nothing. */
export function endOfLooseBlanks(text: string, at: number): number {
  let end = at;
  for (let next = behindOneBlank(text, end); next > end; next = behindOneBlank(text, end)) end = next;
  return end;
}

function behindOneBlank(text: string, at: number): number {
  const character = text.charAt(at);
  if (character === '' || startsToken(character)) return at;
  if (/\s/.test(character)) return at + 1;
  if (character === '#' || text.startsWith('//', at)) return endOfLine(text, at);
  if (text.startsWith('/*', at)) {
    const end = text.indexOf('*/', at + 2);
    return end === -1 ? at : end + 2;
  }
  return character === '\\' && /[nrt]/.test(text.charAt(at + 1)) ? at + 2 : at;
}

/** Nearly all characters behind a token: a quote, a bracket, a comma, a digit, a letter. */
const startsToken = (character: string): boolean =>
  (character > '#' && character < '/') || (character > '/' && character < '\\') || character === '"';

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}
