import { parseJson } from '../json/parse.ts';
import { type JsonValue, jsonTypeOf, spellingOf } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { type SchemaViews, memberSchema } from '../schema/schema-view.ts';
import type { ContractValidator } from '../validate/validator.ts';
import { booleanInText, isNullWord } from './read-text.ts';

/**
 * The JSON in the raw text of a notation, if the schema of the key allows both the text and a value of that type; else undefined.
 * Chat templates write strings as they are and other values as JSON, so the text could be either.
 */
export function otherMeaning(validator: ContractValidator, key: string, raw: string): JsonValue | undefined {
  const { views } = validator;
  const value = jsonIn(raw);
  if (value === undefined || typeof value === 'string') return undefined;
  const schemas = schemasOf(views, views.root, key);
  const isText = schemas.some((schema) => validator.acceptsPart(schema, raw));
  const type = jsonTypeOf(value);
  return isText && schemas.some((schema) => views.typesOf(schema).has(type)) ? value : undefined;
}

function jsonIn(raw: string): JsonValue | undefined {
  const read = parseJson(raw, maxDepth);
  if (read.kind === 'read') return read.value;
  return isNullWord(raw) ? null : booleanInText(raw);
}

const maxDepth = 64;

/** The schemas of a key, in any spelling, in all branches of an object's schema. */
function schemasOf(views: SchemaViews, object: JsonSchema, key: string): readonly JsonSchema[] {
  const view = views.of(object);
  if (view.branches.length > 0) return view.branches.flatMap((branch) => schemasOf(views, branch, key));
  const spelled = [...view.properties.keys()].filter((name) => spellingOf(name) === spellingOf(key));
  const names = view.properties.has(key) || spelled.length === 0 ? [key] : spelled;
  return names.map((name) => memberSchema(view, name)).filter((schema) => schema !== false);
}
