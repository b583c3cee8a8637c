import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const ajv = new Ajv2020({
  strict: true,
  ownProperties: true,
  multipleOfPrecision: 9,
  logger: false,
});
addFormats.default(ajv);
ajv.addVocabulary(['x-toolmend']);

/** Compiles in Ajv's strict mode, meta-schema included; throws for schemas that it refuses. */
export const compileStrictly = (schema: object): ValidateFunction => ajv.compile(schema);
