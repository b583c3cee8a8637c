import type { SchemaObject } from '../schema/json-schema.ts';
import { onlyKeywords } from './provider-rules.ts';
import { providerOf } from './transform-schema.ts';

// As OpenAI's, with less of JSON Schema. https://docs.mistral.ai/capabilities/function_calling
/** One entry of a request's `tools`. */
export interface MistralTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: SchemaObject;
  };
}

export const mistral = providerOf(
  {
    toolName: { accepts: /^[a-zA-Z0-9_-]+$/, forbidden: /[^a-zA-Z0-9_-]/g, longest: 64 },
    schema: {
      keeps: onlyKeywords(
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
      ),
      root: 'plain',
      objects: 'declared',
      optional: 'absent',
      references: 'inlined',
      types: 'lists',
      members: 'any',
      anything: 'kept',
      untypedItems: 'kept',
    },
    limits: {},
  },
  ({ name, description, schema }): MistralTool => ({
    type: 'function',
    function: { name, description, parameters: schema },
  }),
);
