// What do keys without quotes, numbers and words look like in JSON text?

const strictWord = /(?:true|false|null)(?![\w.])/y;
const looseWord = /(?:true|false|null|True|False|None)(?![\w.])/y;
/** A key without quotes; nobody's is longer. */
export const bareKey = /([A-Za-z_$][\w$.-]{0,999})"?(?=\s*:)/y;
export const scalarWords: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
]);

/** The number or word that begins at a place and ends where neither could go on; undefined if none does. */
export function scalarAt(text: string, start: number, mode: 'strict' | 'loose'): string | undefined {
  if (!isDigit(text, text.charAt(start) === '-' ? start + 1 : start)) {
    const word = mode === 'strict' ? strictWord : looseWord;
    word.lastIndex = start;
    return word.exec(text)?.[0];
  }
  const end = endOfNumber(text, start);
  return /[\w.]/.test(text.charAt(end)) ? undefined : text.slice(start, end);
}

/** Loops: a regular expression overflows the stack on millions of digits. */
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
