import { objectOf } from '../../collections/objects.ts';
import { type JsonObject } from '../../json/value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { declaresKeys, mayBeMeant } from '../read-text.ts';
import type { KeyEdit, ObjectRule, RuleContext } from '../repair-rule.ts';

/**
 * Models send undeclared keys that together are one valid element of exactly one absent array of
 * objects.
 * Becomes that array with the one element.
 * Not when: more than one array would take them; the object is open and the array optional.
 */
export const foldIntoElement: ObjectRule = {
  id: 'fold_into_element',
  level: 'object',
  answers: ['undeclared'],
  keeps: 'lossy',
  acceptsAlmostAnything: true,
  propose(context) {
    const { value, view } = context;
    const undeclaredKeys = Object.keys(value).filter((key) => !view.properties.has(key));
    const element = objectOf(undeclaredKeys.map((key) => [key, value[key] ?? null] as const));
    const possible = [...view.properties].filter((place) => mayTake(context, place, element));
    const taking = possible.filter(([, schema]) => context.accepts(schema, [element]));
    // A list that takes the element only after a repair is meant only if no other list takes it.
    const [list, ...others] = taking.length === 0 ? possible : taking;
    if (list === undefined || others.length > 0) return [];
    const removals = undeclaredKeys.map((key): KeyEdit => ({ op: 'remove', key }));
    return [...removals, { op: 'set', key: list[0], value: [element] }];
  },
};

/** Whether an absent list takes the element, as it is or repaired. */
function mayTake(
  context: RuleContext<JsonObject>,
  [name, schema]: readonly [string, JsonSchema],
  element: JsonObject,
): boolean {
  const { value, view } = context;
  if (Object.hasOwn(value, name) || !mayBeMeant(view, name)) return false;
  const { branches } = context.viewOf(schema);
  const lists = (branches.length === 0 ? [schema] : branches)
    .map((branch) => context.viewOf(branch))
    .filter(({ types }) => types.has('array'));
  const [list, ...others] = lists;
  if (list === undefined || others.length > 0) return false;
  const isValid =
    declaresKeys(context, list.items, Object.keys(element)) && context.accepts(schema, [element]);
  return isValid || spellsKeys(context, list.items, element);
}

/** Whether each key is a declared one or a spelling of one, and no required key is absent. */
function spellsKeys(context: RuleContext, items: JsonSchema, element: JsonObject): boolean {
  const view = context.viewOf(items);
  const misspeltKeys = new Map(context.misspelt(view, element));
  const keys = Object.keys(element).map((key) => misspeltKeys.get(key) ?? key);
  return (
    keys.every((key) => view.properties.has(key)) &&
    [...view.required].every((key) => keys.includes(key))
  );
}
