// The types of read-text.mjs, by hand: they must be known where the peers are not installed.
import type { SchemaObject } from '../schema-object.ts';

/** Text to validated value; throws if it is not valid. */
export type ReadText = (text: string) => unknown;

export function typeboxReader(schema: SchemaObject): ReadText;
export function zodReader(name: 'flat' | 'form' | 'nested'): ReadText;
export function typiaReader(schema: SchemaObject): ReadText;
/** Text to a value with stringified lists read, as the library documents it. */
export function typiaRepairer(schema: SchemaObject): ReadText;
/** The same, and then validated. */
export function typiaValidatingRepairer(schema: SchemaObject): ReadText;
export function parserRepairer(schema: SchemaObject): ReadText;
export function ajvCoercer(schema: SchemaObject): ReadText;
export function typeboxConverter(schema: SchemaObject): ReadText;
export function jsonrepairReader(schema: SchemaObject): ReadText;
export function ajvReader(schema: SchemaObject): ReadText;
export function validating(
  schema: SchemaObject,
  repairerOf: (schema: SchemaObject) => ReadText,
): ReadText;
