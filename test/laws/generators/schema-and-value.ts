// What is generated? A schema with a value that it accepts.
import type { JsonSchema, JsonValue } from 'toolmend';

export interface SchemaAndValue {
  readonly schema: JsonSchema;
  readonly value: JsonValue;
}
