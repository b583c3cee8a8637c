import { numberInText, proposePadded } from '../read-text.ts';
import { type ValueRule, replaceWith, skip } from '../repair-rule.ts';

/**
 * Models send a string that is, trimmed, a JSON number, instead of a number.
 * Becomes the number.
 * Not when: an empty string, hex, units, words, `1_000`, thousands separators; leading zeros,
 * unless nothing but a number is declared, name and description speak of no mode, phone, code,
 * account, date or the like, and the tool is not destructive (the model gets a note); digits would
 * be lost; an integer beyond the safe ones without an exponent.
 */
export const textToNumber: ValueRule = {
  id: 'text_to_number',
  level: 'value',
  answers: ['type'],
  sentTypes: ['string'],
  declaredTypes: ['number'],
  keeps: 'lossless',
  plainReading: exactNumberInText,
  propose(context) {
    const { value } = context;
    if (typeof value !== 'string') return skip;
    return numberInText(value) === undefined
      ? proposePadded(context, value)
      : replaceWith(exactNumberInText(value));
  },
};

function exactNumberInText(text: string): number | undefined {
  const number = numberInText(text);
  const isExact = !Number.isInteger(number) || Number.isSafeInteger(number) || isRound(text);
  return isExact ? number : undefined;
}

/** `1e21`: with an exponent and at most 15 significant digits. */
const isRound = (literal: string): boolean => {
  const digits = /^[^e]*(?=e)/i.exec(literal)?.[0].replaceAll(/\D/g, '');
  return digits !== undefined && digits.replaceAll(/^0+|0+$/g, '').length <= 15;
};
