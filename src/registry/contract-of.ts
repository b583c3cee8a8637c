// What is the contract of a decorated class? Read once per class, by its identity; whatever is wrong is told at once.
import { draftFromClass } from '../contract/contract-from-class.ts';
import type { SchemaJudge } from '../contract/schema-judge.ts';
import type { Constructor, ToolContract } from '../contract/tool-contract.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { sampleComplaints } from './registration/judge-samples.ts';
import { withJudge } from './with-setting/with-judge.ts';

// Keyed by the class and let go with it; what could not be read is read anew.
const known = new WeakMap<Constructor, readonly ToolContract[]>();

/**
 * The contract of a `@Tool` class, judged by Ajv unless another judge is given. Throws a DefinitionError with every complaint
 * about it.
 */
export function contractOf(Class: Constructor, judge?: SchemaJudge): ToolContract {
  const [contract, ...others] = contractsOf(Class, judge);
  if (contract?.binding.kind === 'class' && others.length === 0) return contract;
  throw new DefinitionError([
    { where: Class.name, what: 'has its tools on methods', instead: 'read them with contractsOf(Class)' },
  ]);
}

/** The contracts of a class: one for `@Tool`, one for each `@ToolMethod`. Throws as `contractOf` does. */
export function contractsOf(Class: Constructor, judge?: SchemaJudge): readonly ToolContract[] {
  const contracts = known.get(Class) ?? Object.freeze(readContracts(Class, judge));
  known.set(Class, contracts);
  return judge === undefined ? contracts : contracts.map((contract) => withJudge(contract, judge));
}

function readContracts(Class: Constructor, judge: SchemaJudge | undefined): readonly ToolContract[] {
  const { tools, complaints } = draftFromClass(Class);
  // A schema with holes would find fault with samples that are right.
  const all = complaints.length > 0 ? complaints : tools.flatMap((tool) => sampleComplaints(tool, judge));
  if (all.length > 0) throw new DefinitionError(all);
  return tools.map(({ contract }) => contract);
}
