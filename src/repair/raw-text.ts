import { parseJson } from '../json/parse.ts';
import { spellingOf } from '../json/key-spelling.ts';
import { type JsonValue, jsonTypeOf, maxTextDepth } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { type SchemaViews, memberSchema } from '../schema/schema-view.ts';
import type { ContractValidator } from '../validate/validator.ts';
import { booleanInText, isNullWord } from './read-text.ts';

/**
 * The JSON in the raw text of a notation, if the schema of the key allows both the text and a value
 * of that type; else undefined. Chat templates write strings as they are and other values as JSON,
 * so the text could be either.
 */
export function otherMeaning(
  validator: ContractValidator,
  key: string,
  raw: string,
): JsonValue | undefined {
  const { views } = validator;
  const value = jsonIn(raw);
  if (value === undefined || typeof value === 'string') return undefined;
  const schemas = schemasOf(views, views.root, key);
  const type = jsonTypeOf(value);
  const isOfType = (schema: JsonSchema): boolean => views.typesOf(schema).has(type);
  const mayBeBoth = (places: readonly JsonSchema[]): boolean =>
    places.some((schema) => validator.acceptsPart(schema, raw)) && places.some(isOfType);
  // Where an array is expected, the text may be its only element.
  const isElement = typeof value !== 'object' && !schemas.some(isOfType);
  const elements = isElement ? schemas.flatMap((schema) => elementsOf(views, schema)) : [];
  return mayBeBoth(schemas) || mayBeBoth(elements) ? value : undefined;
}

function jsonIn(raw: string): JsonValue | undefined {
  const read = parseJson(raw, maxTextDepth);
  if (read.kind === 'read') return read.value;
  return isNullWord(raw) ? null : booleanInText(raw);
}

/** The schemas of a key, in any spelling, in all branches of an object's schema. */
function schemasOf(views: SchemaViews, object: JsonSchema, key: string): readonly JsonSchema[] {
  const view = views.of(object);
  if (view.branches.length > 0)
    return view.branches.flatMap((branch) => schemasOf(views, branch, key));
  const spelled = [...view.properties.keys()].filter(
    (name) => spellingOf(name) === spellingOf(key),
  );
  const names = view.properties.has(key) || spelled.length === 0 ? [key] : spelled;
  return names.map((name) => memberSchema(view, name)).filter((schema) => schema !== false);
}

/** The schemas of the elements, in all branches of a schema that allows arrays. */
function elementsOf(views: SchemaViews, schema: JsonSchema): readonly JsonSchema[] {
  const { branches, types, items } = views.of(schema);
  if (branches.length > 0) return branches.flatMap((branch) => elementsOf(views, branch));
  return types.has('array') && items !== false ? [items] : [];
}
