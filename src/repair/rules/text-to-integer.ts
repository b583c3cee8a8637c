import { numberInText, proposePadded } from '../read-text.ts';
import { type ValueRule, replaceWith, skip } from '../repair-rule.ts';

export const textToInteger: ValueRule = {
  id: 'text_to_integer',
  level: 'value',
  answers: ['type'],
  declared: ['integer'],
  keeps: 'lossless',
  propose(context) {
    const { value } = context;
    if (typeof value !== 'string') return skip;
    const number = numberInText(value);
    return Number.isSafeInteger(number) ? replaceWith(number) : proposePadded(context, value);
  },
};
