import { type OpenAiChatTool, functionName } from './openai.ts';
import type { Provider } from './provider-rules.ts';

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

/**
 * OpenAI's form for servers that make a grammar of the schema: llama.cpp, LM Studio, vLLM. They
 * refuse a request, or write wrong calls, for patterns without anchors or with `\d`, large
 * repetitions, `propertyNames` and unknown formats.
 * https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md
 */
export const grammar: Provider<OpenAiChatTool> = {
  rules: {
    toolName: functionName,
    schema: {
      kind: 'plain',
      keeps: (keyword, value) =>
        keywords.has(keyword) ||
        (keyword === 'format' && formats.has(value)) ||
        ((keyword === 'maxLength' || keyword === 'maxItems') && Number(value) <= maxRepetitions),
      typedItems: true,
    },
  },
  toTool: ({ name, description, schema }) => ({
    type: 'function',
    function: { name, description, parameters: schema, strict: false },
  }),
};
