import { ownValue } from '../json/value.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import { setOf } from './provider-rules.ts';

/** Phrases by keyword. `#`: the value. `|s`: a plural ending, dropped if the value is 1. */
const templates: ReadonlyMap<string, string> = new Map([
  ['minLength', 'at least # character|s'],
  ['maxLength', 'at most # character|s'],
  ['minimum', 'at least #'],
  ['maximum', 'at most #'],
  ['exclusiveMinimum', 'more than #'],
  ['exclusiveMaximum', 'less than #'],
  ['multipleOf', 'a multiple of #'],
  ['minItems', 'at least # item|s'],
  ['maxItems', 'at most # item|s'],
  ['minProperties', 'at least # key|s'],
  ['maxProperties', 'at most # key|s'],
  ['minContains', 'at least # such item|s'],
  ['maxContains', 'at most # such item|s'],
  ['format', 'format #'],
  ['pattern', 'matches the regular expression #'],
  ['default', 'default #'],
  ['const', 'only #'],
  ['not', 'not #'],
  ['contains', 'has an item like #'],
  ['propertyNames', 'each key is like #'],
  ['additionalProperties', 'other keys hold values like #'],
  ['unevaluatedProperties', 'other keys hold values like #'],
  ['unevaluatedItems', 'other items are like #'],
  ['if', 'if it is like #'],
  ['then', 'then it is like #'],
  ['else', 'else it is like #'],
  ['example', 'for example #'],
]);

/** Annotations that mean nothing to a model, and keywords that are described elsewhere. */
const silent = setOf(
  '$schema $comment $defs title discriminator readOnly writeOnly externalDocs xml description',
);

/** The meaning of a keyword in a few words, for a description; undefined if it has none for a model. */
export function keywordWords(keyword: string, value: unknown): string | undefined {
  if (silent.has(keyword) || keyword.startsWith('x-')) return undefined;
  // Every key is a string anyway.
  if (keyword === 'propertyNames' && JSON.stringify(value) === '{"type":"string"}') return undefined;
  const template = templates.get(keyword);
  if (template !== undefined)
    return template.replace('|s', value === 1 ? '' : 's').replace('#', () => json(value));
  switch (keyword) {
    case 'uniqueItems':
      return value === true ? 'no item twice' : undefined;
    case 'deprecated':
      return value === true ? 'deprecated' : undefined;
    case 'enum':
      return `one of ${listed(value)}`;
    case 'examples':
      return `for example ${listed(value)}`;
    case 'prefixItems':
      return `in this order: ${listed(value)}`;
    case 'patternProperties':
      return each(value, (pattern, member) => `keys that match ${pattern} hold values like ${json(member)}`);
    case 'dependentRequired':
      return each(value, (name, member) => `${name} only together with ${[member].flat().join(' and ')}`);
    case 'dependentSchemas':
      return each(value, (name, member) => `with ${name} it is like ${json(member)}`);
    default:
      return `${keyword}: ${json(value)}`;
  }
}

/** The words for all keywords that have any. */
export const allWords = (entries: Iterable<readonly [string, unknown]>): readonly string[] =>
  [...entries].flatMap(([keyword, value]) => keywordWords(keyword, value) ?? []);

/** Describes the branches of a union that only have `required`; undefined for other branches. */
export function requiredWords(branches: readonly JsonSchema[]): readonly string[] | undefined {
  const keys = branches.map((branch) => {
    if (typeof branch === 'boolean' || branch.required === undefined) return [];
    const { required, description: _description, title: _title, ...others } = branch;
    return Object.keys(others).length === 0 ? required : [];
  });
  if (keys.length === 0 || keys.some((required) => required.length === 0)) return undefined;
  return [`required: ${keys.map((required) => required.join(' and ')).join(', or ')}`];
}

/** Describes one branch of a union at the root by its keys, required ones with their constant. */
export function branchKeys({ properties = {}, required = [] }: SchemaObject): string {
  const keys = required.map((key) => {
    const property = ownValue(properties, key);
    return typeof property !== 'object' || property.const === undefined
      ? key
      : `${key} ${json(property.const)}`;
  });
  const others = Object.keys(properties).filter((key) => !required.includes(key));
  const optional = others.length === 0 ? '' : ` and perhaps ${others.join(', ')}`;
  return `${keys.join(', ') || 'nothing required'}${optional}`;
}

const each = (value: unknown, describe: (name: string, member: unknown) => string): string =>
  typeof value === 'object' && value !== null
    ? Object.entries<unknown>({ ...value })
        .map(([name, member]) => describe(name, member))
        .join('; ')
    : json(value);

const listed = (value: unknown): string => [value].flat().map(json).join(', ');

const json = (value: unknown): string => JSON.stringify(value) ?? String(value);
