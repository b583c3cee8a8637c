import { defined } from '../json/value.ts';
import { type SchemaObject, subschemasOf } from './json-schema.ts';

/** Keywords by the type of their value. Definitions are checked where they are referred to. */
const keywordsByType = {
  array: 'enum examples',
  strings: 'required',
  object: '$defs definitions',
  stringsByKey: 'dependentRequired',
  schemasByKey: 'dependentSchemas patternProperties properties',
  dependents: 'dependencies',
  schema:
    'additionalItems additionalProperties contains contentSchema else if not propertyNames then unevaluatedItems unevaluatedProperties',
  schemas: 'allOf anyOf oneOf prefixItems',
  schemaOrSchemas: 'items',
  string:
    '$anchor $comment $dynamicAnchor $dynamicRef $id $recursiveRef $ref $schema contentEncoding contentMediaType format id pattern',
  number:
    'maxContains maxItems maxLength maxProperties maximum minContains minItems minLength minProperties minimum multipleOf',
  numberOrBoolean: 'exclusiveMaximum exclusiveMinimum',
  boolean: 'uniqueItems',
  types: 'type',
  any: '$recursiveAnchor $vocabulary const default deprecated description discriminator example externalDocs nullable readOnly title writeOnly xml dirge-hints x-toolmend',
} as const;

type ValueType = keyof typeof keywordsByType;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isString = (value: unknown): boolean => typeof value === 'string';
const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isObject(value);

const arrayOf =
  (isElement: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(isElement);

const objectOf =
  (isMember: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    isObject(value) && Object.values(value).every(isMember);

const types: ReadonlySet<unknown> = new Set('array boolean integer null number object string'.split(' '));

const isOfType: Readonly<Record<ValueType, (value: unknown) => boolean>> = {
  array: Array.isArray,
  strings: arrayOf(isString),
  object: isObject,
  stringsByKey: objectOf(arrayOf(isString)),
  schemasByKey: objectOf(isSchema),
  dependents: objectOf((value) => isSchema(value) || arrayOf(isString)(value)),
  schema: isSchema,
  schemas: arrayOf(isSchema),
  schemaOrSchemas: (value) => isSchema(value) || arrayOf(isSchema)(value),
  string: isString,
  number: (value) => typeof value === 'number',
  numberOrBoolean: (value) => typeof value === 'number' || typeof value === 'boolean',
  boolean: (value) => typeof value === 'boolean',
  types: (value) => [value].flat().every((type) => types.has(type)),
  any: () => true,
};

const checks: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
  Object.entries(isOfType).flatMap(([type, check]) => {
    const keywords: string = Reflect.get(keywordsByType, type);
    return keywords.split(' ').map((keyword) => [keyword, check] as const);
  }),
);

/** Whether a keyword has a value of a type that it doesn't take. */
export const isMisused = (keyword: string, value: unknown): boolean => checks.get(keyword)?.(value) === false;

export interface KeywordProblems {
  /** Keywords that no draft knows; vendors' own, `x-…`, are not listed. */
  readonly unknown: readonly string[];
  /** The first keyword whose value has the wrong type, as a clause. */
  readonly misused?: string;
}

/** Checks every keyword of a schema and of all schemas in it. */
export function checkKeywords(root: SchemaObject): KeywordProblems {
  const unknown = new Set<string>();
  const misused: string[] = [];
  const visit = (schema: SchemaObject): void => {
    for (const [keyword, value] of Object.entries(schema)) {
      if (!checks.has(keyword) && !keyword.startsWith('x-')) unknown.add(keyword);
      if (isMisused(keyword, value))
        misused.push(
          keyword === 'type'
            ? `has the unknown type ${JSON.stringify(value)}`
            : `has a value of the wrong type for ${keyword}`,
        );
    }
    for (const below of subschemasOf(schema)) visit(below);
  };
  visit(root);
  const [first] = misused;
  return { unknown: [...unknown], ...defined({ misused: first }) };
}

/** Schemas of real tools, written by hand or generated, stay far below. */
const limits = { characters: 256 * 1024, depth: 64, objects: 10_000 } as const;

/**
 * The first limit that a schema exceeds, as a clause. To be called before anything recurses into a foreign schema; takes no
 * longer than the limits allow, for any value.
 */
export function exceededLimit(schema: unknown): string | undefined {
  const open = [{ value: schema, depth: 1 }];
  let characters = 0;
  let objects = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) {
      characters += typeof value === 'string' ? value.length + 2 : 4;
    } else {
      if (depth > limits.depth) return `is nested deeper than ${limits.depth} levels`;
      if (!Array.isArray(value)) objects += 1;
      for (const [key, below] of Object.entries<unknown>({ ...value })) {
        characters += Array.isArray(value) ? 1 : key.length + 4;
        open.push({ value: below, depth: depth + 1 });
      }
    }
    if (characters > limits.characters) return `is longer than ${limits.characters / 1024} KB`;
    if (objects > limits.objects) return `has more than ${limits.objects} schemas`;
  }
  return undefined;
}
