import type { SchemaObject } from '../schema/json-schema.ts';
import { onlyKeywords } from './provider-rules.ts';
import { providerOf } from './transform-schema.ts';

// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html
/** JSON as the AWS SDK types it, so that its `Tool` takes the form as it is. Not to be written to. */
export type BedrockDocument =
  null | boolean | number | string | BedrockDocument[] | { [key: string]: BedrockDocument };

/** One entry of `toolConfig.tools`. */
export interface BedrockTool {
  readonly toolSpec: {
    readonly name: string;
    /** Absent where there is nothing to say: an empty one is refused. */
    readonly description?: string;
    readonly inputSchema: { readonly json: BedrockDocument };
  };
}

export const bedrock = providerOf(
  {
    toolName: { accepts: /^[a-zA-Z0-9_-]+$/, forbidden: /[^a-zA-Z0-9_-]/g, longest: 64 },
    schema: {
      keeps: onlyKeywords('const', 'default', 'minLength', 'maxLength', 'pattern', 'format', 'minItems'),
      root: 'plain',
      // What the models of Anthropic take there; other models take any.
      keys: { accepts: /^[a-zA-Z0-9_.-]+$/, forbidden: /[^a-zA-Z0-9_.-]/g, longest: 64 },
      objects: 'declared',
      optional: 'absent',
      references: 'inlined',
      types: 'lists',
      members: 'any',
      anything: 'kept',
      untypedItems: 'json-text',
      mostMinItems: 1,
    },
    limits: {},
  },
  ({ name, description, schema }): BedrockTool => ({
    toolSpec: {
      name,
      ...(description === '' ? {} : { description }),
      inputSchema: { json: asDocument(schema) },
    },
  }),
);

// The same JSON: the SDK's type wants lists that could be written to.
const isDocument = (schema: object): schema is { [key: string]: BedrockDocument } => 'type' in schema;

const asDocument = (schema: SchemaObject): BedrockDocument => (isDocument(schema) ? schema : {});
