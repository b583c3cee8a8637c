// Interprets arguments in tests, and what they expect of it.
import { interpretArguments, type Interpretation } from 'toolmend';
import type { Schema } from './schemas.ts';

type Options = Parameters<typeof interpretArguments>[2];

export const read = (schema: Schema, sent: string, options?: Options): Interpretation =>
  interpretArguments(schema, { text: sent }, options);

export const readValue = (schema: Schema, value: unknown, options?: Options): Interpretation =>
  interpretArguments(schema, { value }, options);

export const valueOf = (result: object): unknown => Reflect.get(result, 'value');

export const messageOf = (result: Interpretation): string => String(Reflect.get(result, 'message'));

export const unchanged = (value: unknown) => ({ status: 'unchanged', value });

export const repairedTo = (value: unknown) => ({ status: 'repaired', value });

export const rejectedFor = (...keywords: readonly string[]) => {
  const issues = keywords.map((keyword) => ({ keyword }));
  return { status: 'rejected', issues };
};
