import { isJsonObject } from '../../json/value.ts';
import { type ValueRule, refuse, replaceWith, skip } from '../repair-rule.ts';

/**
 * Models send `{}` instead of an array.
 * Becomes `[]`.
 * Not when: `{}` is itself a valid element; an object is allowed, too.
 */
export const emptyObjectToArray: ValueRule = {
  id: 'empty_object_to_array',
  level: 'value',
  answers: ['type'],
  declaredTypes: ['array'],
  keeps: 'lossy',
  acceptsAlmostAnything: true,
  propose(context) {
    const { value, view, types } = context;
    if (types.has('object') || !isJsonObject(value) || Object.keys(value).length > 0) return skip;
    if (!context.accepts(view.items, value)) return replaceWith([]);
    // If the list must not be empty, the only reading is a list of the empty object.
    return context.accepts(view.schema, []) ? refuse : skip;
  },
};
