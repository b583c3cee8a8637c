import { memoize } from '../collections/memoize.ts';
import { type HintOptions, toolDescription } from '../messages/describe-tool.ts';
import type { FieldMiss } from '../messages/miss-sentences.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { type DescribedTool, type ProviderName, argumentMapping } from './providers.ts';

/**
 * The tools with their descriptions for models. Hints name the keys of the provider's schema. The
 * same object for the same tool, provider, `hints` and list of misses. `missesOf`: what the model
 * often gets wrong in a tool.
 */
export const describeTools = (
  contracts: readonly ToolContract[],
  provider: ProviderName,
  hints: HintOptions,
  missesOf: (contract: ToolContract) => readonly FieldMiss[] = () => noMisses,
): readonly DescribedTool[] => {
  const descriptionsOf = descriptionsWith(hints);
  return contracts.map((contract) => {
    const misses = missesOf(contract);
    const descriptions = descriptionsOf(contract)(misses.length === 0 ? noMisses : misses);
    const cachedTool = descriptions.get(provider);
    if (cachedTool !== undefined) return cachedTool;
    const mapping = argumentMapping(contract, provider);
    const providerPath = (pointer: string) => mapping?.locate(pointer).path ?? pointer;
    const { text, hints: sentences } = toolDescription(contract, hints, providerPath, misses);
    const tool = { contract, description: text, hints: sentences };
    descriptions.set(provider, tool);
    return tool;
  });
};

const noMisses: readonly FieldMiss[] = Object.freeze([]);

const descriptionsWith = memoize((_hints: HintOptions) =>
  memoize((_contract: ToolContract) =>
    memoize((_misses: readonly FieldMiss[]) => new Map<ProviderName, DescribedTool>()),
  ),
);
