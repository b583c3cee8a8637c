import { splitPointer } from '../json/json-pointer.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { type AnthropicStrictTool, type AnthropicTool, anthropic, anthropicStrict } from './anthropic.ts';
import { type BedrockTool, bedrock } from './bedrock.ts';
import { type GeminiOpenApiTool, type GeminiTool, gemini, geminiOpenApi } from './gemini.ts';
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
import {
  type DescribedTool,
  type NameRule,
  type ShownNames,
  type ShownTool,
  isLegalName,
  legalNames,
} from './provider-rules.ts';
import { placeIn } from './restore-arguments.ts';
import { type DialectForm, type LoweredSchema, lowerContract } from './transform-schema.ts';

// A new one is one file and one row here, in both tables.
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

// Names that it doesn't take are others, the same ones every time.
/** The names of a set's tools in a dialect. */
export const shownNames = (contracts: Iterable<ToolContract>, dialect: ProviderDialect): ShownNames =>
  legalNames(
    Array.from(contracts, ({ name }) => name),
    dialects[dialect].rules.toolName,
  );

/** The tools in one dialect, in their order. */
export function showSet<Name extends ProviderDialect>(
  tools: readonly DescribedTool[],
  dialect: Name,
): ProviderDialects[Name][] {
  const names = shownNames(
    tools.map(({ contract }) => contract),
    dialect,
  );
  const form: DialectForm<ProviderDialects[Name]> = dialects[dialect];
  return tools.map((tool) => form.show(tool, names.shown.get(tool.contract.name) ?? tool.contract.name));
}

/** undefined where the arguments are shown as they are. */
export function shownForm(contract: ToolContract, dialect: DialectName): LoweredSchema | undefined {
  if (dialect === 'neutral') return undefined;
  const lowered = lowerContract(contract, dialects[dialect].rules);
  return lowered.plan.kind === 'same' ? undefined : lowered;
}

/** How a model knows a place of the arguments by its JSON Pointer; undefined where it knows all as they are. */
export function shownPlaces(
  contract: ToolContract,
  dialect: ProviderDialect,
): ((pointer: string) => { readonly key: string; readonly isOtherForm: boolean }) | undefined {
  const form = shownForm(contract, dialect);
  if (form === undefined) return undefined;
  return (pointer) => {
    const { plan, path } = placeIn(form.plan, pointer);
    return { key: splitPointer(path).key, isOtherForm: plan.kind === 'record' || plan.kind === 'json-text' };
  };
}

/** What a tool of a set is called in a dialect. */
export function shownName(tools: Iterable<string>, dialect: ProviderDialect, own: string): string {
  const rule: NameRule | undefined = dialects[dialect].rules.toolName;
  if (rule === undefined || isLegalName(own, rule)) return own;
  return legalNames(tools, rule).shown.get(own) ?? own;
}

/** The tools of a set by what they are called in a dialect. */
export function byShownName<Tool>(
  tools: ReadonlyMap<string, Tool>,
  dialect: ProviderDialect,
): ReadonlyMap<string, Tool> {
  const { shown } = legalNames(tools.keys(), dialects[dialect].rules.toolName);
  return shown.size === 0 ? tools : new Map([...tools].map(([own, tool]) => [shown.get(own) ?? own, tool]));
}
