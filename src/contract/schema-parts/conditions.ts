// What does a schema say only on a condition? `if` with `then` and `else`, and what the presence of a key asks for.
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import { isJsonObject, type JsonValue } from '../../json/json-value.ts';

/** A question to a value, and what holds for the value with each answer. */
export interface Condition {
  readonly asks:
    { readonly kind: 'passes'; readonly schema: JsonSchema } | { readonly kind: 'has'; readonly key: string };
  // Not `then`: an object with that key would be awaited.
  readonly ifSo: JsonSchema;
  readonly ifNot: JsonSchema;
}

/** Keywords that say nothing without a condition. */
export const conditionalKeywords = ['if', 'then', 'else', 'dependentSchemas', 'dependentRequired'] as const;

/** The conditions of schemas that hold together, in their order. */
export const conditionsOf = (parts: readonly SchemaObject[]): readonly Condition[] =>
  parts.flatMap((part) => [...choiceOf(part), ...dependentsOf(part)]);

function choiceOf(part: SchemaObject): readonly Condition[] {
  const { if: asked, then: ifSo = true, else: ifNot = true } = part;
  if (asked === undefined || (ifSo === true && ifNot === true)) return [];
  return [{ asks: { kind: 'passes', schema: asked }, ifSo, ifNot }];
}

function dependentsOf({ dependentSchemas, dependentRequired }: SchemaObject): readonly Condition[] {
  const schemas = Object.entries(dependentSchemas ?? {});
  const keys = Object.entries(dependentRequired ?? {}).map(([key, required]) => [key, { required }] as const);
  return [...schemas, ...keys].map(([key, ifSo]) => ({ asks: { kind: 'has', key }, ifSo, ifNot: true }));
}

/** Whether each of some conditions holds for a value. */
export const outcomesOf = (
  conditions: readonly Condition[],
  value: JsonValue,
  accepts: (schema: JsonSchema, value: JsonValue) => boolean,
): readonly boolean[] =>
  conditions.map(({ asks }) =>
    asks.kind === 'passes'
      ? accepts(asks.schema, value)
      : isJsonObject(value) && Object.hasOwn(value, asks.key),
  );

/** What holds with these answers, without what says nothing. */
export const consequencesOf = (
  conditions: readonly Condition[],
  outcomes: readonly boolean[],
): readonly JsonSchema[] =>
  conditions
    .map(({ ifSo, ifNot }, at) => (outcomes[at] === true ? ifSo : ifNot))
    .filter((schema) => schema !== true);
