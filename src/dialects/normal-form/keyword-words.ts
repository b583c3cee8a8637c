// How is a keyword said that a provider doesn't take? In few words, the same every time, for the description.
import type { JsonSchema } from '../../json/json-schema.ts';

/** A word for each keyword whose value can simply be named. */
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
]);

/** Annotations that say nothing to a model, and what is told elsewhere. */
const silent: ReadonlySet<string> = new Set([
  '$schema',
  '$comment',
  '$defs',
  'title',
  'discriminator',
  'readOnly',
  'writeOnly',
  'externalDocs',
  'xml',
  'description',
]);

/** What a keyword asks for; undefined where there is nothing to say. */
export function keywordWords(keyword: string, value: unknown): string | undefined {
  if (silent.has(keyword) || keyword.startsWith('x-')) return undefined;
  // Every key is text.
  if (keyword === 'propertyNames' && JSON.stringify(value) === '{"type":"string"}') return undefined;
  const template = templates.get(keyword);
  if (template !== undefined) return filled(template, value);
  switch (keyword) {
    case 'uniqueItems':
      return value === true ? 'no item twice' : undefined;
    case 'deprecated':
      return value === true ? 'deprecated' : undefined;
    case 'enum':
      return `one of ${listed(value)}`;
    case 'examples':
      return `for example ${listed(value)}`;
    case 'example':
      return `for example ${short(value)}`;
    case 'prefixItems':
      return `in this order: ${listed(value)}`;
    case 'patternProperties':
      return eachOf(value, (name, held) => `keys that match ${name} hold values like ${short(held)}`);
    case 'dependentRequired':
      return eachOf(value, (name, held) => `${name} only together with ${names(held)}`);
    case 'dependentSchemas':
      return eachOf(value, (name, held) => `with ${name} it is like ${short(held)}`);
    default:
      return `${keyword}: ${short(value)}`;
  }
}

/** Branches that only say which keys are required. */
export function requiredWords(branches: readonly JsonSchema[]): string | undefined {
  const keys = branches.map((branch) => {
    if (typeof branch !== 'object') return undefined;
    const isOnly = Object.keys(branch).every((keyword) =>
      ['required', 'description', 'title'].includes(keyword),
    );
    return isOnly && branch.required !== undefined && branch.required.length > 0
      ? branch.required
      : undefined;
  });
  if (keys.length === 0 || keys.some((required) => required === undefined)) return undefined;
  return `required: ${keys.map((required) => (required ?? []).join(' and ')).join(', or ')}`;
}

function filled(template: string, value: unknown): string {
  const plural = value === 1 ? '' : 's';
  return template.replace('|s', plural).replace('#', () => short(value));
}

const eachOf = (value: unknown, say: (name: string, held: unknown) => string): string =>
  typeof value === 'object' && value !== null
    ? Object.entries<unknown>({ ...value })
        .map(([name, held]) => say(name, held))
        .join('; ')
    : short(value);

const names = (held: unknown): string => (Array.isArray(held) ? held.map(String).join(' and ') : short(held));

const listed = (value: unknown): string =>
  Array.isArray(value) ? value.map(short).join(', ') : short(value);

const short = (value: unknown): string => JSON.stringify(value) ?? String(value);
