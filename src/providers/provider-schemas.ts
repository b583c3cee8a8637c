import { oneOf } from '../errors/check-options.ts';
import { splitPointer } from '../json/json-pointer.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { type AnthropicStrictTool, type AnthropicTool, anthropic, anthropicStrict } from './anthropic.ts';
import { type BedrockTool, bedrock } from './bedrock.ts';
import { type GeminiOpenApiTool, type GeminiTool, gemini, geminiOpenApi } from './gemini.ts';
import { type McpTool, mcp } from './mcp.ts';
import { type MistralTool, mistral } from './mistral.ts';
import { neutral } from './neutral.ts';
import { type OllamaTool, ollama } from './ollama.ts';
import {
  type OpenAiChatTool,
  type OpenAiResponsesTool,
  openAiChat,
  openAiChatStrict,
  openAiResponses,
  openAiResponsesStrict,
} from './openai.ts';
import {
  type DescribedTool,
  type NameRule,
  type ShownNames,
  type ShownTool,
  isLegalName,
  legalNames,
} from './provider-rules.ts';
import { placeIn } from './restore-arguments.ts';
import { type Provider, type LoweredSchema, lowerContract } from './transform-schema.ts';

// A new one is one file and one row here, in both tables.
/** By provider: what one tool looks like in a request to it. */
export interface ProviderTools {
  /** Name, description and JSON Schema as it is, for no provider in particular. */
  readonly neutral: ShownTool;
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

export type ProviderName = keyof ProviderTools;

export const providers: { readonly [Name in ProviderName]: Provider<ProviderTools[Name]> } = {
  neutral,
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
export const isProviderName = (name: unknown): name is ProviderName =>
  typeof name === 'string' && Object.hasOwn(providers, name);

// Names that it doesn't take are others, the same ones every time.
export const providerKind = oneOf(...Object.keys(providers));

/** The names of a set's tools as a provider takes them. */
export const shownNames = (contracts: Iterable<ToolContract>, provider: ProviderName): ShownNames =>
  legalNames(
    Array.from(contracts, ({ name }) => name),
    providers[provider].rules.toolName,
  );

/** The tools as one provider takes them, in their order. */
export function showSet<Name extends ProviderName>(
  tools: readonly DescribedTool[],
  provider: Name,
): ProviderTools[Name][] {
  const names = shownNames(
    tools.map(({ contract }) => contract),
    provider,
  );
  const form: Provider<ProviderTools[Name]> = providers[provider];
  return tools.map((tool) => form.show(tool, names.shown.get(tool.contract.name) ?? tool.contract.name));
}

/** undefined where the arguments are shown as they are. */
export function shownForm(contract: ToolContract, provider: ProviderName): LoweredSchema | undefined {
  if (provider === 'neutral') return undefined;
  const lowered = lowerContract(contract, providers[provider].rules);
  return lowered.plan.kind === 'same' ? undefined : lowered;
}

/** How a model knows a place of the arguments by its JSON Pointer; undefined where it knows all as they are. */
export function shownPlaces(
  contract: ToolContract,
  provider: ProviderName,
): ((pointer: string) => { readonly key: string; readonly isOtherForm: boolean }) | undefined {
  const form = shownForm(contract, provider);
  if (form === undefined) return undefined;
  return (pointer) => {
    const { plan, path } = placeIn(form.plan, pointer);
    return { key: splitPointer(path).key, isOtherForm: plan.kind === 'record' || plan.kind === 'json-text' };
  };
}

/** What a tool of a set is called for a provider. */
export function shownName(tools: Iterable<string>, provider: ProviderName, own: string): string {
  const rule: NameRule | undefined = providers[provider].rules.toolName;
  if (rule === undefined || isLegalName(own, rule)) return own;
  return legalNames(tools, rule).shown.get(own) ?? own;
}

/** The tools of a set by what they are called for a provider. */
export function byShownName<Tool>(
  tools: ReadonlyMap<string, Tool>,
  provider: ProviderName,
): ReadonlyMap<string, Tool> {
  const { shown } = legalNames(tools.keys(), providers[provider].rules.toolName);
  return shown.size === 0 ? tools : new Map([...tools].map(([own, tool]) => [shown.get(own) ?? own, tool]));
}
