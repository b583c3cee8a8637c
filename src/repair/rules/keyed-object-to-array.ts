import { type JsonArray, isJsonArray, isJsonObject, spellingOf } from '../../json/value.ts';
import {
  declaresAnyKey,
  declaresKeys,
  isNeutralListKey,
  isNoElement,
  singularsOf,
  startsLikeContainer,
} from '../read-text.ts';
import { type RuleContext, type ValueRule, refuse, replaceWith, skip } from '../repair-rule.ts';

export const keyedObjectToArray: ValueRule = {
  id: 'keyed_object_to_array',
  level: 'value',
  answers: ['type'],
  sent: ['object'],
  declared: ['array'],
  keeps: 'lossy',
  hidesMovedClosers: true,
  sends:
    'an object with one key instead of an array: the field’s name, its singular, or item, value, element and their plurals',
  becomes: 'its value, as the array or as the one element',
  notWhen:
    'any other key; the object is itself a valid element that declares the key; a neutral key over elements that declare no keys (two readings: refused)',
  propose(context) {
    const { value, view, name, types } = context;
    if (types.has('object') || !isJsonObject(value)) return skip;
    const [entry, ...others] = Object.entries(value);
    if (entry === undefined || others.length > 0) return skip;
    const [key, inner] = entry;
    const isOwnName = name !== undefined && namesList(name, key);
    if (!isOwnName && !isNeutralListKey(key)) return skip;
    if (context.accepts(view.items, value)) {
      if (declaresKeys(context, view.items, [key])) return skip;
      if (!isOwnName && !declaresAnyKey(context, view.items)) return refuse;
    }
    if (isJsonArray(inner)) return replaceWith(isOnlyElement(context, inner) ? [inner] : inner);
    // Text that spells the list is read next; other text that wrap_in_array refuses is refused here.
    if (typeof inner === 'string' && isNoElement(inner, context.isPath)) {
      return startsLikeContainer(inner) ? replaceWith(inner) : refuse;
    }
    return inner === null ? refuse : replaceWith([inner]);
  },
};

/** The list's own name or a singular of it, in any spelling. */
const namesList = (name: string, key: string): boolean =>
  [name, ...singularsOf(name)].map(spellingOf).includes(spellingOf(key));

/** Whether a list is the one element of a list of lists. */
const isOnlyElement = (context: RuleContext, inner: JsonArray): boolean =>
  context.accepts(context.view.items, inner) && !context.accepts(context.view.schema, inner);
