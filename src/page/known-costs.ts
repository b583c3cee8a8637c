// What tools cost in each request, as the page shows it.
import { type ProviderName, isProviderName, providers } from '../providers/providers.ts';
import type { ToolSetCost } from '../providers/tool-cost.ts';
import type { ToolRegistry } from '../registry/tool-registry.ts';
import { shownText } from '../telemetry/redact-arguments.ts';

/** The costs of the tools that a source knows. */
export interface KnownCosts {
  /** For whose requests they are known. The first one is the default. Empty: no tool is known yet. */
  readonly providers: readonly ProviderName[];
  costOf(provider: ProviderName): ToolSetCost;
}

/** The costs for one of the providers. */
export interface ShownCosts extends Pick<KnownCosts, 'providers'> {
  readonly cost: ToolSetCost;
}

/** In a fixed order, so that a default stays the same. */
export const allProviders: readonly ProviderName[] = Object.keys(providers).filter(isProviderName);

/** The tools of a registry can be offered to every provider. */
export const registryCosts = (tools: ToolRegistry): KnownCosts => ({
  // The default of `toolmend check --cost` comes first.
  providers: ['openai', ...allProviders.filter((provider) => provider !== 'openai')],
  costOf: (provider) => tools.cost(provider),
});

/**
 * The costs for the provider of this name, else for the first one. Undefined: no tool is known. A
 * sentence that looks like a secret is left out.
 */
export function shownCosts(knownCosts: KnownCosts, name: string | null): ShownCosts | undefined {
  const { providers: knownProviders } = knownCosts;
  const provider = knownProviders.find((known) => known === name) ?? knownProviders[0];
  if (provider === undefined) return undefined;
  const cost = knownCosts.costOf(provider);
  if (cost.tools.length === 0) return undefined;
  const tools = cost.tools.map((tool) => ({
    ...tool,
    hints: tool.hints.map((hint) => ({ ...hint, hint: shownText(hint.hint) })),
  }));
  const repeatedSentences = cost.repeatedSentences.map((repeated) => ({
    ...repeated,
    sentence: shownText(repeated.sentence),
  }));
  return { providers: knownProviders, cost: { ...cost, tools, repeatedSentences } };
}
