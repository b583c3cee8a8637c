// What is a provider shown of a set of tools? Names that it doesn't take are others, the same ones every time.
import type { ToolContract } from '../contract/tool-contract.ts';
import type { DialectForm } from './dialect-form.ts';
import { dialects, type ProviderDialect, type ProviderDialects } from './dialect-table.ts';
import { legalNames, type ShownNames } from './legal-names.ts';
import type { DescribedTool } from './shown-tool.ts';

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
