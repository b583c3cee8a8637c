import { type OpenAiChatTool, openAiChat } from './openai.ts';
import type { Provider } from './provider-rules.ts';

/**
 * Strict mode of DeepSeek's beta API. Its documentation has no null and almost no keywords, and all
 * tools of a request have to be strict. https://api-docs.deepseek.com/guides/tool_calls
 */
export const deepseekStrict: Provider<OpenAiChatTool> = {
  rules: {
    ...openAiChat.rules,
    strict: {
      schema: { kind: 'strict', keeps: () => false, requiresAll: true },
      limits: {},
      allOrNone: true,
    },
  },
  toTool: openAiChat.toTool,
};
