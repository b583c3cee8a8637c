// Models that mean one edit leave its list out. Leaves alone: keys that fit no list, or more than one; an element
// that isn't complete.
import { type JsonObject, objectOf } from '../../json/value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { declaresKeys, mayBeMeant } from '../read-text.ts';
import type { KeyEdit, ObjectPlace, ObjectRule, Questions } from '../repair-rule.ts';

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
    const element = objectOf(undeclared.map((key) => [key, place.value[key] ?? null] as const));
    const known = [...place.view.properties.keys()].filter((name) => declares(place, name, element));
    const taking = known.filter((name) =>
      place.ask.accepts(place.view.properties.get(name) ?? false, [element]),
    );
    // One that the element is only to be repaired for is meant if there is no other.
    const [list, ...others] = taking.length === 0 ? known : taking;
    if (list === undefined || others.length > 0) return [];
    const removed = undeclared.map((key): KeyEdit => ({ op: 'remove', key }));
    return [...removed, { op: 'set', key: list, value: [element] }];
  },
};

/** Whether an absent list takes the element, as it is or once it is repaired. */
function declares({ value, view, ask }: ObjectPlace, name: string, element: JsonObject): boolean {
  const schema = view.properties.get(name);
  if (schema === undefined || Object.hasOwn(value, name) || !mayBeMeant(view, name)) return false;
  const { branches } = ask.view(schema);
  const lists = (branches.length === 0 ? [schema] : branches)
    .map((branch) => ask.view(branch))
    .filter(({ types }) => types.has('array'));
  const [list, ...others] = lists;
  if (list === undefined || others.length > 0 || typeof list.items === 'boolean') return false;
  const isValid = declaresKeys(ask, list.items, Object.keys(element)) && ask.accepts(schema, [element]);
  return isValid || spells(ask, list.items, element);
}

/** Whether each key is a declared one or a spelling of one, and no required one is left. */
function spells(ask: Questions, items: JsonSchema, element: JsonObject): boolean {
  const view = ask.view(items);
  const spelled = new Map(ask.misspelt(view, element));
  const keys = Object.keys(element).map((key) => spelled.get(key) ?? key);
  return (
    keys.every((key) => view.properties.has(key)) && [...view.required].every((key) => keys.includes(key))
  );
}
