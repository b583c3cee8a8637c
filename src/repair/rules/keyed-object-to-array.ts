// Models write {"item": …} for a list of one kind. Leaves alone: any other key, and an object that is itself a valid
// element that declares the key (it is wrapped).
import { type JsonArray, isJsonArray, isJsonObject, spellingOf } from '../../json/value.ts';
import type { SchemaView } from '../../schema/schema-view.ts';
import {
  declaresAnyKey,
  declaresKeys,
  isNeutralListKey,
  isNoElement,
  singularsOf,
  startsLikeContainer,
} from '../read-text.ts';
import { type Questions, type ValueRule, refused, replaceBy, silent } from '../repair-rule.ts';

export const keyedObjectToArray: ValueRule = {
  id: 'keyed_object_to_array',
  level: 'value',
  answers: ['type'],
  keeps: 'lossy',
  sends:
    'an object with one key where a list is declared: the field’s name, its singular, or item, value, element and their plurals',
  becomes: 'its value, as the list or as the one element',
  notWhen:
    'any other key; the object is itself a valid element that declares the key; a neutral key over elements that declare no keys (two readings: refused)',
  propose({ value, view, name, types, ask, isPath }) {
    if (!view.types.has('array') || types.has('object') || !isJsonObject(value)) return silent;
    const [entry, ...others] = Object.entries(value);
    if (entry === undefined || others.length > 0) return silent;
    const [key, inner] = entry;
    const isOwnName = name !== undefined && namesList(name, key);
    if (!isOwnName && !isNeutralListKey(key)) return silent;
    if (ask.accepts(view.items, value)) {
      if (declaresKeys(ask, view.items, [key])) return silent;
      if (!isOwnName && !declaresAnyKey(ask, view.items)) return refused;
    }
    // Of a list of lists it may be the one list.
    if (isJsonArray(inner)) return replaceBy(isOnlyElement(ask, view, inner) ? [inner] : inner);
    // Text that spells the list is read as that; what may not be wrapped alone may not be here.
    if (typeof inner === 'string' && isNoElement(inner, isPath)) {
      return startsLikeContainer(inner) ? replaceBy(inner) : refused;
    }
    return inner === null ? refused : replaceBy([inner]);
  },
};

/** The list's own name or a singular of it, in any spelling. */
const namesList = (name: string, key: string): boolean =>
  [name, ...singularsOf(name)].map(spellingOf).includes(spellingOf(key));

const isOnlyElement = (ask: Questions, { schema, items }: SchemaView, inner: JsonArray): boolean =>
  ask.accepts(items, inner) && !ask.accepts(schema, inner);
