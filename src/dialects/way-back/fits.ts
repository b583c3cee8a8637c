// Which branch of a union is a value of? By types, constants and keys; whether the value is right is the judge's to say.
import { mergeSchemas } from '../../contract/merge-schemas.ts';
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  jsonTypeOf,
  type JsonValue,
} from '../../json/json-value.ts';
import { sameValue } from '../../json/same-value.ts';

/** Where a schema's references lead, and what its keys are called in the value. */
export interface FitFrame {
  readonly root: SchemaObject;
  keyOf(declared: string): string;
}

const deepest = 24;

/** Whether nothing that is looked at stands against the value. */
export function fits(schema: JsonSchema, value: JsonValue, frame: FitFrame, depth: number = 0): boolean {
  if (typeof schema === 'boolean') return schema;
  if (depth > deepest) return true;
  const plain = mergeSchemas(schema, frame.root);
  // OpenAPI's: null is a value beside what is said of the others.
  if (value === null && plain.nullable === true) return true;
  const { anyOf, oneOf, enum: members, const: constant } = plain;
  return (
    hasType(plain, value) &&
    (constant === undefined || sameValue(constant, value)) &&
    (members === undefined || members.some((member) => sameValue(member, value))) &&
    [anyOf, oneOf].every(
      (branches) =>
        branches === undefined || branches.some((branch) => fits(branch, value, frame, depth + 1)),
    ) &&
    (!isJsonObject(value) || membersFit(plain, value, frame, depth)) &&
    (!isJsonArray(value) || elementsFit(plain, value, frame, depth))
  );
}

/** The same by types alone, members aside. */
export function fitsOutermost(schema: JsonSchema, value: JsonValue, { root }: FitFrame): boolean {
  if (typeof schema === 'boolean') return schema;
  return hasType(mergeSchemas(schema, root), value);
}

function hasType({ type }: SchemaObject, value: JsonValue): boolean {
  if (type === undefined) return true;
  const types: readonly string[] = [type].flat();
  const found = jsonTypeOf(value);
  return types.includes(found) || (found === 'integer' && types.includes('number'));
}

function membersFit(plain: SchemaObject, value: JsonObject, frame: FitFrame, depth: number): boolean {
  const { properties = {}, required = [], additionalProperties: others = true, patternProperties } = plain;
  if (!required.every((key) => Object.hasOwn(value, frame.keyOf(key)))) return false;
  const declared = new Map(Object.entries(properties).map(([key, schema]) => [frame.keyOf(key), schema]));
  return Object.entries(value).every(([key, member]) => {
    const schema = declared.get(key) ?? (patternProperties === undefined ? others : true);
    return fits(schema, member, frame, depth + 1);
  });
}

function elementsFit(
  plain: SchemaObject,
  value: JsonValue & readonly JsonValue[],
  frame: FitFrame,
  depth: number,
): boolean {
  const { prefixItems = [], items, minItems, maxItems } = plain;
  if (typeof minItems === 'number' && value.length < minItems) return false;
  if (typeof maxItems === 'number' && value.length > maxItems) return false;
  const rest: JsonSchema = items === undefined || isList(items) ? true : items;
  return value.every((element, index) => fits(prefixItems[index] ?? rest, element, frame, depth + 1));
}

const isList = (items: NonNullable<SchemaObject['items']>): items is readonly JsonSchema[] =>
  Array.isArray(items);
