import { ownValue } from '../../collections/objects.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  isSameAs,
} from '../../json/value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { isMap } from '../../validate/strict-checks.ts';
import type { KeyEdit, ObjectRule, RuleContext } from '../repair-rule.ts';

/**
 * Models send a required key of the root one level too deep: in the object of exactly one declared
 * parameter, or, with equal values, in every element of its array.
 * Becomes the key at the root; the model gets a note.
 * Not when: values differ; some elements lack it; the lower schema declares the key, declares no
 * keys, or is a map; the object has no key that the lower schema declares, or another key that only
 * the root declares, as an optional one (the object may be an envelope); the parameter is verbatim;
 * the value doesn’t pass at the root after repair.
 */
export const hoistMember: ObjectRule = {
  id: 'hoist_member',
  level: 'object',
  answers: ['missing'],
  keeps: 'lossy',
  acceptsAlmostAnything: true,
  notes: true,
  propose(context) {
    const { value, view, isRoot } = context;
    if (!isRoot) return [];
    return [...view.required].flatMap((key): readonly KeyEdit[] => {
      if (Object.hasOwn(value, key) || !view.properties.has(key)) return [];
      const holding = [...view.properties].filter(([name]) =>
        holdersIn(value[name]).some((holder) => Object.hasOwn(holder, key)),
      );
      const liftedMembers =
        holding.length > 1 ? [] : holding.filter((place) => isTooDeep(context, place, key));
      return liftedMembers.map(([parameter]) => ({ op: 'lift', key: parameter, to: key }));
    });
  },
};

/** The object under a parameter, or the objects in its list. */
const holdersIn = (value: JsonValue | undefined): readonly JsonObject[] =>
  (isJsonArray(value) ? value : [value]).filter(isJsonObject);

/**
 * Whether every object under a parameter has a key with the same value, although none of them
 * declares it.
 */
function isTooDeep(
  context: RuleContext<JsonObject>,
  [parameter, schema]: readonly [string, JsonSchema],
  key: string,
): boolean {
  const holderValue = ownValue(context.value, parameter);
  const values = (isJsonArray(holderValue) ? holderValue : [holderValue]).map((holder) =>
    isJsonObject(holder) ? ownValue(holder, key) : undefined,
  );
  const isSameInAll = values.every((value) => value !== undefined && isSameAs(value, values[0]));
  const of = isJsonArray(holderValue) ? 'elements' : 'object';
  return (
    isSameInAll &&
    isForeign(context, schema, key, of) &&
    holdersIn(holderValue).every((holder) =>
      staysItself(context, holder, (member) => isForeign(context, schema, member, of)),
    )
  );
}

/**
 * Whether the object is still the parameter’s value if the required keys of the root are lifted out
 * of it: it has a key of its own, and the root claims none of the keys that are left.
 */
function staysItself(
  { value, view }: RuleContext<JsonObject>,
  holder: JsonObject,
  isForeignMember: (member: string) => boolean,
): boolean {
  const members = Object.keys(holder);
  const foreignMembers = members.filter(isForeignMember);
  return (
    foreignMembers.length < members.length &&
    foreignMembers.every(
      (member) =>
        view.required.has(member) || !view.properties.has(member) || Object.hasOwn(value, member),
    )
  );
}

/**
 * Whether a schema declares keys of its objects, or of the elements of its lists, without this one.
 */
function isForeign(
  context: RuleContext,
  schema: JsonSchema,
  key: string,
  of: 'elements' | 'object',
): boolean {
  const view = context.viewOf(schema);
  if (view.isVerbatim) return false;
  if (view.branches.length > 0) {
    const branches = view.branches.filter((branch) =>
      context.viewOf(branch).types.has(of === 'object' ? 'object' : 'array'),
    );
    return branches.length > 0 && branches.every((branch) => isForeign(context, branch, key, of));
  }
  if (of === 'elements') return isForeign(context, view.items, key, 'object');
  const { properties, conditionalKeys } = view;
  return properties.size > 0 && !properties.has(key) && !conditionalKeys.has(key) && !isMap(view);
}
