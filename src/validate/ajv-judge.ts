// How does Ajv judge? It compiles JSON Schema 2020-12 to code, each part on its own, when it is first asked about.
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { rootAddress } from '../contract/judged-schema/root-address.ts';
import { type PatternMatcher, readPattern } from '../contract/patterns/pattern-matcher.ts';
import type { RootJudge, SchemaFailure } from '../contract/schema-judge.ts';
import type { SchemaObject } from '../json/json-schema.ts';
import type { JsonValue } from '../json/json-value.ts';
import { isWithoutRepetition } from './repetitions.ts';
import { compareByContent } from './compared-values.ts';

type AjvError = ErrorObject<string, Record<string, unknown>>;

/** The default judge, and the fastest. Makes code from the schema, which some places forbid. */
export const ajvJudge = (root: SchemaObject): RootJudge => {
  const fast = ajvFor(root, 'fast');
  let thorough: ((value: JsonValue) => readonly SchemaFailure[]) | undefined;
  return {
    // Without a function around it: this is called for each call.
    compile: (part) => (part === root ? fast.getSchema(rootAddress) : undefined) ?? fast.compile(part),
    failures: (value) => (thorough ??= thoroughly(root))(value),
  };
};

function thoroughly(root: SchemaObject): (value: JsonValue) => readonly SchemaFailure[] {
  const validate = ajvFor(root, 'thorough').compile({ $ref: `${rootAddress}#` });
  return (value) =>
    validate(value)
      ? []
      : (validate.errors ?? []).filter(({ keyword }) => !containers.has(keyword)).map(failureOf);
}

/**
 * `fast` stops at the first failure and lists nothing; `thorough` lists all failures. `ownProperties`, or
 * `toString` would count as sent; no `$data`, no remote references, no logging.
 */
function ajvFor(root: SchemaObject, thoroughness: 'fast' | 'thorough'): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: thoroughness === 'thorough',
    verbose: thoroughness === 'thorough',
    messages: false,
    meta: false,
    validateSchema: false,
    strict: false,
    ownProperties: true,
    multipleOfPrecision: 9,
    logger: false,
    addUsedSchema: false,
    code: { regExp: Object.assign(matcherOf, { code: 'matcherOf' }) },
  });
  addFormats.default(ajv);
  // Ajv's own compares each element with each other one.
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    compile: (isAsked: boolean) => (isAsked ? isWithoutRepetition : () => true),
  });
  compareByContent(ajv);
  return ajv.addSchema(root, rootAddress);
}

const matcherOf = (pattern: string): PatternMatcher => readPattern(pattern).matcher;

/** Keywords whose failure is only that something below them fails, which is listed too. */
const containers: ReadonlySet<string> = new Set(['if', 'propertyNames']);

function failureOf(error: AjvError): SchemaFailure {
  const { keyword, instancePath, schemaPath, params, parentSchema, propertyName } = error;
  const key =
    propertyName ??
    params['missingProperty'] ??
    params['additionalProperty'] ??
    params['unevaluatedProperty'];
  return {
    keyword,
    path: instancePath,
    schemaPath,
    ...(typeof key === 'string' ? { key } : {}),
    schema: parentSchema ?? true,
  };
}
