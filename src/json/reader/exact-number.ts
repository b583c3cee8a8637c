// Does a number literal survive becoming a JavaScript number?

/**
 * True if the literal (JSON's grammar) and the number it becomes have the same decimal value:
 * `1.50` and `1e2` do, `12345678901234567890` and `1e400` don't.
 */
export function survivesAsNumber(literal: string): boolean {
  if (literal.length > longestLiteral) return false;
  const number = Number(literal);
  return Number.isFinite(number) && decimalOf(literal) === decimalOf(String(number));
}

/** The number nearest to a literal, always a finite one: what stands in a JSON value has a JSON form. */
export const nearestNumber = (literal: string): number =>
  Math.min(Math.max(Number(literal), -Number.MAX_VALUE), Number.MAX_VALUE);

/** Beyond the 309 digits of the largest number nobody means a number; it keeps the exponent's BigInt small. */
export const longestLiteral = 400;

/** One spelling for every decimal value: its significant digits and the power of ten of the last of them. */
function decimalOf(literal: string): string {
  const parts = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(literal);
  if (parts === null) return literal;
  const [, whole = '', fraction = '', exponent = '0'] = parts;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = withoutTrailingZeros(digits);
  if (significant === '') return '0';
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${literal.startsWith('-') ? '-' : ''}${significant}e${power}`;
}

// A regular expression would look at every run of zeros again from each of its zeros.
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end -= 1;
  return digits.slice(0, end);
}

/** The literal at the start of a piece of text. A loop: a regular expression overflows the stack on millions of digits. */
export function literalIn(text: string, start: number, end: number): string {
  let at = start;
  while (at < end && '0123456789.eE+-'.includes(text.charAt(at))) at += 1;
  return text.slice(start, at);
}
