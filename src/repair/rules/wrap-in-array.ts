import { isNoElement } from '../read-text.ts';
import { type ValueRule, refuse, replaceWith } from '../repair-rule.ts';

export const wrapInArray: ValueRule = {
  id: 'wrap_in_array',
  level: 'value',
  answers: ['type'],
  sent: ['null', 'boolean', 'integer', 'number', 'string', 'object'],
  declared: ['array'],
  keeps: 'lossless',
  hidesMovedClosers: true,
  sends: 'one value instead of an array of such values',
  becomes: 'an array of it',
  notWhen:
    'a string that starts like an array or object, in quotes or in a fence too; a blank string or a null word; a string that looks like several values (two or more parts without whitespace, between `,` `;` `|` or line breaks); a number for an array of strings, if a string is allowed, too',
  propose(context) {
    const { value, view, types } = context;
    const items = context.viewOf(view.items);
    // A member is one value, whatever it looks like.
    if (items.members?.includes(value) === true) return replaceWith([value]);
    // Where the list or its text may be meant, so may the number's text alone.
    const isText = items.types.size < 7 && !items.types.has('number') && !items.types.has('integer');
    if (typeof value === 'number' && types.has('string') && isText) return refuse;
    const isRefused = value === null || (typeof value === 'string' && isNoElement(value, context.isPath));
    return isRefused ? refuse : replaceWith([value]);
  },
};
