import { numberInText } from '../read-text.ts';
import { type ValueRule, replaceWith, skip } from '../repair-rule.ts';

export const textToInteger: ValueRule = {
  id: 'text_to_integer',
  level: 'value',
  answers: ['type'],
  sent: ['string'],
  declared: ['integer'],
  keeps: 'lossless',
  sends: 'a string that is, trimmed, a JSON number, instead of an integer',
  becomes: 'the number, if it is an integer and safe (`"5.0"` is 5)',
  notWhen: 'fractions; an empty string, hex, units, words, `1_000`, thousands separators, leading zeros',
  propose({ value, view }) {
    if (typeof value !== 'string' || view.types.has('number')) return skip;
    const number = numberInText(value);
    return number !== undefined && Number.isSafeInteger(number) ? replaceWith(number) : skip;
  },
};
