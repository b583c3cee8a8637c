// Where in a JSON Schema do other schemas stand? Nowhere else is a key a keyword: data and names stay what they are.
import type { JsonSchema, SchemaObject } from './json-schema.ts';

/** Keyword of JSON Schema, 2020-12 or draft-07, by what it holds. */
const holdsOne = new Set([
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
]);
const holdsList = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const holdsNamed = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** A copy with every schema directly below replaced; draft-07's `items` and `dependencies` with their lists too. */
export function mapSubschemas(schema: SchemaObject, map: (below: SchemaObject) => JsonSchema): SchemaObject {
  const mapped = (value: unknown): unknown => (isSchemaObject(value) ? map(value) : value);
  const mappedList = (value: unknown): unknown => (Array.isArray(value) ? value.map(mapped) : mapped(value));
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (holdsOne.has(keyword)) return [keyword, mapped(value)];
    if (holdsList.has(keyword) || keyword === 'items') return [keyword, mappedList(value)];
    return [keyword, holdsNamed.has(keyword) && isSchemaObject(value) ? mappedNames(value, mapped) : value];
  });
  return Object.fromEntries(entries);
}

const mappedNames = (named: object, mapped: (value: unknown) => unknown): unknown =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [name, mapped(value)]));

const isSchemaObject = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
