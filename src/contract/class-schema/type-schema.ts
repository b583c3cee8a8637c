// How does a type look as JSON Schema, before any constraint?
import type { JsonSchema, SchemaObject, ToolmendAnnotation } from '../../json/json-schema.ts';
import type { JsonType } from '../../json/json-value.ts';
import type { ArgumentType } from '../argument-types/argument-type.ts';
import type { ArgumentClass, EnumMember } from '../../metadata/declared-type.ts';

/** Shows where the schema of a class is: in full, or by reference. */
export type SchemaOfClass = (Class: ArgumentClass) => SchemaObject;

/** What the parts of a type need to know of their surroundings. */
export interface TypeSurroundings {
  readonly schemaOf: SchemaOfClass;
  /** What is said of every text in the type, however deep in lists and maps. */
  readonly ofText: ToolmendAnnotation;
}

export function typeSchema(type: ArgumentType, around: TypeSurroundings): SchemaObject {
  const inside = (part: ArgumentType): SchemaObject => typeSchema(part, around);
  switch (type.kind) {
    case 'string':
      return textSchema(around.ofText);
    case 'date':
      return { type: 'string', format: 'date-time' };
    case 'const':
      return { type: jsonTypeOf([type.value]), const: type.value };
    case 'enum':
      return enumSchema(type.values);
    case 'array':
      return { type: 'array', items: inside(type.items) };
    case 'record':
      return { type: 'object', additionalProperties: inside(type.values) };
    case 'tuple':
      return tupleSchema(type.items.map(inside));
    case 'class':
      return around.schemaOf(type.Class);
    case 'oneOf':
      return { anyOf: type.Classes.map(around.schemaOf) };
    case 'union':
      return { anyOf: type.members.map(inside) };
    case 'nullable':
      return orNull(inside(type.type));
    case 'open':
    case 'broken':
      return {};
    default:
      return { type: type.kind };
  }
}

const textSchema = (ofText: ToolmendAnnotation): SchemaObject =>
  Object.keys(ofText).length === 0 ? { type: 'string' } : { type: 'string', 'x-toolmend': ofText };

/** Members of one JSON type keep it; a mix becomes one branch a type. */
function enumSchema(values: readonly EnumMember[]): SchemaObject {
  const types = new Set(values.map((value) => typeof value));
  if (types.size === 1) return { type: jsonTypeOf(values), enum: values };
  return { anyOf: [...types].map((type) => enumSchema(values.filter((value) => typeof value === type))) };
}

function jsonTypeOf(values: readonly EnumMember[]): JsonType {
  const [first] = values;
  if (typeof first === 'string') return 'string';
  if (typeof first === 'boolean') return 'boolean';
  return values.every(Number.isInteger) ? 'integer' : 'number';
}

// Strict validators want the length said beside the places.
const tupleSchema = (places: readonly SchemaObject[]): SchemaObject => ({
  type: 'array',
  prefixItems: places,
  items: false,
  minItems: places.length,
  maxItems: places.length,
});

/** The schema, or null: in its own `type` where it has one and nothing else would refuse null. */
function orNull(schema: SchemaObject): SchemaObject {
  const { type, enum: values } = schema;
  if (typeof type !== 'string' || Object.hasOwn(schema, 'const')) {
    return { anyOf: [...(isPlainUnion(schema) ? schema.anyOf : [schema]), { type: 'null' }] };
  }
  return { ...schema, type: [type, 'null'], ...(values === undefined ? {} : { enum: [...values, null] }) };
}

const isPlainUnion = (
  schema: SchemaObject,
): schema is SchemaObject & { readonly anyOf: readonly JsonSchema[] } =>
  schema.anyOf !== undefined && Object.keys(schema).length === 1;
