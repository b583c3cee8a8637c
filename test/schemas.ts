// Schemas in a few words, so that a row of a table fits its line.
import type { ToolContract } from 'toolmend';

export type Schema = ToolContract['inputSchema'];

export const text: Schema = { type: 'string' };
export const number: Schema = { type: 'number' };
export const whole: Schema = { type: 'integer' };
export const flag: Schema = { type: 'boolean' };
export const nothing: Schema = { type: 'null' };

export const listOf = (items: Schema, more: Schema = {}): Schema => ({
  type: 'array',
  items,
  ...more,
});

export const texts = listOf(text);

/** An object of these properties, as open as JSON Schema leaves it. */
export const objectOf = (
  properties: { readonly [name: string]: Schema },
  required: readonly string[] = [],
  more: Schema = {},
): Schema => ({ type: 'object', properties, required, ...more });

export const closedOf = (
  properties: { readonly [name: string]: Schema },
  required: readonly string[] = [],
): Schema => objectOf(properties, required, { additionalProperties: false });

/** A map: any key, one kind of value. */
export const mapOf = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });

export const anyOf = (...branches: readonly Schema[]): Schema => ({ anyOf: branches });

export const orNull = (schema: Schema): Schema => anyOf(schema, nothing);
