import { isContainer } from '../../collections/objects.ts';
import { type JsonValue, isJsonArray } from '../../json/value.ts';

/**
 * What the quotes in a string are that were read as content. `quotation`: marks around words.
 * `doubtful`: two of them may be the end of a string and the start of the next, as in `a" + "b`.
 * `delimiters`: they are, or one was lost.
 */
export type Quotes = 'quotation' | 'doubtful' | 'delimiters';

/** Classifies the quotes at some offsets of the string from `start` to `end`. */
export function classifyQuotes(
  text: string,
  start: number,
  end: number,
  quotes: readonly number[],
): Quotes {
  const pairs = pairedQuotes(text, start, end, quotes);
  const marks = quotes.filter((at) => !isApostrophe(text, at) && !pairs.has(at));
  if (marks.length % 2 !== 0) {
    // Another string after them could have lost a quote, too.
    const areInches = marks.every((at) => isInchSign(text, at)) && !/["']/.test(text.slice(end));
    return areInches ? 'quotation' : 'delimiters';
  }
  const cuts = [start, ...marks, end - 1];
  const pieces = cuts.slice(1).map((at, index) => text.slice((cuts[index] ?? start) + 1, at));
  const isWhole = pieces[0] === '' && pieces.at(-1) === '';
  const quotations = pieces.filter((_piece, index) => index % 2 === 1);
  if (isWhole || quotations.some((piece) => onlySeparators.test(piece))) return 'delimiters';
  const areQuotations = quotations.every(
    (piece, pair) =>
      words.test(piece) ||
      mayEnclose((pieces[pair * 2] ?? '').slice(-1), (pieces[pair * 2 + 2] ?? '').charAt(0)),
  );
  return areQuotations ? 'quotation' : 'doubtful';
}

/** Typographic quotes that open a quotation, each with those that close it. */
const closingQuotes: ReadonlyMap<string, string> = new Map([
  ['„', '“”'],
  ['“', '”'],
  ['«', '»'],
  ['‹', '›'],
  ['「', '」'],
]);

/**
 * The straight quotes that close a quotation which a typographic one has opened: `„so"`. An opener
 * touches no letter or digit on its left.
 */
function pairedQuotes(
  text: string,
  start: number,
  end: number,
  quotes: readonly number[],
): ReadonlySet<number> {
  const content = new Set(quotes);
  const pairs = new Set<number>();
  let closing: string | undefined;
  for (let at = start + 1; at < end - 1; at += 1) {
    const character = text.charAt(at);
    if (closing?.includes(character) === true) closing = undefined;
    else if (closing !== undefined && character === '"' && content.has(at)) {
      pairs.add(at);
      closing = undefined;
    } else if (closing === undefined && !/[\p{L}\p{N}]/u.test(text.charAt(at - 1)))
      closing = closingQuotes.get(character);
  }
  return pairs;
}

/** JSON’s, and the semicolon that models write in place of a comma. */
const onlySeparators = /(?:^|\n)[\s{}[\],:;]*$/;
const words = /^(?=[^]*[\p{L}\p{N}])\S(?:[^]*\S)?$/u;

const isApostrophe = (text: string, at: number): boolean =>
  /\p{L}['’]\p{L}/u.test(text.slice(at - 1, at + 2));

/** A sign after a digit and before a word, as in `a 5" screen`, not inside a number. */
const isInchSign = (text: string, at: number): boolean =>
  /^\d[^](?:\s*\p{L}|\s+\p{N})/u.test(text.slice(at - 1, at + 9));

/**
 * Whether a quotation may begin after one character, or at the start, and end before another, or
 * at the end.
 */
const mayEnclose = (textBefore: string, textAfter: string): boolean =>
  /^[\s"'([{=,:+]?$/.test(textBefore) && /^[\s"')\]},;:.+=>]?$/.test(textAfter);

/**
 * Whether a list has two neighbouring strings that may be one with a quotation in it:
 * `["s.join(", ")"]`.
 */
export function holdsHalves(value: JsonValue): boolean {
  if (!isContainer(value)) return false;
  if (!isJsonArray(value)) return Object.values(value).some(holdsHalves);
  return value.some((element, index) => {
    const previousValue = value[index - 1];
    return typeof element === 'string' && typeof previousValue === 'string'
      ? previousValue !== '' &&
          element !== '' &&
          mayEnclose(previousValue.slice(-1), element.charAt(0))
      : holdsHalves(element);
  });
}
