import { mayMean } from '../json/nearest-name.ts';
import type { NumberLiterals } from '../json/number-literals.ts';
import { memoize } from '../collections/memoize.ts';
import { pointerTo } from '../json/pointers.ts';
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  withKey,
} from '../json/value.ts';
import { type JsonSchema, type Relation, schemasIn } from '../schema/json-schema.ts';
import {
  type SchemaView,
  type SchemaViews,
  memberSchema,
  relationsOf,
} from '../schema/schema-view.ts';
import type { ContractValidator } from '../validate/validator.ts';
import type { RepairRecord } from './repair-rule.ts';

/**
 * Fills the declared defaults of absent keys if keys that go with them were sent, in all objects;
 * the same value if nothing is filled. `numbers` learns of the copies.
 */
export function fillDependentDefaults(
  validator: ContractValidator,
  value: JsonValue,
  numbers: NumberLiterals,
): { readonly value: JsonValue; readonly records: readonly RepairRecord[] } {
  const records: RepairRecord[] = [];
  if (!hasDependentDefaults(validator.views)) return { value, records };
  const filledValue = fillValue({ validator, numbers, records }, value, validator.views.root, '');
  return { value: filledValue, records };
}

interface Filling {
  readonly validator: ContractValidator;
  readonly numbers: NumberLiterals;
  readonly records: RepairRecord[];
}

function fillValue(
  filling: Filling,
  value: JsonValue,
  schema: JsonSchema,
  path: string,
): JsonValue {
  const view = filling.validator.views.of(schema);
  if (isJsonArray(value)) return fillList(filling, value, view, path);
  return isJsonObject(value) ? fillObject(filling, value, view, path) : value;
}

function fillList(filling: Filling, list: JsonArray, view: SchemaView, path: string): JsonArray {
  const filledValue = list.map((element, index) =>
    fillValue(filling, element, view.prefixItems[index] ?? view.items, pointerTo(path, index)),
  );
  if (filledValue.every((element, index) => element === list[index])) return list;
  filling.numbers.carry(list, filledValue);
  return filledValue;
}

function fillObject(
  filling: Filling,
  object: JsonObject,
  view: SchemaView,
  path: string,
): JsonObject {
  const { validator, numbers, records } = filling;
  let filledValue = object;
  for (const [key, member] of Object.entries(object)) {
    const filledMember = fillValue(filling, member, memberSchema(view, key), pointerTo(path, key));
    if (filledMember !== member) filledValue = withKey(filledValue, key, filledMember);
  }
  for (const relation of view.relational) {
    for (const [key, value] of absentIn(filledValue, relation)) {
      // A key that was sent under another name is not absent.
      const misspelt = validator.strict.misspellings(view, filledValue);
      if (misspelt.some(([, declaredKey]) => declaredKey === key)) continue;
      if (Object.keys(filledValue).some((name) => !view.properties.has(name) && mayMean(name, key)))
        continue;
      filledValue = withKey(filledValue, key, structuredClone(value));
      const pointer = pointerTo(path, key);
      records.push({
        rule: 'dependent_default',
        path: pointer,
        was: 'absent',
        shownToModel: true,
        operations: [{ op: 'add', path: pointer, value }],
      });
    }
  }
  numbers.carry(object, filledValue);
  return filledValue;
}

function absentIn(
  object: JsonObject,
  { requires, defaults }: Relation,
): readonly (readonly [string, JsonValue])[] {
  if (!requires.some((key) => Object.hasOwn(object, key))) return [];
  return Object.entries(defaults).filter(
    ([key]) => requires.includes(key) && !Object.hasOwn(object, key),
  );
}

/** Whether any default of the arguments may depend on other keys. */
export const hasDependentDefaults = memoize((views: SchemaViews): boolean =>
  schemasIn(views.root).some((schema) => relationsOf(schema).length > 0),
);
