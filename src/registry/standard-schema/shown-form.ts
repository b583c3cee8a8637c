// In which form is a tool shown by its Standard Schema, and how is what comes back read?
import type { ToolContract } from '../../contract/tool-contract.ts';
import { type DialectName, dialects, isProviderDialect } from '../../dialects/dialect-table.ts';
import { lowerContract } from '../../dialects/lowering/lower-contract.ts';
import { shownSchema } from '../../dialects/shown-tool.ts';
import { DefinitionError } from '../../errors/definition-error.ts';
import type { SchemaObject } from '../../json/json-schema.ts';
import { readBack } from '../show-tools.ts';

export interface ShownForm {
  readonly schema: SchemaObject;
  /** The tool's own arguments. */
  readonly read: (value: unknown) => unknown;
}

/** Throws a DefinitionError for a dialect that there is not. */
export function shownForm(contract: ToolContract, dialect: DialectName): ShownForm {
  if (dialect === 'neutral') return { schema: shownSchema(contract), read: (value) => value };
  if (!isProviderDialect(dialect)) throw noDialect(dialect);
  const { name } = contract;
  const { schema, words } = lowerContract(contract, dialects[dialect].rules);
  const own = new Map([[name, contract]]);
  return {
    schema: words.length === 0 ? schema : { ...schema, description: words.join('\n') },
    read: (value) => readBack(own, dialect, { name, arguments: value }).arguments,
  };
}

const noDialect = (dialect: unknown): DefinitionError =>
  new DefinitionError([
    {
      where: 'standardSchema',
      what: `has no dialect ${JSON.stringify(dialect)}`,
      instead: `ask for one of ${['neutral', ...Object.keys(dialects)].join(', ')}`,
    },
  ]);
