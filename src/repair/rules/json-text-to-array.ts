import { type JsonObject, isJsonArray, isJsonObject } from '../../json/value.ts';
import { declaresKeys, readContainerText } from '../read-text.ts';
import { type RuleContext, type ValueRule, decodeTo, refuse, skip } from '../repair-rule.ts';

export const jsonTextToArray: ValueRule = {
  id: 'json_text_to_array',
  level: 'value',
  answers: ['type'],
  sent: ['string'],
  declared: ['array'],
  keeps: 'lossless',
  sends: 'a string instead of an array: JSON, Python literals, or JSON as models write it',
  becomes: 'the array; repair goes on inside, digits stay exact',
  notWhen:
    'the string spells something else, unless it is one object whose keys the element declares, or whose one key is the array’s name; closers are missing, whatever the finish reason',
  isReading: true,
  propose(context) {
    const read = readContainerText(context);
    if (read.kind === 'other') return skip;
    if (read.kind === 'text') return decodeTo(read.value);
    if (read.kind === 'unreadable') return refuse;
    if (isJsonArray(read.value)) return decodeTo(read.value);
    return isJsonObject(read.value) && isOneElement(context, read.value) ? decodeTo(read.value) : refuse;
  },
};

function isOneElement(context: RuleContext, object: JsonObject): boolean {
  const keys = Object.keys(object);
  if (keys.length === 0) return false;
  return declaresKeys(context, context.view.items, keys) || (keys.length === 1 && keys[0] === context.name);
}
