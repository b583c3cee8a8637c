import { type JsonObject, isJsonArray } from '../../json/value.ts';
import { declaresKeys, decodeContainer } from '../read-text.ts';
import type { RuleContext, ValueRule } from '../repair-rule.ts';

/**
 * Models send a string instead of an array: JSON, Python literals, or JSON as models write it.
 * Becomes the array; repair goes on inside, digits stay exact.
 * Not when: the string spells something else, unless it is one object whose keys the element
 * declares, or whose one key is the array’s name; closers are missing, whatever the finish reason.
 */
export const jsonTextToArray: ValueRule = {
  id: 'json_text_to_array',
  level: 'value',
  answers: ['type'],
  sentTypes: ['string'],
  declaredTypes: ['array'],
  keeps: 'lossless',
  isReading: true,
  propose: (context) =>
    decodeContainer(context, (value) => isJsonArray(value) || isOneElement(context, value)),
};

function isOneElement(context: RuleContext, object: JsonObject): boolean {
  const keys = Object.keys(object);
  if (keys.length === 0) return false;
  return (
    declaresKeys(context, context.view.items, keys) ||
    (keys.length === 1 && keys[0] === context.name)
  );
}
