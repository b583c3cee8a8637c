// Which number does a text spell? JSON's grammar and no other: no units, words, separators, hex or leading zeros.
import { longestLiteral, survivesAsNumber } from '../../json/reader/exact-number.ts';

/** Undefined for text that is, trimmed, no JSON number, and for one that would lose digits. */
export function numberInText(text: string): number | undefined {
  const literal = text.trim();
  if (literal.length > longestLiteral) return undefined;
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(literal);
  return isNumber && survivesAsNumber(literal) ? Number(literal) : undefined;
}
