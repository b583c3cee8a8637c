import type { JsonValue } from '../../src/json/value.ts';
import { ajvValidator } from '../../src/validate/ajv-validator.ts';
import { ListingChecks } from '../../src/validate/schema-failures.ts';
import { schemaValidator } from '../../src/validate/schema-validator.ts';
import type { Schema } from '../schemas.ts';

export const plain = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value));

/** What all forms answer; fails if they differ, or if the list of failures contradicts them. */
export function allValidators(schema: Schema): (value: JsonValue) => boolean {
  const validator = schemaValidator(schema);
  const listing = new ListingChecks(schema);
  const ajv = ajvValidator(schema);
  return (value) => {
    const isAccepted = validator.accepts(value);
    expect(listing.accepts(value, schema)).toBe(isAccepted);
    expect(validator.failures(value).length === 0).toBe(isAccepted);
    expect(ajv.accepts(value)).toBe(isAccepted);
    return isAccepted;
  };
}
