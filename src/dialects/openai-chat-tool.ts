// How does OpenAI's Chat Completions API take a tool? https://platform.openai.com/docs/api-reference/chat/create
import type { SchemaObject } from '../json/json-schema.ts';
import { onceEach } from './once-each.ts';
import type { ShownTool } from './shown-tool.ts';

/** One entry of a request's `tools`; OpenAI-compatible servers (vLLM, Ollama, llama.cpp) take the same. */
export interface OpenAiChatTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: SchemaObject;
    /** False: strict mode would make every optional field required. */
    readonly strict: false;
  };
}

export const openAiChatTool: (tool: ShownTool) => OpenAiChatTool = onceEach(
  ({ name, description, inputSchema }) =>
    Object.freeze({
      type: 'function',
      function: Object.freeze({ name, description, parameters: inputSchema, strict: false }),
    }),
);
