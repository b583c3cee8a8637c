// Made once for each contract; asking again costs nothing.
import { type HintOptions, describeTool } from '../messages/describe-tool.ts';
import { type Finding, checkSet } from '../providers/check-tools.ts';
import { type DescribedTool, onceEach, shownTool } from '../providers/provider-rules.ts';
import {
  type DialectName,
  type Dialects,
  type ProviderDialect,
  showSet,
  shownPlaces,
} from '../providers/provider-schemas.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { knownDialect } from './interpret-call.ts';

/**
 * The tools in one dialect, in their order: a new list of frozen schemas, the same ones every time. Throws a
 * DefinitionError for a dialect that there is not.
 */
export function showTools(
  contracts: Iterable<ToolContract>,
  dialect: DialectName,
  hints: HintOptions,
): Dialects[DialectName][] {
  if (dialect === 'neutral') return Array.from(contracts, describedWith(hints)).map(shownTool);
  const known = knownDialect(dialect, 'ToolRegistry.schemas');
  return showSet(Array.from(contracts, describedIn(known, hints)), known);
}

/** What stands against the tools in each of the dialects. */
export const checkTools = (
  contracts: readonly ToolContract[],
  asked: readonly ProviderDialect[],
): readonly Finding[] =>
  asked.flatMap((dialect) => checkSet(contracts, knownDialect(dialect, 'ToolRegistry.check')));

const describedWith = onceEach((hints: HintOptions) =>
  onceEach((contract: ToolContract): DescribedTool => ({
    contract,
    description: describeTool(contract, hints),
  })),
);

const inDialects = new Map<
  ProviderDialect,
  (hints: HintOptions) => (contract: ToolContract) => DescribedTool
>();

/** The same with the keys and forms of a dialect. */
function describedIn(
  dialect: ProviderDialect,
  hints: HintOptions,
): (contract: ToolContract) => DescribedTool {
  const made =
    inDialects.get(dialect) ??
    onceEach((said: HintOptions) =>
      onceEach((contract: ToolContract): DescribedTool => {
        const known = shownPlaces(contract, dialect);
        return { contract, description: describeTool(contract, said, known) };
      }),
    );
  inDialects.set(dialect, made);
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
