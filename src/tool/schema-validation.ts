import type { ValidateInput, Validated, ValidationFailure } from '../schema/input-schema.ts';
import { type JsonObject, copyJson } from '../json/value.ts';

/**
 * The validation of a library's schema. It runs after the JSON Schema has accepted arguments, once
 * for each call.
 */
export interface SchemaValidation {
  /**
   * The library that made the JSON Schema. Its own validation may accept what the JSON Schema
   * refuses. Undefined: only the form of a text may differ in that way.
   */
  readonly derivedBy: string | undefined;
  /** Validates arguments and keeps the result. A promise's failures are not known here. */
  readonly check: (value: JsonObject) => readonly ValidationFailure[];
  /** The kept result of the same arguments object, else a new one. */
  readonly keptResult: (value: JsonObject) => Validated | Promise<Validated>;
  /** As `resultOf`, for the caller that uses the value. A value that code may change isn't kept. */
  readonly take: (value: JsonObject) => Validated | Promise<Validated>;
}

export function schemaValidation(
  validate: ValidateInput,
  derivedBy: string | undefined,
): SchemaValidation {
  const results = new WeakMap<JsonObject, Validated | Promise<Validated>>();
  const run = (value: JsonObject): Validated | Promise<Validated> => {
    const result = validate(copyJson(value));
    results.set(value, result);
    if (result instanceof Promise)
      void result.then((settledResult) => results.set(value, settledResult));
    return result;
  };
  const keptResult = (value: JsonObject): Validated | Promise<Validated> =>
    results.get(value) ?? run(value);
  return {
    derivedBy,
    check: (value) => {
      const result = run(value);
      return result instanceof Promise || result.kind === 'valid' ? [] : result.failures;
    },
    keptResult,
    take: (value) => {
      const result = keptResult(value);
      results.delete(value);
      return result;
    },
  };
}
