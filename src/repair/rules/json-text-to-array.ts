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
