import { isJsonObject } from '../../json/value.ts';
import { decodeContainer } from '../read-text.ts';
import type { ValueRule } from '../repair-rule.ts';

export const jsonTextToObject: ValueRule = {
  id: 'json_text_to_object',
  level: 'value',
  answers: ['type'],
  declared: ['object'],
  keeps: 'lossless',
  isReading: true,
  propose: (context) => decodeContainer(context, isJsonObject),
};
