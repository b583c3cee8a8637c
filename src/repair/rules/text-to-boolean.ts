import { booleanInText } from '../read-text.ts';
import { type ValueRule, replaceWith, skip } from '../repair-rule.ts';

export const textToBoolean: ValueRule = {
  id: 'text_to_boolean',
  level: 'value',
  answers: ['type'],
  declared: ['boolean'],
  keeps: 'lossless',
  propose: ({ value }) => (typeof value === 'string' ? replaceWith(booleanInText(value)) : skip),
};
