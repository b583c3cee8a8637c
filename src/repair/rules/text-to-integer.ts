import { numberInText } from '../read-text.ts';
import { type ValueRule, replaceWith, skip } from '../repair-rule.ts';

export const textToInteger: ValueRule = {
  id: 'text_to_integer',
  level: 'value',
  answers: ['type'],
  sent: ['string'],
  declared: ['integer'],
  keeps: 'lossless',
  propose({ value, view }) {
    if (typeof value !== 'string' || view.types.has('number')) return skip;
    const number = numberInText(value);
    return number !== undefined && Number.isSafeInteger(number) ? replaceWith(number) : skip;
  },
};
