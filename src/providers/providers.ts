import { oneOfWords } from '../options/check-options.ts';
import { freezeDeep } from '../collections/objects.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import {
  type AnthropicStrictTool,
  type AnthropicTool,
  anthropic,
  anthropicStrict,
} from './anthropic.ts';
import { type BedrockTool, bedrock, bedrockStrict } from './bedrock.ts';
import { deepseekStrict } from './deepseek.ts';
import { type GeminiOpenApiTool, type GeminiTool, gemini, geminiOpenApi } from './gemini.ts';
import { grammar } from './grammar.ts';
import { type McpTool, mcp } from './mcp.ts';
import { type MistralTool, mistral } from './mistral.ts';
import { type OllamaTool, ollama } from './ollama.ts';
import {
  type OpenAiChatTool,
  type OpenAiResponsesTool,
  openAiChat,
  openAiChatStrict,
  openAiResponses,
  openAiResponsesStrict,
} from './openai.ts';
import { type LegalNames, type Provider, isLegalName, legalNames } from './provider-rules.ts';
import type { ArgumentMapping } from './restore-arguments.ts';
import { transformTool } from './transform-tool.ts';

/** A tool in no provider's format, with its JSON Schema as declared. */
export interface NeutralTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: SchemaObject;
}

const neutral: Provider<NeutralTool> = {
  rules: { schema: { kind: 'declared' } },
  toTool: ({ name, description, schema }) => ({ name, description, inputSchema: schema }),
};

/** One tool in the shape of a provider's requests, by provider. */
export interface ProviderTools {
  /** Name, description and JSON Schema as declared, in no provider's format. */
  readonly neutral: NeutralTool;
  /** Chat Completions. */
  readonly openai: OpenAiChatTool;
  readonly 'openai-strict': OpenAiChatTool;
  readonly 'openai-responses': OpenAiResponsesTool;
  readonly 'openai-responses-strict': OpenAiResponsesTool;
  readonly anthropic: AnthropicTool;
  readonly 'anthropic-strict': AnthropicStrictTool;
  /** `parametersJsonSchema`. */
  readonly gemini: GeminiTool;
  /** `parameters`. */
  readonly 'gemini-openapi': GeminiOpenApiTool;
  /** Converse. */
  readonly bedrock: BedrockTool;
  readonly 'bedrock-strict': BedrockTool;
  readonly mistral: MistralTool;
  /** Chat Completions of DeepSeek's beta API. */
  readonly 'deepseek-strict': OpenAiChatTool;
  /** Chat Completions of servers that make a grammar of the schema: llama.cpp, LM Studio, vLLM. */
  readonly grammar: OpenAiChatTool;
  readonly ollama: OllamaTool;
  readonly mcp: McpTool;
}

/** A provider's format: `openai`, `anthropic-strict`, … */
export type ProviderName = keyof ProviderTools;

/** A contract with the description for models. */
export interface DescribedTool {
  readonly contract: ToolContract;
  readonly description: string;
  /** What toolmend and the author's hints added to the description. */
  readonly hints: readonly string[];
}

/** Makes tools in the shape of one provider's requests. */
interface ToolMaker<Tool extends object> extends Pick<Provider<Tool>, 'rules'> {
  /**
   * Frozen; the same object for the same tool and name. `allowsStrict`: the other tools of the request
   * are strict too.
   */
  readonly make: (tool: DescribedTool, name: string, allowsStrict: boolean) => Tool;
}

/** To add a provider, write a file, a row here and a row in `ProviderTools`. */
export const providers: { readonly [Name in ProviderName]: ToolMaker<ProviderTools[Name]> } = {
  neutral: toolMaker(neutral),
  openai: toolMaker(openAiChat),
  'openai-strict': toolMaker(openAiChatStrict),
  'openai-responses': toolMaker(openAiResponses),
  'openai-responses-strict': toolMaker(openAiResponsesStrict),
  anthropic: toolMaker(anthropic),
  'anthropic-strict': toolMaker(anthropicStrict),
  gemini: toolMaker(gemini),
  'gemini-openapi': toolMaker(geminiOpenApi),
  bedrock: toolMaker(bedrock),
  'bedrock-strict': toolMaker(bedrockStrict),
  mistral: toolMaker(mistral),
  'deepseek-strict': toolMaker(deepseekStrict),
  grammar: toolMaker(grammar),
  ollama: toolMaker(ollama),
  mcp: toolMaker(mcp),
};

function toolMaker<Tool extends object>({ rules, toTool }: Provider<Tool>): ToolMaker<Tool> {
  const cache = new WeakMap<
    DescribedTool,
    { readonly name: string; readonly allowsStrict: boolean; readonly providerTool: Tool }
  >();
  return {
    rules,
    make(tool, name, allowsStrict) {
      const cachedTool = cache.get(tool);
      if (cachedTool?.name === name && cachedTool.allowsStrict === allowsStrict)
        return cachedTool.providerTool;
      const { contract, description } = tool;
      const { schema, strict, words } = transformTool(contract, rules);
      const lines = [description, ...words.filter((sentence) => !description.includes(sentence))];
      const whole = lines.filter((line) => line !== '').join('\n');
      const parts = { name, description: whole, schema, strict: strict && allowsStrict, contract };
      const providerTool = freezeDeep(toTool(parts));
      cache.set(tool, { name, allowsStrict, providerTool });
      return providerTool;
    },
  };
}

export const isProviderName = (name: unknown): name is ProviderName =>
  typeof name === 'string' && Object.hasOwn(providers, name);

export const providerKind = oneOfWords(...Object.keys(providers));

/**
 * The tools in the shape of a provider's requests, in their order. Frozen; the same object for the
 * same tool and name.
 */
export function providerTools<Name extends ProviderName>(
  tools: readonly DescribedTool[],
  provider: Name,
): ProviderTools[Name][] {
  const contracts = tools.map(({ contract }) => contract);
  const { legal } = providerToolNames(contracts, provider);
  const { make }: ToolMaker<ProviderTools[Name]> = providers[provider];
  const allowsStrict = areStrictAllowed(contracts, provider);
  return tools.map((tool) =>
    make(tool, legal.get(tool.contract.name) ?? tool.contract.name, allowsStrict),
  );
}

/** False if the provider takes strict tools only alone, and one of the tools isn't strict. */
export function areStrictAllowed(
  contracts: readonly ToolContract[],
  provider: ProviderName,
): boolean {
  const { rules } = providers[provider];
  return (
    rules.strict?.allOrNone !== true ||
    contracts.every((contract) => transformTool(contract, rules).strict)
  );
}

export const providerToolNames = (
  contracts: Iterable<ToolContract>,
  provider: ProviderName,
): LegalNames =>
  legalNames(
    Array.from(contracts, ({ name }) => name),
    providers[provider].rules.toolName,
  );

/** Maps the arguments that the provider's models send; undefined if they send the tool's own. */
export const argumentMapping = (
  contract: ToolContract,
  provider: ProviderName,
): ArgumentMapping | undefined => transformTool(contract, providers[provider].rules).mapping;

/** The provider's name of one of a set's tools. `tools`: the names of all. */
export function providerToolName(
  tools: Iterable<string>,
  provider: ProviderName,
  ownName: string,
): string {
  const { toolName } = providers[provider].rules;
  if (toolName === undefined || isLegalName(ownName, toolName)) return ownName;
  return legalNames(tools, toolName).legal.get(ownName) ?? ownName;
}

export function toolsByProviderName<Tool>(
  tools: ReadonlyMap<string, Tool>,
  provider: ProviderName,
): ReadonlyMap<string, Tool> {
  const { legal } = legalNames(tools.keys(), providers[provider].rules.toolName);
  return legal.size === 0
    ? tools
    : new Map([...tools].map(([ownName, tool]) => [legal.get(ownName) ?? ownName, tool]));
}
