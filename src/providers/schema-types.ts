import { type JsonType, type JsonValue, defined, jsonTypeOf } from '../json/value.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import { mergeSchemas } from '../schema/merge-schemas.ts';

/** The types of a schema, of its members, or the one to which all its keywords apply; undefined for any type. */
export function typesOf(schema: SchemaObject): readonly JsonType[] | undefined {
  const { type, enum: listed, const: constant } = schema;
  if (type !== undefined) return [type].flat();
  const members = constant === undefined ? listed : [constant];
  if (members !== undefined) {
    const types = new Set(members.map(jsonTypeOf));
    if (types.has('number')) types.delete('integer');
    return [...types];
  }
  const implied = new Set(Object.keys(schema).flatMap((keyword) => typeOfKeyword.get(keyword) ?? []));
  return implied.size === 1 ? [...implied] : undefined;
}

const keywordsOfTypes = {
  object: 'properties required additionalProperties patternProperties propertyNames',
  array: 'items prefixItems minItems maxItems uniqueItems contains',
  string: 'minLength maxLength pattern format',
  number: 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
} as const;

const typeOfKeyword: ReadonlyMap<string, JsonType> = new Map(
  (['object', 'array', 'string', 'number'] as const).flatMap((type) =>
    keywordsOfTypes[type].split(' ').map((keyword) => [keyword, type] as const),
  ),
);

/** The assertions of a schema of several types about one of them. */
export function ofType(type: JsonType, { enum: members, ...assertions }: SchemaObject): SchemaObject {
  const own = members?.filter((member) => isOfType(member, type));
  const kept = Object.entries(assertions).filter(([keyword]) => {
    const about = typeOfKeyword.get(keyword) ?? type;
    return about === type || (about === 'number' && type === 'integer');
  });
  return { ...Object.fromEntries(kept), type, ...defined({ enum: own }) };
}

const isOfType = (value: JsonValue, type: JsonType): boolean =>
  jsonTypeOf(value) === type || (type === 'number' && typeof value === 'number');

/** Nested unions. */
const maxDepth = 16;

/** Whether a schema accepts null. */
export function admitsNull(schema: JsonSchema, root: SchemaObject, depth = 0): boolean {
  if (typeof schema === 'boolean') return schema;
  const { anyOf, oneOf, enum: members, const: constant, type } = mergeSchemas(schema, root);
  if (constant !== undefined && constant !== null) return false;
  if (members !== undefined && !members.includes(null)) return false;
  if (depth > maxDepth || (type !== undefined && ![type].flat().includes('null'))) return false;
  return [anyOf, oneOf].every(
    (branches) => branches === undefined || branches.some((branch) => admitsNull(branch, root, depth + 1)),
  );
}

export const isEmpty = (schema: SchemaObject): boolean => Object.keys(schema).length === 0;

/** The schema with a description of these parts, each once. */
export function withDescription(schema: SchemaObject, parts: readonly (string | undefined)[]): SchemaObject {
  const kept = new Set(parts.filter((text) => text !== undefined && text !== ''));
  return kept.size === 0 ? schema : ordered({ ...schema, description: [...kept].join(' ') });
}

/** Puts type and description first, so that transforming a schema again gives the same text. */
export function ordered({ type, nullable, description, ...rest }: SchemaObject): SchemaObject {
  return { ...defined({ type, nullable, description }), ...rest };
}
