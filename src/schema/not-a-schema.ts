import { memberOf, isObjectLike } from '../collections/objects.ts';
import { isMisused } from './keywords.ts';

/** What was passed instead of a JSON Schema, as a clause, and what to pass. */
export interface SchemaMistake {
  readonly what: string;
  readonly instead: string;
}

/**
 * Recognizes what is passed instead of a JSON Schema: a validator, a class, an SDK's object around
 * it, bare properties.
 */
export function schemaMistake(value: unknown): SchemaMistake | undefined {
  if (!isObjectLike(value) || Array.isArray(value) || hasKeyword(value, rootKeywords)) {
    return validatorMistake(value);
  }
  const path = pathToSchema(value);
  if (path !== undefined) {
    return { what: 'is a wrapper around the schema', instead: `pass its ${path.join('.')}` };
  }
  const aClass = {
    what: 'is a class or a function',
    instead: `${notAnObject.instead}, or read an answer by a class with parseAs`,
  };
  return (
    validatorMistake(value) ?? (typeof value === 'function' ? aClass : propertiesMistake(value))
  );
}

export const notAnObject: SchemaMistake = {
  what: 'is not the schema of an object',
  instead: "write { type: 'object', properties: { … } }",
};

/** The schema of an array or of a plain value. */
export const ofAnotherType: SchemaMistake = {
  what: notAnObject.what,
  instead: `${notAnObject.instead}, or read an answer of another type with parseAs`,
};

/**
 * Keywords that identify the schema of an object. Not `items`, which is a likely name of an
 * argument.
 */
const rootKeywords = (
  'type $ref $dynamicRef enum properties patternProperties additionalProperties unevaluatedProperties propertyNames ' +
  'required dependentRequired dependentSchemas minProperties maxProperties allOf anyOf oneOf not if'
).split(' ');
const memberKeywords = [
  'type',
  '$ref',
  'enum',
  'const',
  'properties',
  'items',
  'allOf',
  'anyOf',
  'oneOf',
];

/**
 * Whether a value has a keyword with a valid value: an argument may be named `type` or `required`.
 */
const hasKeyword = (schema: unknown, keywords: readonly string[]): boolean =>
  isObjectLike(schema) &&
  keywords.some(
    (keyword) =>
      Object.hasOwn(schema, keyword) && !isMisused(keyword, Reflect.get(schema, keyword)),
  );

/** undefined for anything but text. */
export function textMember(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
}

/**
 * Paths to the schema in the tools of OpenAI, MCP, Anthropic, the AI SDK, Gemini and Bedrock; the
 * longest first.
 */
const schemaPaths: readonly (readonly string[])[] = [
  ['toolSpec', 'inputSchema', 'json'],
  ['function', 'parameters'],
  ['json_schema', 'schema'],
  ['inputSchema', 'jsonSchema'],
  ['inputSchema', 'json'],
  ['inputSchema'],
  ['input_schema'],
  ['jsonSchema'],
  ['parameters'],
  ['parametersJsonSchema'],
  ['schema'],
];

/** undefined if the value consists of properties, one of which has such a name. */
function pathToSchema(value: object): readonly string[] | undefined {
  const members: readonly unknown[] = Object.values(value);
  if (members.length > 1 && members.every((member) => hasKeyword(member, memberKeywords)))
    return undefined;
  return schemaPaths.find((path) => isObjectLike(path.reduce<unknown>(memberOf, value)));
}

const standardOf = (value: unknown): unknown => memberOf(value, '~standard');

/**
 * Whether a value has functions, or the mark of https://standardschema.dev without being a JSON
 * Schema, as zod's are.
 */
const isValidator = (value: unknown): value is object =>
  isObjectLike(value) &&
  ([
    ...Object.values(value),
    ...['safeParse', 'validate'].map((name) => memberOf(value, name)),
  ].some(isFunction) ||
    (isObjectLike(standardOf(value)) && !hasKeyword(value, rootKeywords)));

const isFunction = (value: unknown): boolean => typeof value === 'function';

/** Recognizes a validator that is passed instead of any JSON Schema. */
export function validatorMistake(validator: unknown): SchemaMistake | undefined {
  if (!isValidator(validator)) return undefined;
  const standard = standardOf(validator);
  const vendor = memberOf(standard, 'vendor');
  const what = typeof vendor === 'string' ? `is a validator of ${vendor}` : 'is a validator';
  if (isFunction(memberOf(memberOf(standard, 'jsonSchema'), 'input'))) {
    return {
      what,
      instead: "pass its ['~standard'].jsonSchema.input({ target: 'draft-2020-12' })",
    };
  }
  const converter = typeof vendor === 'string' ? converters.get(vendor) : undefined;
  return { what, instead: `pass the JSON Schema that ${converter ?? 'its library'} makes from it` };
}

const converters: ReadonlyMap<string, string> = new Map([
  ['zod', 'z.toJSONSchema'],
  ['arktype', 'its method toJsonSchema'],
  ['valibot', "toJsonSchema of '@valibot/to-json-schema'"],
]);

/** Keys such as `x-…` and `$…` are extensions, not properties. */
function propertiesMistake(value: object): SchemaMistake | undefined {
  const members = Object.entries<unknown>({ ...value });
  const instead = `write { type: 'object', properties: { ${Object.keys(value)[0] ?? ''}: … } }`;
  if (members.some(([, member]) => isValidator(member))) {
    return {
      what: 'is an object of validators',
      instead: `${instead} with a JSON Schema for each`,
    };
  }
  const areProperties =
    members.some(([, member]) => hasKeyword(member, memberKeywords)) &&
    members.every(
      ([key, member]) => !/^(?:x-|\$)/.test(key) && isObjectLike(member) && isDescribed(member),
    );
  return areProperties
    ? { what: 'lists properties without an object schema around them', instead }
    : undefined;
}

const isDescribed = (member: object): boolean =>
  Object.keys(member).length === 0 ||
  hasKeyword(member, [...memberKeywords, 'title', 'description']);
