// May the keys of a list's one element stand beside the list? Models that mean one edit leave its list out.
// Leaves alone: keys that fit no list, or more than one; an element that isn't complete.
import { objectOf } from '../../json/own-key.ts';
import { declaresKeys } from '../reading/declares-keys.ts';
import type { KeyEdit, ObjectPlace, ObjectRule } from '../repair-rule.ts';

export const foldIntoElement: ObjectRule = {
  id: 'fold_into_element',
  level: 'object',
  answers: ['undeclared'],
  keeps: 'lossy',
  sends: 'undeclared keys that together are one valid element of exactly one absent list of objects',
  becomes: 'that list with the one element',
  notWhen: 'more than one list would take them; the object is open and the list optional',
  propose(place) {
    const undeclared = Object.keys(place.value).filter((key) => !place.view.properties.has(key));
    if (undeclared.length === 0) return [];
    const element = objectOf(undeclared.map((key) => [key, place.value[key] ?? null] as const));
    const [list, ...others] = [...place.view.properties.keys()].filter((name) => takes(place, name, element));
    if (list === undefined || others.length > 0) return [];
    const removed = undeclared.map((key): KeyEdit => ({ op: 'remove', key }));
    return [...removed, { op: 'set', key: list, value: [element] }];
  },
};

function takes({ value, view, ask }: ObjectPlace, name: string, element: ObjectPlace['value']): boolean {
  const schema = view.properties.get(name);
  // In an open object an undeclared key is allowed: only a missing list makes it a failure.
  const isFailing = view.additionalProperties === false || view.required.has(name);
  if (schema === undefined || Object.hasOwn(value, name) || !isFailing) return false;
  const list = ask.view(schema);
  if (!list.types.has('array') || typeof list.items === 'boolean') return false;
  return declaresKeys(ask, list.items, Object.keys(element)) && ask.accepts(schema, [element]);
}
