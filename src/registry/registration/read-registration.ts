// Which contracts does one `register` add, and what stands against them? Told all at once, before anything is added.
import { constructionComplaints } from '../../contract/construction.ts';
import type { Constructor, ToolContract } from '../../contract/tool-contract.ts';
import { type Complaint, DefinitionError } from '../../errors/definition-error.ts';
import { foldKey } from '../../json/fold-key.ts';
import { collectComplaints } from './collect-complaints.ts';
import { compileSchemas } from './compile-schemas.ts';
import { contractsOf } from '../contract-of.ts';
import type { RegistrySetting } from '../registry-setting.ts';
import { tellRegistered } from './tell-registered.ts';
import { withSetting } from '../with-setting/with-setting.ts';

/** A `@Tool` class, a class with `@ToolMethod` methods, or what `defineTool` made. */
export type RegisteredTool = Constructor | ToolContract;

/** Throws a DefinitionError with every complaint about any of the tools, and about two of one name. */
export function readRegistration(
  tools: readonly RegisteredTool[],
  present: readonly ToolContract[],
  setting: RegistrySetting,
): readonly ToolContract[] {
  const { judge, instancesMadeBy, listeners } = setting;
  const complaints: Complaint[] = [];
  const contracts = tools.flatMap((tool: unknown, index) => {
    if (isContract(tool)) {
      complaints.push(...constructionOf(tool, instancesMadeBy));
      return [withSetting(tool, setting)];
    }
    if (!isClass(tool)) {
      complaints.push(notATool(tool, index));
      return [];
    }
    complaints.push(...constructionComplaints(tool, instancesMadeBy));
    const read = collectComplaints(() => contractsOf(tool, judge), complaints) ?? [];
    return read.map((contract) => withSetting(contract, setting));
  });
  complaints.push(...contracts.flatMap(complaintsOf), ...duplicates(contracts, present));
  if (complaints.length > 0) throw new DefinitionError(complaints);
  for (const contract of contracts) tellRegistered(contract, listeners);
  return contracts;
}

/** Of the class behind a contract: it may have been read without a registry. */
function constructionOf(
  { binding }: ToolContract,
  instancesMadeBy: RegistrySetting['instancesMadeBy'],
): readonly Complaint[] {
  if (binding.kind === 'class') return constructionComplaints(binding.Class, instancesMadeBy);
  return binding.kind === 'method' ? constructionComplaints(binding.Owner, instancesMadeBy) : [];
}

// JavaScript callers, and imports that form a cycle, pass what no type allows.
const isClass = (tool: unknown): tool is Constructor => typeof tool === 'function';

const isContract = (tool: unknown): tool is ToolContract =>
  typeof tool === 'object' &&
  tool !== null &&
  ['name', 'inputSchema', 'meta', 'binding'].every((key) => Object.hasOwn(tool, key));

function notATool(written: unknown, index: number): Complaint {
  const where = `argument ${index + 1} of register`;
  if (written === undefined) {
    const instead =
      'pass a class or what defineTool returned; a class that is imported may be undefined where imports form a cycle';
    return { where, what: 'is undefined', instead };
  }
  const instead = 'pass the class itself, or what defineTool returned';
  return { where, what: `is ${kindOf(written)}`, instead };
}

function kindOf(written: unknown): string {
  if (written === null) return 'null';
  if (typeof written !== 'object') return `a ${typeof written}`;
  const Class: unknown = written.constructor;
  if (Array.isArray(written)) return 'a list';
  return isClass(Class) && Class !== Object
    ? `an instance of ${Class.name}`
    : 'an object that is no contract';
}

function complaintsOf(contract: ToolContract): readonly Complaint[] {
  const { name, binding } = contract;
  if (binding.kind === 'none') {
    return [
      { where: name, what: 'has nothing to execute', instead: 'make it with defineTool({ …, execute })' },
    ];
  }
  return compileSchemas(contract);
}

/** Names that differ in case and separators only are one name to a model that misspells them. */
function duplicates(added: readonly ToolContract[], present: readonly ToolContract[]): readonly Complaint[] {
  const first = new Map(present.map((contract) => [spellingOf(contract), contract] as const));
  return added.flatMap((contract) => {
    const other = first.get(spellingOf(contract));
    if (other === undefined) {
      first.set(spellingOf(contract), contract);
      return [];
    }
    const what =
      other.name === contract.name
        ? `and ${sourceOf(other)} are both named ${contract.name}`
        : `is named ${contract.name}, and ${sourceOf(other)} is named ${other.name}, which is spelled alike`;
    return [{ where: sourceOf(contract), what, instead: 'give one of them another name' }];
  });
}

const spellingOf = ({ name }: ToolContract): string => foldKey(name) ?? name;

function sourceOf({ name, binding }: ToolContract): string {
  if (binding.kind === 'class') return binding.Class.name;
  return binding.kind === 'method' ? `${binding.Owner.name}.${binding.method}` : `the tool ${name}`;
}
