// Made once for each contract; asking again costs nothing.
import { type HintOptions, describeTool } from '../messages/describe-tool.ts';
import { type Finding, checkSet } from '../providers/check-tools.ts';
import {
  type DescribedTool,
  type ProviderName,
  type ProviderTools,
  argumentMapping,
  providerTools,
} from '../providers/providers.ts';
import { onceEach } from '../tool/once-each.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { knownProvider } from './interpret-call.ts';

/**
 * The tools as one provider takes them, in their order: a new list of frozen schemas, the same ones every time. Throws a
 * DefinitionError for an unknown provider.
 */
export function showTools(
  contracts: Iterable<ToolContract>,
  provider: ProviderName,
  hints: HintOptions,
): ProviderTools[ProviderName][] {
  const known = knownProvider(provider, 'ToolRegistry.schemas');
  return providerTools(Array.from(contracts, describedIn(known, hints)), known);
}

/** What the providers would refuse of the tools, one after the other. */
export const checkTools = (
  contracts: readonly ToolContract[],
  asked: readonly ProviderName[],
): readonly Finding[] =>
  asked.flatMap((provider) => checkSet(contracts, knownProvider(provider, 'ToolRegistry.check')));

const byProvider = new Map<ProviderName, (hints: HintOptions) => (contract: ToolContract) => DescribedTool>();

/** With the keys that the provider's models know. */
function describedIn(provider: ProviderName, hints: HintOptions): (contract: ToolContract) => DescribedTool {
  const made =
    byProvider.get(provider) ??
    onceEach((said: HintOptions) =>
      onceEach((contract: ToolContract): DescribedTool => {
        const mapping = argumentMapping(contract, provider);
        const shownPath = (pointer: string) => mapping?.placeOf(pointer).path ?? pointer;
        return { contract, description: describeTool(contract, said, shownPath) };
      }),
    );
  byProvider.set(provider, made);
  return made(hints);
}

/** What a registry says of all that it shows. */
export interface ShownSetting {
  readonly hints: HintOptions;
}

// The same object for all registries: what is shown of a contract is made once for each.
const defaultHints: HintOptions = Object.freeze({});
const noHints: HintOptions = Object.freeze({ longest: 0 });

export function hintOptions(hints: 'off' | HintOptions | undefined): HintOptions {
  if (hints === 'off') return noHints;
  return hints === undefined ? defaultHints : Object.freeze({ ...hints });
}
