// How do tools of two sources with the same names get along? Those of one source get names with a prefix.
import type { ToolContract } from '../../contract/tool-contract.ts';
import { isPortableName } from '../../contract/tool-name.ts';
import { DefinitionError } from '../../errors/definition-error.ts';
import { contractsOf } from '../contract-of.ts';
import type { RegisteredTool } from '../registration/read-registration.ts';

/**
 * The same tools under prefixed names, for `register`: `withPrefix('git_', Status)`. Throws a DefinitionError for names that
 * not every provider takes.
 */
export function withPrefix(prefix: string, ...tools: readonly RegisteredTool[]): readonly ToolContract[] {
  const contracts = tools.flatMap((tool) => (typeof tool === 'function' ? contractsOf(tool) : [tool]));
  const prefixed = contracts.map((contract) => Object.freeze({ ...contract, name: prefix + contract.name }));
  const complaints = prefixed
    .filter(({ name }) => !isPortableName(name))
    .map(({ name }) => ({
      where: `withPrefix(${JSON.stringify(prefix)})`,
      what: `makes the name ${JSON.stringify(name)}, which not every provider takes`,
      instead: 'write a prefix of letters, digits, _ and -, with which names have at most 64',
    }));
  if (complaints.length > 0) throw new DefinitionError(complaints);
  return prefixed;
}
