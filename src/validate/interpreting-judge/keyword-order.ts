// In which order are the failures of one schema listed? As Ajv lists them, so that both judges make the same message.
import type { JsonSchema } from '../../json/json-schema.ts';

const groups: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  ['any', ['$ref', 'not', 'anyOf', 'oneOf', 'allOf', 'then', 'else', 'if', 'const', 'enum']],
  ['number', ['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum', 'multipleOf']],
  ['string', ['maxLength', 'minLength', 'pattern', 'format']],
  [
    'array',
    [
      'maxItems',
      'minItems',
      'prefixItems',
      'items',
      'contains',
      'minContains',
      'maxContains',
      'uniqueItems',
      'unevaluatedItems',
    ],
  ],
  [
    'object',
    [
      'maxProperties',
      'minProperties',
      'required',
      'propertyNames',
      'additionalProperties',
      'properties',
      'patternProperties',
      'dependentRequired',
      'dependentSchemas',
      'unevaluatedProperties',
    ],
  ],
];

const orders: ReadonlyMap<string, number> = new Map(
  groups.flatMap(([, keywords], group) =>
    keywords.map((keyword, at) => [keyword, group * 100 + at + 1] as const),
  ),
);

/** A type stands first, or, as the only one, with the keywords that speak of its values; `integer` always first. */
export function orderOf(keyword: string, schema: JsonSchema): number {
  if (keyword !== 'type' || typeof schema === 'boolean') return orders.get(keyword) ?? 1000;
  const group = groups.findIndex(([name]) => name === schema.type);
  const keywords = groups[group]?.[1] ?? [];
  return keywords.some((said) => Object.hasOwn(schema, said)) ? group * 100 : 0;
}

/** Compares two such orders; what is on the way to the other comes first. */
export function compareOrders(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((number, index) => number !== right[index]);
  if (at === -1) return left.length - right.length;
  return (left[at] ?? 0) - (right[at] ?? -1);
}
