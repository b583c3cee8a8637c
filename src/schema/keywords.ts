import { nearestName } from '../json/nearest-name.ts';
import { canonicalJson } from '../json/serialize.ts';
import { type JsonValue, defined, isJsonArray, isJsonObject } from '../json/value.ts';
import { type SchemaObject, isSchema, isSchemaObject, subschemasOf } from './json-schema.ts';

/** Keywords by the type of their value. Definitions are only checked if a reference leads to them. */
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

const isString = (value: unknown): boolean => typeof value === 'string';

const arrayOf =
  (isElement: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(isElement);

const objectOf =
  (isMember: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    isSchemaObject(value) && Object.values(value).every(isMember);

const types: ReadonlySet<unknown> = new Set('array boolean integer null number object string'.split(' '));

const isOfType: Readonly<Record<ValueType, (value: unknown) => boolean>> = {
  array: Array.isArray,
  strings: arrayOf(isString),
  object: isSchemaObject,
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

/** Whether a value is of the wrong type for a keyword. */
export const isMisused = (keyword: string, value: unknown): boolean => checks.get(keyword)?.(value) === false;

/** The keyword that an unknown one misspells. A keyword with a word more, such as `enumNames`, is another vendor's own. */
export function misspeltKeyword(unknown: string): string | undefined {
  const nearest = nearestName(unknown, checks.keys());
  return nearest !== undefined && Math.abs(nearest.length - unknown.length) <= 2 ? nearest : undefined;
}

export interface KeywordProblems {
  /** Keywords that no draft knows, except vendors' own, `x-…`. */
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

/** Far above the size of schemas of real tools, written by hand or generated. */
const schemaLimits = { characters: 256 * 1024, depth: 64, objects: 10_000 } as const;

/**
 * The first limit that a schema exceeds, as a clause. Call it before anything recurses into a foreign schema. The limits
 * bound its own time too.
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
      if (depth > schemaLimits.depth) return `is nested deeper than ${schemaLimits.depth} levels`;
      if (!Array.isArray(value)) objects += 1;
      for (const [key, below] of Object.entries<unknown>({ ...value })) {
        characters += Array.isArray(value) ? 1 : key.length + 4;
        open.push({ value: below, depth: depth + 1 });
      }
    }
    if (characters > schemaLimits.characters) return `is longer than ${schemaLimits.characters / 1024} KB`;
    if (objects > schemaLimits.objects) return `has more than ${schemaLimits.objects} schemas`;
  }
  return undefined;
}

type Measure = (value: JsonValue) => number | undefined;
const numberOf: Measure = (value) => (typeof value === 'number' ? value : undefined);
/** In code points. */
const lengthOf: Measure = (value) => (typeof value === 'string' ? [...value].length : undefined);
const itemsOf: Measure = (value) => (isJsonArray(value) ? value.length : undefined);
const keysOf: Measure = (value) => (isJsonObject(value) ? Object.keys(value).length : undefined);
const atMost = (measured: number, limit: number): boolean => measured <= limit;
const atLeast = (measured: number, limit: number): boolean => measured >= limit;

/** Keywords that limit a number or a size: what they measure, undefined for a value of another type, and compare. */
export const limits: readonly (readonly [string, Measure, (measured: number, limit: number) => boolean])[] = [
  ['maximum', numberOf, atMost],
  ['minimum', numberOf, atLeast],
  ['exclusiveMaximum', numberOf, (measured, limit) => measured < limit],
  ['exclusiveMinimum', numberOf, (measured, limit) => measured > limit],
  ['multipleOf', numberOf, isMultiple],
  ['maxLength', lengthOf, atMost],
  ['minLength', lengthOf, atLeast],
  ['maxItems', itemsOf, atMost],
  ['minItems', itemsOf, atLeast],
  ['maxProperties', keysOf, atMost],
  ['minProperties', keysOf, atLeast],
];

/** Whether the quotient is an integer to nine decimals, as Ajv is configured: `0.3` is a multiple of `0.1`. */
export function isMultiple(value: number, divisor: number): boolean {
  const quotient = value / divisor;
  return Math.abs(Math.round(quotient) - quotient) <= 1e-9;
}

/** Whether two elements are equal as JSON, in any order of keys. */
export function hasRepetition(list: readonly JsonValue[]): boolean {
  const seen = new Set<unknown>();
  for (const item of list) {
    // The quotation mark distinguishes a string from the JSON of a container.
    const key = typeof item === 'string' ? `"${item}` : typeof item === 'object' ? canonicalJson(item) : item;
    if (seen.has(key)) return true;
    seen.add(key);
  }
  return false;
}
