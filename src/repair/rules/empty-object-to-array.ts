// Models that lose the brackets of a list write {}. Leaves alone: {} that is itself a valid element (two readings),
// and places that allow an object.
import { isJsonObject } from '../../json/value.ts';
import { type ValueRule, refused, replaceBy, silent } from '../repair-rule.ts';

export const emptyObjectToArray: ValueRule = {
  id: 'empty_object_to_array',
  level: 'value',
  answers: ['type'],
  keeps: 'lossy',
  sends: '{} where a list is declared',
  becomes: '[]',
  notWhen: '{} is itself a valid element; the place also allows an object',
  propose({ value, view, types, ask }) {
    if (!view.types.has('array') || types.has('object') || !isJsonObject(value)) return silent;
    if (Object.keys(value).length > 0) return silent;
    if (!ask.accepts(view.items, value)) return replaceBy([]);
    // Where an empty list wouldn't do, the one reading is a list of the empty object.
    return ask.accepts(view.schema, []) ? refused : silent;
  },
};
