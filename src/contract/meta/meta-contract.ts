// By which contract is the value of one of the application's meta arguments judged? By one of its own, for each tool.
import { contractFromSchema } from '../contract-from-schema.ts';
import type { MetaArgument, ToolContract } from '../tool-contract.ts';

const contracts = new WeakMap<ToolContract, Map<MetaArgument, ToolContract>>();

/** Of an object that has the value under its name; judged and repaired as far as the tool's own arguments are. */
export function contractOfMeta(contract: ToolContract, argument: MetaArgument): ToolContract {
  const known = contracts.get(contract) ?? new Map<MetaArgument, ToolContract>();
  contracts.set(contract, known);
  const found = known.get(argument) ?? makeContract(contract, argument);
  known.set(argument, found);
  return found;
}

function makeContract({ name, repair, judge }: ToolContract, argument: MetaArgument): ToolContract {
  const properties = { [argument.name]: argument.schema };
  const required = [argument.name];
  const inputSchema = { type: 'object', properties, required, additionalProperties: false } as const;
  const made = contractFromSchema({
    name,
    repair,
    inputSchema,
    ...(judge === undefined ? {} : { judge }),
  });
  return argument.check === undefined ? made : Object.freeze({ ...made, check: argument.check });
}
