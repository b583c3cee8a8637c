import { once } from '../collections/once.ts';
import type { RuleContext } from './repair-rule.ts';
import { lastWordOf } from './read-text.ts';

/**
 * The parts of text that may be several elements of an array although no comma, semicolon or other
 * separator is between them; undefined for text that is one element.
 */
export function partsWithoutSeparators(
  context: RuleContext,
  text: string,
): readonly string[] | undefined {
  const elements = elementsIn(text);
  if (elements !== undefined) return elements;
  if (/[\n\r]/.test(text)) return undefined;
  const words = nonBlank(text.split(/\s+/));
  if (words.length < 2) return brokenParts(text, context.isPath());
  const { name } = context;
  if (name !== undefined && commandWords.has(lastWordOf(name).toLowerCase())) return words;
  return (
    several(text.split(endOfNamedAddress), (part) => namedAddress.test(part)) ??
    addressesOrPaths(words, context.isPath()) ??
    codesOfOneForm(words) ??
    quotedTexts(text) ??
    several(text.trim().split(conjunction()), isName) ??
    countedParts(text) ??
    brokenParts(text, context.isPath())
  );
}

const nonBlank = (parts: readonly string[]): readonly string[] =>
  parts.map((part) => part.trim()).filter((part) => part !== '');

/** Two or more parts of one kind. */
function several(
  parts: readonly string[],
  isOne: (part: string) => boolean,
): readonly string[] | undefined {
  const filledParts = nonBlank(parts);
  return filledParts.length > 1 && filledParts.every(isOne) ? filledParts : undefined;
}

/** Names of arrays whose elements are the words of a shell command. */
const commandWords: ReadonlySet<string> = new Set(
  'argv args arguments command cmd cmdline'.split(' '),
);

/** The text in elements such as `<item>`, if there is no other; undefined for other text. */
const elementsIn = (text: string): readonly string[] | undefined =>
  /^\s*(?:<(item|element|entry|value|li)>[^<>]*<\/\1>\s*)+$/.test(text)
    ? [...text.matchAll(/>([^<>]*)<\//g)].map(([, content = '']) => content)
    : undefined;

/** `Ada <ada@x.org>` */
const namedAddress = /^[^<>@]*<[^<>@\s]+@[^<>@\s]+>$/;
const endOfNamedAddress = /(?<=>)\s+/;
/** A path from a root, or from a folder such as `~`, `.` or `..`. */
const pathFromRoot = /^(?:~|\.{1,2})?[\\/]|^[a-z]:[\\/]/i;
/**
 * Addresses of mail and with a protocol; names of persons and topics; paths from a root; paths with
 * folders and an extension.
 */
const addressForms = [
  /^(?:[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+|[a-z][a-z0-9+.-]*:\/\/\S+)$/i,
  /^[@#][\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u,
  pathFromRoot,
  /^[^\s/\\]+(?:[/\\][^\s/\\]+)*[/\\][^\s/\\]+\.[a-z]\w{0,5}$/i,
];

const fileName = /[\p{L}\p{N}_*)\]}-]\.[a-z]\w{0,5}$/iu;

function addressesOrPaths(
  words: readonly string[],
  isPath: boolean,
): readonly string[] | undefined {
  const addresses = words.filter((word) => !/^(?:and|or|&|\+)$/.test(word));
  // A part that ends in a separator is no whole address or path.
  if (addresses.some((word) => /[,;|]$/.test(word))) return undefined;
  const forms = isPath ? [...addressForms, fileName] : addressForms;
  return forms
    .map((form) => several(addresses, (word) => form.test(word)))
    .find((parts) => parts !== undefined);
}

/** `A12 B13`, `2026-01-31 2026-02-28`: words of one form, with digits. */
const codesOfOneForm = (words: readonly string[]): readonly string[] | undefined =>
  words.every((word) => /\d/.test(word)) && new Set(words.map(formOf)).size === 1
    ? words
    : undefined;

/** A word with one letter for its letters and one digit for its digits. */
const formOf = (word: string): string => word.replace(/[\p{L}\p{M}]+/gu, 'a').replace(/\d+/g, '0');

/** `"a" "b"` */
const quotedTexts = (text: string): readonly string[] | undefined =>
  /^\s*(?:"[^"]*"|'[^']*'|`[^`]*`)(?:\s+(?:"[^"]*"|'[^']*'|`[^`]*`))+\s*$/.test(text)
    ? [...text.matchAll(/"([^"]*)"|'([^']*)'|`([^`]*)`/g)].map((match) => match.slice(1).join(''))
    : undefined;

/** Between two names, in the languages that have capitals for names. */
const conjunction = once(
  () => /\s(?:&|\+|and|or|und|oder|et|ou|y|e|o|u|i|oraz|lub|albo|en|of|og|och|и|или)\s/u,
);

/** Words that all start with a capital or have a digit: `Ada Lovelace`, `A12`. */
const isName = (part: string): boolean =>
  part.split(/\s+/).every((word) => /^\p{Lu}|\p{N}/u.test(word));

/** `1. a 2. b`, `Steps: (a) x (b) y`: parts that are counted from the first number or letter. */
function countedParts(text: string): readonly string[] | undefined {
  if (!/^(?:[^]{0,60}:)?\s*\(?[1a][.)]\s/.test(text)) return undefined;
  const marks = [...text.matchAll(/(?<!\S)\(?(\d{1,2}|[a-z])[.)](?=\s)/g)];
  const isCounted =
    marks.length > 1 &&
    marks.every(
      ([, mark = ''], at) => mark === String(at + 1) || mark === 'abcdefghijklmnop'.charAt(at),
    );
  if (!isCounted) return undefined;
  return marks.map(({ 0: mark, index }, at) =>
    text.slice(index + mark.length, marks[at + 1]?.index).trim(),
  );
}

/** What sets parts apart outside quotes. `least`: how many parts there are at least. */
interface Break {
  readonly mark: RegExp;
  readonly least: 2 | 3;
}

const lineBreakOfHtml: Break = { mark: /<br\s*\/?>/i, least: 2 };
const writtenLineBreak: Break = { mark: /\\r\\n|\\n/, least: 2 };
const bullets: Break = { mark: /[•‣▪◦]|(?<=\s)·(?=\s)/, least: 2 };
const dashes: Break = { mark: /(?<!\S)[-*–](?=\s)/, least: 2 };
const arrows: Break = { mark: /->|→/, least: 3 };

/** A character of any of them; most text has none. */
const anyBreak = /[<\\•‣▪◦·*–>→-]/;

/** The parts that one kind of mark sets apart where no quotes are around it. */
function brokenParts(text: string, isPath: boolean): readonly string[] | undefined {
  if (!anyBreak.test(text)) return undefined;
  const outside = text.replace(/"[^"]*"|(?<!\p{L})'[^']*'|`[^`]*`/gu, (quoted) =>
    'x'.repeat(quoted.length),
  );
  // In a path, `\new` is a folder. Between words, a dash is none of a list.
  const breaks = [
    lineBreakOfHtml,
    ...(isPath ? [] : [writtenLineBreak]),
    bullets,
    ...(/^\s*[-*–]\s/.test(text) ? [dashes] : []),
    arrows,
  ];
  const chosenBreak = breaks.find(
    ({ mark, least }) => nonBlank(outside.split(mark)).length >= least,
  );
  return chosenBreak && nonBlank(text.split(chosenBreak.mark));
}
