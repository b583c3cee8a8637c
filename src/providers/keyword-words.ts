import { type JsonType, type JsonValue, jsonTypeOf } from '../json/value.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import { mergeSchemas } from '../schema/schema-view.ts';

// In few words, the same every time, for the description.
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
      return `one of ${listedWords(value)}`;
    case 'examples':
      return `for example ${listedWords(value)}`;
    case 'example':
      return `for example ${short(value)}`;
    case 'prefixItems':
      return `in this order: ${listedWords(value)}`;
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

const listedWords = (value: unknown): string =>
  Array.isArray(value) ? value.map(short).join(', ') : short(value);

const short = (value: unknown): string => JSON.stringify(value) ?? String(value);

// For whoever checks a set of tools; nothing is decided by it.
/** `adapted`: shown in another form, nothing is lost. `lost`: something can't be said or sent. */
export interface SchemaChange {
  readonly kind: 'adapted' | 'lost';
  readonly pointer: string;
  readonly rule: ChangeRule;
  /** What, as a clause: "has a union at its root". */
  readonly what: string;
}

export type ChangeRule =
  | 'any-value'
  | 'closed'
  | 'description'
  | 'map'
  | 'misused'
  | 'optional'
  | 'property-key'
  | 'recursion'
  | 'reference'
  | 'root'
  | 'too-large'
  | 'tuple'
  | 'union';

// Its types, said or shown by its keywords, and whether null is one of them.
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
