// What is shown of a registry's tools? Made once for each contract; asking again costs nothing.
import type { ToolContract } from '../contract/tool-contract.ts';
import { checkSet, type Finding } from '../dialects/check-set.ts';
import {
  type DialectName,
  dialects,
  type Dialects,
  isProviderDialect,
  type ProviderDialect,
} from '../dialects/dialect-table.ts';
import { onceEach } from '../dialects/once-each.ts';
import { type NamedCall, readCall } from '../dialects/read-call.ts';
import { showSet } from '../dialects/show-set.ts';
import { type DescribedTool, shownTool } from '../dialects/shown-tool.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import type { HintOptions } from '../hints/contract-hints.ts';
import { describeTool } from '../hints/describe-tool.ts';

/**
 * The tools in one dialect, in their order: a new list of frozen schemas, the same ones every time. Throws a
 * DefinitionError for a dialect that there is not.
 */
export function showTools(
  contracts: Iterable<ToolContract>,
  dialect: DialectName,
  hints: HintOptions,
): Dialects[DialectName][] {
  const described = Array.from(contracts, describedWith(hints));
  return dialect === 'neutral'
    ? described.map(shownTool)
    : showSet(described, knownDialect(dialect, 'ToolRegistry.schemas'));
}

/** What stands against the tools in each of the dialects. */
export const checkTools = (
  contracts: readonly ToolContract[],
  asked: readonly ProviderDialect[],
): readonly Finding[] =>
  asked.flatMap((dialect) => checkSet(contracts, knownDialect(dialect, 'ToolRegistry.check')));

/** The same call in the tools' own names and form. */
export const readBack = <Call extends NamedCall>(
  contracts: ReadonlyMap<string, ToolContract>,
  dialect: ProviderDialect,
  call: Call,
): Call & NamedCall => ({
  ...call,
  ...readCall(contracts, knownDialect(dialect, 'ToolRegistry.readBack'), call),
});

/** For JavaScript callers, and for names that come from a setting. */
function knownDialect(dialect: unknown, where: string): ProviderDialect {
  if (isProviderDialect(dialect)) return dialect;
  const known = ['neutral', ...Object.keys(dialects)].join(', ');
  const what = `has no dialect ${JSON.stringify(dialect) ?? String(dialect)}`;
  throw new DefinitionError([{ where, what, instead: `ask for one of ${known}` }]);
}

const describedWith = onceEach((hints: HintOptions) =>
  onceEach((contract: ToolContract): DescribedTool => ({
    contract,
    description: describeTool(contract, hints),
  })),
);

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
