import { memoize } from '../collections/memoize.ts';
import { type HintOptions, toolDescription } from '../messages/describe-tool.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { type DescribedTool, type ProviderName, argumentMapping } from './providers.ts';

/**
 * The tools with their descriptions for models. Hints name the keys of the provider's schema. The
 * same object for the same tool, provider and `hints`.
 */
export const describeTools = (
  contracts: readonly ToolContract[],
  provider: ProviderName,
  hints: HintOptions,
): readonly DescribedTool[] => {
  const descriptionsOf = descriptionsWith(hints);
  return contracts.map((contract) => {
    const descriptions = descriptionsOf(contract);
    const cachedTool = descriptions.get(provider);
    if (cachedTool !== undefined) return cachedTool;
    const mapping = argumentMapping(contract, provider);
    const providerPath = (pointer: string) => mapping?.locate(pointer).path ?? pointer;
    const { text, hints: sentences } = toolDescription(contract, hints, providerPath);
    const tool = { contract, description: text, hints: sentences };
    descriptions.set(provider, tool);
    return tool;
  });
};

const descriptionsWith = memoize((_hints: HintOptions) =>
  memoize((_contract: ToolContract) => new Map<ProviderName, DescribedTool>()),
);
