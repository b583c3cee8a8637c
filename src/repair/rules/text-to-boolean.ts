import { booleanInText } from '../read-text.ts';
import { type ValueRule, replaceWith, skip } from '../repair-rule.ts';

/**
 * Models send the words true, false, True, False, TRUE or FALSE (trimmed) instead of a boolean.
 * Becomes the boolean.
 * Not when: yes, no, 1, 0, on, off.
 */
export const textToBoolean: ValueRule = {
  id: 'text_to_boolean',
  level: 'value',
  answers: ['type'],
  sentTypes: ['string'],
  declaredTypes: ['boolean'],
  keeps: 'lossless',
  plainReading: booleanInText,
  propose: ({ value }) => (typeof value === 'string' ? replaceWith(booleanInText(value)) : skip),
};
