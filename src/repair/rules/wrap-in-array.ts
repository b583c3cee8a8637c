// Models send the element where the list has one. Leaves alone: text that starts like a container, says nothing, or
// looks like several values.
import { isJsonArray } from '../../json/value.ts';
import { isNoElement } from '../read-text.ts';
import { type ValueRule, refused, replaceBy, silent } from '../repair-rule.ts';

export const wrapInArray: ValueRule = {
  id: 'wrap_in_array',
  level: 'value',
  answers: ['type'],
  keeps: 'lossless',
  sends: 'one value where a list of such values is declared',
  becomes: 'a list of it',
  notWhen:
    'text that starts like a container, in quotes or in a fence too; blank text or a null word; text that looks like several (two or more parts without blanks inside, set apart by `,` `;` `|` or line breaks); a number for a list of texts where text may stand alone',
  propose({ value, view, types, ask, isPath }) {
    if (!view.types.has('array') || isJsonArray(value)) return silent;
    const items = ask.view(view.items);
    // What is a member as it stands can't be several.
    if (items.members?.includes(value) === true) return replaceBy([value]);
    // A number that can only be text may be that text alone.
    const isText = items.types.size < 7 && !items.types.has('number') && !items.types.has('integer');
    if (typeof value === 'number' && types.has('string') && isText) return refused;
    const isRefused = value === null || (typeof value === 'string' && isNoElement(value, isPath));
    return isRefused ? refused : replaceBy([value]);
  },
};
