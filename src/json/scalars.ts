import { nearestNumber } from './number-literals.ts';

const strictWord = /(?:true|false|null)(?![\w.])/y;
const looseWord = /(?:true|false|null|True|False|None)(?![\w.])/y;
/** A key without quotes, or one that lost its opening quote. */
const bareKey = /((?:[A-Za-z_$]|-?\d)[\w$.-]{0,999})("?)(?=\s*:)/y;
const words: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
]);

/** The value of a number or word as the text spells it. */
export function scalarValue(token: string): number | boolean | null {
  const word = words.get(token);
  return word === undefined ? nearestNumber(token) : word;
}

/** The number or word at an offset that ends where neither could go on; undefined if there is none. */
export function scalarAt(text: string, start: number, mode: 'strict' | 'loose'): string | undefined {
  if (!isDigit(text, text.charAt(start) === '-' ? start + 1 : start)) {
    const word = mode === 'strict' ? strictWord : looseWord;
    word.lastIndex = start;
    return word.exec(text)?.[0];
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

export interface BareKey {
  readonly name: string;
  /** Offset behind it. */
  readonly end: number;
  /** It has a closing quote, and no opening one. */
  readonly hasQuote: boolean;
}

/** The key without an opening quote at an offset; undefined if none is there, or no colon follows. */
export function bareKeyAt(text: string, start: number): BareKey | undefined {
  bareKey.lastIndex = start;
  const [whole, name, quote] = bareKey.exec(text) ?? [];
  return whole === undefined || name === undefined
    ? undefined
    : { name, end: start + whole.length, hasQuote: quote === '"' };
}
