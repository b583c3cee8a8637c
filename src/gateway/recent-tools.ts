// The tools that recent requests offered, and what they cost, for the page.
import { allProviders, type KnownCosts } from '../page/known-costs.ts';
import { describeTools } from '../providers/describe-tools.ts';
import type { ProviderName } from '../providers/providers.ts';
import { type ToolSetCost, toolSetCost } from '../providers/tool-cost.ts';
import type { CheckedTool, ContractCache } from './contract-cache.ts';
import type { GatewayOptions } from './gateway-options.ts';
import type { Protocol } from './protocol.ts';

/** A tool with the sentences that the gateway's options add to its description. */
export interface HintedTool extends CheckedTool {
  readonly sentences: readonly string[];
}

interface RecentTool {
  readonly provider: ProviderName;
  readonly tool: HintedTool;
  /** JSON text of the tool. */
  readonly content: string;
}

interface RecentToolsOptions extends Pick<GatewayOptions, 'hints' | 'schemasFor'> {
  readonly contracts: ContractCache;
}

const mostTools = 256;
/** Of all tools together. */
const maxCharacters = 1024 * 1024;

const providerOf: Readonly<Record<Protocol['name'], ProviderName>> = {
  chat_completions: 'openai',
  responses: 'openai-responses',
  anthropic_messages: 'anthropic',
  ollama_chat: 'ollama',
};

/**
 * Of each API and name, the tool that came last. The tools that were offered longest ago are
 * forgotten.
 */
export class RecentTools implements KnownCosts {
  readonly #options: RecentToolsOptions;
  readonly #tools = new Map<string, RecentTool>();
  /** Of the tools as they are now. */
  readonly #costs = new Map<ProviderName, ToolSetCost>();
  #size = 0;

  constructor(options: RecentToolsOptions) {
    this.#options = options;
  }

  add(protocol: Protocol['name'], tools: readonly HintedTool[]): void {
    const provider = this.#options.schemasFor ?? providerOf[protocol];
    for (const tool of tools) this.#add({ provider, tool, content: JSON.stringify(tool) });
    for (const key of this.#tools.keys()) {
      if (this.#tools.size <= mostTools && this.#size <= maxCharacters) break;
      this.#forget(key);
    }
  }

  #add(recentTool: RecentTool): void {
    const { provider, tool, content } = recentTool;
    const key = `${provider} ${tool.name}`;
    const knownTool = this.#tools.get(key);
    if (knownTool?.content === content) {
      this.#tools.delete(key);
      this.#tools.set(key, knownTool);
      return;
    }
    this.#forget(key);
    this.#tools.set(key, recentTool);
    this.#size += content.length;
    this.#costs.delete(provider);
  }

  #forget(key: string): void {
    const recentTool = this.#tools.get(key);
    if (recentTool === undefined) return;
    this.#tools.delete(key);
    this.#size -= recentTool.content.length;
    this.#costs.delete(recentTool.provider);
  }

  get providers(): readonly ProviderName[] {
    const known = new Set(Array.from(this.#tools.values(), ({ provider }) => provider));
    return allProviders.filter((provider) => known.has(provider));
  }

  /**
   * In the form of the provider. A tool whose schema can't be used is not counted. Sentences of
   * descriptions that repeat are contents of requests, so they are not told.
   */
  costOf(provider: ProviderName): ToolSetCost {
    const knownCost = this.#costs.get(provider);
    if (knownCost !== undefined) return knownCost;
    const { contracts, hints } = this.#options;
    const offeredContracts = [...this.#tools.values()].flatMap((recentTool) => {
      if (recentTool.provider !== provider) return [];
      const { sentences, ...tool } = recentTool.tool;
      const contract = contracts.contractOf(tool);
      if (contract === undefined) return [];
      return [sentences.length === 0 ? contract : { ...contract, hints: sentences }];
    });
    const describedTools = describeTools(offeredContracts, provider, hints ? {} : noHints);
    const cost = { ...toolSetCost(describedTools, provider), repeatedSentences: [] };
    this.#costs.set(provider, cost);
    return cost;
  }
}

const noHints = { longest: 0 };
