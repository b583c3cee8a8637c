import { Ajv2020 } from 'ajv/dist/2020.js';
import { memoize } from '../collections/memoize.ts';
import { type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';
import { formats } from '../schema/formats.ts';
import { type JsonSchema, type SchemaObject, schemasIn } from '../schema/json-schema.ts';
import { hasRepetition, isMember, isMultiple } from '../schema/keywords.ts';
import { type PatternMatcher, readPattern } from '../schema/patterns.ts';
import { rootAddress } from '../schema/references.ts';
import type { CreateValidator } from '../tool/tool-contract.ts';
import { schemaValidator } from './schema-validator.ts';

/**
 * Validates with code that Ajv generates for a schema. Failures are listed as by default, and
 * schemas that Ajv gets wrong or can't compile are validated as by default. Throws an EvalError if
 * the platform forbids the generation of code.
 */
export const ajvValidator: CreateValidator = (root) => {
  const ownValidator = schemaValidator(root);
  if (schemasIn(root).some(isBeyondAjv) || ownValidator.stepsTaken !== undefined)
    return ownValidator;
  const ajv = ajvFor(root);
  const acceptsRoot: Accepts = ajv.compile<JsonValue>(root);
  const compiledSchema = memoize((part: SchemaObject): Accepts => {
    const { allOf, ...otherKeywords } = part;
    // The parts of a bare conjunction are often compiled already.
    return allOf !== undefined && Object.keys(otherKeywords).length === 0
      ? (value) => allOf.every((joinedPart) => acceptsPart(value, joinedPart))
      : ajv.compile<JsonValue>(part);
  });
  const acceptsPart = (value: JsonValue, part: JsonSchema): boolean =>
    typeof part === 'boolean' ? part : compiledSchema(part)(value);
  return {
    accepts: (value, part) => (part === undefined ? acceptsRoot(value) : acceptsPart(value, part)),
    failures: ownValidator.failures,
  };
};

type Accepts = (value: JsonValue) => boolean;

/**
 * Keywords that Ajv sometimes gets wrong, according to the official tests or to comparisons with
 * the interpreter.
 */
const misread = ['contains', 'unevaluatedItems', 'unevaluatedProperties'];

/** Ajv nests the code of a union's branches, and engines limit how deeply code may be nested. */
const maxBranches = 64;

/** Whether Ajv gets a schema wrong or can't compile it. */
function isBeyondAjv(schema: SchemaObject): boolean {
  const { anyOf = [], oneOf = [], properties = {}, const: constant, enum: members = [] } = schema;
  return (
    misread.some((keyword) => schema[keyword] !== undefined) ||
    Math.max(anyOf.length, oneOf.length) > maxBranches ||
    // Ajv ignores a property of this name.
    Object.hasOwn(properties, '__proto__') ||
    // Ajv compares containers by their `toString`, `valueOf` and `constructor`, which are data
    // here.
    [constant, ...members].some((value) => isJsonArray(value) || isJsonObject(value))
  );
}

function ajvFor(root: SchemaObject): Ajv2020 {
  const isLarge = schemasIn(root).length > maxNested;
  const ajv = new Ajv2020({
    // Code that stops at the first failure is nested as deeply as the schema has parts.
    allErrors: isLarge,
    messages: false,
    meta: false,
    validateSchema: false,
    strict: false,
    // Otherwise `toString` would count as sent.
    ownProperties: true,
    logger: false,
    addUsedSchema: false,
    // Without a number, deciding what to inline takes time that doubles with each nested array.
    inlineRefs: 50,
    code: { regExp: Object.assign(matcherOf, { code: 'matcherOf' }), optimize: !isLarge },
  });
  // These schemas have no unevaluated keywords. Code that tracks them is longer, and throws for
  // some values.
  Object.assign(ajv.opts, { unevaluated: false });
  for (const [name, { type, accepts }] of formats) {
    if (type === 'number') ajv.addFormat(name, { type, validate: accepts });
    else ajv.addFormat(name, accepts);
  }
  // Ajv's own `uniqueItems` compares each element with each other one.
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    compile: (isUnique: boolean) => (list: JsonValue[]) => !isUnique || !hasRepetition(list),
  });
  // Ajv's own `enum` compares a value with each member.
  if (schemasIn(root).some(({ enum: members = [] }) => members.length > mostMembers))
    ajv.removeKeyword('enum').addKeyword({
      keyword: 'enum',
      compile: (members: JsonValue[]) => (value: JsonValue) => isMember(members, value),
    });
  // Ajv's own `multipleOf` accepts an infinite quotient.
  ajv.removeKeyword('multipleOf').addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    compile: (divisor: number) => (value: number) => isMultiple(value, divisor),
  });
  return ajv.addSchema(root, rootAddress);
}

/** Members of an enum that are compared one by one. */
const mostMembers = 64;

const matcherOf = (pattern: string): PatternMatcher => readPattern(pattern).matcher;

/** Schemas in a root whose code is nested. */
const maxNested = 200;
