import { numberInText } from '../read-text.ts';
import { type ValueRule, replaceWith, skip } from '../repair-rule.ts';

export const textToNumber: ValueRule = {
  id: 'text_to_number',
  level: 'value',
  answers: ['type'],
  sent: ['string'],
  declared: ['number'],
  keeps: 'lossless',
  propose({ value }) {
    const number = typeof value === 'string' ? numberInText(value) : undefined;
    if (number === undefined || typeof value !== 'string') return skip;
    const isExact = !Number.isInteger(number) || Number.isSafeInteger(number) || isRound(value);
    return isExact ? replaceWith(number) : skip;
  },
};

/** `1e21`: with an exponent and at most 15 significant digits. */
const isRound = (literal: string): boolean => {
  const [digits = '', exponent] = literal.trim().toLowerCase().split('e');
  return exponent !== undefined && digits.replace(/[^0-9]/g, '').replace(/^0+|0+$/g, '').length <= 15;
};
