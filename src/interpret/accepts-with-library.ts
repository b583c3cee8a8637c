import { type JsonObject, valueAt } from '../json/value.ts';
import type { ContractValidator } from '../validate/validator.ts';

/** Keywords about text, which libraries check in ways that JSON Schema can't express: with flags, after trimming. */
const aboutText: ReadonlySet<string> = new Set([
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'anyOf',
  'oneOf',
  'allOf',
]);

/**
 * Whether arguments are valid: by the JSON Schema or, if it refuses only the form of strings, by the library's schema that it was
 * made of.
 */
export function acceptsWithLibrary(validator: ContractValidator, value: JsonObject): boolean {
  const { contract, views } = validator;
  if (validator.accepts(value)) return true;
  if (contract.validation === undefined || validator.strictFailures(value).length > 0) return false;
  const failures = validator.failures(value);
  const isOnlyText = failures.every(
    ({ keyword, path, schema }) =>
      aboutText.has(keyword) &&
      typeof valueAt(value, path) === 'string' &&
      views.typesOf(schema).has('string'),
  );
  if (!isOnlyText || failures.length === 0) return false;
  const result = contract.validation.resultOf(value);
  return !(result instanceof Promise) && result.kind === 'valid';
}
