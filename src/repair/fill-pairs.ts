// Declared partners get their declared default, and the model is told.
import type { NumberTexts } from '../json/exact-numbers.ts';
import { pointerTo } from '../json/json-pointer.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, withKey } from '../json/value.ts';
import type { JsonSchema, Relation } from '../schema/json-schema.ts';
import type { SchemaView, SchemaViews } from '../schema/schema-view.ts';
import type { ContractValidator } from '../validate/validator.ts';
import type { RepairRecord } from './repair-rule.ts';

export interface FilledPairs {
  readonly value: JsonValue;
  readonly records: readonly RepairRecord[];
}

/** Looks at every object that declares relations, the nested ones too. */
export function fillPairs(
  validator: ContractValidator,
  value: JsonValue,
  { schema, path, numbers }: { schema: JsonSchema; path: string; numbers: NumberTexts },
): FilledPairs {
  if (!mayRelate(validator.views, schema)) return { value, records: [] };
  const view = validator.views.of(schema);
  const filled = isJsonArray(value)
    ? fillList(validator, value, { view, path, numbers })
    : isJsonObject(value)
      ? fillObject(validator, value, { view, path, numbers })
      : { value, records: [] };
  if (
    typeof value === 'object' &&
    value !== null &&
    typeof filled.value === 'object' &&
    filled.value !== null
  )
    numbers.carry(value, filled.value);
  return filled;
}

interface Around {
  readonly view: SchemaView;
  readonly path: string;
  readonly numbers: NumberTexts;
}

function fillList(
  validator: ContractValidator,
  value: readonly JsonValue[],
  { view, path, numbers }: Around,
): FilledPairs {
  const filled = value.map((item, index) =>
    fillPairs(validator, item, {
      schema: view.prefixItems[index] ?? view.items,
      path: pointerTo(path, index),
      numbers,
    }),
  );
  const records = filled.flatMap((item) => item.records);
  return { value: records.length === 0 ? value : filled.map((item) => item.value), records };
}

function fillObject(
  validator: ContractValidator,
  value: JsonObject,
  { view, path, numbers }: Around,
): FilledPairs {
  const records: RepairRecord[] = [];
  let object = value;
  for (const [key, schema] of view.properties) {
    const member = Object.hasOwn(object, key) ? object[key] : undefined;
    if (member === undefined) continue;
    const below = fillPairs(validator, member, { schema, path: pointerTo(path, key), numbers });
    for (const record of below.records) records.push(record);
    if (below.value !== member) object = withKey(object, key, below.value);
  }
  for (const relation of view.relational) {
    for (const [key, filler] of absentPartners(object, relation)) {
      // What came under another spelling and was left as a key of its own is not absent either.
      if (validator.strict.misspellings(view, object).some(([, declared]) => declared === key)) continue;
      object = withKey(object, key, structuredClone(filler));
      const pointer = pointerTo(path, key);
      records.push({
        rule: 'pairs',
        path: pointer,
        was: 'absent',
        tell: true,
        operations: [{ op: 'add', path: pointer, value: filler }],
      });
    }
  }
  return { value: object, records };
}

function absentPartners(
  object: JsonObject,
  { requires, defaults }: Relation,
): readonly (readonly [string, JsonValue])[] {
  if (!requires.some((key) => Object.hasOwn(object, key))) return [];
  return Object.entries(defaults).filter(([key]) => requires.includes(key) && !Object.hasOwn(object, key));
}

const related = new WeakMap<SchemaView, boolean>();

/** Whether any pair could be filled in the arguments as a whole; decided once. */
export const hasPairs = (views: SchemaViews): boolean => mayRelate(views, views.root);

/** Whether a relation is declared at or below a place; branches of unions are not followed. */
function mayRelate(views: SchemaViews, schema: JsonSchema): boolean {
  const view = views.of(schema);
  const known = related.get(view);
  if (known !== undefined) return known;
  // While it is being decided, a schema that contains itself counts as related.
  related.set(view, true);
  const below = [...view.properties.values(), ...view.prefixItems, view.items];
  const answer =
    view.relational.length > 0 || below.some((part) => typeof part !== 'boolean' && mayRelate(views, part));
  related.set(view, answer);
  return answer;
}
