// What is the contract of a decorated class? Read once per class, by its identity; whatever is wrong is told at once.
import { draftFromClass } from '../contract/contract-from-class.ts';
import type { Constructor, ToolContract } from '../contract/tool-contract.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { sampleComplaints } from './judge-samples.ts';

// Keyed by the class and let go with it; what could not be read is read anew.
const known = new WeakMap<Constructor, readonly ToolContract[]>();

/** The contract of a `@Tool` class. Throws a DefinitionError with every complaint about it. */
export function contractOf(Class: Constructor): ToolContract {
  const [contract, ...others] = contractsOf(Class);
  if (contract?.binding.kind === 'class' && others.length === 0) return contract;
  throw new DefinitionError([
    { where: Class.name, what: 'has its tools on methods', instead: 'read them with contractsOf(Class)' },
  ]);
}

/** The contracts of a class: one for `@Tool`, one for each `@ToolMethod`. Throws as `contractOf` does. */
export function contractsOf(Class: Constructor): readonly ToolContract[] {
  const contracts = known.get(Class) ?? Object.freeze(readContracts(Class));
  known.set(Class, contracts);
  return contracts;
}

function readContracts(Class: Constructor): readonly ToolContract[] {
  const { tools, complaints } = draftFromClass(Class);
  // A schema with holes would find fault with samples that are right.
  const all = complaints.length > 0 ? complaints : tools.flatMap(sampleComplaints);
  if (all.length > 0) throw new DefinitionError(all);
  return tools.map(({ contract }) => contract);
}
