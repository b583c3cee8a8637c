import { numberInText } from '../read-text.ts';
import { type ValueRule, replaceWith, skip } from '../repair-rule.ts';

export const textToInteger: ValueRule = {
  id: 'text_to_integer',
  level: 'value',
  answers: ['type'],
  declared: ['integer'],
  keeps: 'lossless',
  propose({ value }) {
    const number = typeof value === 'string' ? numberInText(value) : undefined;
    return Number.isSafeInteger(number) ? replaceWith(number) : skip;
  },
};
