import { mayMean } from '../../json/nearest-name.ts';
import { isContainer } from '../../collections/objects.ts';
import { type JsonObject, type JsonValue, isJsonArray } from '../../json/value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { type SchemaView, memberSchema } from '../../schema/schema-view.ts';
import { branchViewsOf, isContainerText } from '../read-text.ts';
import type { KeyEdit, ObjectRule, RuleContext } from '../repair-rule.ts';

/**
 * Models send nothing for a required key that declares a default.
 * Becomes the default.
 * Not when: no default is declared; the object, or anything in it, maps and open objects too, holds
 * the key or a name near it (one edit, singular or plural, some of its words) without declaring it.
 */
export const fillDefault: ObjectRule = {
  id: 'fill_default',
  level: 'object',
  answers: ['missing'],
  keeps: 'lossy',
  acceptsAlmostAnything: true,
  propose(context) {
    const { value, view } = context;
    const edits: KeyEdit[] = [];
    for (const key of view.required) {
      const schema = view.properties.get(key);
      if (schema === undefined || Object.hasOwn(value, key)) continue;
      const defaultValue = context.viewOf(schema).defaultValue;
      // The default would replace a value that was sent under another key.
      if (defaultValue !== undefined && !mayBeSent(context, key))
        edits.push({ op: 'set', key, value: structuredClone(defaultValue) });
    }
    return edits;
  },
};

/**
 * Whether the object, or a value in it, holds an undeclared key that may be meant for an absent one, at any level. Text
 * of a container is read later, and may hold such a key until then.
 */
export function mayBeSent(
  context: RuleContext<JsonObject>,
  absent: string,
  value: JsonValue = context.value,
  schema: JsonSchema = context.view.schema,
): boolean {
  if (typeof value === 'string')
    return isContainerText(value) && !context.typesOf(schema).has('string');
  if (!isContainer(value)) return false;
  const views = branchViewsOf(context, schema);
  if (views.some(({ isVerbatim }) => isVerbatim)) return false;
  const isBelow = (member: JsonValue, schemas: readonly JsonSchema[]): boolean =>
    schemas.some((subschema) => mayBeSent(context, absent, member, subschema));
  if (isJsonArray(value))
    return value.some((element, index) =>
      isBelow(
        element,
        views.map(({ prefixItems, items }) => prefixItems[index] ?? items),
      ),
    );
  return Object.entries(value).some(
    ([key, member]) =>
      (!views.some((view) => declares(view, key)) && mayMean(key, absent)) ||
      isBelow(
        member,
        views.map((view) => memberSchema(view, key)),
      ),
  );
}

const declares = ({ properties, conditionalKeys }: SchemaView, key: string): boolean =>
  properties.has(key) || conditionalKeys.has(key);
