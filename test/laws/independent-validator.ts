import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { SchemaObject } from 'toolmend';
import type { IndependentValidator } from './law.ts';

const unions: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'not', 'if', 'then', 'else']);

/** `schema`: JSON Schema 2020-12. */
export function independentValidator(schema: SchemaObject): IndependentValidator {
  const lenient = { strict: false, logger: false, meta: false, validateSchema: false } as const;
  const ajv = new Ajv2020({
    ...lenient,
    ownProperties: true,
    allErrors: true,
    multipleOfPrecision: 9,
  });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  return {
    accepts: (value) => errorsOf(validate, value).length === 0,
    failingLocations: (value) => [...new Set(ownErrors(errorsOf(validate, value)).map(locationOf))],
  };
}

/** Empty if Ajv can't tell: it calls a value's own `toString` to compare objects. */
function errorsOf(validate: ValidateFunction, value: unknown): readonly ErrorObject[] {
  try {
    return validate(value) ? [] : (validate.errors ?? []);
  } catch (error) {
    if (error instanceof TypeError) return [];
    throw error;
  }
}

/** Without the errors of a union's branches. */
const ownErrors = (errors: readonly ErrorObject[]): readonly ErrorObject[] =>
  errors.some(({ keyword }) => unions.has(keyword)) ? [] : errors;

function locationOf({ instancePath, params }: ErrorObject): string {
  const facts: Record<string, unknown> = params;
  const key = facts['missingProperty'] ?? facts['additionalProperty'];
  if (typeof key !== 'string') return instancePath;
  return `${instancePath}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
