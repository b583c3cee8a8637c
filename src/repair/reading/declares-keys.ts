// Does a schema declare keys by name, itself or in one branch of its union?
import type { JsonSchema } from '../../json/json-schema.ts';
import type { SchemaView } from '../../contract/schema-view.ts';
import type { Questions } from '../repair-rule.ts';

/** True if one and the same object schema declares all of them. */
export function declaresKeys(ask: Questions, schema: JsonSchema, keys: readonly string[]): boolean {
  const { branches, properties } = ask.view(schema);
  if (branches.length > 0) return branches.some((branch) => declaresKeys(ask, branch, keys));
  return keys.every((key) => properties.has(key));
}

/** True if an object schema here names any key at all. */
export function declaresAnyKey(ask: Questions, schema: JsonSchema): boolean {
  const { branches, properties } = ask.view(schema);
  return properties.size > 0 || branches.some((branch) => declaresAnyKey(ask, branch));
}

/** True if an object's own schema says something of a key, by its name or by a pattern. */
export const isDeclaredKey = ({ properties, patternProperties }: SchemaView, key: string): boolean =>
  properties.has(key) || patternProperties.some(([pattern]) => pattern.test(key));

/** True if an undeclared key may stand for this one: in an open object any key may stand, and only a required one is missed. */
export const mayBeMeant = ({ additionalProperties, required }: SchemaView, key: string): boolean =>
  additionalProperties === false || required.has(key);
