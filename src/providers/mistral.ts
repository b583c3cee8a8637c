import type { SchemaObject } from '../schema/json-schema.ts';
import { functionName } from './openai.ts';
import { type Provider, keepsOnly } from './provider-rules.ts';

// https://docs.mistral.ai/capabilities/function_calling
/** One entry of a request's `tools`. */
export interface MistralTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: SchemaObject;
  };
}

const keywords = [
  'additionalProperties',
  'const',
  'default',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
];

export const mistral: Provider<MistralTool> = {
  rules: { toolName: functionName, schema: { kind: 'plain', keeps: keepsOnly(keywords) } },
  toTool: ({ name, description, schema }) => ({
    type: 'function',
    function: { name, description, parameters: schema },
  }),
};
