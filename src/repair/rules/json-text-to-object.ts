import { isJsonObject } from '../../json/value.ts';
import { decodeContainer } from '../read-text.ts';
import type { ValueRule } from '../repair-rule.ts';

/**
 * Models send a string instead of an object: JSON, Python literals, or JSON as models write it.
 * Becomes the object; repair goes on inside, digits stay exact.
 * Not when: the string spells something else; closers are missing, whatever the finish reason.
 */
export const jsonTextToObject: ValueRule = {
  id: 'json_text_to_object',
  level: 'value',
  answers: ['type'],
  sentTypes: ['string'],
  declaredTypes: ['object'],
  keeps: 'lossless',
  isReading: true,
  propose: (context) => decodeContainer(context, isJsonObject),
};
