import type { SchemaObject } from '../schema/json-schema.ts';
import { propertyNames } from './anthropic.ts';
import { functionName } from './openai.ts';
import { type Provider, setOf } from './provider-rules.ts';

// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html
/** JSON as the AWS SDK types it, so that its `Tool` accepts ours. Frozen nevertheless. */
export type BedrockDocument =
  null | boolean | number | string | BedrockDocument[] | { [key: string]: BedrockDocument };

/** One entry of `toolConfig.tools`. */
export interface BedrockTool {
  readonly toolSpec: {
    readonly name: string;
    /** Absent if empty, because the API refuses an empty one. */
    readonly description?: string;
    readonly inputSchema: { readonly json: BedrockDocument };
  };
}

const keywords = setOf('additionalProperties const default minLength maxLength pattern format');

export const bedrock: Provider<BedrockTool> = {
  rules: {
    toolName: functionName,
    schema: {
      kind: 'plain',
      keeps: (keyword, value) => keywords.has(keyword) || (keyword === 'minItems' && Number(value) <= 1),
      // For Anthropic's models on Bedrock. Other models accept any name.
      propertyNames,
      typedItems: true,
    },
  },
  toTool: ({ name, description, schema }) => ({
    toolSpec: {
      name,
      ...(description === '' ? {} : { description }),
      inputSchema: { json: asDocument(schema) },
    },
  }),
};

const isDocument = (schema: object): schema is { [key: string]: BedrockDocument } => 'type' in schema;

const asDocument = (schema: SchemaObject): BedrockDocument => (isDocument(schema) ? schema : {});
