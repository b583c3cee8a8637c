// What is shown of a registry's tools? Made once for each contract; asking again costs nothing.
import type { ToolContract } from '../contract/tool-contract.ts';
import { type DialectName, type Dialects, toDialect } from '../dialects/dialect-table.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { onceEach } from '../dialects/once-each.ts';
import { shownSchema, type ShownTool } from '../dialects/shown-tool.ts';
import { describeTool } from '../hints/describe-tool.ts';
import { freezeDeep } from '../json/freeze-deep.ts';

/**
 * The tools in one dialect, in their order: a new list of frozen schemas, the same ones every time. Throws a
 * DefinitionError for a dialect that there is not.
 */
export function showTools<Name extends DialectName>(
  contracts: Iterable<ToolContract>,
  dialect: Name,
): Dialects[Name][] {
  if (!Object.hasOwn(toDialect, dialect)) throw unknownDialect(dialect);
  return Array.from(contracts, (contract) => toDialect[dialect](shownTool(contract)));
}

/** For JavaScript callers, and for names that come from a setting. */
function unknownDialect(dialect: unknown): DefinitionError {
  const known = Object.keys(toDialect).join(', ');
  const what = `has no dialect ${JSON.stringify(dialect) ?? String(dialect)}`;
  return new DefinitionError([{ where: 'ToolRegistry.schemas', what, instead: `ask for one of ${known}` }]);
}

const shownTool = onceEach((contract: ToolContract): ShownTool => {
  const { name } = contract;
  return freezeDeep({ name, description: describeTool(contract), inputSchema: shownSchema(contract) });
});
