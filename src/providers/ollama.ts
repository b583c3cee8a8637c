import type { SchemaObject } from '../schema/json-schema.ts';
import { providerOf } from './transform-schema.ts';

// By a struct: what isn't one of its fields is dropped without a word, so it is said in the description.
// https://github.com/ollama/ollama/blob/main/docs/api.md
/** A schema as the package `ollama` types it, so that its `Tool` takes the form as it is. Not to be written to. */
export interface OllamaParameters {
  readonly type: 'object';
  readonly required?: string[];
  readonly properties: { readonly [name: string]: OllamaProperty };
}

export interface OllamaProperty {
  readonly type?: string | string[];
  readonly description?: string;
  readonly enum?: unknown[];
  readonly items?: unknown;
  readonly [keyword: string]: unknown;
}

/** One entry of a request's `tools`. */
export interface OllamaTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: OllamaParameters;
  };
}

export const ollama = providerOf(
  {
    schema: {
      keeps: () => false,
      root: 'plain',
      objects: 'implied',
      optional: 'absent',
      references: 'inlined',
      types: 'lists',
      members: 'any',
      anything: 'kept',
      untypedItems: 'kept',
    },
    limits: {},
  },
  ({ name, description, schema }): OllamaTool => ({
    type: 'function',
    function: { name, description, parameters: asParameters(schema) },
  }),
);

// The same JSON: the package's type wants lists that could be written to.
const isParameters = (schema: object): schema is OllamaParameters => 'properties' in schema;

const asParameters = (schema: SchemaObject): OllamaParameters =>
  isParameters(schema) ? schema : { type: 'object', properties: {} };
