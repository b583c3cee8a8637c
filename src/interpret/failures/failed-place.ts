// What of a failure does its issue speak of? Not where the keyword stands in the schema.
import type { SchemaFailure } from '../../contract/schema-judge.ts';

/** One failure of the schema, at one place of the arguments. */
export type FailedPlace = Omit<SchemaFailure, 'schemaPath'>;

/** A failure that is about one key. */
export type FailedKey = FailedPlace & { readonly key: string };
