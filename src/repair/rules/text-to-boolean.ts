import { booleanInText } from '../read-text.ts';
import { type ValueRule, replaceWith, skip } from '../repair-rule.ts';

export const textToBoolean: ValueRule = {
  id: 'text_to_boolean',
  level: 'value',
  answers: ['type'],
  sent: ['string'],
  declared: ['boolean'],
  keeps: 'lossless',
  propose({ value }) {
    const word = typeof value === 'string' ? booleanInText(value) : undefined;
    return word === undefined ? skip : replaceWith(word);
  },
};
