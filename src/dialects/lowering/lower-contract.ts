// What does a contract look like to a provider? Made once for each contract and dialect.
import type { ToolContract } from '../../contract/tool-contract.ts';
import type { SchemaRules } from '../dialect-rules.ts';
import { onceEach } from '../once-each.ts';
import { shownSchema } from '../shown-tool.ts';
import { type LoweredSchema, lowerSchema } from './lower-schema.ts';

const lowered = new WeakMap<SchemaRules, (contract: ToolContract) => LoweredSchema>();

/** Made once for each contract and dialect. */
export function lowerContract(
  contract: ToolContract,
  { schema: rules }: { readonly schema: SchemaRules },
): LoweredSchema {
  const known = lowered.get(rules);
  const make = known ?? onceEach((from: ToolContract) => lowerSchema(shownSchema(from), rules));
  if (known === undefined) lowered.set(rules, make);
  return make(contract);
}
