import { anthropicNameRule, strictLimits, strictSchema } from './anthropic.ts';
import { functionName } from './openai.ts';
import type { Provider, ProviderRules, ToolParts } from './provider-rules.ts';

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
    /** Only for `bedrock-strict`. False for a tool that strict mode can't express. */
    readonly strict?: boolean;
  };
}

const keywords = new Set<unknown>([
  'additionalProperties',
  'const',
  'default',
  'minLength',
  'maxLength',
  'pattern',
  'format',
]);

const rules: ProviderRules = {
  toolName: functionName,
  schema: {
    kind: 'plain',
    keeps: (keyword, value) =>
      keywords.has(keyword) || (keyword === 'minItems' && Number(value) <= 1),
    // For Anthropic's models on Bedrock. Other models accept any name.
    propertyNames: anthropicNameRule,
    typedItems: true,
  },
};

const toolSpec = ({ name, description, schema }: ToolParts): BedrockTool['toolSpec'] => ({
  name,
  ...(description === '' ? {} : { description }),
  inputSchema: { json: isDocument(schema) ? schema : {} },
});

export const bedrock: Provider<BedrockTool> = {
  rules,
  toTool: (parts) => ({ toolSpec: toolSpec(parts) }),
};

// https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html
export const bedrockStrict: Provider<BedrockTool> = {
  rules: { ...rules, strict: { schema: strictSchema, limits: strictLimits } },
  toTool: (parts) => ({ toolSpec: { ...toolSpec(parts), strict: parts.strict } }),
};

const isDocument = (schema: object): schema is { [key: string]: BedrockDocument } =>
  'type' in schema;
