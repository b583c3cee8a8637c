// What is shown of a registry's tools? Made once for each contract; asking again costs nothing.
import type { ToolContract } from '../contract/tool-contract.ts';
import { type DialectName, type Dialects, toDialect } from '../dialects/dialect-table.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { onceEach } from '../dialects/once-each.ts';
import { shownSchema, type ShownTool } from '../dialects/shown-tool.ts';
import type { HintOptions } from '../hints/contract-hints.ts';
import { describeTool } from '../hints/describe-tool.ts';
import { freezeDeep } from '../json/freeze-deep.ts';

/**
 * The tools in one dialect, in their order: a new list of frozen schemas, the same ones every time. Throws a
 * DefinitionError for a dialect that there is not.
 */
export function showTools<Name extends DialectName>(
  contracts: Iterable<ToolContract>,
  dialect: Name,
  hints: HintOptions,
): Dialects[Name][] {
  if (!Object.hasOwn(toDialect, dialect)) throw unknownDialect(dialect);
  const shownTool = shownWith(hints);
  return Array.from(contracts, (contract) => toDialect[dialect](shownTool(contract)));
}

/** For JavaScript callers, and for names that come from a setting. */
function unknownDialect(dialect: unknown): DefinitionError {
  const known = Object.keys(toDialect).join(', ');
  const what = `has no dialect ${JSON.stringify(dialect) ?? String(dialect)}`;
  return new DefinitionError([{ where: 'ToolRegistry.schemas', what, instead: `ask for one of ${known}` }]);
}

const shownWith = onceEach((hints: HintOptions) =>
  onceEach((contract: ToolContract): ShownTool => {
    const { name } = contract;
    const description = describeTool(contract, hints);
    return freezeDeep({ name, description, inputSchema: shownSchema(contract) });
  }),
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
