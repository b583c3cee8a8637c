// How does a registry switch meta arguments on for a tool? By a copy of its contract.
import { isRequiredIn, withoutMeta } from '../../contract/meta/meta-schema.ts';
import type { MetaArgument, ToolContract } from '../../contract/tool-contract.ts';
import { freezeDeep } from '../../json/freeze-deep.ts';

/** The same contract if there is nothing to add; the tool's own meta arguments stand. */
export function withMeta(contract: ToolContract, meta: readonly MetaArgument[]): ToolContract {
  const own = new Set(contract.meta.map(({ key }) => key));
  const added = meta
    .filter(({ key }) => !own.has(key))
    .map((argument) => ({
      ...argument,
      aliases: [...argument.aliases],
      schema: structuredClone(argument.schema),
      isRequired: argument.isRequired || isRequiredIn(contract.inputSchema, argument.key),
    }));
  if (added.length === 0) return contract;
  return Object.freeze({
    ...contract,
    inputSchema: freezeDeep(withoutMeta(contract.inputSchema, added)),
    meta: freezeDeep([...contract.meta, ...added]),
  });
}
