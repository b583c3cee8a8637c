// How is a schema compiled? By Ajv for JSON Schema 2020-12, each part of it on its own, when it is first asked about.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { rootAddress } from '../contract/judged-schema.ts';
import type { JsonSchema, SchemaObject } from '../json/json-schema.ts';

/** `fast`: stops at the first failure and lists nothing. `thorough`: lists all failures, with their values. */
export type Thoroughness = 'fast' | 'thorough';

export type CompiledSchema = ValidateFunction;
export type JudgedError = ErrorObject<string, Record<string, unknown>>;

/**
 * A compiler for the parts of one root (in the judged form). `ownProperties`, or `toString` would count
 * as sent; no `$data`, no remote references, no logging.
 */
export function schemaCompiler(
  root: SchemaObject,
  thoroughness: Thoroughness,
): (schema: JsonSchema) => CompiledSchema {
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
  });
  addFormats.default(ajv);
  ajv.addSchema(root, rootAddress);
  return (schema) => (schema === root ? ajv.getSchema(rootAddress) : undefined) ?? ajv.compile(schema);
}
