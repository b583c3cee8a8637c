import { Validator } from '@cfworker/json-schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type JsonValue, isJsonArray, isJsonObject } from '../../src/json/value.ts';
import { type JsonSchema, schemasIn } from '../../src/schema/json-schema.ts';
import type { Schema } from '../schemas.ts';

/**
 * Fails if Ajv, without toolmend's changes, answers differently. A third validator decides if Ajv
 * throws, and about schemas that Ajv is known to read wrongly.
 */
export function comparedWithPlainAjv(
  schema: Schema,
): (value: JsonValue, isAccepted: boolean) => void {
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    ownProperties: true,
    multipleOfPrecision: 9,
  });
  addFormats.default(ajv);
  const validate = ajv.compile<JsonValue>(schema);
  const answer = (value: JsonValue): boolean | 'throws' => {
    try {
      return validate(value);
    } catch {
      return 'throws';
    }
  };
  const third = new Validator(JSON.parse(JSON.stringify(schema)), '2020-12');
  const isMisread = schemasIn(schema).some(isBeyondAjv);
  return (value, isAccepted) => {
    const theirAnswer = answer(value);
    if (theirAnswer === isAccepted) return;
    const { valid } = third.validate(value);
    const isExcused = isMisread || theirAnswer === 'throws';
    expect({ value, theirAnswer, isExcused, valid }).toEqual({
      value,
      theirAnswer,
      isExcused: true,
      valid: isAccepted,
    });
  };
}

/**
 * Whether Ajv is known to read a schema wrongly: it calls `toString` and `valueOf` of objects that it
 * compares, reads unevaluated keywords beside the first branch of a union that accepts, and accepts
 * an empty list for `contains: false`.
 */
function isBeyondAjv(schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return false;
  const { const: constant, enum: members = [], uniqueItems } = schema;
  return (
    ['contains', 'unevaluatedItems', 'unevaluatedProperties'].some((key) =>
      Object.hasOwn(schema, key),
    ) ||
    uniqueItems === true ||
    [constant, ...members].some((value) => isJsonArray(value) || isJsonObject(value))
  );
}
