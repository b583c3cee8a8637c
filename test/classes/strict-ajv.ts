import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** Compiles in Ajv's strict mode, meta-schema included; throws for what it refuses. */
export function compileStrictly(schema: object): ValidateFunction {
  const ajv = new Ajv2020({ strict: true, ownProperties: true, multipleOfPrecision: 9, logger: false });
  addFormats.default(ajv);
  return ajv.addVocabulary(['x-toolmend']).compile(schema);
}
