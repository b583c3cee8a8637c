// What must be known of a JSON text before, or beside, parsing it? One pass, no value is made.

export interface TextScan {
  /** Colons outside strings: as many as there are members, double ones included. */
  readonly colons: number;
  /** The deepest nesting of `[` and `{` outside strings. */
  readonly depth: number;
  /** A number may lose digits: 16 of them in a row, or an exponent. */
  readonly longNumber: boolean;
  /** JSON can't be like this: a character that it has nowhere outside strings, or a second container at the root. */
  readonly isNoJson: boolean;
  /** A number has a fraction or an exponent, or is -0, so that JavaScript may print it differently. */
  readonly spelledNumber: boolean;
}

const quote = 34;
const colon = 58;
const openBracket = 91;
const openBrace = 123;
const closeBracket = 93;
const closeBrace = 125;
const minus = 45;
const zero = 48;
const nine = 57;
const longRun = 16;

/** Reads text as JSON's tokens would fall; for text that is no JSON the counts mean nothing. */
export function scanText(text: string): TextScan {
  let colons = 0;
  let depth = 0;
  let deepest = 0;
  let digits = 0;
  let longNumber = false;
  let spelledNumber = false;
  let roots = 0;
  let hasOther = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= zero && code <= nine) {
      digits += 1;
      if (digits === longRun) longNumber = true;
    } else if (code === quote) {
      at = endOfString(text, at);
      digits = 0;
    } else {
      if (code === colon) colons += 1;
      else if (code === minus) spelledNumber ||= text.charCodeAt(at + 1) === zero;
      else if (code === openBrace || code === openBracket) {
        if (depth === 0) roots += 1;
        deepest = Math.max(deepest, (depth += 1));
      } else if (code === closeBrace || code === closeBracket) depth -= 1;
      else if (digits > 0 && isNumberPart(code)) {
        // A point goes on with the run, an exponent is looked at closely.
        longNumber ||= code !== 46;
        spelledNumber = true;
        continue;
      } else if (code > 127 || outsideStrings[code] === 0) hasOther = true;
      digits = 0;
    }
  }
  return { colons, depth: deepest, longNumber, spelledNumber, isNoJson: hasOther || roots > 1 };
}

/** What else JSON has outside strings: commas, blanks, signs, and the letters of true, false, null and exponents. */
const outsideStrings = new Uint8Array(128);
for (const character of ', \t\r\n+.eEtrufalsn') outsideStrings[character.charCodeAt(0)] = 1;

const isNumberPart = (code: number): boolean => code === 46 || code === 101 || code === 69;

/** The position of the quote that ends the string starting at `start`, or the text's end. */
function endOfString(text: string, start: number): number {
  for (let at = start; ;) {
    at = text.indexOf('"', at + 1);
    if (at === -1) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 92) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
}
