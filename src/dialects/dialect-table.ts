// Which forms of a tool can be asked for? A new one is one file and one row here, in both tables.
import {
  type AnthropicStrictTool,
  type AnthropicTool,
  anthropic,
  anthropicStrict,
} from './providers/anthropic-tool.ts';
import { type BedrockTool, bedrock } from './providers/bedrock-tool.ts';
import type { DialectForm } from './dialect-form.ts';
import { type GeminiOpenApiTool, type GeminiTool, gemini, geminiOpenApi } from './providers/gemini-tool.ts';
import { type McpTool, mcp } from './providers/mcp-tool.ts';
import { type MistralTool, mistral } from './providers/mistral-tool.ts';
import { type OllamaTool, ollama } from './providers/ollama-tool.ts';
import {
  type OpenAiChatTool,
  type OpenAiResponsesTool,
  openAiChat,
  openAiChatStrict,
  openAiResponses,
  openAiResponsesStrict,
} from './providers/openai-tool.ts';
import type { ShownTool } from './shown-tool.ts';

/** By dialect of a provider: what one tool looks like in it. */
export interface ProviderDialects {
  /** Chat Completions. */
  readonly openai: OpenAiChatTool;
  readonly 'openai-strict': OpenAiChatTool<true>;
  readonly 'openai-responses': OpenAiResponsesTool;
  readonly 'openai-responses-strict': OpenAiResponsesTool<true>;
  readonly anthropic: AnthropicTool;
  readonly 'anthropic-strict': AnthropicStrictTool;
  /** `parametersJsonSchema`. */
  readonly gemini: GeminiTool;
  /** `parameters`. */
  readonly 'gemini-openapi': GeminiOpenApiTool;
  /** Converse. */
  readonly bedrock: BedrockTool;
  readonly mistral: MistralTool;
  readonly ollama: OllamaTool;
  readonly mcp: McpTool;
}

export type ProviderDialect = keyof ProviderDialects;

export const dialects: { readonly [Name in ProviderDialect]: DialectForm<ProviderDialects[Name]> } = {
  openai: openAiChat,
  'openai-strict': openAiChatStrict,
  'openai-responses': openAiResponses,
  'openai-responses-strict': openAiResponsesStrict,
  anthropic,
  'anthropic-strict': anthropicStrict,
  gemini,
  'gemini-openapi': geminiOpenApi,
  bedrock,
  mistral,
  ollama,
  mcp,
};

/** By name, as it may come from a setting. */
export const isProviderDialect = (name: unknown): name is ProviderDialect =>
  typeof name === 'string' && Object.hasOwn(dialects, name);

/** By dialect: what one tool looks like in it. */
export interface Dialects extends ProviderDialects {
  /** Name, description and JSON Schema as it is. */
  readonly neutral: ShownTool;
}

export type DialectName = keyof Dialects;
