import { isJsonObject } from '../../json/value.ts';
import { readContainerText } from '../read-text.ts';
import { type ValueRule, decodeTo, refuse, skip } from '../repair-rule.ts';

export const jsonTextToObject: ValueRule = {
  id: 'json_text_to_object',
  level: 'value',
  answers: ['type'],
  sent: ['string'],
  declared: ['object'],
  keeps: 'lossless',
  isReading: true,
  propose(context) {
    const read = readContainerText(context);
    if (read.kind === 'other') return skip;
    if (read.kind === 'text') return decodeTo(read.value);
    return read.kind === 'container' && isJsonObject(read.value) ? decodeTo(read.value) : refuse;
  },
};
