// How does Ollama's chat API take a tool? By a struct: what isn't one of its fields is dropped without a word, so it is said
// in the description. https://github.com/ollama/ollama/blob/main/docs/api.md
import type { SchemaObject } from '../../json/json-schema.ts';
import { dialectForm } from '../dialect-form.ts';

/** One entry of a request's `tools`. */
export interface OllamaTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: SchemaObject;
  };
}

export const ollama = dialectForm(
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
    function: { name, description, parameters: schema },
  }),
);
