// What a library has to understand to get a case right. Told from what was sent and the schema, and
// never from what toolmend makes of it.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { SuiteLevel } from '../../src/cli/suite-cases.ts';
import type { RecordedCase } from './recorded-case.ts';

export function levelOf(recorded: RecordedCase): SuiteLevel {
  const { answer, effects, inputText } = recorded;
  const finishReason = recorded.finishReason ?? recorded.options?.finishReason;
  if (effects === 'destructive' || finishReason === 'length') return 'danger';
  if (answer !== undefined) return 'text';
  const value = inputText === undefined ? recorded.input : parsed(inputText);
  if (isObject(value))
    return Object.keys(value).some((key) => markup.test(key))
      ? 'notations'
      : levelOfValue(value, recorded.schema);
  return inputText !== undefined && markup.test(inputText) ? 'notations' : 'json';
}

/** Tags and tokens of chat templates, and the names before a call's parentheses. */
const markup =
  /<\/?(?:tool_?call|function|parameter|param|arg_key|arg_value|invoke|args?|minimax|seed)\b|<\|?[|｜]|\[TOOL_CALLS\]|\]<\]|^\s*(?:print\()?[\w.]+\(|^\s*(?:to=|call:|functions\.)|^\s*<\w/i;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Of several mistakes, the one that is furthest from a valid call counts. */
function levelOfValue(
  value: { readonly [key: string]: unknown },
  { $schema: _draft, ...schema }: RecordedCase['schema'],
): SuiteLevel {
  const errors = errorsOf(schema, value);
  if (errors.some(isOfStructure)) return 'structure';
  const { properties } = schema;
  const declared = isObject(properties) ? Object.keys(properties) : [];
  const unknown = Object.keys(value).filter((key) => !declared.includes(key));
  const isWrapped = unknown.some((key) => isWrapping(value[key], declared));
  if (isWrapped) return 'structure';
  return unknown.length > 0 || errors.some(({ keyword }) => keysOnly.has(keyword))
    ? 'keys'
    : 'types';
}

const keysOnly = new Set([
  'required',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'dependentRequired',
]);

function errorsOf(schema: object, value: unknown): readonly ErrorObject[] {
  const isValid = validatorFor(schema);
  return isValid === undefined || isValid(value) ? [] : (isValid.errors ?? []);
}

const validators = new Map<string, ValidateFunction | undefined>();

/** undefined: it isn't a schema. Compiling takes long, and many cases are of the same tool. */
function validatorFor(schema: object): ValidateFunction | undefined {
  const key = JSON.stringify(schema);
  if (!validators.has(key)) validators.set(key, compiled(schema));
  return validators.get(key);
}

function compiled(schema: object): ValidateFunction | undefined {
  try {
    return new Ajv2020({
      strict: false,
      allErrors: true,
      verbose: true,
      validateFormats: false,
      validateSchema: false,
      logger: false,
    }).compile(schema);
  } catch {
    return undefined;
  }
}

/** A list or an object was sent for something else, or something else for it. */
const isOfStructure = ({ keyword, data, schema }: ErrorObject): boolean => {
  if (keyword !== 'type') return false;
  const types: readonly unknown[] = Array.isArray(schema) ? schema : [schema];
  const isContainer = typeof data === 'object' && data !== null;
  return (
    isContainer || (data !== null && types.some((type) => type === 'array' || type === 'object'))
  );
};

/** Declared keys are one level too deep: an envelope. */
const isWrapping = (member: unknown, declared: readonly string[]): boolean =>
  isObject(member) && Object.keys(member).some((key) => declared.includes(key));
