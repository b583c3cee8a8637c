import { numberInText, proposePadded } from '../read-text.ts';
import { type ValueRule, replaceWith, skip } from '../repair-rule.ts';

/**
 * Models send a string that is, trimmed, a JSON number, instead of an integer.
 * Becomes the number, if it is an integer and safe (`"5.0"` is 5).
 * Not when: fractions; an empty string, hex, units, words, `1_000`, thousands separators; leading
 * zeros, unless nothing but a number is declared, name and description speak of no mode, phone,
 * code, account, date or the like, and the tool is not destructive (the model gets a note).
 */
export const textToInteger: ValueRule = {
  id: 'text_to_integer',
  level: 'value',
  answers: ['type'],
  sentTypes: ['string'],
  declaredTypes: ['integer'],
  keeps: 'lossless',
  plainReading: integerInText,
  propose(context) {
    const { value } = context;
    if (typeof value !== 'string') return skip;
    const integer = integerInText(value);
    return integer === undefined ? proposePadded(context, value) : replaceWith(integer);
  },
};

function integerInText(text: string): number | undefined {
  const number = numberInText(text);
  return Number.isSafeInteger(number) ? number : undefined;
}
