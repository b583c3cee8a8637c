import { memoize } from '../collections/memoize.ts';
import { isContainer, objectOf } from '../collections/objects.ts';
import { type JsonType, type JsonValue } from '../json/value.ts';

/**
 * JSON Schema 2020-12 (https://json-schema.org/draft/2020-12), with the keywords that repair and
 * messages read.
 */
export type JsonSchema = boolean | SchemaObject;

/** A JSON Schema other than `true` and `false`. */
export interface SchemaObject {
  readonly $schema?: string;
  readonly $id?: string;
  readonly $ref?: string;
  readonly $defs?: SchemaMap;
  readonly definitions?: SchemaMap;
  readonly type?: JsonType | readonly JsonType[];
  readonly enum?: readonly JsonValue[];
  readonly const?: JsonValue;
  readonly properties?: SchemaMap;
  readonly patternProperties?: SchemaMap;
  readonly additionalProperties?: JsonSchema;
  readonly required?: readonly string[];
  readonly dependentRequired?: { readonly [name: string]: readonly string[] };
  readonly dependentSchemas?: SchemaMap;
  readonly if?: JsonSchema;
  readonly then?: JsonSchema;
  readonly else?: JsonSchema;
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly unevaluatedItems?: JsonSchema;
  readonly unevaluatedProperties?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly additionalItems?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: JsonValue;
  readonly examples?: readonly JsonValue[];
  readonly format?: string;
  readonly contentMediaType?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly writeOnly?: boolean;
  readonly nullable?: boolean;
  readonly 'x-toolmend'?: ToolmendAnnotation;
  readonly [keyword: string]: unknown;
}

export interface SchemaMap {
  readonly [name: string]: JsonSchema;
}

/** toolmend's own keyword. Never shown to a model; read by repair, messages and execution. */
export interface ToolmendAnnotation {
  /**
   * The meaning of a value. `path`: a file system path, so never a Markdown link. `url`: an address
   * with its protocol. `glob`: a pattern without quotes. `line_range`: the first and the last line,
   * `[10, 20]` or `10-20`.
   */
  readonly semantic?: string;
  /** Repair never changes the string. */
  readonly verbatim?: boolean;
  /** Undeclared keys of this object, which is closed, are removed, and the model is told. */
  readonly strips?: boolean;
  /**
   * The schema's library coerces these types without changing the meaning. It coerces all other
   * types too, but may change it.
   */
  readonly converts?: readonly JsonType[];
  /** The library has a fallback (`.catch`) for values that don't match. */
  readonly replaces?: boolean;
  /** Other names that models use for the property. */
  readonly aliases?: readonly string[];
  /** The value is never echoed, recorded or logged. */
  readonly secret?: boolean;
  /** `off`: hints in the tool's description don't mention it. */
  readonly hints?: 'off';
  /** For an object: properties that belong together. */
  readonly relational?: readonly Relation[];
}

/**
 * Arguments that belong together. If some but not all are sent, those with a default are filled.
 */
export interface Relation {
  /** The arguments. */
  readonly requires: readonly string[];
  /**
   * By argument: the value that an absent argument gets if another argument of the relation is
   * sent.
   */
  readonly defaults: { readonly [name: string]: JsonValue };
}

/**
 * Keywords of all drafts whose value is a schema, an array of schemas, or schemas by name. All
 * other values are data.
 */
export const keywordsWithSchema: readonly string[] = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const withSchema = new Set<unknown>([...keywordsWithSchema, 'items']);
export const keywordsWithSchemas: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const withSchemas = new Set<unknown>([...keywordsWithSchemas, 'items']);
const keywordsWithNames = new Set<unknown>([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

export const isString = (value: unknown): value is string => typeof value === 'string';

export const isSchemaObject = (value: unknown): value is SchemaObject =>
  isContainer(value) && !Array.isArray(value);

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'boolean' || isSchemaObject(value);

/** Without some keywords; the same schema if it has none of them. */
export const filterKeywords = (
  schema: SchemaObject,
  isKept: (keyword: string) => boolean,
): SchemaObject =>
  Object.keys(schema).every(isKept)
    ? schema
    : objectOf(Object.entries(schema).filter(([keyword]) => isKept(keyword)));

/**
 * The schema with every schema directly inside mapped; `true` and `false` stay. The same schema if
 * the map returns each as it is.
 */
export function mapSubschemas(
  schema: SchemaObject,
  map: (subschema: SchemaObject) => JsonSchema,
): SchemaObject {
  const mapValue = (value: unknown): unknown => (isSchemaObject(value) ? map(value) : value);
  return mapMembersOf(schema, (value, keyword) => {
    if (withSchemas.has(keyword) && Array.isArray(value)) return mapElements(value, mapValue);
    if (keywordsWithNames.has(keyword) && isSchemaObject(value))
      return mapMembersOf(value, mapValue);
    return withSchema.has(keyword) ? mapValue(value) : value;
  });
}

/** The same object if every member stays as it is. */
function mapMembersOf(
  schema: SchemaObject,
  map: (value: unknown, key: string) => unknown,
): SchemaObject {
  let changedKeywords: Map<string, unknown> | undefined;
  for (const key of Object.keys(schema)) {
    const newValue = map(schema[key], key);
    if (newValue !== schema[key])
      (changedKeywords ??= new Map<string, unknown>()).set(key, newValue);
  }
  if (changedKeywords === undefined) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      changedKeywords.has(key) ? changedKeywords.get(key) : value,
    ]),
  );
}

/** The same array if every element stays as it is. */
function mapElements(
  elements: readonly unknown[],
  map: (element: unknown) => unknown,
): readonly unknown[] {
  const newElements = elements.map(map);
  return newElements.every((element, at) => element === elements[at]) ? elements : newElements;
}

const ownAnnotations: ReadonlySet<string> = new Set(['x-toolmend', 'dirge-hints', 'x-dirge-kind']);

/** Keywords that assert nothing about a value. */
const annotationKeywords = new Set<unknown>([
  ...ownAnnotations,
  '$comment',
  '$defs',
  'default',
  'definitions',
  'deprecated',
  'description',
  'discriminator',
  'example',
  'examples',
  'readOnly',
  'title',
  'writeOnly',
]);

export function divide(schema: SchemaObject): {
  readonly annotations: SchemaObject;
  readonly assertions: SchemaObject;
} {
  const { annotations = [], assertions = [] } = Object.groupBy(
    Object.entries(schema),
    ([keyword]) => (annotationKeywords.has(keyword) ? 'annotations' : 'assertions'),
  );
  return { annotations: objectOf(annotations), assertions: objectOf(assertions) };
}

const combining = ['$ref', 'const', 'anyOf', 'oneOf', 'allOf'];

/** A schema that accepts null too. */
export function orNull(schema: SchemaObject): SchemaObject {
  const { type, enum: members, anyOf } = schema;
  const { annotations, assertions } = divide(schema);
  if (anyOf !== undefined && Object.keys(assertions).length === 1)
    return anyOf.some(isNull) ? schema : { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  if (combining.some((keyword) => schema[keyword] !== undefined))
    return { ...annotations, anyOf: [assertions, { type: 'null' }] };
  return {
    ...schema,
    ...(type === undefined ? {} : { type: [...new Set([type, 'null' as const].flat())] }),
    ...(members === undefined ? {} : { enum: [...new Set([...members, null])] }),
  };
}

/** Whether a schema is `{ "type": "null" }`, perhaps with other keywords. */
export const isNull = (schema: JsonSchema): boolean =>
  typeof schema === 'object' && schema.type === 'null';

/**
 * A copy without annotations, toolmend's or other programs', in all its schemas. Data and names
 * stay as they are.
 */
export const withoutAnnotations = (schema: SchemaObject): SchemaObject =>
  withoutKeywordsIn(schema, ownAnnotations);

/** A copy without some keywords in all its schemas; the same schema if none has any of them. */
export function withoutKeywordsIn(root: SchemaObject, keywords: ReadonlySet<string>): SchemaObject {
  const copy = (schema: SchemaObject): SchemaObject =>
    mapSubschemas(
      filterKeywords(schema, (keyword) => !keywords.has(keyword)),
      copy,
    );
  return keywordsIn(root).isDisjointFrom(keywords) ? root : copy(root);
}

/** The schemas directly inside a schema, in source order. */
export const subschemasOf = memoize((schema: SchemaObject): readonly SchemaObject[] => {
  const subschemas: SchemaObject[] = [];
  const add = (value: unknown): void => {
    if (isSchemaObject(value)) subschemas.push(value);
  };
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    if (!isContainer(value)) continue;
    if (withSchemas.has(keyword) && Array.isArray(value)) value.forEach(add);
    else if (withSchema.has(keyword)) add(value);
    else if (keywordsWithNames.has(keyword) && isSchemaObject(value))
      Object.values(value).forEach(add);
  }
  return subschemas.length === 0 ? noSchemas : subschemas;
});

const noSchemas: readonly SchemaObject[] = Object.freeze([]);

/** A schema and all schemas in it, in source order. */
export const schemasIn = memoize((root: SchemaObject): readonly SchemaObject[] => {
  const schemas: SchemaObject[] = [];
  const visit = (schema: SchemaObject): void => {
    schemas.push(schema);
    subschemasOf(schema).forEach(visit);
  };
  visit(root);
  return schemas;
});

/** The keywords of a schema and of all schemas in it. */
export const keywordsIn = memoize((root: SchemaObject): ReadonlySet<string> => {
  const keywords = new Set<string>();
  for (const schema of schemasIn(root))
    for (const keyword of Object.keys(schema)) keywords.add(keyword);
  return keywords;
});
