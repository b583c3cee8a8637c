import { isNoElement } from '../read-text.ts';
import { type ValueRule, refuse, replaceWith } from '../repair-rule.ts';

export const wrapInArray: ValueRule = {
  id: 'wrap_in_array',
  level: 'value',
  answers: ['type'],
  sent: ['null', 'boolean', 'integer', 'number', 'string', 'object'],
  declared: ['array'],
  keeps: 'lossless',
  sends: 'one value where a list of such values is declared',
  becomes: 'a list of it',
  notWhen:
    'text that starts like a container, in quotes or in a fence too; blank text or a null word; text that looks like several (two or more parts without blanks inside, set apart by `,` `;` `|` or line breaks); a number for a list of texts where text may stand alone',
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
