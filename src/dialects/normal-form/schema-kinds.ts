// Which values does a schema speak of? Its types, said or shown by its keywords, and whether null is one of them.
import { mergeSchemas } from '../../contract/merge-schemas.ts';
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import { jsonTypeOf, type JsonType, type JsonValue } from '../../json/json-value.ts';

/** Said of a schema, not of its values. */
const describing: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  'discriminator',
]);

const hintsOf: readonly (readonly [JsonType, readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains']],
  ['string', ['minLength', 'maxLength', 'pattern', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

/** The types that a schema says, or that its members have; undefined for any. */
export function typesOf({
  type,
  enum: members,
  const: constant,
}: SchemaObject): readonly JsonType[] | undefined {
  if (type !== undefined) return typeof type === 'string' ? [type] : type;
  const listed = constant === undefined ? members : [constant];
  return listed === undefined ? undefined : typesOfValues(listed);
}

/** The one type that its keywords are about, where none is said; undefined if they are about none or several. */
export function impliedType(schema: SchemaObject): JsonType | undefined {
  const implied = hintsOf.filter(([, keywords]) =>
    keywords.some((keyword) => Object.hasOwn(schema, keyword)),
  );
  return implied.length === 1 ? implied[0]?.[0] : undefined;
}

function typesOfValues(values: readonly JsonValue[]): readonly JsonType[] {
  const types = new Set(values.map(jsonTypeOf));
  if (types.has('number')) types.delete('integer');
  return [...types];
}

/** Whether null is a value of a schema's. */
export function admitsNull(schema: JsonSchema, root: SchemaObject, depth: number = 0): boolean {
  if (typeof schema === 'boolean') return schema;
  const plain = mergeSchemas(schema, root);
  const { anyOf, oneOf, enum: members, const: constant } = plain;
  if (constant !== undefined && constant !== null) return false;
  if (members !== undefined && !members.includes(null)) return false;
  if (depth > 16 || (plain.type !== undefined && ![plain.type].flat().includes('null'))) return false;
  return [anyOf, oneOf].every(
    (branches) => branches === undefined || branches.some((branch) => admitsNull(branch, root, depth + 1)),
  );
}

/** The part of a schema that describes, and the part that asserts. */
export function divided(schema: SchemaObject): {
  readonly described: SchemaObject;
  readonly asserted: SchemaObject;
} {
  const entries = Object.entries(schema);
  return {
    described: Object.fromEntries(entries.filter(([keyword]) => describing.has(keyword))),
    asserted: Object.fromEntries(entries.filter(([keyword]) => !describing.has(keyword))),
  };
}
