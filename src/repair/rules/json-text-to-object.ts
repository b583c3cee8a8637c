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
  sends: 'a string instead of an object: JSON, Python literals, or JSON as models write it',
  becomes: 'the object; repair goes on inside, digits stay exact',
  notWhen: 'the string spells something else; closers are missing, whatever the finish reason',
  isReading: true,
  propose(context) {
    const read = readContainerText(context);
    if (read.kind === 'other') return skip;
    if (read.kind === 'text') return decodeTo(read.value);
    return read.kind === 'container' && isJsonObject(read.value) ? decodeTo(read.value) : refuse;
  },
};
