import type { Provider } from './provider-rules.ts';

// https://github.com/ollama/ollama/blob/main/docs/api.md
/**
 * A schema as the package `ollama` types it, so that its `Tool` accepts ours. Frozen nevertheless.
 */
export interface OllamaParameters {
  readonly type: 'object';
  readonly required?: string[];
  readonly properties: { readonly [name: string]: OllamaProperty };
}

/** The schema of one property, as the package `ollama` types it. */
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

export const ollama: Provider<OllamaTool> = {
  rules: {
    // Ollama parses schemas into a Go struct, which drops every keyword that it has no field for.
    schema: { kind: 'plain', keeps: () => false },
  },
  toTool: ({ name, description, schema }) => ({
    type: 'function',
    function: { name, description, parameters: isParameters(schema) ? schema : noParameters },
  }),
};

const isParameters = (schema: object): schema is OllamaParameters => 'properties' in schema;

const noParameters: OllamaParameters = { type: 'object', properties: {} };
