// Which JSON Schema does a tool show as a Standard Schema in a dialect?
import type { ToolContract } from '../../contract/tool-contract.ts';
import { type DialectName, dialects } from '../../dialects/dialect-table.ts';
import { lowerContract } from '../../dialects/lowering/lower-contract.ts';
import { shownSchema } from '../../dialects/shown-tool.ts';
import type { SchemaObject } from '../../json/json-schema.ts';
import { knownForm } from '../shown/known-dialect.ts';

/** Throws a DefinitionError for a dialect that there is not. */
export function schemaIn(contract: ToolContract, dialect: DialectName): SchemaObject {
  const known = knownForm(dialect, 'standardSchema');
  if (known === undefined) return shownSchema(contract);
  const { schema, words } = lowerContract(contract, dialects[known].rules);
  return words.length === 0 ? schema : { ...schema, description: words.join('\n') };
}
