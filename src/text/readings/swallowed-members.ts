import { once } from '../../collections/once.ts';
import { matchAt } from '../../json/tokens.ts';
import { spellingOf } from '../../json/key-spelling.ts';

/** What counts as a member inside a string. */
export interface MemberNames {
  /** Spellings of the names that a member may have. */
  readonly spellings: ReadonlySet<string>;
  /**
   * The object around the string takes other keys. `any`: it declares none, or says that it is open,
   * so that every name may be a member's. `strings`: it declares some, so that a name counts only
   * before a colon and a string. `none`: it takes no others.
   */
  readonly others: 'any' | 'strings' | 'none';
}

/**
 * Whether a string with quotes in it contains a member that was meant to follow it: `a", "b": "c`,
 * `a"; b: "c`.
 */
export function hasSwallowed(text: string, names: MemberNames): boolean {
  for (const { index } of text.matchAll(quote)) {
    const [, inQuotes] = matchAt(quotedName, text, index) ?? [];
    if (inQuotes !== undefined && isOneOf(names, inQuotes)) return true;
    if (names.others === 'any' && matchAt(anyNameAndEquals, text, index) !== null) return true;
    if (isBeforeMember(text, index + 1, names)) return true;
  }
  return false;
}

/** Whether a name is one of a member's, also with an operator at an end: `-tag`. */
const isOneOf = ({ spellings }: MemberNames, name: string): boolean =>
  spellings.has(spellingOf(name.replaceAll(/^[-.]+|[-.]+$/g, '')));

/** Members with plain values that are passed over, at most: `a"; n: 5; b: "c`. */
const mostMembers = 8;

/** Whether a separator and a member follow, perhaps after other members with plain values. */
function isBeforeMember(text: string, from: number, names: MemberNames): boolean {
  let at = from;
  for (let count = 0; count < mostMembers; count += 1) {
    const groups = (matchAt(memberWithColon(), text, at) ?? matchAt(memberWithEquals(), text, at))
      ?.groups;
    if (groups === undefined) return false;
    const { name = '', colon, value } = groups;
    if (isOneOf(names, name) || names.others === 'any') return true;
    if (names.others === 'strings' && colon !== undefined && value !== '') return true;
    const end = at + (groups['whole'] ?? '').length;
    const plain = matchAt(plainValue(), text, end);
    if (plain === null) return false;
    at = end + plain[0].length;
  }
  return false;
}

const quotes = '["\'`«»‘-‟‹›]';
const quote = new RegExp(quotes, 'g');
/** What is written between members: `;`, `|`, `+`, `&`, their forms in other scripts, dashes, lines. */
const separators = '(?:\\s*(?:[;|+&、，；｜＋＆،؛﹐﹑﹔–—\\n\\r]|--))+\\s*';
/** Punctuation and blanks, but for commas and brackets: those end a string, or belong to code. */
const punctuation = '[^\\p{L}\\p{N}_$"\'`«»‘-‟‹›()[\\]{},:：=＝]{0,16}';
const name = `${quotes}?(?<name>[\\p{L}_$][\\p{L}\\p{N}_$.-]{0,63})${quotes}?\\s*`;
/** It belongs to no address and to no name of C++. */
const colon = '(?<colon>[:：])(?!:|\\/\\/)';
const equals = '[=＝](?![=>])';
const value = `(?=\\s*(?<value>${quotes}?))`;
const memberWithColon = once(
  () => new RegExp(`(?<whole>${punctuation}${name}${colon})${value}`, 'uy'),
);
/** Blanks alone don't set `=` apart: that is an attribute of HTML. */
const memberWithEquals = once(
  () => new RegExp(`(?<whole>${separators}${name}${equals})${value}`, 'uy'),
);
/**
 * A name in quotes, of which the first one may also end the string before. Before `=`, an attribute
 * of HTML follows such a quote, so that the name has its own two.
 */
const quotedName = new RegExp(
  `${quotes}\\s*([^"'“”„:：=＝{}[\\],\\n]{1,64}?)\\s*(?:${quotes}?\\s*[:：]|${quotes}\\s*${equals})`,
  'uy',
);
const anyNameAndEquals = new RegExp(
  `${quotes}[\\p{L}_$][\\p{L}\\p{N}_$.-]{0,63}${quotes}\\s*${equals}`,
  'uy',
);
const plainValue = once(() => new RegExp(`\\s*[\\p{L}\\p{N}.+-]{1,64}(?=${separators})`, 'uy'));
