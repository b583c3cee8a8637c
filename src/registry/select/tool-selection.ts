// What can a program say of a selection?
import type { ApplicationContext, ToolContract } from '../../contract/tool-contract.ts';
import { unknownOptions } from '../../contract/unknown-options.ts';
import { DefinitionError } from '../../errors/definition-error.ts';
import {
  functionKind,
  objectKind,
  optionComplaints,
  type OptionKinds,
} from '../../errors/option-complaints.ts';

/** What of a registry is selected. */
export interface ToolSelection {
  /** Values of the conversation, for the tools' `enabled`; they stand before the registry's. */
  readonly context?: ApplicationContext;
  /** Tools for which this is false are left out. Default: all are taken. */
  readonly filter?: (tool: ToolContract) => boolean;
  /** Deferred tools that are there from the start, as those that were found before. */
  readonly loaded?: Iterable<string>;
  /** The name of the tool that finds deferred tools. Default: `find_tools`. */
  readonly searchName?: string;
}

const where = 'ToolRegistry.select';

/** Throws a DefinitionError with every option of another kind, and every one that there is not. */
export function checkSelection(selection: ToolSelection): void {
  const misfits = optionComplaints(where, selection, kinds);
  const complaints = [...misfits, ...unknownOptions(where, Object(selection), options)];
  if (complaints.length > 0) throw new DefinitionError(complaints);
}

const kinds: OptionKinds = {
  context: objectKind('write an object of values by name'),
  filter: functionKind('write a function that says which tools are taken'),
  loaded: {
    fits: (names) =>
      typeof Reflect.get(Object(names), Symbol.iterator) === 'function' && typeof names !== 'string',
    instead: 'write a list of names, as names() returns one',
  },
  searchName: {
    fits: (name) => typeof name === 'string',
    instead: 'write a name for the tool that finds tools',
  },
};

const options: Readonly<Record<keyof ToolSelection, true>> = {
  context: true,
  filter: true,
  loaded: true,
  searchName: true,
};
