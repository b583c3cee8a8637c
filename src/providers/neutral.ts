import type { SchemaObject } from '../schema/json-schema.ts';
import type { Provider } from './provider-rules.ts';

/** A tool for no provider in particular, with its JSON Schema as declared. */
export interface NeutralTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: SchemaObject;
}

export const neutral: Provider<NeutralTool> = {
  rules: { schema: { kind: 'declared' } },
  toTool: ({ name, description, schema }) => ({ name, description, inputSchema: schema }),
};
