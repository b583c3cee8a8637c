import { numberInText } from '../read-text.ts';
import { type ValueRule, replaceWith, skip } from '../repair-rule.ts';

export const textToNumber: ValueRule = {
  id: 'text_to_number',
  level: 'value',
  answers: ['type'],
  sent: ['string'],
  declared: ['number'],
  keeps: 'lossless',
  sends: 'a string that is, trimmed, a JSON number, instead of a number',
  becomes: 'the number',
  notWhen:
    'an empty string, hex, units, words, `1_000`, thousands separators, leading zeros; digits would be lost',
  propose({ value }) {
    const number = typeof value === 'string' ? numberInText(value) : undefined;
    return number === undefined ? skip : replaceWith(number);
  },
};
