import { type OpenAiChatTool, chatTool, functionName } from './openai.ts';
import type { Provider, RestrictedRules } from './provider-rules.ts';

/** Keywords that the servers' grammars have, apart from those with conditions. */
const keywords = new Set<unknown>([
  '$ref',
  'additionalProperties',
  'const',
  'default',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'minLength',
]);
const formats = new Set<unknown>(['date', 'time', 'date-time', 'uuid']);
/** A grammar repeats its rule for each element or character. */
const maxRepetitions = 100;

const schema: RestrictedRules = {
  kind: 'plain',
  keeps: (keyword, value) =>
    keywords.has(keyword) ||
    (keyword === 'format' && formats.has(value)) ||
    ((keyword === 'maxLength' || keyword === 'maxItems') && Number(value) <= maxRepetitions),
  typedItems: true,
};

/**
 * OpenAI's form for servers that make a grammar of the schema: llama.cpp, LM Studio, vLLM, SGLang,
 * mistral.rs. They refuse a request, or write wrong calls, for patterns without anchors or with
 * `\d`, large repetitions, `propertyNames` and unknown formats. All tools are strict: if the model
 * chooses the tool, vLLM, SGLang and mistral.rs constrain only the arguments of strict tools, and
 * llama.cpp makes a grammar of every schema.
 * https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md,
 * https://docs.vllm.ai/en/latest/features/tool_calling/, https://github.com/vllm-project/vllm/issues/49661,
 * https://ericlbuehler.github.io/mistral.rs/guides/agents/strict-tool-calling/
 */
export const grammar: Provider<OpenAiChatTool> = {
  rules: { toolName: functionName, schema, strict: { schema, limits: {} } },
  toTool: chatTool,
};
