// What an author says of a tool to one provider, in the provider's own words.
import {
  type OptionKinds,
  anyObject,
  boolean,
  list,
  object,
  oneOfWords,
  required,
  string,
} from '../options/check-options.ts';
import type { JsonObject } from '../json/value.ts';

/**
 * Members of a tool that only one provider has. They are part of the tool in that provider's schemas,
 * and of no other.
 */
export interface ProviderOptions {
  /** Of Anthropic's Messages API. */
  readonly anthropic?: AnthropicToolOptions;
  /** Of OpenAI's Chat Completions and Responses. */
  readonly openai?: OpenAiToolOptions;
  /** Of MCP's `tools/list`. */
  readonly mcp?: McpToolOptions;
}

/** Of Anthropic's Messages API: https://docs.anthropic.com/en/api/messages */
export interface AnthropicToolOptions {
  /** A breakpoint of the prompt cache after the tool. */
  readonly cache_control?: { readonly type: 'ephemeral'; readonly ttl?: '5m' | '1h' };
  /** Claude finds the tool by a tool search tool, which the program adds to the request. */
  readonly defer_loading?: boolean;
  /** Who may call the tool. Default: the model directly. */
  readonly allowed_callers?: readonly AnthropicCaller[];
  /** The input is streamed as the model writes it, before it is known to be JSON. */
  readonly eager_input_streaming?: boolean;
  /** Strict mode for this tool, whatever the other tools have. */
  readonly strict?: boolean;
}

/** The model, or a version of its tool that runs code. */
export type AnthropicCaller =
  'direct' | 'code_execution_20250825' | 'code_execution_20260120' | 'code_execution_20260521';

const anthropicCallers: readonly AnthropicCaller[] = [
  'direct',
  'code_execution_20250825',
  'code_execution_20260120',
  'code_execution_20260521',
];

/** Of OpenAI's APIs: https://platform.openai.com/docs/api-reference/responses/create */
export interface OpenAiToolOptions {
  /** Responses: the model finds the tool by tool search, which the program adds to the request. */
  readonly defer_loading?: boolean;
  /** Responses: who may call the tool. */
  readonly allowed_callers?: readonly ('direct' | 'programmatic')[];
  /** Strict mode for this tool, whatever the other tools have. */
  readonly strict?: boolean;
}

/** Of MCP: https://modelcontextprotocol.io/specification/2025-11-25/server/tools */
export interface McpToolOptions {
  /** Pictures that clients show beside the tool. */
  readonly icons?: readonly ToolIcon[];
  /** For programs that know its keys. */
  readonly _meta?: JsonObject;
}

/** A picture of a tool. */
export interface ToolIcon {
  /** A URL of https, or a data URL. */
  readonly src: string;
  /** Default: what the server of `src` says. */
  readonly mimeType?: string;
  /** Such as `48x48`, or `any` for a vector. */
  readonly sizes?: readonly string[];
}

const cacheKinds: OptionKinds<NonNullable<AnthropicToolOptions['cache_control']>> = {
  type: required(oneOfWords('ephemeral')),
  ttl: oneOfWords('5m', '1h'),
};

const anthropicKinds: OptionKinds<AnthropicToolOptions> = {
  cache_control: object(cacheKinds, "write { type: 'ephemeral' }"),
  defer_loading: boolean,
  allowed_callers: list(oneOfWords(...anthropicCallers)),
  eager_input_streaming: boolean,
  strict: boolean,
};

const openAiKinds: OptionKinds<OpenAiToolOptions> = {
  defer_loading: boolean,
  allowed_callers: list(oneOfWords('direct', 'programmatic')),
  strict: boolean,
};

const iconKinds: OptionKinds<ToolIcon> = {
  src: required({
    accepts: (src) => typeof src === 'string' && /^(?:https:\/\/|data:)/.test(src),
    instead: 'write a URL that begins with https:// or data:',
  }),
  mimeType: string,
  sizes: list(string, "write an array such as ['48x48']"),
};

const mcpKinds: OptionKinds<McpToolOptions> = {
  icons: list(object(iconKinds), 'write an array of { src }'),
  _meta: anyObject('write an object of JSON values'),
};

const providerKinds: OptionKinds<ProviderOptions> = {
  anthropic: object(anthropicKinds),
  openai: object(openAiKinds),
  mcp: object(mcpKinds),
};

export const providerOptionsKind = object(
  providerKinds,
  "write an object such as { anthropic: { cache_control: { type: 'ephemeral' } } }",
);
