import type { SchemaObject } from '../schema/json-schema.ts';
import type { OpenAiToolOptions } from '../tool/provider-options.ts';
import { type Provider, type ProviderRules, type ToolParts, nameRule } from './provider-rules.ts';

// https://platform.openai.com/docs/guides/function-calling,
// https://platform.openai.com/docs/guides/structured-outputs
/**
 * One entry of `tools` in a Chat Completions request, also for OpenAI-compatible servers (vLLM,
 * llama.cpp).
 */
export interface OpenAiChatTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: SchemaObject;
    readonly strict: boolean;
  };
}

/** One entry of `tools` in a request to the Responses API. */
export interface OpenAiResponsesTool extends Omit<OpenAiToolOptions, 'strict'> {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: SchemaObject;
  /** Never absent, because the Responses API assumes strict mode for a tool without it. */
  readonly strict: boolean;
}

/** Names of functions, for OpenAI and for the providers that copied its API. */
export const functionName = nameRule('a-zA-Z0-9_-', 64);

const strictFormats = new Set<unknown>([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
]);
const strictKeywords = new Set<unknown>([
  '$ref',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
]);
const hasLookAround = (pattern: unknown): boolean => /\(\?<?[=!]/.test(String(pattern));

const rules = (isDefault: boolean): ProviderRules => ({
  toolName: functionName,
  schema: { kind: 'guidance' },
  strict: {
    choice: { option: 'openai', isDefault },
    schema: {
      kind: 'strict',
      keeps: (keyword, value) =>
        strictKeywords.has(keyword) &&
        (keyword !== 'format' || strictFormats.has(value)) &&
        (keyword !== 'pattern' || !hasLookAround(value)),
      nullForAbsent: true,
    },
    limits: {
      depth: 10,
      properties: 5_000,
      characters: 120_000,
      enumMembers: 1_000,
      enumCharacters: 15_000,
    },
  },
});

export const chatTool = ({ name, description, schema, strict }: ToolParts): OpenAiChatTool => ({
  type: 'function',
  function: { name, description, parameters: schema, strict },
});

function responsesTool(parts: ToolParts): OpenAiResponsesTool {
  const { name, description, schema, strict, contract } = parts;
  const options = contract.providerOptions?.openai ?? {};
  return { ...options, type: 'function', name, description, parameters: schema, strict };
}

export const openAiChat: Provider<OpenAiChatTool> = { rules: rules(false), toTool: chatTool };
export const openAiChatStrict: Provider<OpenAiChatTool> = { rules: rules(true), toTool: chatTool };
export const openAiResponses: Provider<OpenAiResponsesTool> = {
  rules: rules(false),
  toTool: responsesTool,
};
export const openAiResponsesStrict: Provider<OpenAiResponsesTool> = {
  rules: rules(true),
  toTool: responsesTool,
};
