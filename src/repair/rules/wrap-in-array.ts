import { isJsonObject, isContainer } from '../../json/value.ts';
import { declaresAnyKey, declaresKeys, isNoElement } from '../read-text.ts';
import { type RuleContext, type ValueRule, refuse, replaceWith } from '../repair-rule.ts';

export const wrapInArray: ValueRule = {
  id: 'wrap_in_array',
  level: 'value',
  answers: ['type'],
  declared: ['array'],
  keeps: 'lossless',
  hidesMovedClosers: true,
  isOnce: true,
  propose(context) {
    const { value, view, types } = context;
    const items = context.viewOf(view.items);
    // A member of the elements' enum is one element, even if it looks like several.
    if (items.members?.includes(value) === true) return replaceWith([value]);
    // If both strings and lists of strings are allowed, 5 may be meant as "5" or as ["5"].
    const isText = items.types.size < 7 && !items.types.has('number') && !items.types.has('integer');
    if (typeof value === 'number' && types.has('string') && isText) return refuse;
    const isRefused =
      value === null ||
      (typeof value === 'string' && isNoElement(value, context.isPath())) ||
      isOtherObject(context);
    return isRefused ? refuse : replaceWith([value]);
  },
};

/**
 * Whether an object has no key of the elements, but a list or an object in it, which may be the elements; or is meant as the object
 * that the place takes beside an array of anything.
 */
function isOtherObject(context: RuleContext): boolean {
  const { value, view } = context;
  if (!isJsonObject(value)) return false;
  if (!declaresAnyKey(context, view.items))
    return Object.keys(value).some((key) => declaresKeys(context, context.place, [key]));
  const isForeign = Object.keys(value).every((key) => !declaresKeys(context, view.items, [key]));
  const isMisspelt = context.misspelt(context.viewOf(view.items), value).length > 0;
  return isForeign && !isMisspelt && Object.values(value).some(isContainer);
}
